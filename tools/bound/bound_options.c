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
	KEY_FORMAT,
	KEY_TOP,
	KEY_GRAPH,
	KEY_PALETTE,
	KEY_QUIET,
};

static const char program[] = "orcs-bound";

static const struct argp_option table[] = {
	{0, 0, 0, 0, "What is found:", 1},
	{"parts", KEY_PARTS, "PARTS", 0, "Only these, separated by commas: loads, worst, throughput, ideal (default: all)", 0},
	{"pattern", 'p', "PATTERN", 0,
		"Also the throughput of the first level of this pattern (see 'orcs --list=patterns'), rank i on the i-th host of the file",
		0},
	{"ptrn", 0, 0, OPTION_ALIAS | OPTION_HIDDEN, 0, 0},
	{"seed", KEY_SEED, "N", 0, "Seed of patterns that draw (default: 1)", 0},
	{"epsilon", KEY_EPSILON, "E", 0,
		"Narrow the possible throughput down until its upper bound is within 1+E of the lower (default: 0.05)", 0},
	{"max-phases", KEY_PHASES, "N", 0,
		"But go no further than N phases of the search (default: at least 30, the fewer the larger the fabric)", 0},
	{"levels", KEY_LEVELS, "N", 0, "Levels of the fat tree to compare with (default: the tree that the fabric is)", 0},
	{"unroutable", KEY_UNROUTABLE, "error|drop", 0, "Pairs without a route: an error (default), or left out and counted", 0},
	{"speed-aware", KEY_SPEED_AWARE, 0, 0, "Divide loads and congestion by the channels' speeds", 0},

	{0, 0, 0, 0, "What comes out:", 2},
	{"output-file", 'o', "FILE", 0, "Where the result goes; - (the default) is standard output", 0},
	{"output_file", 0, 0, OPTION_ALIAS | OPTION_HIDDEN, 0, 0},
	{"format", KEY_FORMAT, "text|json|csv", 0, "Form of the result; csv has a row for every channel", 0},
	{"top", KEY_TOP, "N", 0, "The text lists the N channels with most routes (default: 5)", 0},
	{"witness", KEY_WITNESS, "FILE", 0, "Write the worst permutation, as a pattern file for orcs", 0},
	{"graph", KEY_GRAPH, "FILE", 0, "Write the graph, each edge coloured by its exact load", 0},
	{"palette", KEY_PALETTE, "PALETTE", 0, "Colours of the graph: green-red (default), viridis, cividis", 0},
	{"verbose", 'v', 0, 0, "Say on standard error what is done, and how long it took", 0},
	{"quiet", KEY_QUIET, 0, 0, "No warnings", 0},
	{"help", 'h', "all", OPTION_ARG_OPTIONAL, "Print help; all: every option in full", -1},
	{"usage", '?', 0, OPTION_HIDDEN, 0, -1},
	{"version", 'V', 0, 0, "Print the version", -1},
	{0},
};

static const char description[] =
	"Tells exactly, without a random run, what a routing can and cannot deliver: the expected load of every channel under random mappings, the "
	"worst permutation, the throughput that the same cables could give, and what an ideal fat tree of its shape gives. FABRIC is a routed graph, a "
	"cache of one, or the specification of a topology as torus:8x8,hosts=2, as orcs reads it; - (the default) is standard input."
	"\vExamples:\n"
	"  orcs-bound fabric.dot\n"
	"  orcs-bound --witness worst.txt fabric.dot\n"
	"  orcs-route updn slimfly:q=5 | orcs-bound\n"
	"  orcs -p file:worst.txt --subset file_order --mapping linear -i fabric.dot\n"
	"  mpirun -np 4 orcs-bound -p transpose --epsilon 0.01 --format json fabric.dot\n"
	"\nExit status: 0 fine, 1 a file or the memory failed, 2 usage, 3 the fabric cannot be used, 128+N ended by signal N. See orcs-bound(1).";

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
	case KEY_SPEED_AWARE: o->speed_aware = true; break;
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

/* What can be wrong without a look at the fabric. */
static void check(struct bound_options *o)
{
	struct error error = {0};
	source_end(&o->fabric);
	if (o->witness && !(o->parts & PART_WORST))
		usage_error(program, "--witness is for the part worst");
	if (o->pattern.spec && !(o->parts & PART_THROUGHPUT))
		usage_error(program, "--pattern is for the part throughput");
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
