/*
 * The algorithms are those of the patterns of the same names: recursive doubling (allreduce, barrier; for a number of ranks that is not a
 * power of two with the folding of allreduce_rabenseifner), binomial trees (bcast_binomial; reduce is its reverse), the shifts of alltoall,
 * direct messages (gather, scatter), the ring (allgather). Thakur, Rabenseifner, Gropp: Optimization of Collective Communication Operations
 * in MPICH, IJHPCA 19 (2005).
 */
#include "patterns/graphs/collective_algorithms.h"

#include <math.h>

const char *const collective_set_names[COLLECTIVE_SETS] = {"none", "simple", "ring", "openmpi", "mpich"};

const char *const collective_names[COLLECTIVES] = {"barrier", "bcast", "reduce", "allreduce", "alltoall", "alltoallv", "alltoallw",
	"gather", "gatherv", "scatter", "scatterv", "allgather", "allgatherv", "reducescatter", "reducescatter_block", "scan", "exscan",
	"neighbor_allgather", "neighbor_allgatherv", "neighbor_alltoall", "neighbor_alltoallv", "neighbor_alltoallw"};

bool collective_is_rooted(enum collective collective)
{
	return collective == COLLECTIVE_BCAST || collective == COLLECTIVE_REDUCE ||
	       (collective >= COLLECTIVE_GATHER && collective <= COLLECTIVE_SCATTERV);
}

static void doubling(const struct collective_call *call)
{
	uint32_t power = 1, rank = call->rank;
	while (power <= call->ranks / 2)
		power *= 2;
	uint32_t folded = call->ranks - power, place = rank < 2 * folded ? rank / 2 : rank - folded;
	if (rank < 2 * folded && rank % 2) {
		give(call, rank - 1, call->bytes);
		take(call, rank - 1);
		return;
	}
	if (rank < 2 * folded)
		take(call, rank + 1);
	for (uint32_t distance = 1; distance < power; distance *= 2) {
		uint32_t partner = place ^ distance;
		partner = partner < folded ? 2 * partner : partner + folded;
		give(call, partner, call->bytes);
		take(call, partner);
	}
	if (rank < 2 * folded)
		give(call, rank + 1, call->bytes);
}

/*
 * Returns the place of the rank relative to the root, and its height in the tree: that of the root is the first power of two that is large
 * enough.
 */
static uint32_t tree_place(const struct collective_call *call, uint32_t *height)
{
	uint32_t place = further(call, call->rank, call->ranks - call->root);
	*height = place & -place;
	if (!place)
		for (*height = 1; *height < call->ranks;)
			*height *= 2;
	return place;
}

static void tree_down(const struct collective_call *call)
{
	uint32_t height, place = tree_place(call, &height);
	if (place)
		take(call, further(call, call->root, place - height));
	for (uint32_t distance = height / 2; distance; distance /= 2)
		if (place + distance < call->ranks)
			give(call, further(call, call->root, place + distance), call->bytes);
}

static void tree_up(const struct collective_call *call)
{
	uint32_t height, place = tree_place(call, &height);
	for (uint32_t distance = 1; distance < height; distance *= 2)
		if (place + distance < call->ranks)
			take(call, further(call, call->root, place + distance));
	if (place)
		give(call, further(call, call->root, place - height), call->bytes);
}

void algorithm_direct(const struct collective_call *call)
{
	for (uint32_t shift = 1; shift < call->ranks; shift++) {
		uint32_t to = further(call, call->rank, shift);
		give(call, to, bytes_for(call, to));
		take(call, further(call, call->rank, call->ranks - shift));
	}
}

void algorithm_ring(const struct collective_call *call)
{
	for (uint32_t step = 0; step + 1 < call->ranks; step++) {
		give(call, further(call, call->rank, 1), bytes_for(call, further(call, call->rank, call->ranks - step)));
		take(call, further(call, call->rank, call->ranks - 1));
	}
}

void algorithm_gather_linear(const struct collective_call *call)
{
	if (call->rank != call->root)
		give(call, call->root, call->bytes);
	else
		for (uint32_t rank = 0; rank < call->ranks; rank++)
			if (rank != call->root)
				take(call, rank);
}

void algorithm_scatter_linear(const struct collective_call *call)
{
	if (call->rank != call->root)
		take(call, call->root);
	else
		for (uint32_t rank = 0; rank < call->ranks; rank++)
			if (rank != call->root)
				give(call, rank, bytes_for(call, rank));
}

