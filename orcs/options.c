#include "orcs/options.h"

#include "base/memory.h"
#include "base/spelling.h"
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
#include "orcs/topics.h"
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
	KEY_IGNORE_SPEEDS,
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
	KEY_PLOT_AT,
	KEY_ROUTE_MEMORY,
	KEY_SAVE_FABRIC,
	KEY_MULTIPATH,
	KEY_ROUTES,
	KEY_ENGINE,
	KEY_BYTES,
	KEY_SYNC,
	KEY_COMPUTE_SCALE,
	KEY_CAPACITY,
	KEY_LATENCY,
	KEY_MEMORY,
	KEY_TIMELINE,
	KEY_FLOWS,
	KEY_COUNTERS,
	KEY_QUEUES,
	KEY_CHECKPOINT,
	KEY_RESUME,
};

static const char program[] = "orcs";

static const struct argp_option table[] = {
	{0, 0, 0, 0, "Input and routing:", GROUP_INPUT},
	{"input_file", 'i', "FILE", OPTION_NO_USAGE,
		"Read the fabric from FILE, the same as an argument; see orcs-fabric(7) (default: -, standard input)", 0},
	{"input-file", 0, 0, OPTION_ALIAS | OPTION_HIDDEN, 0, 0},
	{"routing", 'R', "ENGINE", 0, "Route the fabric first, e.g. with minhop, and ignore its existing routes; see --list=routings", 0},
	{"routes", KEY_ROUTES, "FILE", OPTION_NO_USAGE,
		"Read source routes, several per pair of hosts, as 'orcs-route --routes' writes them", 0},
	{"multipath", KEY_MULTIPATH, "MODE", OPTION_NO_USAGE,
		"Select among several routes of a pair: first; random, one per run; split, all in proportion to their weights (default: first; random for source routes, for routes via a random switch, and where --packet-routing chooses)",
		0},
	{"unroutable", KEY_UNROUTABLE, "error|drop", OPTION_NO_USAGE,
		"Treat a pair without a route as an error, or drop and count it (default: error)", 0},
	{"save-fabric", KEY_SAVE_FABRIC, "FILE", OPTION_NO_USAGE,
		"Write the fabric as a cache, which loads much faster; make no runs without -n or --precision", 0},
	{"route-memory", KEY_ROUTE_MEMORY, "SIZE", OPTION_NO_USAGE,
		"Memory for a table of routes, e.g. 8G; larger fabrics walk the forwarding tables; 0: no table (default: half of the free memory)",
		0},

	{0, 0, 0, 0, "Experiment:", GROUP_EXPERIMENT},
	{"pattern", 'p', "PATTERN", 0, "Pattern, NAME or NAME:PARAMETERS (default: bisect); see --list=patterns", 0},
	{"ptrn", 0, 0, OPTION_ALIAS | OPTION_HIDDEN, 0, 0},
	{"ranks", 's', "N|FILE", 0,
		"Number of ranks; 0: one per host (default: all hosts). FILE: write what each rank of the first packet run sent and received, as CSV",
		0},
	{"commsize", 0, 0, OPTION_ALIAS | OPTION_HIDDEN, 0, 0},
	{"runs", 'n', "N", 0, "Number of runs, each with a mapping (default: 1); with --precision at most N, default 1000000", 0},
	{"num_runs", 0, 0, OPTION_ALIAS | OPTION_HIDDEN, 0, 0},
	{"num-runs", 0, 0, OPTION_ALIAS | OPTION_HIDDEN, 0, 0},
	{"precision", KEY_PRECISION, "REL", 0, "Run until the 95% CI is within REL of the mean, e.g. 0.01", 0},
	{"subset", KEY_SUBSET, "SUBSET", 0,
		"Hosts that take part (default: linear_bfs); also file_order, rand, guid_asc, guid_desc, file:PATH", 0},
	{"mapping", KEY_MAPPING, "MAPPING", 0, "Placement of ranks: random, linear or file:PATH (default: random)", 0},
	{"do_not_shuffle", 'd', 0, 0, "Same as --mapping=linear", 0},
	{"do-not-shuffle", 0, 0, OPTION_ALIAS | OPTION_HIDDEN, 0, 0},
	{"seed", KEY_SEED, "N", 0, "Seed of all random choices (default: 1)", 0},
	{"ptrnarg", 'a', "ARG", OPTION_NO_USAGE, "Parameters of the pattern, in place of those after its colon", 0},
	{"ptrn_level", 'l', "LEVEL", OPTION_NO_USAGE, "Simulate only this level of the pattern, counted from 0 (default: all levels)", 0},
	{"ptrn-level", 0, 0, OPTION_ALIAS | OPTION_HIDDEN, 0, 0},
	{"control-variates", KEY_CONTROL, 0, OPTION_NO_USAGE,
		"Reduce the variance of the means of bisect, bisect_fb_sym and rand on all hosts, by their exact expectations; --precision then needs fewer runs",
		0},
	{"first-pattern", 'f', "PATTERN", OPTION_NO_USAGE, "First pattern of ptrnvsptrn", 0},
	{"frstptrn", 0, 0, OPTION_ALIAS | OPTION_HIDDEN, 0, 0},
	{"ptrnfst", 0, 0, OPTION_ALIAS | OPTION_HIDDEN, 0, 0},
	{"second-pattern", 'c', "PATTERN", OPTION_NO_USAGE, "Second pattern of ptrnvsptrn", 0},
	{"secptrn", 0, 0, OPTION_ALIAS | OPTION_HIDDEN, 0, 0},
	{"first-ranks", 'z', "N", OPTION_NO_USAGE, "Number of ranks of the first pattern of ptrnvsptrn", 0},
	{"part_commsize", 0, 0, OPTION_ALIAS | OPTION_HIDDEN, 0, 0},
	{"part-commsize", 0, 0, OPTION_ALIAS | OPTION_HIDDEN, 0, 0},
	{"checkpoint", KEY_CHECKPOINT, "FILE[,SECONDS]", OPTION_NO_USAGE,
		"Save the state of the runs to FILE every SECONDS, or less often to use at most 1% of the time (default: 60)", 0},
	{"resume", KEY_RESUME, "FILE", OPTION_NO_USAGE,
		"Continue from a checkpoint of the same command, and save further ones; with --checkpoint, start from the beginning if FILE does not exist",
		0},

	{0, 0, 0, 0, "Simulation engine:", GROUP_ENGINE},
	{"engine", KEY_ENGINE, "NAME", 0, "", 0}, /* see describe_engines() */
	{"bytes", KEY_BYTES, "SIZE", 0, "Size of each message, e.g. 64k (default: 1M)", 0},
	{"latency", KEY_LATENCY, "SECONDS", 0,
		"Latency of every channel, e.g. 100ns (default: that of the fabric, otherwise 0; with --engine packet 10ns)", 0},
	{"capacity", KEY_CAPACITY, "BITS/S", OPTION_NO_USAGE,
		"Rate of the slowest host link (default: the fabric's speeds, otherwise 10e9)", 0},
	{"ignore-speeds", KEY_IGNORE_SPEEDS, 0, OPTION_NO_USAGE,
		"Treat all links as equally fast (default: different speeds of the fabric count)", 0},
	{"speed-aware", KEY_SPEED_AWARE, 0, OPTION_NO_USAGE, "Let different speeds count, the default", 0},
	{"serialise-sends", KEY_SERIALISE, 0, OPTION_NO_USAGE, "For the metric dep_max_delay, let a sender wait for its own earlier sends",
		0},
	{"serialize-sends", 0, 0, OPTION_ALIAS | OPTION_HIDDEN, 0, 0},

	{0, 0, 0, 0, "Output:", GROUP_OUTPUT},
	{"metric", KEY_METRIC, "METRICS", 0,
		"Metrics, separated by commas; see --list=metrics (default: hist_acc_band; with --engine flow makespan)", 0},
	{"output_file", 'o', "FILE", 0, "Write the result to FILE (default: -, standard output)", 0},
	{"output-file", 0, 0, OPTION_ALIAS | OPTION_HIDDEN, 0, 0},
	{"format", KEY_FORMAT, "text|json|csv", 0, "Format of the result (default: text)", 0},
	{"plot", KEY_PLOT, "FILE", 0, "Draw the distribution, or the jobs of a queue, as .svg, .png or .pdf; needs gnuplot", 0},
	{"plot-at", KEY_PLOT_AT, "SECONDS", OPTION_NO_USAGE, "Draw the hosts at this moment, by leaf, in the colours of their jobs", 0},
	{"fail-if", KEY_FAIL_IF, "CONDITION", 0, "Exit with status 4 if it holds, e.g. 'bw<0.55'; can be repeated", 0},
	{"raw", KEY_RAW, 0, OPTION_NO_USAGE, "Print also the value of every run, one per line", 0},
	{"palette", KEY_PALETTE, "NAME", OPTION_NO_USAGE, "Graph colours: green-red, viridis or cividis (default: green-red)", 0},
	{"scale", KEY_SCALE, "SCALE", OPTION_NO_USAGE,
		"Congestion of the last colour: relative, the largest that occurs; absolute[:C], C routes per level on average, 1 without C (default: relative)",
		0},
	{"print-pattern", KEY_PRINTPTRN, 0, OPTION_NO_USAGE, "Print the pairs of every level of the first run; in text as comments", 0},
	{"printptrn", 0, 0, OPTION_ALIAS | OPTION_HIDDEN, 0, 0},
	{"print-hosts", KEY_PRINTNAMELIST, 0, OPTION_NO_USAGE,
		"Print the participating hosts in the order of the subset; in text as comments", 0},
	{"printnamelist", 0, 0, OPTION_ALIAS | OPTION_HIDDEN, 0, 0},

	{0, 0, 0, 0, "Messages over time:", GROUP_TIMED},
	{"sync", KEY_SYNC, "level|data", OPTION_NO_USAGE,
		"Start a level after the whole previous level (level), or each message as soon as its sender has received all messages of previous levels (data); default: that of the pattern",
		0},
	{"compute-scale", KEY_COMPUTE_SCALE, "X", OPTION_NO_USAGE, "Multiply the time of every computation by X [1]", 0},
	{"timeline", KEY_TIMELINE, "FILE", OPTION_NO_USAGE, "Write the first run as a trace for Perfetto or Chrome", 0},
	{"flows", KEY_FLOWS, "FILE", OPTION_NO_USAGE, "Write the messages of the first run as CSV", 0},
	{"counters", KEY_COUNTERS, "FILE", OPTION_NO_USAGE,
		"Write the traffic of link_use or link_busy as counters of ports, as perfquery prints them", 0},
	{"queues", KEY_QUEUES, "FILE", OPTION_NO_USAGE,
		"Write the queues of packet_queues over time as CSV; orcs-draw --queues animates them", 0},
	{"memory-capacity", KEY_MEMORY, "BITS/S", OPTION_NO_USAGE, "Rate of messages from a host to itself (default: they take no time)",
		0},

	{0, 0, 0, 0, "General:", GROUP_GENERAL},
	{"list", KEY_LIST, "KIND", 0,
		"List patterns, metrics, engines, routings or all; also packet-routings, congestion-controls, subsets, mappings, topologies, palettes, schedulers, allocations, job-mappings",
		0},
	{"list-patterns", KEY_LIST_PATTERNS, 0, OPTION_HIDDEN, 0, 0},
	{"list-metrics", KEY_LIST_METRICS, 0, OPTION_HIDDEN, 0, 0},
	{"verbose", 'v', 0, 0, "Report progress and timing on standard error, with -vv every level", 0},
	{"quiet", KEY_QUIET, 0, OPTION_NO_USAGE, "Suppress warnings and the progress bar", 0},
	{"help", 'h', "TOPIC", OPTION_ARG_OPTIONAL, "Print help: all, experiment, output or an engine", 0},
	{"usage", '?', 0, OPTION_HIDDEN, 0, 0},
	{"version", 'V', 0, OPTION_NO_USAGE, "Print the version", 0},
	{0},
};

