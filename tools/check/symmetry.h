/*
 * Symmetry: whether the route from d to s is the reverse of the route from s to d, over the same cables. As both are free of loops, this
 * holds if and only if they use the same set of cables. Sets are compared by the sum of 128 random bits per cable: different sets have the
 * same sum with probability 2^-128, so "asymmetric" is certain, and "symmetric" is wrong with that probability. A channel without an
 * opposite direction counts as a separate cable.
 */
#ifndef TOOLS_CHECK_SYMMETRY_H
#define TOOLS_CHECK_SYMMETRY_H

#include "fabric/destination_trees.h"
#include "tools/check/faults.h"

/* Ordered pairs of different hosts that have routes in both directions. */
struct symmetry {
	uint64_t symmetric, asymmetric;
};

/*
 * Counts the pairs. reverse: result of fabric_reverse(). memory: bytes for sums (at least a few rows are allocated); if they do not
 * suffice, the work is split into parts, for which the trees are computed again. Faults contain each pair once, source < destination.
 * Returns 0, or -1. Time O(destinations * switches + pairs), with one comparison per pair, or one for all hosts of a start whose routes
 * differ only in the last cable.
 */
int symmetry_find(struct symmetry *symmetry, struct destination_trees *trees, const uint32_t *reverse, size_t memory, struct faults *faults,
	struct error *error);

#endif
