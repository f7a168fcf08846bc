/*
 * Workloads: what makes task graphs, by name and parameters: the patterns of the congestion engine with a size for each message, synthetic
 * traffic, applications, traces in files.
 *
 * To add one: write workloads/NAME.c with one const struct workload at its bottom, and name that in table.c.
 */
#ifndef WORKLOADS_WORKLOAD_H
#define WORKLOADS_WORKLOAD_H

#include "base/args.h"
#include "base/random.h"
#include "patterns/pattern.h"
#include "workloads/task_graph.h"

struct files;

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

struct workload {
	const char *name, *summary, *source;
	const struct arg *args; /* NULL: none */
	bool power_of_two;      /* of tasks */
	bool several;           /* 2 tasks at least */
	bool drawn;             /* differs from run to run */
	bool ordered;           /* its operations wait for each other; else it is traffic, all of which begins at once */
	/* How many tasks it has, for those that know themselves (grids, traces); NULL: as many as there are hosts, or the user says. */
	int (*count)(const struct arg_value *args, uint32_t *tasks, struct error *error);
	/* Names the files that it reads, and those that they name; NULL: none. Returns 0, or -1. */
	int (*files)(const struct arg_value *args, struct files *files, struct error *error);
	/* About how many messages it has, for those of which few tasks and small parameters make many; NULL: few. */
	double (*messages)(const struct workload_task *task);
	/* Adds all operations to the builder. Returns 0, or -1. */
	int (*build)(const struct workload_task *task, struct task_builder *builder, struct error *error);
};

/* All workloads but patterns, ends with NULL. */
extern const struct workload *const workloads[];

/* A workload, or a pattern, with its parameters. */
struct workload_call;

/*
 * From a specification as "mapreduce:50", "recdbl" or "goal:FILE": a workload of the table, else a pattern. Copies what it needs of the
 * request. NULL with STATUS_USAGE.
 */
struct workload_call *workload_create(const struct pattern_request *request, struct error *error);
void workload_free(struct workload_call *call);

/* How many tasks it must have; 0: any number. Returns 0, or -1. */
int workload_count(const struct workload_call *call, uint32_t *tasks, struct error *error);

/* Names the files that it reads. Returns 0, or -1: those of files_read(), and of reading what names them. */
int workload_files(const struct workload_call *call, struct files *files, struct error *error);

/* Whether graphs differ from run to run, or may. */
bool workload_drawn(const struct workload_call *call);

/* Whether it is an application, whose operations wait for each other; patterns are none, whatever their levels do. */
bool workload_ordered(const struct workload_call *call);

/* *messages: about how many begin at once; 0 where they wait for each other, or are few. Returns 0, or -1 where their graph does not fit
 * into the memory, or as pattern_create(). */
int workload_at_once(struct workload_call *call, const struct workload_task *task, double *messages, struct error *error);

/* The graph of a run, a pure function of it and the seed; of the task all but args is set. NULL on errors: STATUS_USAGE for a number of
 * tasks that the workload does not know, STATUS_IO, STATUS_FABRIC as task_builder_end(). */
struct task_graph *workload_graph(struct workload_call *call, const struct workload_task *task, struct error *error);

#endif
