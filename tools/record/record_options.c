#include "tools/record/record_options.h"

#include "cli/help.h"
#include "cli/usage.h"

#include <string.h>

enum { KEY_GOAL = 0x100, KEY_MERGE, KEY_MPI, KEY_QUIET };

static const char program[] = "orcs-record";

static const struct argp_option table[] = {
	{"output", 'o', "DIR", 0, "Directory of the trace, mpi.trace.zst; it is created if it does not exist", 0},
	{"goal", KEY_GOAL, 0, 0, "Also write a schedule in GOAL, mpi.goal, with collective operations as messages", 0},
	{"mpi", KEY_MPI, "any|openmpi|mpich", 0, "Load the library for this MPI (default: any, each program loads its own)", 0},
	{"merge", KEY_MERGE, 0, 0, "Run nothing: make the trace of what the ranks of an earlier run have left in DIR", 0},
	{"quiet", KEY_QUIET, 0, 0, "Suppress notes and warnings", 0},
	{"help", 'h', "all", OPTION_ARG_OPTIONAL, "Print help; all: every option in full", -1},
	{"usage", '?', 0, OPTION_HIDDEN, 0, -1},
	{"version", 'V', 0, 0, "Print the version", -1},
	{0},
};

static const char description[] =
	"Runs COMMAND, which starts an MPI program, and records what its ranks send and compute. The result, DIR/mpi.trace.zst, is a "
	"trace for 'orcs -p trace:DIR/mpi.trace.zst'. Output and exit status are those of COMMAND."
	"\vExamples:\n"
	"  orcs-record -o halo -- mpirun -np 4 ./halo\n"
	"  orcs --engine flow -p trace:halo/mpi.trace.zst -d fabric.dot\n"
	"\nExit status: that of COMMAND; if that is 0: 1 I/O error or out of memory, 2 usage, 3 nothing was recorded. See orcs-record(1).";

static const char command_first[] = "'%s': the command follows --, as in -o DIR -- mpirun -np 4 ./program";

static error_t parse_option(int key, char *text, struct argp_state *state)
{
	static const char *const names[] = {[RECORD_ANY_MPI] = "any", [RECORD_OPENMPI] = "openmpi", [RECORD_MPICH] = "mpich", NULL};
	struct record_options *o = state->input;
	switch (key) {
	case 'o': o->directory = text; break;
	case KEY_GOAL: o->goal = true; break;
	case KEY_MERGE: o->merge = true; break;
	case KEY_MPI: o->mpi = (enum record_mpi)usage_choice(program, "--mpi", text, names); break;
	case KEY_QUIET: o->quiet = true; break;
	case 'h': help_print(program, state->root_argp, NULL, text); break;
	case '?': usage_print(program, state); break;
	case 'V': usage_print(program, NULL); break;
	case ARGP_KEY_ARG: usage_error(program, command_first, text);
	default: return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

void record_options_parse(struct record_options *options, int argc, char **argv)
{
	const struct argp argp = {table, parse_option, "-o DIR -- COMMAND [ARGUMENT...]\n-o DIR --merge", description, NULL, 0, 0};
	int own = 1;
	while (own < argc && strcmp(argv[own], "--"))
		own++;
	for (int i = 1; own == argc && i < argc; i++) /* before the options of the command are taken for ours */
		if (argv[i][0] != '-' && (i == 1 || argv[i - 1][0] != '-'))
			usage_error(program, command_first, argv[i]);
	*options = (struct record_options){.command = own < argc ? argv + own + 1 : argv + argc};
	usage_parse(program, &argp, own, argv, options);
	if (!options->directory || !*options->directory)
		usage_error(program, "no directory for the trace: name it with -o DIR");
	if (options->merge && *options->command)
		usage_error(program, "--merge runs nothing: leave the command out");
	if (!options->merge && !*options->command)
		usage_error(program, "no command: it follows --, as in -o DIR -- mpirun -np 4 ./program");
}
