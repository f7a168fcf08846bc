#include "orcs/options.h"

#include "cli/gnuplot.h"
#include "cli/palette.h"
#include "cli/terminal.h"
#include "cli/usage.h"
#include "fabric/multipath.h"
#include "fabric/placement.h"
#include "infiniband/source_options.h"
#include "routings/routing.h"
#include "metrics/metric.h"
#include "orcs/lists.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	KEY_PRINTPTRN = 0x100,
	KEY_PRINTNAMELIST,
	KEY_SUBSET,
	KEY_METRIC,
	KEY_MAPPING,
	KEY_SEED,
	KEY_FORMAT,
	KEY_UNROUTABLE,
	KEY_SPEED_AWARE,
	KEY_SERIALISE,
	KEY_PALETTE,
	KEY_SCALE,
	KEY_RAW,
	KEY_QUIET,
	KEY_LIST,
	KEY_LIST_PATTERNS,
	KEY_LIST_METRICS,
	KEY_PRECISION,
	KEY_CONTROL,
	KEY_FAIL_IF,
	KEY_PLOT,
	KEY_ROUTE_MEMORY,
	KEY_SAVE_FABRIC,
	KEY_MULTIPATH,
	KEY_ROUTES,
	KEY_ENGINE,
	KEY_BYTES,
	KEY_SYNC,
	KEY_CAPACITY,
	KEY_LATENCY,
	KEY_MEMORY,
	KEY_PRIORITY,
	KEY_FAIL_AT,
	KEY_REROUTE,
	KEY_TIMELINE,
	KEY_FLOWS,
	KEY_CHECKPOINT,
	KEY_RESUME,
};

const char *const engine_names[] = {"congestion", "flow", "latency", "packet", NULL};

static const char program[] = "orcs", usual_pattern[] = "bisect";

