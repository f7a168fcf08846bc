#include "tools/compare/compare_options.h"

#include "base/memory.h"
#include "cli/gnuplot.h"
#include "cli/help.h"
#include "cli/usage.h"
#include "fabric/route_choice.h"
#include "fabric/placement.h"
#include "infiniband/source_options.h"
#include "routings/routing.h"
#include "compare/opensm.h"
#include "compare/spec_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	KEY_ENGINES = 0x100,
	KEY_SKIP,
	KEY_ALLOW_FALLBACK,
	KEY_KEEP,
	KEY_PRECISION,
	KEY_SEED,
	KEY_SUBSET,
	KEY_MAPPING,
	KEY_UNROUTABLE,
	KEY_MULTIPATH,
	KEY_SPEED_AWARE,
	KEY_IGNORE_SPEEDS,
	KEY_FORMAT,
	KEY_PLOT,
	KEY_QUIET,
	KEY_FAIL,
	KEY_REROUTE,
	KEY_TOP,
	KEY_GRAPH,
};

static const char program[] = "orcs-compare";

static const struct argp_option table[] = {
	{0, 0, 0, 0, "Input and routing:", 1},
	{"routing", 'R', "ENGINES", 0, "Route the fabric with these engines of orcs-route, separated by commas; as-is: the existing routes",
		0},
	{"skip", KEY_SKIP, 0, OPTION_HIDDEN, 0, 0}, /* the default, of older commands */
	{"engines", KEY_ENGINES, "ENGINES", 0,
		"Route the topology with these engines of OpenSM, under the simulator ibsim; as-is: the existing routes", 0},
	{"allow-fallback", KEY_ALLOW_FALLBACK, 0, OPTION_NO_USAGE,
		"Accept routes that OpenSM computed with another engine than the requested one", 0},
	{"fail", KEY_FAIL, "LIST", 0,
		"Compare the fabric before and after failures: each-cable, each-switch, random:KxN (N sets of K cables), NODE[:PORT], "
		"file:PATH (each line NODE[:PORT],...), separated by commas",
		0},
	{"reroute", KEY_REROUTE, "ENGINE[:repair|scratch]", 0,
		"Route failures with this engine: all routes from scratch (the default), or only those that failed; as-is:repair begins with the "
		"existing tables",
		0},
	{"keep", KEY_KEEP, "DIRECTORY", OPTION_NO_USAGE, "Keep the fabrics that engines routed, as DIRECTORY/ENGINE.dot", 0},

	{0, 0, 0, 0, "Experiment, the same for every routing:", 2},
	{"patterns", 'p', "PATTERNS", 0, "Communication patterns, separated by commas, see 'orcs --list=patterns' (default: bisect)", 0},
	{"runs", 'n', "N", 0, "Number of runs, each with its own mapping (default: 1000); with --precision the maximum (1000000)", 0},
	{"num-runs", 0, 0, OPTION_ALIAS | OPTION_HIDDEN, 0, 0},
	{"num_runs", 0, 0, OPTION_ALIAS | OPTION_HIDDEN, 0, 0},
	{"precision", KEY_PRECISION, "REL", 0, "Run until each 95% CI is within REL of its mean, e.g. 0.01", 0},
	{"seed", KEY_SEED, "N", 0, "Seed of all random choices (default: 1)", 0},
	{"ranks", 's', "N", 0, "Number of ranks (default: all hosts)", 0},
	{"commsize", 0, 0, OPTION_ALIAS | OPTION_HIDDEN, 0, 0},
	{"subset", KEY_SUBSET, "SUBSET", 0,
		"Hosts of the first fabric that take part: linear_bfs, file_order, rand, guid_asc, guid_desc or file:PATH (default: linear_bfs)",
		0},
	{"mapping", KEY_MAPPING, "MAPPING", OPTION_NO_USAGE, "Placement of ranks: random, linear or file:PATH (default: random)", 0},
	{"multipath", KEY_MULTIPATH, "first|random|split", OPTION_NO_USAGE,
		"Use of several routes of a pair: the first, a random one per run, or all of them in shares (default: as for orcs)", 0},
	{"unroutable", KEY_UNROUTABLE, "error|drop", OPTION_NO_USAGE,
		"Fail at messages without a route or drop them (default: error); dropped messages are counted", 0},
	{"ignore-speeds", KEY_IGNORE_SPEEDS, 0, 0, "Treat all links as equally fast (default: different speeds count)", 0},
	{"speed-aware", KEY_SPEED_AWARE, 0, OPTION_NO_USAGE, "Let different speeds count, the default", 0},

	{0, 0, 0, 0, "Output:", 3},
	{"output-file", 'o', "FILE", 0, "Write the table to FILE (default: standard output)", 0},
	{"output_file", 0, 0, OPTION_ALIAS | OPTION_HIDDEN, 0, 0},
	{"format", KEY_FORMAT, "text|json|csv", 0, "Format of the table (default: text)", 0},
	{"plot", KEY_PLOT, "FILE", 0, "Draw the distributions as .svg, .png or .pdf; needs gnuplot", 0},
	{"graph", KEY_GRAPH, "FILE", OPTION_NO_USAGE,
		"Write the fabric of --fail to FILE, coloured by what each cable costs, for orcs-draw", 0},
	{"top", KEY_TOP, "N", OPTION_NO_USAGE, "Number of failures to list as text (default: 20); 0: all", 0},
	{"verbose", 'v', 0, 0, "Report steps on standard error", 0},
	{"quiet", KEY_QUIET, 0, 0, "Suppress warnings and the progress bar", 0},
	{"help", 'h', "all", OPTION_ARG_OPTIONAL, "Print help; all: every option in full", -1},
	{"usage", '?', 0, OPTION_HIDDEN, 0, -1},
	{"version", 'V', 0, 0, "Print the version", -1},
	{0},
};

