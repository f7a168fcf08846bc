/*
 * Communication patterns. A pattern is a list of levels; a level is a list of (sender rank, receiver rank), which a pattern emits
 * one by one into a sink and never keeps. Source unless another is named: ORCS paper (Schneider, Hoefler, Lumsdaine 2009), section 2.4.
 *
 * To add one: write patterns/NAME.c with one const struct pattern at its bottom, and name that in table.c.
 */
#ifndef PATTERNS_PATTERN_H
#define PATTERNS_PATTERN_H

#include "base/args.h"
#include "base/error.h"
#include "base/random.h"

#include <stddef.h>
#include <stdint.h>

struct files;

struct pair {
	uint32_t sender, receiver; /* ranks */
};

/* Takes pairs in blocks. part: 0, or 1 for the second pattern of ptrnvsptrn; all pairs of a block are of one part. */
struct sink {
	struct pair *pairs; /* [capacity], the taker's */
	double *bytes;      /* [capacity] likewise; only file: sets them, for the pairs that have some. NULL: the taker does not ask */
	size_t count, capacity;
	uint32_t offset; /* added to all ranks */
	int part;
	bool done;                       /* nothing more is taken: a level of very many pairs may end here */
	void (*take)(struct sink *sink); /* empties pairs */
};

/* Empties the block if anything is in it. */
static inline void sink_flush(struct sink *sink)
{
	if (sink->count)
		sink->take(sink);
	sink->count = 0;
}

/* Sends from one rank to another; a message to oneself never enters the network and is left out. */
static inline void emit(struct sink *sink, uint32_t sender, uint32_t receiver)
{
	if (sender == receiver)
		return;
	sink->pairs[sink->count++] = (struct pair){sender + sink->offset, receiver + sink->offset};
	if (sink->count == sink->capacity)
		sink_flush(sink);
}

/* A pattern applied: to so many ranks, with these parameters. */
struct pattern_call {
	const struct pattern *pattern;
	uint32_t ranks;
	struct arg_values args;
	uint64_t seed;
	unsigned part;                       /* keeps the random numbers of two patterns side by side apart */
	void *data;                          /* the pattern's own, by setup */
	struct pattern_call *first, *second; /* of ptrnvsptrn */
};

struct pattern {
	const char *name, *summary, *source;
	const struct arg *args; /* NULL: none */
	const char *preset;     /* the parameters of a name that is short for another (2neighbor), else NULL */
	bool power_of_two;      /* defined for 2, 4, 8 … ranks only */
	bool once;              /* in no level does a rank send twice, or receive twice */
	/* Each may be NULL, but for level. */
	int (*setup)(struct pattern_call *call, struct error *error); /* checks ranks and parameters, prepares data; returns 0 or -1 */
	void (*run)(struct pattern_call *call, uint64_t run);         /* draws what a run draws */
	void (*cleanup)(struct pattern_call *call);
	uint64_t (*levels)(const struct pattern_call *call); /* NULL: one level */
	void (*level)(const struct pattern_call *call, uint64_t level, struct sink *sink);
	uint64_t (*pairs)(const struct pattern_call *call, uint64_t level); /* of a level; NULL: so few that they can be counted */
	int (*files)(const struct arg_value *args, struct files *files, struct error *error); /* those it reads; returns 0 or -1 */
};

/* All patterns, ends with NULL. */
extern const struct pattern *const patterns[];

/* What pattern_create is to make. */
struct pattern_request {
	const char *spec;           /* "shift:4" */
	const char *argument;       /* --ptrnarg: what could also stand behind the colon; NULL: nothing */
	const char *first, *second; /* of ptrnvsptrn */
	int64_t first_ranks;        /* ranks of the first, -1: not given */
	uint64_t seed;
};

/* Checks names and parameters as far as that goes without knowing the number of ranks. Returns 0, or -1 with STATUS_USAGE. */
int pattern_check(const struct pattern_request *request, struct error *error);

/* Names the files that it reads. Returns 0, or -1 as pattern_check() and files_read() do. */
int pattern_files(const struct pattern_request *request, struct files *files, struct error *error);

/* Makes the pattern for so many ranks. Returns NULL with STATUS_USAGE for bad parameters, STATUS_IO for its file. */
struct pattern_call *pattern_create(const struct pattern_request *request, uint32_t ranks, struct error *error);
void pattern_free(struct pattern_call *call);

uint64_t pattern_levels(const struct pattern_call *call);
void pattern_run(struct pattern_call *call, uint64_t run);

/* How many pairs a level has. Before the first level of a run: pattern_run. */
uint64_t pattern_level_pairs(const struct pattern_call *call, uint64_t level);

/* About how many pairs a run has: counted in some of its levels, or in only_level unless that is negative. Draws run 0. */
uint64_t pattern_pairs(struct pattern_call *call, int64_t only_level);

/* Whether in no level any rank sends twice, or receives twice. */
bool pattern_once(const struct pattern_call *call);

/* Puts all pairs of a level into the sink and flushes it. Before the first level of a run: pattern_run. */
void pattern_level(const struct pattern_call *call, uint64_t level, struct sink *sink);

/* ⌈log2 n⌉, 0 for n = 1: the levels of trees. */
static inline uint64_t levels_log2(const struct pattern_call *call)
{
	uint64_t levels = 0;
	while ((UINT64_C(1) << levels) < call->ranks)
		levels++;
	return levels;
}

/* n-1 levels. */
static inline uint64_t levels_others(const struct pattern_call *call)
{
	return call->ranks - 1;
}

#endif
