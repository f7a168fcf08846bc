/*
 * Jobs that run on a fabric: a file with a line "ID HOSTLIST" for each, as squeue -h -o "%i %N" prints them. A name of the list fits the
 * hosts of a machine: by their name, their description, or its first word.
 */
#ifndef TOOLS_TRACE_JOBS_H
#define TOOLS_TRACE_JOBS_H

#include "fabric/fabric.h"

#include <stddef.h>
#include <stdio.h>

struct jobs {
	char **id; /* [jobs] */
	uint32_t jobs;
	uint32_t *first; /* [hosts + 1] */
	uint32_t *job;   /* [first[hosts]] the jobs of host h are job[first[h]] .. job[first[h + 1] - 1], ascending */
	size_t id_capacity;
};

/*
 * Reads the file ("-": standard input). Notes machines that the fabric does not have to notes (NULL: not), as a warning of the program.
 * Returns 0, or -1: STATUS_IO, or STATUS_USAGE for what is not such a list. Call jobs_clear() in either case.
 */
int jobs_read(struct jobs *jobs, const char *path, const struct fabric *fabric, FILE *notes, const char *program, struct error *error);
void jobs_clear(struct jobs *jobs);

#endif
