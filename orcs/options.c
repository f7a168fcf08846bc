#include "orcs/options.h"

#include "base/memory.h"
#include "cli/gnuplot.h"
#include "cli/palette.h"
#include "cli/usage.h"
#include "fabric/route_choice.h"
#include "fabric/placement.h"
#include "infiniband/source_options.h"
#include "routings/routing.h"
#include "metrics/metric.h"
#include "orcs/lists.h"
#include "orcs/runs.h"
#include "parallel/route_cache_shared.h"

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
	KEY_TIMELINE,
	KEY_FLOWS,
	KEY_CHECKPOINT,
	KEY_RESUME,
};

static const char program[] = "orcs", usual_pattern[] = "bisect";

static const struct argp_option table[] = {
	{0, 0, 0, 0, "What is simulated:", 1},
	{"input_file", 'i', "FILE", 0,
		"The fabric: a dot graph, a cache, a topology or dumps, see orcs-fabric(7); - (the default) is standard input", 0},
	{"input-file", 0, 0, OPTION_ALIAS | OPTION_HIDDEN, 0, 0},
	{"pattern", 'p', "PATTERN", 0, "Communication pattern, NAME or NAME:PARAMETERS, see --list=patterns (default: bisect)", 0},
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
		"Memory for a table of routes, as 500M or 8G, past which the forwarding tables are walked; 0: no table (default: half of what is free)",
		0},
	{"serialise-sends", KEY_SERIALISE, 0, 0, "dep_max_delay: a sender waits for its own earlier sends", 0},
	{"serialize-sends", 0, 0, OPTION_ALIAS | OPTION_HIDDEN, 0, 0},

	{0, 0, 0, 0, "Bandwidths and times, with --engine flow:", 2},
	{"engine", KEY_ENGINE, "NAME", 0, "", 0}, /* see describe_engines() */
	{"bytes", KEY_BYTES, "SIZE", 0, "Of each message, as 64k or 1.5M (default: 1M)", 0},
	{"sync", KEY_SYNC, "level|data", 0,
		"A level of a pattern begins when the one before has ended, or a message when its sender has what it was sent before (default: as the pattern is)",
		0},
	{"capacity", KEY_CAPACITY, "BITS/S", 0, "Of the slowest host link (default: the fabric's speeds, else 10e9)", 0},
	{"latency", KEY_LATENCY, "SECONDS", 0, "Of every channel (default: what the fabric says, else 0; with --engine packet 10ns)", 0},
	{"memory-capacity", KEY_MEMORY, "BITS/S", 0, "For messages of a host to itself (default: they take no time)", 0},
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

static const struct engine *read_engine(const char *text)
{
	const char *names[ENGINES_MAX + 1] = {0};
	for (int e = 0; engines[e]; e++)
		names[e] = engines[e]->name;
	return engines[usage_choice(program, "--engine", text, names)];
}

