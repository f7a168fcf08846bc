/* A workload as a part of another, on tasks of its own: of the files of 'jobs' and 'queue'. */
#ifndef PATTERNS_GRAPHS_PART_H
#define PATTERNS_GRAPHS_PART_H

#include "patterns/graphs/trace_file.h"
#include "patterns/workload.h"

struct part {
	double bytes;                           /* of each message; below 0: the default */
	double weight;                          /* of each message; 0: the workload's own */
	int64_t tasks, priority, service_level; /* priority, service level below 0: the workload's own */
	char *spec;                             /* owned */
	unsigned long line;
};

/* Returns a part of the current line without any option. */
struct part part_begin(const struct trace_file *file);

/* Reads the number of tasks, 1..most, and the workload, which must not be another such file. Returns 0, or -1. */
int part_read(struct trace_file *file, struct part *part, int64_t most, struct error *error);

/* Reads 'bytes=B', 'priority=P' or 'weight=W', each once. Returns 1 if the word is one of these, 0 if not, -1 on errors. */
int part_option(struct trace_file *file, struct word word, struct part *part, struct error *error);

/* Registers the files of the workload. Returns 0, or -1. */
int part_files(const struct part *part, struct files *files, struct error *error);

/*
 * Returns the graph of the part with this number, whose draws differ from those of the others. Distances between its tasks are those of
 * tasks first.. of the whole. NULL on errors.
 */
struct task_graph *part_graph(
	const struct part *part, uint32_t number, uint32_t first, const struct workload_task *whole, struct error *error);

/*
 * Adds the graph on the tasks from first on: operations in their order, so that the number of each follows from that of the first, which is
 * returned. Those without dependencies wait for start[task], unless that is OPERATION_NONE.
 */
uint32_t part_add(
	struct task_builder *builder, const struct task_graph *graph, uint32_t first, const struct part *part, const uint32_t *start);

#endif