void algorithm_neighbours(const struct collective_call *call)
{
	for (uint32_t i = 0; i < call->tos; i++)
		give(call, call->to[i], bytes_for(call, i));
	for (uint32_t i = 0; i < call->froms; i++)
		take(call, call->from[i]);
}

/* In level l rank r has the data of the ranks from r - 2^l + 1 to r, and sends it to rank r + 2^l. */
void algorithm_scan_doubling(const struct collective_call *call)
{
	for (uint64_t distance = 1; distance < call->ranks; distance *= 2) {
		if (call->rank + distance < call->ranks)
			give(call, (uint32_t)(call->rank + distance), call->bytes);
		if (call->rank >= distance)
			take(call, (uint32_t)(call->rank - distance));
	}
}

/* All-reduce in a ring: each block goes round once to be reduced, and once more to reach all. */
static void allreduce_ring(const struct collective_call *call)
{
	uint32_t n = call->ranks;
	double block = floor(call->bytes / n), larger = call->bytes - block * n;
	for (uint32_t step = 0; step < 2 * (n - 1); step++) {
		uint32_t number = further(call, call->rank, 2 * n - step % n);
		give(call, further(call, call->rank, 1), block + (number < larger));
		take(call, further(call, call->rank, n - 1));
	}
}

/* Each rank passes the data on to the next, up to the one before the root. */
static void bcast_ring(const struct collective_call *call)
{
	uint32_t next = further(call, call->rank, 1);
	if (call->rank != call->root)
		take(call, further(call, call->rank, call->ranks - 1));
	if (next != call->root)
		give(call, next, call->bytes);
}

/* Each rank combines what comes from the one before with its own and passes it on, from the one behind the root up to the root. */
static void reduce_ring(const struct collective_call *call)
{
	uint32_t next = further(call, call->rank, 1), before = further(call, call->rank, call->ranks - 1);
	if (before != call->root)
		take(call, before);
	if (call->rank != call->root)
		give(call, next, call->bytes);
}

/* Each block goes round, from the rank behind the one that it is for, and is reduced by all. */
void algorithm_reduce_scatter_ring(const struct collective_call *call)
{
	for (uint32_t step = 1; step < call->ranks; step++) {
		give(call, further(call, call->rank, 1), bytes_for(call, further(call, call->rank, call->ranks - step)));
		take(call, further(call, call->rank, call->ranks - 1));
	}
}

static void run_simple(const struct collective_call *call)
{
	switch (call->collective) {
	case COLLECTIVE_BARRIER:
	case COLLECTIVE_ALLREDUCE: doubling(call); break;
	case COLLECTIVE_BCAST: tree_down(call); break;
	case COLLECTIVE_REDUCE: tree_up(call); break;
	case COLLECTIVE_GATHER:
	case COLLECTIVE_GATHERV: algorithm_gather_linear(call); break;
	case COLLECTIVE_SCATTER:
	case COLLECTIVE_SCATTERV: algorithm_scatter_linear(call); break;
	case COLLECTIVE_ALLGATHER:
	case COLLECTIVE_ALLGATHERV: algorithm_ring(call); break;
	case COLLECTIVE_SCAN:
	case COLLECTIVE_EXSCAN: algorithm_scan_doubling(call); break;
	default: algorithm_direct(call);
	}
}

static void run_ring(const struct collective_call *call)
{
	switch (call->collective) {
	case COLLECTIVE_ALLREDUCE: allreduce_ring(call); break;
	case COLLECTIVE_BCAST: bcast_ring(call); break;
	case COLLECTIVE_REDUCE: reduce_ring(call); break;
	case COLLECTIVE_REDUCESCATTER:
	case COLLECTIVE_REDUCESCATTER_BLOCK: algorithm_reduce_scatter_ring(call); break;
	default: run_simple(call);
	}
}

void collective_run(const struct collective_call *call)
{
	struct collective_call barrier = *call;
	if (call->set == COLLECTIVES_NONE)
		return;
	if (collective_is_local(call->collective) || call->remote) {
		(call->remote ? algorithm_across : algorithm_neighbours)(call);
		return;
	}
	if (call->ranks < 2)
		return;
	if (call->collective == COLLECTIVE_BARRIER && call->set <= COLLECTIVES_RING)
		barrier.bytes = 1;
	static void (*const run[])(const struct collective_call *) = {
		run_simple, run_simple, run_ring, collective_run_openmpi, collective_run_mpich};
	if (call->nonblocking && call->set == COLLECTIVES_OPENMPI)
		collective_run_openmpi_nonblocking(call);
	else
		run[call->set](&barrier);
}