static const char description[] =
	"Predict what a statically routed fabric delivers under a communication pattern.\n"
	"FABRIC is a routed graph, a cache, dumps of a real fabric, or a topology such as torus:8x8,hosts=2; see orcs-fabric(7) (default: standard input)."
	"\vExamples:\n"
	"  orcs -n 1000 fabric.dot               effective bisection bandwidth\n"
	"  orcs --engine flow -p alltoall --bytes 64k fabric.dot\n"
	"\nFurther examples:\n"
	"  mpirun -np 2 orcs -n 1000 fabric.dot  the same on two processes\n"
	"  orcs -p shift:1 -d --metric hist_max_cong fabric.dot\n"
	"  orcs -n 100 --metric get_cable_cong fabric.dot | orcs-draw - -o f.svg\n"
	"  orcs --precision 0.01 --fail-if 'bw<0.55' fabric.dot\n"
	"\nExit status: 0 success, 1 I/O error or out of memory, 2 usage, 3 unusable fabric, 4 --fail-if holds, 128+N ended by signal N. "
	"See orcs(1), orcs-patterns(7), orcs-flow(7), orcs-packet(7), orcs-fabric(7).";

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
		usage_error(program, "--fail-if is given more than %d times", THRESHOLDS_MAX);
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
		usage_error(program, "--fail-if is '%s', not a condition such as 'bw<0.55' (comparisons: < <= > >=)", text);
}

