/*
 * Patterns as task graphs: applications, traces in files and synthetic traffic create their own; the pairs of levels become messages of one
 * size.
 */
#ifndef PATTERNS_WORKLOAD_H
#define PATTERNS_WORKLOAD_H

#include "base/args.h"
#include "base/random.h"
#include "patterns/pattern.h"
#include "patterns/task_graph.h"

/*
 * When a level of a pattern begins: when the previous one has ended, or each message when its sender has received its messages of earlier
 * levels. The latter is the default in patterns whose ranks pass on what they have received (tree, bruck, ring, recdbl, bcast_binomial and
 * the allreduces). Two patterns side by side proceed through their levels independently.
 */
enum workload_sync { SYNC_DEFAULT, SYNC_LEVEL, SYNC_DATA };

/* The input of all workloads. */
struct workload_task {
	uint32_t tasks;
	double bytes; /* of each message, unless the workload sets another size */
	enum workload_sync sync;
	uint64_t seed, run;
	unsigned processes; /* of this machine that create graphs at the same time; 0: only this one */
	/* Returns the hops between the hosts of two tasks, for traffic that prefers near tasks; NULL: unknown. */
	uint32_t (*distance)(const void *data, uint32_t task, uint32_t other);
	const void *data;
	double compute_scale;              /* factor of the times of computations; 0: 1, unless compute_none */
	bool compute_none;                 /* computations take no time */
	const volatile sig_atomic_t *stop; /* set by a signal: creating the graph then fails; NULL: never */
	const struct arg_value *args;      /* in the order of the workload's table */
};

/*
 * Returns the input of a workload that is a part of another, on as many tasks: part 0 draws the same numbers as alone, every other part
 * different ones. bytes: of each message; below 0: as the whole.
 */
struct workload_task workload_inner(const struct workload_task *whole, uint64_t part, double bytes);

/* A pattern with its parameters, of which graphs are made. */
struct workload_call;

/* Returns a call, with copies of what it needs of the request. NULL with STATUS_USAGE. */
struct workload_call *workload_create(const struct pattern_request *request, struct error *error);
void workload_free(struct workload_call *call);

/* Writes the number of tasks that it must have; 0: any number. Returns 0, or -1. */
int workload_count(const struct workload_call *call, uint32_t *tasks, struct error *error);

/* Returns whether graphs can differ between runs. */
bool workload_drawn(const struct workload_call *call);

/* Returns whether it has an order of its own, in which operations wait for one another; levels are not such an order. */
bool workload_ordered(const struct workload_call *call);

/*
 * Estimates *messages, the number that begin at once; 0 if they wait for one another, or are few. Returns 0, or -1 if their graph does not
 * fit into memory, or as pattern_create().
 */
int workload_at_once(struct workload_call *call, const struct workload_task *task, double *messages, struct error *error);

/*
 * Returns the graph of a run, a pure function of the run and the seed; all members of the task except args are set. NULL on errors:
 * STATUS_USAGE for a number of tasks that the workload does not support, STATUS_IO, STATUS_FABRIC as task_builder_end().
 */
struct task_graph *workload_graph(struct workload_call *call, const struct workload_task *task, struct error *error);

/* Returns the graph of a pattern that creates its own, for this number of tasks with these parameters; errors as workload_graph(). */
struct task_graph *pattern_graph(const struct pattern *pattern, const struct workload_task *task, struct error *error);

#endif
