/* Programs of others that draw: they are started without a shell, and all that they read and write is in files. */
#ifndef BASE_PROGRAM_H
#define BASE_PROGRAM_H

#include "base/error.h"

#include <stdbool.h>
#include <stdio.h>

struct program {
	const char *name, *title, *package; /* as it is called, in messages, and of Debian */
};

/* An empty file that nobody else sees. NULL with the reason. */
FILE *program_file(struct error *error);

/* Whether it is found along PATH. */
bool program_is_there(const struct program *program);

/*
 * Runs the program with the arguments, which end with NULL, on all of in, which comes from program_file(); what it writes goes to out.
 * Returns 0, or -1: it is not installed, the system cannot start it, or it failed, with the last line of its complaints.
 */
int program_run(const struct program *program, const char *const *arguments, FILE *in, FILE *out, struct error *error);

#endif