/* A number of ranks, or the file of a table of them, whose name does not look like a number. */
static void read_ranks(struct options *o, const char *text)
{
	const char *digit = text + (*text == '-' || *text == '+');
	bool file = *text && (*digit < '0' || *digit > '9');
	if (file)
		o->rank_table = text;
	else
		o->ranks = (uint32_t)usage_integer(program, "--ranks", text, 0, UINT32_MAX - 1);
}

static void read_plot(struct options *o, const char *text)
{
	if (!gnuplot_draws(text))
		usage_error(program, "--plot is '%s'; the name must end in .svg, .png or .pdf", text);
	o->plot = text;
}

/* Excludes the option with that argument from the result. */
static void leave_unrecorded(struct options *o, const char *text)
{
	if (o->unrecordeds == UNRECORDED_MAX)
		usage_error(program, "--checkpoint and --resume are given more than %d times", UNRECORDED_MAX);
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

/* Passes the structs that the children of the parser fill, in the order of options_children(). */
static void give_inputs(struct options *o, struct argp_state *state)
{
	int child = 0;
	for (int e = 0; engines[e]; e++)
		if (engines[e]->options.argp)
			state->child_inputs[child++] = o->own[e];
	state->child_inputs[child++] = &o->failing;
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
	case 's': read_ranks(o, text); break;
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
	case KEY_SPEED_AWARE: o->ignore_speeds = false; break;
	case KEY_IGNORE_SPEEDS: o->ignore_speeds = true; break;
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
	case KEY_COMPUTE_SCALE:
		if (!read_number(text, 0, 1e9, &o->compute_scale))
			usage_error(program, "--compute-scale is '%s', not a number from 0 to 1e9 such as 0.5", text);
		break;
	case KEY_SYNC: o->sync = SYNC_LEVEL + (enum workload_sync)usage_choice(program, "--sync", text, syncs); break;
	case KEY_CAPACITY: o->capacity = usage_rate(program, "--capacity", text); break;
	case KEY_LATENCY: o->latency_text = text; break;
	case KEY_MEMORY: o->memory = usage_rate(program, "--memory-capacity", text); break;
	case KEY_TIMELINE: o->timeline = text; break;
	case KEY_FLOWS: o->flows = text; break;
	case KEY_COUNTERS: o->counters = text; break;
	case KEY_QUEUES: o->queues = text; break;
	case KEY_MULTIPATH: o->multipath = usage_choice(program, "--multipath", text, multipath_modes); break;
	case KEY_CONTROL: o->control = true; break;
	case KEY_FAIL_IF: read_threshold(o, text); break;
	case KEY_PLOT: read_plot(o, text); break;
	case KEY_PLOT_AT: o->plot_at = usage_seconds(program, "--plot-at", text, 1); break;
	case KEY_SAVE_FABRIC: o->save = text; break;
	case KEY_CHECKPOINT: read_checkpoint(o, text); break;
	case KEY_RESUME:
		o->resume = text;
		leave_unrecorded(o, text);
		break;
	case KEY_ROUTE_MEMORY: o->route_memory = usage_size(program, "--route-memory", text, 0); break;
	case 'h':
		o->help = true;
		o->topic = text;
		break;
	case '?': usage_print(program, state); break;
	case 'V': usage_print(program, NULL); break;
	default: return ARGP_ERR_UNKNOWN;
	}
	return 0;
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
		if (engines[e]->options.argp) {
			children[count] = engines[e]->options;
			children[count++].group = GROUP_OWN + e;
		}
	children[count++] = (struct argp_child){&failing_argp, 0, "Failures during a run, with --engine flow and packet:", GROUP_FAILING};
	children[count++] = (struct argp_child)SOURCE_CHILD(GROUP_INPUT);
	children[count] = (struct argp_child){0};
	return count;
}

