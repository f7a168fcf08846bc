/* The command line of the commands of the ORCS paper: two files, possibly fewer, and no options except help. Included once per program. */
#ifndef TOOLS_TWO_FILES_H
#define TOOLS_TWO_FILES_H

#include "cli/help.h"
#include "cli/usage.h"

struct two_files {
	const char *program, *file[2];
	int files; /* number of files on the command line */
};

static error_t two_files_option(int key, char *text, struct argp_state *state)
{
	struct two_files *given = state->input;
	switch (key) {
	case 'h': help_print(given->program, state->root_argp, NULL, text); break;
	case '?': usage_print(given->program, state); break;
	case 'V': usage_print(given->program, NULL); break;
	case ARGP_KEY_ARG:
		if (given->files < 2)
			given->file[given->files] = text;
		given->files++;
		break;
	default: return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

/*
 * Parses the command line; fewer files than least, or more than two, are an error. args: "FDBS IBNETDISCOVER". Missing files are "-",
 * standard input and output.
 */
static void read_two_files(
	struct two_files *given, const char *program, int least, const char *args, const char *description, int argc, char **argv)
{
	static const struct argp_option table[] = {
		{"help", 'h', "all", OPTION_ARG_OPTIONAL, "Print this help", -1},
		{"usage", '?', 0, OPTION_HIDDEN, 0, -1},
		{"version", 'V', 0, 0, "Print the version", -1},
		{0},
	};
	const struct argp argp = {.options = table, .parser = two_files_option, .args_doc = args, .doc = description};
	*given = (struct two_files){.program = program, .file = {"-", "-"}};
	usage_parse(program, &argp, argc, argv, given);
	if (given->files < least || given->files > 2)
		usage_error(program, "%s: %s", given->files > 2 ? "too many files; expected at most two" : "expected two files", args);
}

#endif
