/* The file of 'jobs': several workloads at once, each on tasks of its own, one per line, see orcs-traces(5). */
#ifndef PATTERNS_GRAPHS_JOBS_FILE_H
#define PATTERNS_GRAPHS_JOBS_FILE_H

#include "patterns/graphs/part.h"

struct parallel_job {
	double arrival, share; /* share of the load of open-loop traffic; 0: not given */
	struct part part;
};

struct jobs {
	struct parallel_job *list;
	size_t count, capacity;
	uint32_t tasks;
};

/* Reads the jobs. Returns 0, or -1; call jobs_file_clear() in either case. */
int jobs_file_read(struct jobs *jobs, const char *path, struct error *error);
void jobs_file_clear(struct jobs *jobs);

/* Members of a pattern whose only parameter is such a file. */
extern const struct arg jobs_args[];
int jobs_file_count(const struct arg_value *args, uint32_t *tasks, struct error *error);
int jobs_file_files(const struct arg_value *args, struct files *files, struct error *error);

#endif
