#include "tools/jobs/jobs_options.h"

#include "cli/gnuplot.h"
#include "cli/help.h"
#include "cli/usage.h"
#include "infiniband/source_options.h"

#include <string.h>

enum {
	KEY_JOBS = 0x100,
	KEY_ENGINE,
	KEY_BYTES,
	KEY_MACHINE,
	KEY_PORTS,
	KEY_TOP,
	KEY_SEED,
	KEY_FORMAT,
	KEY_TABLE,
	KEY_PLOT,
	KEY_ADVISE,
	KEY_QUIET
};

static const char program[] = "orcs-jobs";

static const struct argp_option table[] = {
	{0, 0, 0, 0, "The jobs:", 1},
	{"jobs", KEY_JOBS, "FILE", 0,
		"The running jobs as Slurm prints them (squeue -h -o '%i %N', squeue --json, sacct -P, scontrol show job); -: standard input",
		0},
	{"pattern", 'p', "PATTERN", 0, "What the ranks of every job send to each other (default: alltoall); see 'orcs --list=patterns'", 0},
	{"engine", KEY_ENGINE, "congestion|flow", 0, "By counts of routes or by flows in time (default: congestion)", 0},
	{"bytes", KEY_BYTES, "SIZE", 0, "With --engine flow: size of each message, e.g. 64k (default: 1M)", 0},
	{"machine-name", KEY_MACHINE, "REGEX", 0,
		"Name of the machine in a node description (default: its first word): the first group of REGEX, or REGEX", 0},
	{"ports", KEY_PORTS, "REGEX", 0, "Only ports whose description matches REGEX count (default: all ports of a machine)", 0},
	{"seed", KEY_SEED, "N", 0, "Seed of random patterns (default: 1)", 0},

	{0, 0, 0, 0, "Output:", 2},
	{"advise", KEY_ADVISE, 0, 0, "Also find free machines where jobs disturb less, and what moves gain", 0},
	{"top", KEY_TOP, "N", 0, "List the N channels with most routes, and in text as many pairs of jobs (default: 20)", 0},
	{"output", 'o', "FILE", 0, "Write the result to FILE (default: standard output)", 0},
	{"format", KEY_FORMAT, "text|json|csv", 0, "Format of the result (default: text)", 0},
	{"table", KEY_TABLE, "jobs|pairs|channels|moves", 0, "The table of CSV (default: jobs); moves: those of --advise", 0},
	{"plot", KEY_PLOT, "FILE", 0, "Draw who slows down whom, job by job, as .svg, .png or .pdf", 0},
	{"quiet", KEY_QUIET, 0, 0, "Suppress notes and warnings", 0},
	{"help", 'h', "all", OPTION_ARG_OPTIONAL, "Print help; all: every option in full", -1},
	{"usage", '?', 0, OPTION_HIDDEN, 0, -1},
	{"version", 'V', 0, 0, "Print the version", -1},
	{0},
};

static const char description[] =
	"Tells which running jobs slow each other down on the cables of a fabric, and where. FABRIC is a routed graph, a cache, dumps, or the "
	"specification of a topology, see orcs-fabric(7); - (the default) is standard input."
	"\vExamples:\n"
	"  squeue -h -o '%i %N' > jobs; orcs-jobs --jobs jobs fabric.dot\n"
	"  orcs-jobs --jobs jobs --ports 'HCA-1$' --advise --plot jobs.svg fabric.dot\n"
	"\nExit status: 0 success, 1 I/O error or out of memory, 2 usage or a wrong list of jobs, 3 the fabric cannot be used. See orcs-jobs(1).";

static error_t parse_option(int key, char *text, struct argp_state *state)
{
	static const char *const tables[] = {
		[TABLE_JOBS] = "jobs", [TABLE_PAIRS] = "pairs", [TABLE_CHANNELS] = "channels", [TABLE_MOVES] = "moves", NULL};
	static const char *const engines[] = {[JOBS_COUNTED] = "congestion", [JOBS_FLOWS] = "flow", NULL};
	struct jobs_options *o = state->input;
	switch (key) {
	case KEY_JOBS: o->jobs = text; break;
	case 'p': o->pattern.spec = text; break;
	case KEY_ENGINE: o->engine = (enum jobs_engine)usage_choice(program, "--engine", text, engines); break;
	case KEY_BYTES: o->bytes = (double)usage_size(program, "--bytes", text, 1); break;
	case KEY_MACHINE: o->machine_name = text; break;
	case KEY_PORTS: o->ports = text; break;
	case KEY_SEED: o->pattern.seed = (uint64_t)usage_integer(program, "--seed", text, 0, INT64_MAX); break;
	case KEY_ADVISE: o->advise = true; break;
	case KEY_TOP: o->top = (uint32_t)usage_integer(program, "--top", text, 0, INT32_MAX); break;
	case 'o': o->output = text; break;
	case KEY_FORMAT: o->format = (enum format)usage_choice(program, "--format", text, format_names); break;
	case KEY_TABLE: o->table = (enum jobs_table)usage_choice(program, "--table", text, tables); break;
	case KEY_PLOT:
		if (!gnuplot_draws(text))
			usage_error(program, "--plot '%s': the name must end in .svg, .png or .pdf", text);
		o->plot = text;
		break;
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

void jobs_options_parse(struct jobs_options *options, int argc, char **argv)
{
	const struct argp_child children[] = {SOURCE_CHILD(3), {0}};
	const struct argp argp = {table, parse_option, "--jobs FILE [FABRIC]\n--jobs FILE DUMP...", description, children, 0, 0};
	struct error error = {0};
	*options = (struct jobs_options){
		.argc = argc,
		.argv = argv,
		.fabric = {.program = program},
		.pattern = {.spec = "alltoall", .first_ranks = -1, .seed = 1},
		.top = 20,
		.output = "-",
	};
	usage_parse(program, &argp, argc, argv, options);
	if (!options->jobs)
		usage_error(program, "no jobs: name a file with --jobs, such as what squeue -h -o '%%i %%N' prints");
	if (options->table != TABLE_JOBS && options->format != FORMAT_CSV)
		usage_error(program, "--table is for --format csv");
	if (options->table == TABLE_MOVES && !options->advise)
		usage_error(program, "--table moves needs --advise, which finds them");
	if (options->advise && options->format == FORMAT_CSV && options->table != TABLE_MOVES)
		usage_error(program, "--advise is not in this table: add --table moves");
	if (!strncmp(options->pattern.spec, "ptrnvsptrn", strlen("ptrnvsptrn")))
		usage_error(program, "pattern 'ptrnvsptrn' is for two jobs of orcs: every job here has one pattern");
	source_end(&options->fabric);
	if (!strcmp(options->jobs, "-") && source_is_standard(&options->fabric))
		usage_error(program, "standard input can be only one of the fabric and the jobs: name a file");
	if (options->bytes > 0 && options->engine != JOBS_FLOWS)
		usage_error(program, "--bytes needs --engine flow: routes that are counted have no size");
	options->bytes = options->bytes > 0 ? options->bytes : 1e6;
	pattern_check(&options->pattern, PATTERN_PAIRS, &error);
	usage_fail(program, &error);
}
