#include "tools/order/order_options.h"

#include "cli/help.h"
#include "cli/usage.h"
#include "infiniband/source_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	KEY_HOSTS = 0x100,
	KEY_CHOOSE,
	KEY_PER_HOST,
	KEY_WEIGHTS,
	KEY_IGNORE_SPEEDS,
	KEY_TIME,
	KEY_PASSES,
	KEY_SEED,
	KEY_FORMAT,
	KEY_REPORT,
	KEY_QUIET
};

static const char program[] = "orcs-order";

static const struct argp_option table[] = {
	{0, 0, 0, 0, "The job:", 1},
	{"pattern", 'p', "PATTERN", 0,
		"What the ranks send to each other: a pattern, an application or a trace; see 'orcs --list=patterns'", 0},
	{"ranks", 's', "N", 0, "Number of ranks (default: as many as hosts, or as the pattern has), on the first hosts of the list", 0},
	{"hosts", KEY_HOSTS, "FILE", 0, "The hosts of the job, one per line (default: all)", 0},
	{"choose", KEY_CHOOSE, "N", 0, "Choose N of these hosts, too", 0},
	{"ranks-per-host", KEY_PER_HOST, "N", 0, "Ranks on each host (default: 1)", 0},
	{"weights", KEY_WEIGHTS, "FILE", 0,
		"Weights of messages: lines of SENDER RECEIVER WEIGHT, or LEVEL WEIGHT; without --pattern these are the messages", 0},

	{0, 0, 0, 0, "Search:", 2},
	{"time", KEY_TIME, "SECONDS", 0, "Search for so long, and print the number of passes that repeats the result", 0},
	{"passes", KEY_PASSES, "N", 0, "Passes of 4,096 proposals each (default: 120)", 0},
	{"seed", KEY_SEED, "N", 0, "Seed of the search and of random patterns (default: 1)", 0},
	{"ignore-speeds", KEY_IGNORE_SPEEDS, 0, 0, "Treat all links as equally fast (default: different speeds count)", 0},

	{0, 0, 0, 0, "Output:", 3},
	{"output", 'o', "FILE", 0, "Write the order to FILE (default: standard output)", 0},
	{"format", KEY_FORMAT, "list|rankfile|slurm-hostfile", 0,
		"Format of the order: hosts of the graph for 'orcs --mapping file:FILE' (the default), a rankfile of Open MPI, or a list of machines "
		"for SLURM_HOSTFILE",
		0},
	{"report", KEY_REPORT, "FILE", 0, "Write the result as JSON to FILE, too", 0},
	{"verbose", 'v', 0, 0, "Report progress on standard error", 0},
	{"quiet", KEY_QUIET, 0, 0, "Suppress the result as text, and warnings", 0},
	{"help", 'h', "all", OPTION_ARG_OPTIONAL, "Print help; all: every option in full", -1},
	{"usage", '?', 0, OPTION_HIDDEN, 0, -1},
	{"version", 'V', 0, 0, "Print the version", -1},
	{0},
};

static const char description[] =
	"Finds on which host each rank of a job should be, so that its messages share cables as little as possible. FABRIC is a routed graph, a "
	"cache, dumps, or the specification of a topology, for example torus:8x8,hosts=2, see orcs-fabric(7); - (the default) is standard input."
	"\vExamples:\n"
	"  orcs-order -p recdbl --hosts myhosts -o order fabric.dot\n"
	"  orcs-order -p stencil:8x8x8 --choose 512 --format rankfile -o ranks fabric.dot\n"
	"  orcs-order -p recdbl -s 64 torus:8x8,hosts=2 | orcs -p recdbl -s 64 --mapping file:/dev/stdin torus:8x8,hosts=2\n"
	"\nExit status: 0 success, 1 I/O error or out of memory, 2 usage, 3 the fabric cannot be used. See orcs-order(1).";

