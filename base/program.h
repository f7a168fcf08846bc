/* External programs that draw: started without a shell; all that they read and write is in files. */
#ifndef BASE_PROGRAM_H
#define BASE_PROGRAM_H

#include "base/error.h"

#include <stdbool.h>
#include <stdio.h>

struct program {
	const char *name, *title, *package; /* the command, the name in messages, the Debian package */
};

/* Opens an empty temporary file without a name. NULL on errors. */
FILE *program_file(struct error *error);

/* Returns whether the program is found in PATH. */
bool program_is_there(const struct program *program);

/*
 * Runs the program with the arguments (they end with NULL); its standard input is all of in, which comes from program_file(), its standard
 * output goes to out. Returns 0, or -1: the program is not installed, cannot be started, or failed; the error has the last line of its
 * standard error.
 */
int program_run(const struct program *program, const char *const *arguments, FILE *in, FILE *out, struct error *error);

#endif
