#include "tools/bound/bound_options.h"

#include "cli/palette.h"
#include "cli/help.h"
#include "cli/usage.h"
#include "infiniband/source_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	KEY_PARTS = 0x100,
	KEY_WITNESS,
	KEY_EPSILON,
	KEY_PHASES,
	KEY_SEED,
	KEY_LEVELS,
	KEY_UNROUTABLE,
	KEY_SPEED_AWARE,
	KEY_IGNORE_SPEEDS,
	KEY_FORMAT,
	KEY_TOP,
	KEY_GRAPH,
	KEY_PALETTE,
	KEY_QUIET,
};

static const char program[] = "orcs-bound";

static const struct argp_option table[] = {
	{0, 0, 0, 0, "Analysis:", 1},
	{"parts", KEY_PARTS, "PARTS", 0, "Parts to compute: loads, worst, throughput, ideal (separated by commas; default: all)", 0},
	{"pattern", 'p', "PATTERN", 0,
		"Add the throughput of this pattern, e.g. shift:1; only its first level, rank i on the i-th host of the file; see 'orcs --list=patterns'",
		0},
	{"ptrn", 0, 0, OPTION_ALIAS | OPTION_HIDDEN, 0, 0},
	{"seed", KEY_SEED, "N", 0, "Seed of random patterns (default: 1)", 0},
	{"epsilon", KEY_EPSILON, "E", 0,
		"Relative width of the possible throughput, e.g. 0.01: its upper bound is at most 1+E times the lower (default: 0.05)", 0},
	{"max-phases", KEY_PHASES, "N", 0, "Stop the search after N phases (default: 30 or more, fewer for larger fabrics)", 0},
	{"levels", KEY_LEVELS, "N", 0, "Levels of the ideal fat tree (default: those of the fabric)", 0},
	{"unroutable", KEY_UNROUTABLE, "error|drop", 0,
		"Fail at pairs without a route or drop them (default: error); dropped pairs are counted", 0},
	{"ignore-speeds", KEY_IGNORE_SPEEDS, 0, 0, "Treat all links as equally fast (default: different speeds count)", 0},
	{"speed-aware", KEY_SPEED_AWARE, 0, OPTION_NO_USAGE, "Let different speeds count, the default", 0},

	{0, 0, 0, 0, "Output:", 2},
	{"output-file", 'o', "FILE", 0, "Write the result to FILE (default: standard output)", 0},
	{"output_file", 0, 0, OPTION_ALIAS | OPTION_HIDDEN, 0, 0},
	{"format", KEY_FORMAT, "text|json|csv", 0, "Format of the result; csv has one row per channel (default: text)", 0},
	{"top", KEY_TOP, "N", 0, "Number of channels to list, those with most routes (default: 5)", 0},
	{"witness", KEY_WITNESS, "FILE", 0, "Write the worst permutation to FILE, as a pattern for orcs", 0},
	{"graph", KEY_GRAPH, "FILE", 0, "Write a graph coloured by the exact loads to FILE; orcs-draw draws it", 0},
	{"palette", KEY_PALETTE, "PALETTE", 0, "Graph colours: green-red, viridis or cividis (default: green-red)", 0},
	{"verbose", 'v', 0, 0, "Report steps and times on standard error", 0},
	{"quiet", KEY_QUIET, 0, 0, "Suppress warnings", 0},
	{"help", 'h', "all", OPTION_ARG_OPTIONAL, "Print help; all: every option in full", -1},
	{"usage", '?', 0, OPTION_HIDDEN, 0, -1},
	{"version", 'V', 0, 0, "Print the version", -1},
	{0},
};

