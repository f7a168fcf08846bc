/*
 * Patterns as task graphs: applications, traces in files and synthetic traffic make their own; the pairs of levels become messages with a
 * size each.
 */
#ifndef PATTERNS_WORKLOAD_H
#define PATTERNS_WORKLOAD_H

#include "base/args.h"
#include "base/random.h"
#include "patterns/pattern.h"
#include "patterns/task_graph.h"

/*
 * A level of a pattern begins when the one before has ended, or a message when its sender has what it was sent in levels before; by default
 * the latter in patterns whose ranks pass on what they have got (tree, bruck, ring, recdbl, bcast_binomial and the allreduces). Each of two
 * patterns side by side goes through its levels on its own.
 */
enum workload_sync { SYNC_DEFAULT, SYNC_LEVEL, SYNC_DATA };

/* What all are told. */
struct workload_task {
	uint32_t tasks;
	double bytes; /* of each message, unless the workload says otherwise */
	enum workload_sync sync;
	uint64_t seed, run;
	unsigned processes; /* of this machine that make graphs at the same time; 0: this one alone */
	/* Hops between the hosts of two tasks, for traffic that prefers the near; NULL: unknown. */
	uint32_t (*distance)(const void *data, uint32_t task, uint32_t other);
	const void *data;
	const volatile sig_atomic_t *stop; /* set by a signal: the graph is an error; NULL: nothing stops */
	const struct arg_value *args;      /* by the workload's table */
};

/* A pattern with its parameters, of which graphs are made. */
struct workload_call;

/* Copies what it needs of the request. NULL with STATUS_USAGE. */
struct workload_call *workload_create(const struct pattern_request *request, struct error *error);
void workload_free(struct workload_call *call);

/* How many tasks it must have; 0: any number. Returns 0, or -1. */
int workload_count(const struct workload_call *call, uint32_t *tasks, struct error *error);

/* Whether graphs differ from run to run, or may. */
bool workload_drawn(const struct workload_call *call);

/* Whether it has an order of its own, in which operations wait for each other; levels are none, whatever they do. */
bool workload_ordered(const struct workload_call *call);

/* *messages: about how many begin at once; 0 where they wait for each other, or are few. Returns 0, or -1 where their graph does not fit
 * into the memory, or as pattern_create(). */
int workload_at_once(struct workload_call *call, const struct workload_task *task, double *messages, struct error *error);

/* The graph of a run, a pure function of it and the seed; of the task all but args is set. NULL on errors: STATUS_USAGE for a number of
 * tasks that the workload does not know, STATUS_IO, STATUS_FABRIC as task_builder_end(). */
struct task_graph *workload_graph(struct workload_call *call, const struct workload_task *task, struct error *error);

/* The graph that a pattern makes itself, of so many tasks with these parameters; as workload_graph(). */
struct task_graph *pattern_graph(const struct pattern *pattern, const struct workload_task *task, struct error *error);

#endif
