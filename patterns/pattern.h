/*
 * Who sends to whom. A pattern has one of three faces or more: the pairs of levels, which are emitted one by one and never kept (pairs.h);
 * a task graph (workload.h); the receiver of each message of hosts that send all the time (traffic.h). The others are derived from those it
 * has: levels become a task graph, a graph without an order becomes one level, and from pairs every message takes its receiver. Neither can
 * be derived from operations that wait for each other, and nothing from receivers. Source unless another is named: ORCS paper (Schneider,
 * Hoefler, Lumsdaine 2009), section 2.4.
 *
 * To add one: write NAME.c in a room of this floor with one const struct pattern at its bottom, and name that in table.c.
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
	const char *preset;     /* the parameters of a name that is short for another (2neighbor), else NULL */
	bool power_of_two;      /* defined for 2, 4, 8 … ranks only */
	/* What the name means with --load where that is something else, a pattern that the table does not have; NULL: the same. */
	const struct pattern *with_load;
	/* Names the files that it reads, and those that they name; NULL: none. Returns 0, or -1. */
	int (*files)(const struct arg_value *args, struct files *files, struct error *error);

	/* The pairs of levels; each may be NULL, but for level, without which there are none. */
	bool two;       /* two patterns side by side, which the request names */
	bool once;      /* in no level does a rank send twice, or receive twice */
	bool passes_on; /* ranks pass on what they have got: a message waits for what its sender was sent, not for the level */
	int (*setup)(struct pattern_call *call, struct error *error); /* checks ranks and parameters, prepares data; returns 0 or -1 */
	void (*run)(struct pattern_call *call, uint64_t run);         /* draws what a run draws */
	void (*cleanup)(struct pattern_call *call);
	uint64_t (*levels)(const struct pattern_call *call); /* NULL: one level */
	void (*level)(const struct pattern_call *call, uint64_t level, struct sink *sink);
	uint64_t (*pairs)(const struct pattern_call *call, uint64_t level); /* of a level; NULL: so few that they can be counted */

	/* The task graph. */
	bool several; /* 2 tasks at least */
	bool drawn;   /* differs from run to run */
	bool ordered; /* its operations wait for each other; otherwise all begin at once */
	bool near;    /* it asks for the hops between tasks, which only engines that run graphs know */
	/* How many tasks it has, for those that know themselves (grids, traces); NULL: as many as there are hosts, or the user says. */
	int (*count)(const struct arg_value *args, uint32_t *tasks, struct error *error);
	/* About how many messages it has, for those of which few tasks and small parameters make many; NULL: few. */
	double (*messages)(const struct workload_task *task);
	/* Adds all operations to the builder. Returns 0, or -1. NULL: there is no graph. */
	int (*build)(const struct workload_task *task, struct task_builder *builder, struct error *error);

	/* The receivers of hosts that send all the time. Sees that the fabric and the ranks suit it, fills data; NULL: nothing to do. */
	int (*open_setup)(struct traffic_call *call, struct error *error);
	void (*open_clear)(struct traffic_call *call);
	/* The rank to which a message of the source goes, never itself; word: random bits of this message alone. NONE: this rank sends
	 * nothing, whatever the message. Time O(1), or O(log ranks). NULL: there are no receivers. */
	uint32_t (*receiver)(const struct traffic_call *call, uint32_t source, const uint32_t word[4]);
};

/* All patterns, ends with NULL. */
extern const struct pattern *const patterns[];

/* What a pattern is wanted for. */
enum pattern_use { PATTERN_PAIRS, PATTERN_GRAPH, PATTERN_LOAD };

/* Whether the pattern has that face, or it is derived from another. With --load it is that of pattern_meaning(). */
bool pattern_serves(const struct pattern *pattern, enum pattern_use use);

/* What the name of the pattern means there. */
const struct pattern *pattern_meaning(const struct pattern *pattern, enum pattern_use use);

/* The pattern that a specification names ("shift:4"), by what it means there. Returns NULL with STATUS_USAGE where there is none, or it
 * does not serve. */
const struct pattern *pattern_find(const char *spec, enum pattern_use use, struct error *error);

/* Which pattern, with which parameters. */
struct pattern_request {
	const char *spec;           /* "shift:4" */
	const char *argument;       /* --ptrnarg: what could also stand behind the colon; NULL: nothing */
	const char *first, *second; /* of ptrnvsptrn */
	int64_t first_ranks;        /* ranks of the first, -1: not given */
	uint64_t seed;
};

/*
 * The pattern of a request with its parameters, of ptrnvsptrn with those of its parts, by what it means there; pattern_free(). Returns NULL
 * with STATUS_USAGE.
 */
struct pattern_call *pattern_read(const struct pattern_request *request, enum pattern_use use, struct error *error);
void pattern_free(struct pattern_call *call);

/* Checks names and parameters as far as that goes without knowing the number of ranks. Returns 0, or -1 with STATUS_USAGE. */
int pattern_check(const struct pattern_request *request, enum pattern_use use, struct error *error);

/* Names the files that it reads, and those that they name; a specification that is wrong names none. Returns 0, or -1 as files_read(). */
int pattern_files(const struct pattern_request *request, enum pattern_use use, struct files *files, struct error *error);

/* Whether the ranks (tasks) are as many as it can have. Returns 0, or -1 with STATUS_USAGE. */
int pattern_fits(const struct pattern *pattern, uint32_t ranks, struct error *error);

#endif
