/*
 * Patterns as pairs: a list of levels; a level is a list of (sender rank, receiver rank), which a pattern emits one by one into a sink and
 * never stores. A task graph without an order is one level with all its messages; one of a trace has a level for each phase (phases.h).
 */
#ifndef PATTERNS_PAIRS_H
#define PATTERNS_PAIRS_H

#include "base/random.h"
#include "patterns/pattern.h"
#include "patterns/phases.h"

#include <stddef.h>

struct pair {
	uint32_t sender, receiver; /* ranks */
};

/* Takes pairs in blocks. part: 0, or 1 for the second pattern of ptrnvsptrn; all pairs of a block belong to one part. */
struct sink {
	struct pair *pairs; /* [capacity], owned by the taker */
	double *bytes;      /* [capacity] owned by the taker; only file: sets them, for the pairs that have some. NULL: not needed */
	uint8_t *level;     /* the same for service levels */
	size_t count, capacity;
	uint32_t offset; /* added to all ranks */
	int part;
	bool done;                       /* no more pairs are needed: a level of very many pairs may end here */
	void (*take)(struct sink *sink); /* empties the block */
};

/* Empties the block if it contains pairs. */
static inline void sink_flush(struct sink *sink)
{
	if (sink->count)
		sink->take(sink);
	sink->count = 0;
}

/* Emits a pair; a message of a rank to itself never enters the network and is left out. */
static inline void emit(struct sink *sink, uint32_t sender, uint32_t receiver)
{
	if (sender == receiver)
		return;
	sink->pairs[sink->count++] = (struct pair){sender + sink->offset, receiver + sink->offset};
	if (sink->count == sink->capacity)
		sink_flush(sink);
}

/* A pattern with its parameters, applied to a number of ranks. */
struct pattern_call {
	const struct pattern *pattern;
	uint32_t ranks;
	struct arg_values args;
	uint64_t seed;
	unsigned part;                       /* separates the random numbers of two patterns side by side */
	void *data;                          /* the pattern's own, from setup */
	struct pattern_call *first, *second; /* of ptrnvsptrn */
	struct task_graph *graph;            /* for a pattern without levels, of graph_run */
	struct message_phases phases;        /* of the graph, if the pattern has phases */
	double unit;                         /* bytes for which a message of the graph is emitted once; 0: each once */
	uint64_t graph_run;
};

/* Creates the pattern for a number of ranks. Returns NULL with STATUS_USAGE for invalid parameters, STATUS_IO for its file. */
struct pattern_call *pattern_create(const struct pattern_request *request, uint32_t ranks, struct error *error);

uint64_t pattern_levels(const struct pattern_call *call);

/* Draws the random choices of a run. Returns 0, or -1 if out of memory for the task graph of a pattern without levels. */
int pattern_run(struct pattern_call *call, uint64_t run, struct error *error);

/* Returns the number of pairs of a level. Call pattern_run() before the first level of a run. */
uint64_t pattern_level_pairs(const struct pattern_call *call, uint64_t level);

/* Estimates the number of pairs of a run, from some of its levels, or from only_level unless that is negative. Draws run 0. */
uint64_t pattern_pairs(struct pattern_call *call, int64_t only_level);

/* Returns whether in each level every rank sends at most once and receives at most once. */
bool pattern_partial_permutation(const struct pattern_call *call);

/* Puts all pairs of a level into the sink and flushes it. Call pattern_run() before the first level of a run. */
void pattern_level(const struct pattern_call *call, uint64_t level, struct sink *sink);

/* Returns ⌈log2 n⌉, 0 for n = 1: the levels of trees. */
static inline uint64_t levels_log2(const struct pattern_call *call)
{
	uint64_t levels = 0;
	while ((UINT64_C(1) << levels) < call->ranks)
		levels++;
	return levels;
}

/* Returns n-1 levels. */
static inline uint64_t levels_others(const struct pattern_call *call)
{
	return call->ranks - 1;
}

#endif