/* Initialises the options of all engines. */
static void begin_own(struct options *o, struct error *error)
{
	for (int e = 0; engines[e] && !error->status; e++) {
		o->own[e] = engines[e]->options.argp ? array_create(1, engines[e]->options_size, error) : NULL;
		if (o->own[e] && engines[e]->options_begin)
			engines[e]->options_begin(o->own[e]);
	}
}

/* The help of --engine: the names, and what each does. */
static char *describe_engines(int key, const char *text, void *input)
{
	char *all = NULL, list[200];
	size_t size;
	FILE *file = key == KEY_ENGINE ? open_memstream(&all, &size) : NULL;
	(void)input;
	if (!file)
		return (char *)text;
	engines_list(list, sizeof list, 0, 0);
	fprintf(file, "%s (default: %s)", list, engines[0]->name);
	for (int e = 0; engines[e]; e++)
		fprintf(file, "; %s %s", engines[e]->name, engines[e]->summary);
	return fclose(file) ? (char *)text : all;
}

/* --help=TOPIC; without a topic that of --engine, and without both the usual options. */
static void __attribute__((noreturn)) print_help(const struct options *o, const struct argp *argp)
{
	struct help_topic topics[TOPICS_MAX];
	topics_list(topics);
	help_print(program, argp, topics, o->topic ? o->topic : o->engine ? o->engine->name : NULL);
}