static const char description[] =
	"Compares routings: runs the same random mappings on several routed fabrics with the same hosts, on one fabric routed by several engines of "
	"orcs-route, or on one topology (also a dump of ibnetdiscover, or a netfile of ibsim) routed by several engines of OpenSM. Prints one "
	"table: unreachable pairs, hops, bandwidth, difference to the best, hottest cable. FABRIC is a dot graph, a cache, dumps, or the "
	"specification of a topology, for example torus:8x8,hosts=2, see orcs-fabric(7); - (the default) is standard input."
	"\vExamples:\n"
	"  orcs-compare before.dot after.dot\n"
	"  orcs-compare -R as-is,minhop,sssp,nue torus:8x8,hosts=2\n"
	"  orcs-compare topology.txt --engines minhop,updn,ftree\n"
	"  orcs-compare --fail each-cable,each-switch --reroute minhop fabric.dot\n"
	"  orcs-compare old.dot new.dot --precision 0.005 --plot distributions.svg\n"
	"\nExit status: 0 success, 1 I/O error or out of memory, 2 usage, 3 a fabric cannot be used, or no engine could route it, 128+N ended by "
	"signal N. See orcs-compare(1).";

static bool is_opensm(const char *text)
{
	for (const char *const *name = opensm_engines; *name; name++)
		if (spec_begins(text, *name))
			return true;
	return false;
}

static bool is_engine(const char *text)
{
	return routing_begins(text) || is_opensm(text);
}

static void check_engine(bool opensm, const char *engine)
{
	struct error error = {0};
	if (opensm && routing_begins(engine) && !is_opensm(engine))
		usage_error(program, "OpenSM has no engine '%s', but orcs-route does: use --routing", engine);
	else if (opensm)
		usage_choice(program, "engine of OpenSM", engine, opensm_engines);
	else if (strcmp(engine, ENGINE_AS_IS) != 0 && !routing_find(engine, &error))
		usage_error(program, "%s", error.text);
}

static void read_engines(struct compare_options *o, bool opensm, const char *list)
{
	if (o->engines && o->opensm != opensm)
		usage_error(program, "--routing (engines of orcs-route) and --engines (of OpenSM) exclude each other: use one of them");
	o->opensm = opensm;
	while (list) {
		struct error error = {0};
		if (o->engines == ENGINES_COMPARED_MAX)
			usage_error(program, "more than %d engines", ENGINES_COMPARED_MAX);
		char *engine = o->engine[o->engines] = spec_list_next(&list, is_engine, &error);
		usage_fail(program, &error);
		o->engines++; /* owned, whatever is wrong with it */
		check_engine(opensm, engine);
		for (int i = 0; i < o->engines - 1; i++)
			if (!strcmp(o->engine[i], engine))
				usage_error(program, "engine '%s' is given twice", engine);
	}
}

