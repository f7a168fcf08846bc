/*
 * Writes files atomically: a file appears under its name when it is complete, or not at all. Until then it has no name (O_TMPFILE), so
 * nothing is left behind however the program ends. Where the file system does not support that, the file is FILE.orcs-HOST-N in the same
 * directory, locked while its writer lives; the next output of that name on this machine removes what a dead writer left.
 */
#ifndef BASE_OUTPUT_H
#define BASE_OUTPUT_H

#include "base/error.h"

#include <stdio.h>

struct output {
	FILE *file;
	/*
	 * temporary: the path by which another program can open the file meanwhile; NULL if path is written directly: standard output, a
	 * pipe, a device
	 */
	char *path, *temporary;
	bool named; /* temporary is a name in the directory */
	int hold;   /* with temporary: a second descriptor, which holds the lock */
};

/* Opens path ("-": standard output) for writing. Returns 0, or -1. */
int output_open(struct output *output, const char *path, struct error *error);

/* Flushes, checks every write, and renames the file to its path. Returns 0, or -1; then nothing is left behind. */
int output_commit(struct output *output, struct error *error);

/* Discards what was written. Does nothing after output_commit() and on a zeroed struct. */
void output_discard(struct output *output);

#endif
