/*
 * Writing files: a file appears under its name when it is complete, or not at all. Until then it has no name (O_TMPFILE), so that nothing
 * is left behind whatever ends the program; where the file system has no such files it is FILE.orcs-HOST-N beside its place, locked while
 * its writer lives, and the next output of that name on this machine removes what a dead writer has left.
 */
#ifndef BASE_OUTPUT_H
#define BASE_OUTPUT_H

#include "base/error.h"

#include <stdio.h>

struct output {
	FILE *file;
	/* temporary: by which another program can open the file meanwhile; NULL where the path is written directly: standard output, a
	 * pipe, a device */
	char *path, *temporary;
	bool named; /* temporary is a name in the directory */
	int hold;   /* with temporary: a second descriptor, which keeps the lock */
};

/* Opens path ("-": standard output) for writing. Returns 0, or -1 with the reason. */
int output_open(struct output *output, const char *path, struct error *error);

/* Flushes, checks every write, and puts the file in its place. Returns 0, or -1; then nothing is left behind. */
int output_commit(struct output *output, struct error *error);

/* Takes back what was written; fine after output_commit and on a zeroed struct. */
void output_discard(struct output *output);

#endif