static const struct argp_option table[] = {
	{0, 0, 0, 0, "What is simulated:", 1},
	{"input_file", 'i', "FILE", 0,
		"The fabric: a dot graph, a cache, a topology or dumps, see orcs-fabric(7); - (the default) is standard input", 0},
	{"input-file", 0, 0, OPTION_ALIAS | OPTION_HIDDEN, 0, 0},
	{"pattern", 'p', "PATTERN", 0, "Communication pattern, or workload of --engine flow, NAME or NAME:PARAMETERS (default: bisect)", 0},
	{"ptrn", 0, 0, OPTION_ALIAS | OPTION_HIDDEN, 0, 0},
	{"ptrnarg", 'a', "ARG", 0, "Parameters of the pattern, in place of those after its colon", 0},
	{"first-pattern", 'f', "PATTERN", 0, "First pattern of ptrnvsptrn", 0},
	{"frstptrn", 0, 0, OPTION_ALIAS | OPTION_HIDDEN, 0, 0},
	{"second-pattern", 'c', "PATTERN", 0, "Second pattern of ptrnvsptrn", 0},
	{"secptrn", 0, 0, OPTION_ALIAS | OPTION_HIDDEN, 0, 0},
	{"first-ranks", 'z', "N", 0, "Ranks of the first pattern of ptrnvsptrn", 0},
	{"part_commsize", 0, 0, OPTION_ALIAS | OPTION_HIDDEN, 0, 0},
	{"part-commsize", 0, 0, OPTION_ALIAS | OPTION_HIDDEN, 0, 0},
	{"ptrn_level", 'l', "LEVEL", 0, "Only this level of the pattern, counted from 0", 0},
	{"ptrn-level", 0, 0, OPTION_ALIAS | OPTION_HIDDEN, 0, 0},
	{"ranks", 's', "N", 0, "Number of ranks; 0 (the default): all hosts", 0},
	{"commsize", 0, 0, OPTION_ALIAS | OPTION_HIDDEN, 0, 0},
	{"subset", KEY_SUBSET, "SUBSET", 0, "Which hosts take part: linear_bfs (default), file_order, rand, guid_asc, guid_desc, file:PATH",
		0},
	{"mapping", KEY_MAPPING, "MAPPING", 0, "Which rank sits where: random (default), linear, file:PATH", 0},
	{"do_not_shuffle", 'd', 0, 0, "The same as --mapping linear", 0},
	{"do-not-shuffle", 0, 0, OPTION_ALIAS | OPTION_HIDDEN, 0, 0},
	{"runs", 'n', "N", 0, "Number of runs, each with a mapping of its own (default: 1; with --precision at most, default 1000000)", 0},
	{"num_runs", 0, 0, OPTION_ALIAS | OPTION_HIDDEN, 0, 0},
	{"num-runs", 0, 0, OPTION_ALIAS | OPTION_HIDDEN, 0, 0},
	{"precision", KEY_PRECISION, "REL", 0, "Run until the 95% confidence interval of the mean is within REL of it, as 0.01", 0},
	{"control-variates", KEY_CONTROL, 0, 0,
		"Know means better from as many runs, by what is exactly known of bisect, bisect_fb_sym and rand on all hosts; with --precision, fewer runs",
		0},
	{"routing", 'R', "ENGINE", 0, "Route the fabric before, as 'orcs-route ENGINE' does, whatever it says of routes", 0},
	{"routes", KEY_ROUTES, "FILE", 0, "Source routes, several for a pair of hosts, as of 'orcs-route --routes'", 0},
	{"multipath", KEY_MULTIPATH, "MODE", 0,
		"Of several routes for a pair: first, the first; random, one drawn for each run; split, the load split by their weights (default: first; random where routes are source routes or go by way of a random switch, and where --packet-routing chooses among them)",
		0},
	{"seed", KEY_SEED, "N", 0, "Seed of all random choices (default: 1)", 0},
	{"unroutable", KEY_UNROUTABLE, "error|drop", 0, "Pairs without a route: an error (default), or left out and counted", 0},
	{"speed-aware", KEY_SPEED_AWARE, 0, 0, "Divide congestion by the channels' speeds", 0},
	{"route-memory", KEY_ROUTE_MEMORY, "SIZE", 0,
		"Memory for a table of routes, as 500M or 8G, past which the forwarding tables are walked (default: half of what is free)",
		0},
	{"serialise-sends", KEY_SERIALISE, 0, 0, "dep_max_delay: a sender waits for its own earlier sends", 0},
	{"serialize-sends", 0, 0, OPTION_ALIAS | OPTION_HIDDEN, 0, 0},

	{0, 0, 0, 0, "Bandwidths and times, with --engine flow:", 2},
	{"engine", KEY_ENGINE, "NAME", 0,
		"congestion (default) counts routes; flow divides bandwidth fairly, at once or in time; latency looks at messages alone; packet "
		"sends packets through buffers",
		0},
	{"bytes", KEY_BYTES, "SIZE", 0, "Of each message, as 64k or 1.5M (default: 1M)", 0},
	{"sync", KEY_SYNC, "level|data", 0,
		"A level of a pattern begins when the one before has ended, or a message when its sender has what it was sent before (default: as the pattern is)",
		0},
	{"capacity", KEY_CAPACITY, "BITS/S", 0, "Of the slowest host link (default: the fabric's speeds, else 10e9)", 0},
	{"latency", KEY_LATENCY, "SECONDS", 0, "Of every channel (default: what the fabric says, else 0; with --engine packet 10ns)", 0},
	{"memory-capacity", KEY_MEMORY, "BITS/S", 0, "For messages of a host to itself (default: they take no time)", 0},
	{"priority", KEY_PRIORITY, "POLICY", 0, "Of classes of messages: none (default), strict, or share:A,B,... of each channel", 0},
	{"fail-at", KEY_FAIL_AT, "TIME:NODE:PORT", 0, "The cable fails at that time, as 0.5s:S0:3; may be repeated", 0},
	{"reroute", KEY_REROUTE, "ENGINE", 0,
		"Messages that meet a failed cable go on as this routing engine says (default: they are lost)", 0},
	{"timeline", KEY_TIMELINE, "FILE", 0, "Write the first run as a trace for Perfetto or Chrome", 0},
	{"flows", KEY_FLOWS, "FILE", 0, "Write the messages of the first run as CSV", 0},

	{0, 0, 0, 0, "What comes out:", 5},
	{"metric", KEY_METRIC, "METRICS", 0, "Metrics, separated by commas (default: hist_acc_band; with --engine flow makespan)", 0},
	{"output_file", 'o', "FILE", 0, "Where the result goes; - (the default) is standard output", 0},
	{"output-file", 0, 0, OPTION_ALIAS | OPTION_HIDDEN, 0, 0},
	{"format", KEY_FORMAT, "text|json|csv", 0, "Form of the result", 0},
	{"raw", KEY_RAW, 0, 0, "Also the value of every run, one line each", 0},
	{"plot", KEY_PLOT, "FILE", 0, "Draw the distribution to FILE.svg, FILE.png or FILE.pdf with gnuplot", 0},
	{"palette", KEY_PALETTE, "NAME", 0, "Colours of the graph: green-red (default), viridis, cividis", 0},
	{"scale", KEY_SCALE, "SCALE", 0,
		"Full red is: relative (default), the largest congestion; absolute[:C], C routes a level on average (1)", 0},
	{"save-fabric", KEY_SAVE_FABRIC, "FILE", 0,
		"Write the fabric to FILE as a cache, which is read in no time; without -n or --precision, make no runs", 0},
	{"checkpoint", KEY_CHECKPOINT, "FILE[,SECONDS]", 0,
		"Write to FILE what --resume needs to go on, every SECONDS (default: 60) or as often as it takes 1% of the time", 0},
	{"resume", KEY_RESUME, "FILE", 0,
		"Go on from a checkpoint of the same command, and write further ones; with --checkpoint, begin anew where FILE does not exist",
		0},
	{"fail-if", KEY_FAIL_IF, "CONDITION", 0, "Exit with status 4 if it holds, as 'bw<0.55' or 'sum_max_cong.max>9'", 0},

	{0, 0, 0, 0, "What is told:", 6},
	{"print-pattern", KEY_PRINTPTRN, 0, 0, "Print the pairs of every level (of the first run), in text as comments", 0},
	{"printptrn", 0, 0, OPTION_ALIAS | OPTION_HIDDEN, 0, 0},
	{"print-hosts", KEY_PRINTNAMELIST, 0, 0, "Print the hosts that take part, in the order of the subset, in text as comments", 0},
	{"printnamelist", 0, 0, OPTION_ALIAS | OPTION_HIDDEN, 0, 0},
	{"list", KEY_LIST, "KIND", 0,
		"List all patterns, metrics, engines, routings, packet-routings, subsets, mappings, topologies, palettes, or all of these",
		0},
	{"list-patterns", KEY_LIST_PATTERNS, 0, OPTION_HIDDEN, 0, 0},
	{"list-metrics", KEY_LIST_METRICS, 0, OPTION_HIDDEN, 0, 0},
	{"verbose", 'v', 0, 0, "Say on standard error what is done; -vv: level by level", 0},
	{"quiet", KEY_QUIET, 0, 0, "No warnings and no progress bar", 0},
	{"help", 'h', 0, 0, "Give this help list", -1},
	{"usage", '?', 0, OPTION_HIDDEN, 0, -1},
	{"version", 'V', 0, 0, "Print program version", -1},
	{0},
};

