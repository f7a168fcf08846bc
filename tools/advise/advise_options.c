#include "tools/advise/advise_options.h"

#include "cli/help.h"
#include "cli/usage.h"
#include "compare/spec_list.h"
#include "infiniband/source_options.h"

#include <string.h>

enum { KEY_SEED = 0x100, KEY_MEASURED, KEY_IGNORE_SPEEDS, KEY_TIME, KEY_OPENSM, KEY_FORMAT, KEY_QUIET };

static const char program[] = "orcs-advise";

static const struct argp_option table[] = {
	{0, 0, 0, 0, "Analysis:", 1},
	{"patterns", 'p', "PATTERNS", 0,
		"Patterns by which routings are compared, separated by commas (default: bisect); see 'orcs --list=patterns'", 0},
	{"pattern", 0, 0, OPTION_ALIAS | OPTION_HIDDEN, 0, 0},
	{"runs", 'n', "N", 0, "Number of random mappings (default: 500)", 0},
	{"seed", KEY_SEED, "N", 0, "Seed of the mappings and of the engine best (default: 1)", 0},
	{"time", KEY_TIME, "SECONDS", 0, "Improve the tables of the engine best for so long (default: 24 passes over all destinations)", 0},
	{"opensm", KEY_OPENSM, 0, 0, "Also try torus-2QoS and nue, by OpenSM itself under ibsim", 0},
	{"ignore-speeds", KEY_IGNORE_SPEEDS, 0, 0, "Treat all links as equally fast (default: different speeds count)", 0},

	{"measured", KEY_MEASURED, "BEFORE AFTER", 0,
		"Instead compare counters with the loads: those of ports in two files of perfquery -x, ibqueryerrors, ibdiagnet or Prometheus with those that the present tables lead to",
		0},

	{0, 0, 0, 0, "Output:", 2},
	{"output", 'o', "DIR", 0, "Write the files into the new directory DIR: a folder for each advised step, with how to load them", 0},
	{"format", KEY_FORMAT, "text|json", 0, "Format of the advice (default: text)", 0},
	{"quiet", KEY_QUIET, 0, 0, "Suppress notes", 0},
	{"help", 'h', "all", OPTION_ARG_OPTIONAL, "Print help; all: every option in full", -1},
	{"usage", '?', 0, OPTION_HIDDEN, 0, -1},
	{"version", 'V', 0, 0, "Print the version", -1},
	{0},
};

static const char description[] =
	"Advises which routing OpenSM should use for a fabric: tries its engines as they are and with lists of root switches and compute nodes, and "
	"the tables of the engine best; compares them with the present tables on the same random mappings; and writes the files for OpenSM. FABRIC "
	"is dumps, a graph, or a cache, see orcs-fabric(7); it is read several times, so it must be files (with --measured also -)."
	"\vExamples:\n"
	"  orcs-advise ibnetdiscover.txt lfts.txt\n"
	"  orcs-advise -o advice ibnetdiscover.txt lfts.txt\n"
	"  orcs-advise -p stencil:8x8x8,alltoall ibnetdiscover.txt lfts.txt\n"
	"  orcs-advise --measured before.txt after.txt ibnetdiscover.txt lfts.txt\n"
	"  orcs-advise --time 60 --format json fabric.dot\n"
	"\nExit status: 0 success, 1 I/O error or out of memory, 2 usage, 3 the fabric cannot be used. See orcs-advise(1).";

static void read_patterns(struct advise_options *o, const char *list)
{
	struct error error = {0};
	pattern_list_read(o->pattern, &o->patterns, ADVICE_PATTERNS, list, &error);
	usage_fail(program, &error);
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
	static const char *const formats[] = {[FORMAT_TEXT] = "text", [FORMAT_JSON] = "json", NULL};
	struct advise_options *o = state->input;
	switch (key) {
	case 'p': read_patterns(o, text); break;
	case 'n': o->runs = (uint64_t)usage_integer(program, "--runs", text, 2, 1000000000); break;
	case KEY_SEED: o->seed = (uint64_t)usage_integer(program, "--seed", text, 0, INT64_MAX); break;
	case KEY_TIME: o->seconds = (uint64_t)usage_integer(program, "--time", text, 1, 1000000); break;
	case KEY_MEASURED:
		o->before = text;
		if (state->next >= state->argc)
			usage_error(program, "--measured requires two files of counters: --measured BEFORE AFTER");
		o->after = state->argv[state->next++];
		break;
	case KEY_OPENSM: o->opensm = true; break;
	case KEY_IGNORE_SPEEDS: o->ignore_speeds = true; break;
	case 'o': o->folder = text; break;
	case KEY_FORMAT: o->format = (enum format)usage_choice(program, "--format", text, formats); break;
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

void advise_options_parse(struct advise_options *options, int argc, char **argv)
{
	struct error error = {0};
	*options = (struct advise_options){
		.argc = argc,
		.argv = argv,
		.fabric = {.program = program},
		.runs = 500,
		.seed = 1,
	};
	struct hush hush = usage_hush();
	const struct argp_child children[] = {SOURCE_CHILD(3), {0}};
	const struct argp argp = {table, parse_option, "[FABRIC]\nDUMP...", description, children, 0, 0};
	usage_parse(program, &argp, argc, argv, options);
	if (!options->patterns)
		read_patterns(options, "bisect");
	source_end(&options->fabric);
	if (options->folder && !*options->folder)
		usage_error(program, "--output is '': name a new directory");
	if (options->before && options->opensm)
		usage_error(program, "--opensm tries routings, --measured does not: omit one of them");
	if (options->before && options->folder)
		usage_error(program, "--measured writes no files: omit -o");
	if (options->before && !strcmp(options->before, "-") + !strcmp(options->after, "-") > !source_is_standard(&options->fabric))
		usage_error(program, "the fabric and counters cannot both come from standard input");
	if (source_is_standard(&options->fabric) && !options->before)
		usage_error(program, "the fabric is read several times, which standard input cannot be: specify its files");
	for (int p = 0; p < options->patterns && !error.status; p++) {
		options->pattern[p].seed = options->seed;
		pattern_check(&options->pattern[p], PATTERN_PAIRS, &error);
	}
	usage_fail(program, &error);
	usage_speak(&hush);
}
