/*
 * Communication patterns. A pattern has one or more of three faces: the pairs of levels, which are emitted one by one and never stored
 * (pairs.h); a task graph (workload.h); the receiver of each message of open-loop traffic (traffic.h). The others are derived from those it
 * has: levels become a task graph, a graph without an order becomes one level, and pairs give every message its receiver. Neither can be
 * derived from operations that wait for one another, and nothing from receivers. Source unless another is named: ORCS paper (Schneider,
 * Hoefler, Lumsdaine 2009), section 2.4.
 *
 * To add one: write NAME.c in a room of this floor with one const struct pattern at its bottom, and name it in table.c.
 */
#ifndef PATTERNS_PATTERN_H
#define PATTERNS_PATTERN_H

#include "base/args.h"
#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

struct files;
struct pattern_call;
struct sink;
struct task_builder;
struct traffic_call;
struct workload_task;

struct pattern {
	const char *name, *summary, *source;
	const struct arg *args; /* NULL: none */
	const char *preset;     /* the parameters of a name that is short for another (2neighbor), otherwise NULL */
	bool power_of_two;      /* defined for 2, 4, 8 … ranks only */
	/* The meaning of the name with --load if that differs: a pattern that is not in the table; NULL: the same. */
	const struct pattern *with_load;
	/* Registers the files that it reads, and those that they name; NULL: none. Returns 0, or -1. */
	int (*files)(const struct arg_value *args, struct files *files, struct error *error);

	/* The pairs of levels; each member may be NULL except level, without which there are none. */
	bool two;       /* two patterns side by side, which the request names */
	bool once;      /* in each level every rank sends at most once and receives at most once */
	bool passes_on; /* ranks pass on what they have received: a message waits for the messages that its sender received, not for the
			   level */
	int (*setup)(struct pattern_call *call, struct error *error); /* checks ranks and parameters, sets data; returns 0 or -1 */
	void (*run)(struct pattern_call *call, uint64_t run);         /* draws the random choices of a run */
	void (*cleanup)(struct pattern_call *call);
	uint64_t (*levels)(const struct pattern_call *call); /* NULL: one level */
	void (*level)(const struct pattern_call *call, uint64_t level, struct sink *sink);
	uint64_t (*pairs)(const struct pattern_call *call, uint64_t level); /* pairs of a level; NULL: few enough to count */
	/* Writes what users may not expect of this number of ranks, in one line; leaves the text if there is nothing. NULL: never anything.
	 */
	void (*note)(const struct pattern_call *call, char *text, size_t size);

	/* The task graph. */
	bool several; /* at least 2 tasks */
	bool drawn;   /* differs between runs */
	bool ordered; /* its operations wait for one another; otherwise all begin at once */
	bool phases;  /* its messages can be counted in their phases all the same (phases.h) */
	bool queued;  /* its jobs wait for hosts: engines with a scheduler run it */
	bool near;    /* it needs the hops between tasks, which only engines that run graphs know */
	/* Return these where they depend on the parameters; NULL: they do not. */
	bool (*drawn_with)(const struct arg_value *args);
	bool (*ordered_with)(const struct arg_value *args);
	/* Returns the number of tasks, if the pattern determines it (grids, traces); NULL: the number of hosts, or as the user sets. */
	int (*count)(const struct arg_value *args, uint32_t *tasks, struct error *error);
	/* Estimates the number of messages, if few tasks and small parameters can give many; NULL: few. */
	double (*messages)(const struct workload_task *task);
	/* Adds all operations to the builder. Returns 0, or -1. NULL: no graph. */
	int (*build)(const struct workload_task *task, struct task_builder *builder, struct error *error);

	bool levels_of_service; /* messages can have service levels of their own */

	/* The receivers of open-loop traffic. Checks that the fabric and the ranks fit, sets data; NULL: not needed. */
	int (*open_setup)(struct traffic_call *call, struct error *error);
	void (*open_clear)(struct traffic_call *call);
	/*
	 * Returns the rank to which a message of the source goes, never itself; word: random bits of this message alone. NONE: this rank
	 * never sends. Time O(1), or O(log ranks). NULL: no receivers.
	 */
	uint32_t (*receiver)(const struct traffic_call *call, uint32_t source, const uint32_t word[4]);
	/* As the functions of traffic.h; NULL: no message has a service level of its own; all sources send the same share. */
	unsigned (*service_level)(const struct traffic_call *call, uint32_t source, const uint32_t word[4]);
	uint32_t (*service_levels)(const struct traffic_call *call);
	double (*share)(const struct traffic_call *call, uint32_t source);
};

/* All patterns, ends with NULL. */
extern const struct pattern *const patterns[];

/* The uses of a pattern. */
enum pattern_use { PATTERN_PAIRS, PATTERN_GRAPH, PATTERN_LOAD, PATTERN_QUEUE /* a graph, for engines with a scheduler */ };

/* Returns whether the pattern has that face, or it can be derived from another. With --load it is that of pattern_meaning(). */
bool pattern_serves(const struct pattern *pattern, enum pattern_use use);

/* Returns the pattern that the name means for that use. */
const struct pattern *pattern_meaning(const struct pattern *pattern, enum pattern_use use);

/*
 * Returns the pattern that a specification ("shift:4") names for that use. NULL with STATUS_USAGE if there is none, or it cannot be used.
 */
const struct pattern *pattern_find(const char *spec, enum pattern_use use, struct error *error);

/* A pattern and its parameters, as given on the command line. */
struct pattern_request {
	const char *spec;           /* "shift:4" */
	const char *argument;       /* --ptrnarg: what may also follow the colon; NULL: none */
	const char *first, *second; /* of ptrnvsptrn */
	int64_t first_ranks;        /* ranks of the first pattern, -1: not given */
	uint64_t seed;
	bool queued;               /* of graphs: a queue of jobs is one, too */
	const struct pattern *own; /* a pattern that is not in the table, and spec its name; NULL: none */
	void *own_data;            /* becomes the data of its calls */
};

/*
 * Returns the pattern of a request with its parameters, for ptrnvsptrn with those of its parts, as named for that use; free it with
 * pattern_free(). NULL with STATUS_USAGE.
 */
struct pattern_call *pattern_read(const struct pattern_request *request, enum pattern_use use, struct error *error);
void pattern_free(struct pattern_call *call);

/* Checks names and parameters as far as possible without the number of ranks. Returns 0, or -1 with STATUS_USAGE. */
int pattern_check(const struct pattern_request *request, enum pattern_use use, struct error *error);

/* Registers the files that it reads, and those that they name; an invalid specification names none. Returns 0, or -1 as files_read(). */
int pattern_files(const struct pattern_request *request, enum pattern_use use, struct files *files, struct error *error);

/* Checks that the pattern is defined for this number of ranks (tasks). Returns 0, or -1 with STATUS_USAGE. */
int pattern_fits(const struct pattern *pattern, uint32_t ranks, struct error *error);

#endif