static const char description[] =
	"Tells what a statically routed fabric (InfiniBand and the like) really delivers: maps a communication pattern onto the hosts at random, "
	"many times, counts how many routes share each cable, and reduces the counts with metrics."
	"\vExamples:\n"
	"  orcs -n 1000 fabric.dot               effective bisection bandwidth\n"
	"  mpirun -np 2 orcs -n 1000 fabric.dot  the same on two processes\n"
	"  orcs -p shift:1 -d --metric hist_max_cong fabric.dot\n"
	"  orcs -n 100 --metric get_cable_cong fabric.dot | orcs-draw - -o f.svg\n"
	"  orcs --precision 0.01 --fail-if 'bw<0.55' fabric.dot\n"
	"  orcs --engine flow -p alltoall --bytes 64k fabric.dot  how many seconds\n"
	"\nExit status: 0 fine, 1 a file or the memory failed, 2 usage, 3 the fabric cannot be used, 4 --fail-if holds, 128+N ended by signal N. "
	"See orcs(1), orcs-dot(5) and orcs-traces(5).";

static void read_scale(struct options *o, const char *text)
{
	static const char *const names[] = {"relative", "absolute", NULL};
	if (!strncmp(text, "absolute:", 9))
		o->absolute = usage_positive(program, "--scale absolute", text + 9);
	else
		o->absolute = usage_choice(program, "--scale", text, names);
}