static const char description[] =
	"Computes exact performance bounds of a routing, without random runs: the expected load of every channel under random mappings, the worst "
	"permutation, the possible throughput of the same cables, and the bandwidth of an ideal fat tree of that size. FABRIC is a routed graph, a "
	"cache, dumps, or the specification of a topology, for example torus:8x8,hosts=2, see orcs-fabric(7); - (the default) is standard input."
	"\vExamples:\n"
	"  orcs-bound fabric.dot\n"
	"  orcs-bound --witness worst.txt fabric.dot\n"
	"  orcs-route updn slimfly:q=5 | orcs-bound\n"
	"  orcs -p file:worst.txt --subset file_order --mapping linear -i fabric.dot\n"
	"  mpirun -np 4 orcs-bound -p transpose --epsilon 0.01 --format json fabric.dot\n"
	"\nExit status: 0 success, 1 I/O error or out of memory, 2 usage, 3 the fabric cannot be used, 128+N ended by signal N. See orcs-bound(1).";

static unsigned read_parts(const char *text)
{
	static const char *const names[] = {"loads", "worst", "throughput", "ideal", NULL};
	unsigned parts = 0;
	for (const char *end; text; text = *end ? end + 1 : NULL) {
		char name[20];
		end = strchrnul(text, ',');
		snprintf(name, sizeof name, "%.*s", (int)(end - text), text);
		parts |= 1U << usage_choice(program, "part", name, names);
	}
	return parts;
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
	static const char *const routes[] = {"error", "drop", NULL};
	struct bound_options *o = state->input;
	switch (key) {
	case KEY_PARTS: o->parts = read_parts(text); break;
	case 'p': o->pattern.spec = text; break;
	case KEY_SEED: o->pattern.seed = (uint64_t)usage_integer(program, "--seed", text, 0, INT64_MAX); break;
	case KEY_EPSILON: o->epsilon = usage_positive(program, "--epsilon", text); break;
	case KEY_PHASES: o->phases = (uint32_t)usage_integer(program, "--max-phases", text, 1, 1000000000); break;
	case KEY_LEVELS: o->levels = (uint32_t)usage_integer(program, "--levels", text, 1, 8); break;
	case KEY_UNROUTABLE: o->drop = usage_choice(program, "--unroutable", text, routes); break;
	case KEY_SPEED_AWARE: o->ignore_speeds = false; break;
	case KEY_IGNORE_SPEEDS: o->ignore_speeds = true; break;
	case 'o': o->output = text; break;
	case KEY_FORMAT: o->format = (enum format)usage_choice(program, "--format", text, format_names); break;
	case KEY_TOP: o->top = (uint32_t)usage_integer(program, "--top", text, 0, UINT32_MAX - 1); break;
	case KEY_WITNESS: o->witness = text; break;
	case KEY_GRAPH: o->graph = text; break;
	case KEY_PALETTE: o->palette = palettes[usage_choice(program, "--palette", text, palettes)]; break;
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

/* Checks everything that does not depend on the fabric. */
static void check(struct bound_options *o)
{
	struct error error = {0};
	source_end(&o->fabric);
	if (o->witness && !(o->parts & PART_WORST))
		usage_error(program, "--witness requires the part worst (--parts)");
	if (o->format == FORMAT_CSV && !(o->parts & PART_LOADS))
		usage_error(program, "--format csv has one row per channel and requires the part loads (--parts)");
	if (o->pattern.spec && !(o->parts & PART_THROUGHPUT))
		usage_error(program, "--pattern requires the part throughput (--parts)");
	if (o->pattern.spec)
		pattern_check(&o->pattern, PATTERN_PAIRS, &error);
	usage_fail(program, &error);
}

void bound_options_parse(struct bound_options *options, int argc, char **argv)
{
	*options = (struct bound_options){
		.argc = argc,
		.argv = argv,
		.fabric = {.program = program},
		.parts = PARTS_ALL,
		.pattern = {.first_ranks = -1, .seed = 1},
		.epsilon = 0.05,
		.top = 5,
		.output = "-",
		.palette = palettes[0],
	};
	struct hush hush = usage_hush();
	const struct argp_child children[] = {SOURCE_CHILD(2), {0}};
	const struct argp argp = {table, parse_option, "[FABRIC]\nDUMP...", description, children, 0, 0};
	usage_parse(program, &argp, argc, argv, options);
	check(options);
	usage_speak(&hush);
}