void options_parse(struct options *options, int argc, char **argv)
{
	*options = (struct options){
		.argc = argc,
		.argv = argv,
		.fabric = {.program = program},
		.output = "-",
		.pattern = {.spec = options_usual_pattern, .first_ranks = -1},
		.subset = "linear_bfs",
		.mapping = options_usual_mapping,
		.level = -1,
		.list = -1,
		.plot_at = -1,
		.multipath = -1,
		.compute_scale = -1,
		.seed = 1,
		.checkpoint_seconds = 60,
		.palette = palettes[0],
		.route_memory = ROUTE_MEMORY_DEFAULT,
	};
	struct hush hush = usage_hush();
	struct argp_child children[OPTIONS_CHILDREN_MAX];
	const struct argp argp = {table, parse_option, "[FABRIC | DUMP...]", description, children, describe_engines, 0};
	struct error error = {0};
	options_children(children);
	begin_own(options, &error);
	usage_fail(program, &error);
	usage_parse(program, &argp, argc, argv, options);
	if (options->help)
		print_help(options, &argp);
	if (!options->engine)
		options->engine = engines[0];
	options_check(options);
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

/* Lists the long names of a table from place on. Returns the place behind them; NULL: counts only. */
static size_t list_names_of(const struct argp_option *options, const char **names, size_t place)
{
	for (; options->name || options->key || options->doc || options->group; options++)
		if (options->name && names)
			names[place++] = options->name;
		else
			place += options->name != NULL;
	return place;
}

static size_t list_all_names(const char **names)
{
	struct argp_child children[OPTIONS_CHILDREN_MAX];
	size_t count = list_names_of(table, names, 0);
	options_children(children);
	for (const struct argp_child *child = children; child->argp; child++)
		count = list_names_of(child->argp->options, names, count);
	return count;
}

int options_know(const char *name, struct error *error)
{
	size_t count = list_all_names(NULL);
	const char **names = array_create(count, sizeof *names, error);
	bool known = false;
	if (!names)
		return -1;
	list_all_names(names);
	for (size_t i = 0; i < count; i++)
		known |= !strcmp(names[i], name);
	if (!known)
		error_unknown(error, "option", name, names, count);
	free(names);
	return known ? 0 : -1;
}