/* What the children of the parser fill, in the order of options_children(). */
static void give_inputs(struct options *o, struct argp_state *state)
{
	int child = 0;
	for (int e = 0; engines[e]; e++)
		if (engines[e]->options.argp)
			state->child_inputs[child++] = o->own[e];
	state->child_inputs[child] = &o->fabric;
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
	static const char *const routes[] = {"error", "drop", NULL};
	static const char *const syncs[] = {"level", "data", NULL};
	struct options *o = state->input;
	switch (key) {
	case ARGP_KEY_INIT: give_inputs(o, state); break;
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
	case KEY_ENGINE: o->engine = read_engine(text); break;
	case KEY_BYTES: o->bytes = (double)usage_size(program, "--bytes", text, 1); break;
	case KEY_SYNC: o->sync = SYNC_LEVEL + (enum workload_sync)usage_choice(program, "--sync", text, syncs); break;
	case KEY_CAPACITY: o->capacity = usage_rate(program, "--capacity", text); break;
	case KEY_LATENCY: o->latency_text = text; break;
	case KEY_MEMORY: o->memory = usage_rate(program, "--memory-capacity", text); break;
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
	case KEY_ROUTE_MEMORY: o->route_memory = usage_size(program, "--route-memory", text, 0); break;
	case 'h': usage_print(program, state, ARGP_HELP_SHORT_USAGE | ARGP_HELP_LONG | ARGP_HELP_DOC); break;
	case '?': usage_print(program, state, ARGP_HELP_USAGE); break;
	case 'V': usage_print(program, NULL, 0); break;
	default: return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

enum pattern_use options_use(const struct options *o)
{
	if (o->terms.open)
		return PATTERN_LOAD;
	return o->engine->takes & TAKES_PAIRS ? PATTERN_PAIRS : PATTERN_GRAPH;
}

/* The options of the engines that do not run must not be given. */
static void check_own(const struct options *o)
{
	for (int e = 0; engines[e]; e++)
		if (engines[e] != o->engine && engines[e]->options.argp && engines[e]->options_given(o->own[e]))
			usage_error(program, "%s are for --engine %s", engines[e]->options_are, engines[e]->name);
}

/* What the options of the engine come to. */
static void settle_engine(struct options *o)
{
	const struct engine_request request = {
		.pattern = o->pattern.spec == usual_pattern ? NULL : o->pattern.spec,
		.routing = o->routing,
	};
	o->terms = runs_terms(o->engine);
	if (o->engine->settle)
		o->engine->settle(options_own(o), &request, &o->terms);
	if (o->terms.open)
		o->pattern.spec = usual_pattern;
	if (o->terms.chooses && o->multipath == MULTIPATH_FIRST)
		usage_error(program, "--packet-routing %s chooses among several routes, of which --multipath first leaves one",
			o->terms.chooses);
	if (o->terms.chooses && o->multipath < 0)
		o->multipath = MULTIPATH_RANDOM;
	o->latency = o->latency_text ? usage_seconds(program, "--latency", o->latency_text, o->terms.cycles ? CYCLE_NS * 1e-9 : 1) : -1;
}

/* Options that several engines share are not of all. */
static void check_engine(const struct options *o)
{
	const struct engine_terms *terms = &o->terms;
	bool pairs = o->engine->takes & TAKES_PAIRS, timed = o->timeline || o->flows || o->sync || o->memory > 0;
	char list[200];
	if (!(o->engine->gives & SEEN_TIMES) && timed) {
		engines_list(list, sizeof list, 0, SEEN_TIMES);
		usage_error(program, "--sync, --memory-capacity, --timeline and --flows are for --engine %s", list);
	}
	if (terms->open && (timed || o->precision > 0))
		usage_error(
			program, "--sync, --memory-capacity, --timeline, --flows and --precision are not for hosts that send all the time");
	if (pairs && (o->capacity > 0 || o->latency >= 0 || o->bytes > 0)) {
		engines_list(list, sizeof list, TAKES_GRAPH, 0);
		usage_error(program, "--bytes, --capacity and --latency are for --engine %s", list);
	}
	if (!pairs && (o->level >= 0 || o->control || o->speed_aware || o->serialise_sends || o->print_pattern)) {
		engines_list(list, sizeof list, TAKES_PAIRS, 0);
		usage_error(program,
			"--ptrn_level, --control-variates, --speed-aware, --serialise-sends and --print-pattern are for --engine %s", list);
	}
	if (terms->cycles && o->capacity > 0)
		usage_error(program, "with --cycles every link carries a flit a cycle: no --capacity");
	for (int t = 0; t < o->thresholds && !terms->search; t++)
		if (!strcmp(o->threshold[t].key, "saturation") || !strcmp(o->threshold[t].key, "packet_throughput.saturation"))
			usage_error(program, "--fail-if '%s' needs --saturation, which looks for that load", o->threshold[t].text);
	if (o->timeline && o->flows && !strcmp(o->timeline, o->flows))
		usage_error(program, "--timeline and --flows cannot be one file");
}

/* Whether the engine gives what the metric wants. */
static void check_metric(const struct options *o, const struct metric *metric, struct error *error)
{
	unsigned wants = metric_wants(metric);
	if (wants & ~o->engine->gives)
		error_set(error, STATUS_USAGE, "the metric %s is not of the engine %s: orcs --list=metrics tells", metric->name,
			o->engine->name);
	else if (wants & ~o->terms.gives)
		error_set(error, STATUS_USAGE, o->terms.gives_not, metric->name);
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

/* Everything that can be wrong without a look at the fabric. */
static void check(struct options *o)
{
	struct error error = {0};
	struct metric_call calls[METRICS_MAX];
	check_own(o);
	settle_engine(o);
	check_engine(o);
	bool pairs = o->engine->takes & TAKES_PAIRS;
	if (!o->metrics)
		o->metrics = o->terms.metrics ? o->terms.metrics : o->engine->metrics;
	if (o->bytes == 0)
		o->bytes = o->terms.bytes > 0 ? o->terms.bytes : 1e6;
	int metric_count = metrics_parse(o->metrics, calls, &error), graphs = 0, plots = 0, valued = 0, to_output = 0;
	for (int i = 0; i < metric_count; i++) {
		bool graph = metric_is_graph(calls[i].metric);
		check_metric(o, calls[i].metric, &error);
		graphs += graph && !metric_file(&calls[i]);
		to_output += metric_file(&calls[i]) && !strcmp(metric_file(&calls[i]), "-");
		plots += pairs ? !graph : (calls[i].metric->gathers & METRIC_POOLED) != 0;
		valued += (calls[i].metric->gathers & METRIC_VALUES) != 0;
		metric_clear(&calls[i]);
	}
	o->pattern.seed = o->seed;
	struct pattern_request sent = o->pattern;
	if (o->terms.open)
		sent.spec = o->terms.sent;
	if (!error.status)
		pattern_check(&sent, options_use(o), &error);
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

void *options_own(const struct options *o)
{
	int e = 0;
	while (engines[e] != o->engine)
		e++;
	return o->own[e];
}

int options_children(struct argp_child children[OPTIONS_CHILDREN_MAX])
{
	int count = 0;
	for (int e = 0; engines[e]; e++)
		if (engines[e]->options.argp)
			children[count++] = engines[e]->options;
	children[count++] = (struct argp_child)SOURCE_CHILD(4);
	children[count] = (struct argp_child){0};
	return count;
}

/* As if no option of any engine were given. */
static void begin_own(struct options *o, struct error *error)
{
	for (int e = 0; engines[e] && !error->status; e++) {
		o->own[e] = engines[e]->options.argp ? array_create(1, engines[e]->options_size, error) : NULL;
		if (o->own[e] && engines[e]->options_begin)
			engines[e]->options_begin(o->own[e]);
	}
}

/* The help of --engine: what each does. */
static char *describe_engines(int key, const char *text, void *input)
{
	char *all = NULL;
	size_t size;
	FILE *file = key == KEY_ENGINE ? open_memstream(&all, &size) : NULL;
	(void)input;
	if (!file)
		return (char *)text;
	for (int e = 0; engines[e]; e++)
		fprintf(file, "%s%s %s%s", e ? "; " : "", engines[e]->name, e ? "" : "(default) ", engines[e]->summary);
	return fclose(file) ? (char *)text : all;
}

void options_parse(struct options *options, int argc, char **argv)
{
	*options = (struct options){
		.argc = argc,
		.argv = argv,
		.fabric = {.program = program},
		.output = "-",
		.pattern = {.spec = usual_pattern, .first_ranks = -1},
		.subset = "linear_bfs",
		.mapping = "random",
		.level = -1,
		.list = -1,
		.multipath = -1,
		.seed = 1,
		.checkpoint_seconds = 60,
		.palette = palettes[0],
		.route_memory = ROUTE_MEMORY_DEFAULT,
		.engine = engines[0],
	};
	struct hush hush = usage_hush();
	struct argp_child children[OPTIONS_CHILDREN_MAX];
	const struct argp argp = {table, parse_option, "[FABRIC]\nDUMP...", description, children, describe_engines, 0};
	struct error error = {0};
	options_children(children);
	begin_own(options, &error);
	usage_fail(program, &error);
	usage_parse(program, &argp, argc, argv, options);
	check(options);
	usage_speak(&hush);
}

void options_clear(struct options *options)
{
	for (int e = 0; e < ENGINES_MAX; e++)
		free(options->own[e]);
	free(options->checkpoint);
}

const struct argp_option *options_table(void)
{
	return table;
}
