/* Writing files: a file appears under its name when it is complete, or not at all. */
#ifndef ORCS_OUTPUT_H
#define ORCS_OUTPUT_H

#include "error.h"

#include <stdio.h>

struct output {
	FILE *file;
	char *path, *temporary; /* temporary is NULL where the path is written directly: standard output, a pipe, a device */
};

/* Opens path ("-": standard output) for writing. Returns 0, or -1 with the reason. */
int output_open(struct output *output, const char *path, struct error *error);

/* Flushes, checks every write, and puts the file in its place. Returns 0, or -1; then nothing is left behind. */
int output_commit(struct output *output, struct error *error);

/* Takes back what was written; fine after output_commit and on a zeroed struct. */
void output_discard(struct output *output);

#endif