static void set_ranks(struct order_options *o, const char *option, const char *text)
{
	if (o->ranks)
		usage_error(program, "--ranks and --choose both tell the number of ranks: give one of them, once");
	o->ranks = (uint32_t)usage_integer(program, option, text, 2, INT32_MAX);
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
	static const char *const formats[] = {[ORDER_LIST] = "list", [ORDER_RANKFILE] = "rankfile", [ORDER_SLURM] = "slurm-hostfile", NULL};
	struct order_options *o = state->input;
	switch (key) {
	case 'p': o->pattern.spec = text; break;
	case 's': set_ranks(o, "--ranks", text); break;
	case KEY_CHOOSE:
		set_ranks(o, "--choose", text);
		o->choose = true;
		break;
	case KEY_HOSTS: o->host_file = text; break;
	case KEY_PER_HOST: o->per_host = (uint32_t)usage_integer(program, "--ranks-per-host", text, 1, 1 << 16); break;
	case KEY_WEIGHTS: o->weights = text; break;
	case KEY_TIME: o->seconds = usage_seconds(program, "--time", text, 1); break;
	case KEY_PASSES: o->passes = (uint64_t)usage_integer(program, "--passes", text, 1, INT64_MAX); break;
	case KEY_SEED: o->seed = (uint64_t)usage_integer(program, "--seed", text, 0, INT64_MAX); break;
	case KEY_IGNORE_SPEEDS: o->ignore_speeds = true; break;
	case 'o': o->output = text; break;
	case KEY_FORMAT: o->format = (enum order_format)usage_choice(program, "--format", text, formats); break;
	case KEY_REPORT: o->report = text; break;
	case 'v': o->verbose = true; break;
	case KEY_QUIET: o->quiet = true; break;
	case 'h': help_print(program, state->root_argp, NULL, text); break;
	case '?': usage_print(program, state); break;
	case 'V': usage_print(program, NULL); break;
	case ARGP_KEY_INIT: state->child_inputs[0] = &o->fabric; break;
	case ARGP_KEY_ARG: source_argument(&o->fabric, text); break;
	default: return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

void order_options_parse(struct order_options *options, int argc, char **argv)
{
	struct error error = {0};
	*options = (struct order_options){
		.argc = argc,
		.argv = argv,
		.fabric = {.program = program},
		.pattern = {.first_ranks = -1},
		.per_host = 1,
		.seed = 1,
		.output = "-",
	};
	struct order_options *o = options;
	const struct argp_child children[] = {SOURCE_CHILD(4), {0}};
	const struct argp argp = {table, parse_option, "[FABRIC]\nDUMP...", description, children, 0, 0};
	usage_parse(program, &argp, argc, argv, o);
	o->pattern.seed = o->seed;
	source_end(&o->fabric);
	if (!o->pattern.spec && !o->weights)
		usage_error(program,
			"what the ranks send is missing: add --pattern NAME (recdbl, stencil:8x8x8, trace:FILE, …), or --weights FILE");
	if (o->passes && o->seconds > 0)
		usage_error(program, "--time and --passes both tell when to end: give one of them");
	if (o->pattern.spec && pattern_check(&o->pattern, PATTERN_PAIRS, &error)) {
		struct error graph = {0};
		if (!pattern_check(&o->pattern, PATTERN_GRAPH, &graph))
			error = (struct error){0};
	}
	usage_fail(program, &error);
	const char *input[] = {o->host_file, o->weights};
	unsigned standard = source_is_standard(&o->fabric);
	for (int i = 0; i < 2; i++)
		standard += input[i] && !strcmp(input[i], "-");
	if (standard > 1)
		usage_error(program, "standard input can be only one of the fabric, the hosts and the weights: name files");
	size_t size = o->host_file ? strlen(o->host_file) + 6 : 0;
	o->hosts = size ? malloc(size) : strdup("linear_bfs");
	if (!o->hosts)
		usage_fail(program, (error_set(&error, STATUS_IO, "out of memory"), &error));
	if (size)
		snprintf(o->hosts, size, "file:%s", o->host_file);
}
