/*
 * Algorithms of collective operations, each as the messages of one rank; what collectives.c and collective_choices.c choose among. Sources:
 * Thakur, Rabenseifner, Gropp: Optimization of Collective Communication Operations in MPICH, IJHPCA 19 (2005); Pjesivac-Grbovic et al.:
 * Performance Analysis of MPI Collective Operations, Cluster Computing 10 (2007).
 */
#ifndef PATTERNS_GRAPHS_COLLECTIVE_ALGORITHMS_H
#define PATTERNS_GRAPHS_COLLECTIVE_ALGORITHMS_H

#include "patterns/graphs/collectives.h"

static inline void give(const struct collective_call *call, uint32_t rank, double bytes)
{
	call->give(call->data, rank, bytes);
}

static inline void take(const struct collective_call *call, uint32_t rank)
{
	call->take(call->data, rank);
}

/* Returns the rank at this distance further on, with wrapping. */
static inline uint32_t further(const struct collective_call *call, uint32_t rank, uint32_t by)
{
	return (uint32_t)(((uint64_t)rank + by) % call->ranks);
}

/* Returns the bytes of the block of a rank. */
static inline double bytes_for(const struct collective_call *call, uint32_t rank)
{
	return call->count ? call->count[rank] * call->datatype : call->bytes;
}

/* Returns the largest power of two up to the number. */
static inline uint32_t power_below(uint32_t number)
{
	uint32_t power = 1;
	while (power <= number / 2)
		power *= 2;
	return power;
}

/* Returns the bytes of count blocks from that rank on, with wrapping. */
double bytes_of_blocks(const struct collective_call *call, uint32_t first, uint32_t count);

void algorithm_direct(const struct collective_call *call);
void algorithm_ring(const struct collective_call *call);
void algorithm_gather_linear(const struct collective_call *call);
void algorithm_scatter_linear(const struct collective_call *call);
void algorithm_reduce_scatter_ring(const struct collective_call *call);

/* Each rank gives to, and takes from, its neighbours. */
void algorithm_neighbours(const struct collective_call *call);
/* Operations of intercommunicators: within the groups by the algorithms of the set, between them by the first rank of each. */
void algorithm_across(const struct collective_call *call);

/* ---- trees */

/* Numbers relative to the root: parent (of all but 0), and children in the order in which they are served. */
enum tree { TREE_LINEAR, TREE_CHAIN, TREE_BINARY, TREE_BINOMIAL /* without its highest bit */, TREE_IN_ORDER /* lowest bit */, TREE_FOUR };

/* All that the root has goes down, or is combined up. */
void algorithm_down(const struct collective_call *call, enum tree tree);
void algorithm_up(const struct collective_call *call, enum tree tree);
/* Each rank's block goes up to the root, or down from it, with those of the ranks below it. */
void algorithm_gather_binomial(const struct collective_call *call);
void algorithm_scatter_binomial(const struct collective_call *call);

/* ---- all with all */

/* odd: of the ranks beyond a power of two, those with odd numbers stay. */
void algorithm_doubling(const struct collective_call *call, bool odd);
void algorithm_allreduce_ring(const struct collective_call *call);
void algorithm_allreduce_halving(const struct collective_call *call);
void algorithm_dissemination(const struct collective_call *call);
void algorithm_alltoall_bruck(const struct collective_call *call);
void algorithm_allgather_bruck(const struct collective_call *call);
void algorithm_allgather_doubling(const struct collective_call *call);
void algorithm_allgather_neighbours(const struct collective_call *call);
void algorithm_reduce_scatter_halving(const struct collective_call *call);
void algorithm_reduce_scatter_butterfly(const struct collective_call *call);
void algorithm_scan_doubling(const struct collective_call *call);
void algorithm_scan_linear(const struct collective_call *call);
/* Broadcast as a scatter down a tree and an all-gather, by doubling if the ranks are a power of two and doubling is wanted, or in a ring.
 */
void algorithm_bcast_scatter(const struct collective_call *call, bool doubling);
/* Reduction as a reduce-scatter by halving and a gather up a tree; in the second, pairs beyond a power of two share their vector first. */
void algorithm_reduce_scatter_gather(const struct collective_call *call);
void algorithm_reduce_halving(const struct collective_call *call);

/* The choices of collective_choices.c. */
void collective_run_openmpi(const struct collective_call *call);
void collective_run_openmpi_nonblocking(const struct collective_call *call);
void collective_run_mpich(const struct collective_call *call);

#endif