static void read_threshold(struct options *o, const char *text)
{
	struct threshold *t = &o->threshold[o->thresholds];
	if (o->thresholds++ == THRESHOLDS_MAX)
		usage_error(program, "more than %d times --fail-if", THRESHOLDS_MAX);
	size_t key = strcspn(text, "<>= "), at = key + strspn(text + key, " ");
	size_t comparison = strspn(text + at, "<>=");
	if (key < sizeof t->key && comparison < sizeof t->comparison) {
		memcpy(t->key, text, key);
		memcpy(t->comparison, text + at, comparison);
	}
	t->text = text;
	const char *limit = text + at + comparison + strspn(text + at + comparison, " ");
	bool known =
		!strcmp(t->comparison, "<") || !strcmp(t->comparison, ">") || !strcmp(t->comparison, "<=") || !strcmp(t->comparison, ">=");
	if (!*t->key || !known || !read_number(limit, -DBL_MAX, DBL_MAX, &t->limit))
		usage_error(program, "--fail-if is '%s', not a condition like 'bw<0.55' (comparisons: < <= > >=)", text);
}

/* "none", "strict", or "share:50,50". */
static void read_priority(struct options *o, const char *text)
{
	static const char *const policies[] = {"none", "share", "strict", NULL};
	char name[100];
	size_t length = strcspn(text, ":");
	snprintf(name, sizeof name, "%.*s", (int)length, text);
	o->classes = (struct class_setup){.policy = (enum class_policy)usage_choice(program, "--priority", name, policies), .classes = 1};
	if (o->classes.policy == CLASSES_STRICT)
		o->classes.classes = CLASSES_MAX;
	if (o->classes.policy != CLASSES_SHARE) {
		if (text[length])
			usage_error(program, "--priority is '%s': only share has numbers", text);
		return;
	}
	o->classes.classes = 0;
	for (const char *number = text + length; *number;) {
		char *end;
		double share = read_decimal(number + 1, &end);
		if (o->classes.classes == CLASSES_MAX || end == number + 1 || (*end && *end != ',') || !(share > 0 && share < 1e9))
			usage_error(program, "--priority is '%s', not up to %d shares as in share:50,50", text, CLASSES_MAX);
		o->classes.share[o->classes.classes++] = share;
		number = end;
	}
	if (!o->classes.classes)
		usage_error(program, "--priority share needs the share of each class, as share:50,50");
}

static void read_plot(struct options *o, const char *text)
{
	if (!gnuplot_draws(text))
		usage_error(program, "--plot is '%s': the name must end in .svg, .png or .pdf", text);
	o->plot = text;
}

/* The option with that argument is not recorded. */
static void leave_unrecorded(struct options *o, const char *text)
{
	if (o->unrecordeds == UNRECORDED_MAX)
		usage_error(program, "more than %d times --checkpoint and --resume", UNRECORDED_MAX);
	o->unrecorded[o->unrecordeds++] = text;
}