static void read_patterns(struct compare_options *o, const char *list)
{
	struct error error = {0};
	pattern_list_read(o->pattern, &o->patterns, PATTERNS_MAX, list, &error);
	usage_fail(program, &error);
}

static struct fabric_source *add_input(struct compare_options *o)
{
	struct error error = {0};
	size_t room = (size_t)o->inputs;
	array_grow(&o->input, &room, room + 1, sizeof *o->input, &error);
	usage_fail(program, &error);
	o->input[o->inputs] = (struct fabric_source){.program = program};
	return &o->input[o->inputs++];
}

/* With engines there is one fabric: all arguments are its files, as are those of --topology and similar options. */
static void join_inputs(struct compare_options *o)
{
	for (int i = 0; i < o->inputs; i++) {
		const char *path = o->input[i].file[0].path;
		if (routing_begins(path) && access(path, F_OK))
			usage_error(program, "'%s' is an engine, not a file: separate engines by commas, as in -R %s,%s", path,
				o->engine[0], path);
		source_argument(&o->dumps, path);
		fabric_source_clear(&o->input[i]);
	}
	o->inputs = 0;
}

/* The fabric of --topology and similar options becomes the first input; all inputs use the same node names. */
static void take_dumps(struct compare_options *o)
{
	uint32_t plane = o->dumps.plane;
	if (plane && o->opensm)
		usage_error(program, "--plane is not available with --engines, as OpenSM routes one subnet; use --routing");
	if (o->engines || o->fail)
		join_inputs(o);
	if (o->dumps.files || !o->inputs) {
		*add_input(o) = o->dumps;
		struct fabric_source last = o->input[o->inputs - 1];
		memmove(o->input + 1, o->input, (size_t)(o->inputs - 1) * sizeof *o->input);
		o->input[0] = last;
	}
	for (int i = 0; i < o->inputs; i++) {
		o->input[i].node_name_map = o->dumps.node_name_map;
		o->input[i].plane = plane;
		source_end(&o->input[i]);
	}
	o->dumps = (struct fabric_source){0};
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
	static const char *const routes[] = {"error", "drop", NULL};
	struct compare_options *o = state->input;
	switch (key) {
	case 'R': read_engines(o, false, text); break;
	case KEY_SKIP: break;
	case KEY_ENGINES: read_engines(o, true, text); break;
	case KEY_ALLOW_FALLBACK: o->allow_fallback = true; break;
	case KEY_KEEP: o->keep = text; break;
	case KEY_FAIL: o->fail = text; break;
	case KEY_REROUTE: o->reroute = text; break;
	case KEY_GRAPH: o->graph = text; break;
	case KEY_TOP:
		o->top_given = true;
		o->top = (size_t)usage_integer(program, "--top", text, 0, INT64_MAX);
		break;
	case 'p': read_patterns(o, text); break;
	case 'n': o->runs = (uint64_t)usage_integer(program, "--runs", text, 1, INT64_C(1) << 40); break;
	case KEY_PRECISION: o->precision = usage_positive(program, "--precision", text); break;
	case KEY_SEED: o->seed = (uint64_t)usage_integer(program, "--seed", text, 0, INT64_MAX); break;
	case 's': o->ranks = (uint32_t)usage_integer(program, "--ranks", text, 0, UINT32_MAX - 1); break;
	case KEY_SUBSET: o->subset = text; break;
	case KEY_MAPPING: o->mapping = text; break;
	case KEY_MULTIPATH: o->multipath = usage_choice(program, "--multipath", text, multipath_modes); break;
	case KEY_UNROUTABLE: o->drop = usage_choice(program, "--unroutable", text, routes); break;
	case KEY_SPEED_AWARE: o->ignore_speeds = false; break;
	case KEY_IGNORE_SPEEDS: o->ignore_speeds = true; break;
	case 'o': o->output = text; break;
	case KEY_FORMAT: o->format = (enum format)usage_choice(program, "--format", text, format_names); break;
	case KEY_PLOT: o->plot = text; break;
	case 'v': o->verbose = true; break;
	case KEY_QUIET: o->quiet = true; break;
	case 'h': help_print(program, state->root_argp, NULL, text); break;
	case '?': usage_print(program, state); break;
	case 'V': usage_print(program, NULL); break;
	case ARGP_KEY_INIT: state->child_inputs[0] = &o->dumps; break;
	case ARGP_KEY_ARG: source_argument(add_input(o), text); break;
	default: return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

/* A sweep of failures has one routing, and bisections of all hosts. */
static void check_fail(const struct compare_options *o)
{
	const char *other = o->engines         ? "--routing and --engines; --reroute names the engine"
			    : o->inputs > 1    ? "several fabrics"
			    : o->patterns      ? "--patterns; bisections are compared"
			    : o->precision > 0 ? "--precision"
			    : o->ranks         ? "--ranks"
			    : strcmp(o->subset, "linear_bfs") || strcmp(o->mapping, "random") ? "--subset and --mapping"
			    : o->multipath >= 0                                               ? "--multipath"
											      : NULL;
	if (other)
		usage_error(program, "--fail does not go with %s", other);
}

static void check_inputs(struct compare_options *o)
{
	int standard = 0;
	take_dumps(o);
	if (o->keep && !o->engines)
		usage_error(program, "--keep requires --routing or --engines");
	if (o->allow_fallback && !o->opensm)
		usage_error(program, "--allow-fallback requires --engines");
	if (!o->fail != !o->reroute)
		usage_error(program, o->fail ? "--fail needs what routes the failures: add --reroute ENGINE, or as-is:repair"
					     : "--reroute tells what routes failures: add --fail LIST");
	if (o->graph && !o->fail)
		usage_error(program, "--graph colours cables by what --fail finds: add --fail each-cable");
	if (o->top_given && !o->fail)
		usage_error(program, "--top limits the list of failures: add --fail LIST");
	if (o->fail)
		check_fail(o);
	for (int i = 0; i < o->inputs; i++)
		standard += source_is_standard(&o->input[i]);
	if (standard > 1)
		usage_error(program, "standard input cannot be two fabrics: name files");
	if (o->plot && !gnuplot_draws(o->plot))
		usage_error(program, "--plot is '%s'; the name must end in .svg, .png or .pdf", o->plot);
}

/* Checks everything that does not depend on the fabrics. */
static void check(struct compare_options *o)
{
	struct error error = {0};
	check_inputs(o);
	if (!o->patterns)
		read_patterns(o, "bisect");
	for (int i = 0; i < o->patterns && !error.status; i++) {
		o->pattern[i].seed = o->seed;
		pattern_check(&o->pattern[i], PATTERN_PAIRS, &error);
	}
	if (!error.status)
		placement_check(o->subset, o->mapping, &error);
	usage_fail(program, &error);
	if (!o->runs && o->fail)
		o->runs = 100;
	if (!o->runs)
		o->runs = o->precision > 0 ? 1000000 : 1000;
}

void compare_options_parse(struct compare_options *options, int argc, char **argv)
{
	*options = (struct compare_options){
		.argc = argc,
		.argv = argv,
		.dumps = {.program = program},
		.subset = "linear_bfs",
		.mapping = "random",
		.multipath = -1,
		.seed = 1,
		.top = 20,
		.output = "-",
	};
	struct hush hush = usage_hush();
	const struct argp_child children[] = {SOURCE_WHOLE_CHILD(4), {0}};
	const struct argp argp = {table, parse_option,
		"[FABRIC...]\n-R ENGINES [FABRIC | DUMP...]\n--engines=ENGINES [TOPOLOGY | DUMP...]\n--fail=LIST --reroute=ENGINE [FABRIC | DUMP...]",
		description, children, 0, 0};
	usage_parse(program, &argp, argc, argv, options);
	check(options);
	usage_speak(&hush);
}

void compare_options_clear(struct compare_options *o)
{
	for (int i = 0; i < o->engines; i++)
		free(o->engine[i]);
	for (int p = 0; p < o->patterns; p++)
		free((char *)o->pattern[p].spec);
	fabric_source_clear(&o->dumps);
	for (int i = 0; i < o->inputs; i++)
		fabric_source_clear(&o->input[i]);
	free(o->input);
}
