/*
 * Whether the route from d to s is that from s to d turned round, by the same cables. As both are free of loops it is just if they use the
 * same set of cables, and a set is compared by the sum of 128 random bits of each of its cables: sets that differ have the same sum with a
 * probability of 2^-128, so what is called asymmetric is so, and what is called symmetric is so but for that chance. A channel without
 * an opposite one is a cable of its own.
 */
#ifndef TOOLS_CHECK_SYMMETRY_H
#define TOOLS_CHECK_SYMMETRY_H

#include "fabric/destination_trees.h"
#include "tools/check/faults.h"

/* Ordered pairs of different hosts that have routes both ways. */
struct symmetry {
	uint64_t symmetric, asymmetric;
};

/*
 * reverse: of fabric_reverse. memory: bytes that sums may take (at least those of a few rows are taken); what does not fit is done in
 * parts, for which the trees are made again. Faults name a pair once, source < destination. Returns 0, or -1. Time O(destinations *
 * switches + pairs), the latter a comparison each, or one for all hosts of a start whose ways differ in the last cable alone.
 */
int symmetry_find(struct symmetry *symmetry, struct destination_trees *trees, const uint32_t *reverse, size_t memory, struct faults *faults,
	struct error *error);

#endif