bool options_recorded(const struct options *o, int word)
{
	const char *begin = o->argv[word], *next = word + 1 < o->argc ? o->argv[word + 1] : NULL;
	for (int i = 0; i < o->unrecordeds; i++)
		if (o->unrecorded[i] == next || (o->unrecorded[i] >= begin && o->unrecorded[i] <= begin + strlen(begin)))
			return false;
	return true;
}

/* "FILE" or "FILE,SECONDS". */
static void read_checkpoint(struct options *o, const char *text)
{
	const char *comma = strrchr(text, ',');
	leave_unrecorded(o, text);
	if (comma)
		o->checkpoint_seconds = usage_seconds(program, "--checkpoint FILE,SECONDS", comma + 1, 1);
	free(o->checkpoint);
	o->checkpoint = strndup(text, comma ? (size_t)(comma - text) : strlen(text));
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
	static const char *const routes[] = {"error", "drop", NULL};
	static const char *const syncs[] = {"level", "data", NULL};
	struct options *o = state->input;
	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &o->packet;
		state->child_inputs[1] = &o->fabric;
		break;
	case 'i':
	case ARGP_KEY_ARG: source_argument(&o->fabric, text); break;
	case 'o': o->output = text; break;
	case 'p': o->pattern.spec = text; break;
	case 'a': o->pattern.argument = text; break;
	case 'f': o->pattern.first = text; break;
	case 'c': o->pattern.second = text; break;
	case 'z': o->pattern.first_ranks = usage_integer(program, "--first-ranks", text, 0, UINT32_MAX - 1); break;
	case 'l': o->level = usage_integer(program, "--ptrn_level", text, 0, INT64_MAX); break;
	case 's': o->ranks = (uint32_t)usage_integer(program, "--ranks", text, 0, UINT32_MAX - 1); break;
	case 'n': o->runs = (uint64_t)usage_integer(program, "--runs", text, 1, INT64_C(1) << 40); break;
	case 'd': o->mapping = "linear"; break;
	case 'v': o->verbose++; break;
	case KEY_PRINTPTRN: o->print_pattern = true; break;
	case KEY_PRINTNAMELIST: o->print_names = true; break;
	case KEY_SUBSET: o->subset = text; break;
	case KEY_METRIC: o->metrics = text; break;
	case KEY_MAPPING: o->mapping = text; break;
	case KEY_SEED: o->seed = (uint64_t)usage_integer(program, "--seed", text, 0, INT64_MAX); break;
	case KEY_FORMAT: o->format = (enum format)usage_choice(program, "--format", text, format_names); break;
	case KEY_UNROUTABLE: o->drop = usage_choice(program, "--unroutable", text, routes); break;
	case KEY_SPEED_AWARE: o->speed_aware = true; break;
	case KEY_SERIALISE: o->serialise_sends = true; break;
	case KEY_PALETTE: o->palette = palettes[usage_choice(program, "--palette", text, palettes)]; break;
	case KEY_SCALE: read_scale(o, text); break;
	case KEY_RAW: o->raw = true; break;
	case KEY_QUIET: o->quiet = true; break;
	case KEY_LIST: o->list = usage_choice(program, "--list", text, list_names); break;
	case KEY_LIST_PATTERNS: o->list = usage_choice(program, "--list", "patterns", list_names); break;
	case KEY_LIST_METRICS: o->list = usage_choice(program, "--list", "metrics", list_names); break;
	case KEY_PRECISION: o->precision = usage_positive(program, "--precision", text); break;
	case 'R': o->routing = text; break;
	case KEY_ROUTES: o->routes = text; break;
	case KEY_ENGINE: o->engine = (enum engine)usage_choice(program, "--engine", text, engine_names); break;
	case KEY_BYTES: o->bytes = (double)usage_size(program, "--bytes", text); break;
	case KEY_SYNC: o->sync = SYNC_LEVEL + (enum workload_sync)usage_choice(program, "--sync", text, syncs); break;
	case KEY_CAPACITY: o->capacity = usage_rate(program, "--capacity", text); break;
	case KEY_LATENCY: o->latency_text = text; break;
	case KEY_MEMORY: o->memory = usage_rate(program, "--memory-capacity", text); break;
	case KEY_PRIORITY: read_priority(o, text); break;
	case KEY_FAIL_AT:
		if (o->failures == FAILURES_MAX)
			usage_error(program, "more than %d times --fail-at", FAILURES_MAX);
		o->fail_at[o->failures++] = text;
		break;
	case KEY_REROUTE: o->reroute = text; break;
	case KEY_TIMELINE: o->timeline = text; break;
	case KEY_FLOWS: o->flows = text; break;
	case KEY_MULTIPATH: o->multipath = usage_choice(program, "--multipath", text, multipath_modes); break;
	case KEY_CONTROL: o->control = true; break;
	case KEY_FAIL_IF: read_threshold(o, text); break;
	case KEY_PLOT: read_plot(o, text); break;
	case KEY_SAVE_FABRIC: o->save = text; break;
	case KEY_CHECKPOINT: read_checkpoint(o, text); break;
	case KEY_RESUME:
		o->resume = text;
		leave_unrecorded(o, text);
		break;
	case KEY_ROUTE_MEMORY: o->route_memory = usage_size(program, "--route-memory", text); break;
	case 'h': usage_print(program, state, ARGP_HELP_SHORT_USAGE | ARGP_HELP_LONG | ARGP_HELP_DOC); break;
	case '?': usage_print(program, state, ARGP_HELP_USAGE); break;
	case 'V': usage_print(program, NULL, 0); break;
	default: return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

enum pattern_use options_use(const struct options *o)
{
	if (o->packet.loads || o->packet.saturation)
		return PATTERN_LOAD;
	return o->engine == CONGESTION ? PATTERN_PAIRS : PATTERN_GRAPH;
}

/* With loads --pattern names the traffic, too. */
static void take_traffic(struct options *o)
{
	if (o->pattern.spec == usual_pattern)
		return;
	if (o->packet.traffic)
		usage_error(program,
			"--pattern %s and --traffic %s both name where messages go with --load and --saturation: give one of them",
			o->pattern.spec, o->packet.traffic);
	o->packet.traffic = o->pattern.spec;
	o->pattern.spec = usual_pattern;
}

/* Options are of one kind of engine. */
static void check_engine(const struct options *o)
{
	bool loads = o->packet.loads || o->packet.saturation;
	if (o->engine != FLOW && (o->failures || o->reroute || o->classes.policy != CLASSES_ALIKE))
		usage_error(program, "--priority, --fail-at and --reroute are for --engine flow");
	if (o->engine != FLOW && o->engine != PACKET && (o->timeline || o->flows || o->sync || o->memory > 0))
		usage_error(program, "--sync, --memory-capacity, --timeline and --flows are for --engine flow and --engine packet");
	if (o->engine != PACKET && o->packet.given)
		usage_error(program, "options of packets, as --load and --virtual-lanes, are for --engine packet");
	if (loads && (o->timeline || o->flows || o->sync || o->memory > 0 || o->precision > 0))
		usage_error(
			program, "--sync, --memory-capacity, --timeline, --flows and --precision are not for hosts that send all the time");
	if (o->engine == CONGESTION && (o->capacity > 0 || o->latency >= 0 || o->bytes > 0))
		usage_error(program, "--bytes, --capacity and --latency are for --engine flow, latency and packet");
	if (o->engine != CONGESTION && (o->level >= 0 || o->control || o->speed_aware || o->serialise_sends || o->print_pattern))
		usage_error(program,
			"--ptrn_level, --control-variates, --speed-aware, --serialise-sends and --print-pattern are for --engine congestion");
	if (o->packet.cycles && o->capacity > 0)
		usage_error(program, "with --cycles every link carries a flit a cycle: no --capacity");
	for (int t = 0; t < o->thresholds && !o->packet.saturation; t++)
		if (!strcmp(o->threshold[t].key, "saturation") || !strcmp(o->threshold[t].key, "packet_throughput.saturation"))
			usage_error(program, "--fail-if '%s' needs --saturation, which looks for that load", o->threshold[t].text);
	if (o->reroute && !o->failures)
		usage_error(program, "--reroute needs a failure: --fail-at");
	if (o->timeline && o->flows && !strcmp(o->timeline, o->flows))
		usage_error(program, "--timeline and --flows cannot be one file");
}

/* Between runs there must be something to keep. */
static void check_checkpoint(struct options *o)
{
	if (o->resume && !o->checkpoint)
		o->checkpoint = strdup(o->resume);
	else if (o->resume && !strcmp(o->resume, o->checkpoint) && access(o->resume, F_OK) && errno == ENOENT)
		o->resume = NULL; /* a job that starts itself again is in its first turn */
	if (!o->checkpoint)
		return;
	if (!*o->checkpoint || !strcmp(o->checkpoint, "-"))
		usage_error(program, "--checkpoint and --resume need the name of a file");
	if (o->only_save)
		usage_error(program, "--checkpoint and --resume are for runs: with --save-fabric alone there are none");
}

static bool is_output(const char *path)
{
	return path && !strcmp(path, "-");
}

/* A packet routing that chooses among the routes of a pair needs more than the first. */
static void check_multipath(struct options *o)
{
	if (o->engine != PACKET || !o->packet.routing || !packet_routing_chooses(o->packet.routing))
		return;
	if (o->multipath == MULTIPATH_FIRST)
		usage_error(program, "--packet-routing %s chooses among several routes, of which --multipath first leaves one",
			o->packet.routing);
	if (o->multipath < 0)
		o->multipath = MULTIPATH_RANDOM;
}

/* Everything that can be wrong without a look at the fabric. */
static void check(struct options *o)
{
	static const char *const defaults[] = {"hist_acc_band", "makespan", "latency", "makespan"};
	const char *open = "packet_latency,packet_throughput";
	struct error error = {0};
	struct metric_call calls[METRICS_MAX];
	bool loads = o->packet.loads || o->packet.saturation;
	packet_options_end(&o->packet);
	o->latency = o->latency_text ? usage_seconds(program, "--latency", o->latency_text, o->packet.cycles ? CYCLE_NS * 1e-9 : 1) : -1;
	if (loads)
		take_traffic(o);
	if (!o->packet.traffic)
		o->packet.traffic = "uniform";
	if (!o->metrics)
		o->metrics = loads ? open : defaults[o->engine];
	check_engine(o);
	check_multipath(o);
	if (o->bytes == 0)
		o->bytes = loads ? o->packet.mtu : 1e6;
	int metric_count = metrics_parse(o->metrics, calls, &error), graphs = 0, plots = 0, valued = 0, to_output = 0;
	for (int i = 0; i < metric_count; i++) {
		bool graph = metric_is_graph(calls[i].metric);
		unsigned engines = calls[i].metric->engines ? calls[i].metric->engines : ENGINE_CONGESTION;
		if (!(engines & 1U << o->engine))
			error_set(&error, STATUS_USAGE, "the metric %s is not of the engine %s: orcs --list=metrics tells",
				calls[i].metric->name, engine_names[o->engine]);
		if (loads && calls[i].metric->wants & FLOW_TIMES)
			error_set(&error, STATUS_USAGE,
				"the metric %s is of messages that end; with --load there are packet_latency, packet_throughput and link_busy",
				calls[i].metric->name);
		if (o->classes.policy != CLASSES_ALIKE && !strcmp(calls[i].metric->name, "throughput"))
			error_set(&error, STATUS_USAGE,
				"--priority: the metric throughput knows no classes; in time (makespan, fct, levels) there are");
		graphs += graph && !metric_file(&calls[i]);
		to_output += metric_file(&calls[i]) && !strcmp(metric_file(&calls[i]), "-");
		plots += o->engine == CONGESTION ? !graph : (calls[i].metric->gathers & METRIC_POOLED) != 0;
		valued += (calls[i].metric->gathers & METRIC_VALUES) != 0;
		metric_clear(&calls[i]);
	}
	o->pattern.seed = o->seed;
	struct pattern_request sent = o->pattern;
	if (loads)
		sent.spec = o->packet.traffic;
	if (!error.status)
		pattern_check(&sent, options_use(o), &error);
	const struct routing *again = !error.status && o->reroute ? routing_find(o->reroute, &error) : NULL;
	if (again && (again->source_routes || !strcmp(again->name, "valiant")))
		usage_error(program, "--reroute takes an engine that makes tables, not %s", again->name);
	if (!error.status)
		placement_check(o->subset, o->mapping, &error);
	const struct routing *routing = !error.status && o->routing ? routing_find(o->routing, &error) : NULL;
	usage_fail(program, &error);
	if (o->format == FORMAT_TEXT && graphs && (metric_count > 1 || o->print_names || o->print_pattern))
		usage_error(program, "the graph of get_cable_cong needs a file of its own beside other text: get_cable_cong:FILE");
	if (o->format == FORMAT_CSV && (o->print_names || o->print_pattern))
		usage_error(program, "--print-pattern and --print-hosts have no form in CSV: use text or json");
	if (to_output + is_output(o->output) + is_output(o->timeline) + is_output(o->flows) > 1)
		usage_error(program,
			"only one of the result, a graph, --timeline and --flows can go to standard output: -o FILE for the result");
	if (o->plot && !plots)
		usage_error(program, "--plot needs a metric with a histogram");
	if (o->precision > 0 && !valued)
		usage_error(program, "--precision needs a metric with a mean over the runs: hist_acc_band, sum_max_cong or dep_max_delay");
	if (o->control && !valued)
		usage_error(program,
			"--control-variates needs a metric with a mean over the runs: hist_acc_band, sum_max_cong or dep_max_delay");
	if (o->routes && !strcmp(o->routes, "-") && source_is_standard(&o->fabric))
		usage_error(program, "the fabric and its routes cannot both come from standard input");
	if (routing && routing->source_routes && o->routes)
		usage_error(program, "source routes come from %s, or from --routes", routing->name);
	if (o->save && (o->routes || (routing && routing->source_routes)))
		usage_error(program, "source routes have no place in a cache: keep them in a file, by orcs-route --routes");
	o->only_save = o->save && !o->runs && o->precision <= 0;
	check_checkpoint(o);
	if (o->save && !strcmp(o->save, "-") && !o->only_save && !strcmp(o->output, "-"))
		usage_error(program, "the cache and the result cannot both go to standard output");
	if (!o->runs)
		o->runs = o->precision > 0 ? 1000000 : 1;
	if (o->list < 0)
		source_end(&o->fabric);
}

void options_parse(struct options *options, int argc, char **argv)
{
	*options = (struct options){
		.argc = argc,
		.argv = argv,
		.fabric = {.program = program},
		.output = "-",
		.pattern = {.spec = usual_pattern, .first_ranks = -1},
		.classes = {CLASSES_ALIKE, 1, {1}},
		.subset = "linear_bfs",
		.mapping = "random",
		.level = -1,
		.list = -1,
		.multipath = -1,
		.seed = 1,
		.checkpoint_seconds = 60,
		.palette = palettes[0],
	};
	struct hush hush = usage_hush();
	const struct argp_child children[] = {{&packet_argp, 0, "Packets, with --engine packet:", 3}, SOURCE_CHILD(4), {0}};
	const struct argp argp = {table, parse_option, "[FABRIC]\nDUMP...", description, children, 0, 0};
	packet_options_begin(&options->packet);
	usage_parse(program, &argp, argc, argv, options);
	check(options);
	usage_speak(&hush);
}

const struct argp_option *options_table(void)
{
	return table;
}
