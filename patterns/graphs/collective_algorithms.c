#include "patterns/graphs/collective_algorithms.h"

#include <math.h>

double bytes_of_blocks(const struct collective_call *call, uint32_t first, uint32_t count)
{
	double bytes = 0;
	if (!call->count)
		return call->bytes * count;
	for (uint32_t i = 0; i < count; i++)
		bytes += bytes_for(call, further(call, first, i));
	return bytes;
}

/* ---- trees */

static uint32_t place_in_tree(const struct collective_call *call, uint32_t rank)
{
	return further(call, rank, call->ranks - call->root);
}

static uint32_t rank_in_tree(const struct collective_call *call, uint64_t place)
{
	return (uint32_t)((place + call->root) % call->ranks);
}

/* Returns the size of the level of a binary tree in which a place is: levels have 1, 2, 4 places. */
static uint64_t level_size(uint64_t place)
{
	uint64_t size = 1;
	while (2 * size - 1 <= place)
		size *= 2;
	return size;
}

static uint64_t parent_of(enum tree tree, uint64_t place)
{
	uint64_t bit = 1, size;
	switch (tree) {
	case TREE_CHAIN: return place - 1;
	case TREE_BINARY: /* a place at x has children at x + size and x + 2 size of its level */
		size = level_size(place) / 2;
		return place - size < 2 * size - 1 ? place - size : place - 2 * size;
	case TREE_BINOMIAL: return place & ~(uint64_t)power_below((uint32_t)place);
	case TREE_IN_ORDER: return place & (place - 1);
	case TREE_FOUR:
		while (place % (4 * bit) == 0)
			bit *= 4;
		return place - place % (4 * bit);
	default: return 0;
	}
}

/* Calls act for each child of a place, in their order. */
static void for_children(
	const struct collective_call *call, enum tree tree, uint64_t place, void (*act)(const struct collective_call *call, uint32_t rank))
{
	uint64_t n = call->ranks, size = level_size(place), bit = 1;
	switch (tree) {
	case TREE_LINEAR:
		for (uint64_t child = 1; !place && child < n; child++)
			act(call, rank_in_tree(call, child));
		break;
	case TREE_CHAIN:
		if (place + 1 < n)
			act(call, rank_in_tree(call, place + 1));
		break;
	case TREE_BINARY:
		for (uint64_t k = 1; k <= 2; k++)
			if (place + k * size < n)
				act(call, rank_in_tree(call, place + k * size));
		break;
	case TREE_BINOMIAL:
		while (bit <= place)
			bit *= 2;
		for (; (place | bit) < n; bit *= 2)
			act(call, rank_in_tree(call, place | bit));
		break;
	case TREE_IN_ORDER:
		for (; bit < n && !(place & bit); bit *= 2)
			if (place + bit < n)
				act(call, rank_in_tree(call, place + bit));
		break;
	case TREE_FOUR:
		while (bit < n && place % (4 * bit) == 0)
			bit *= 4;
		for (; bit; bit /= 4)
			for (uint64_t k = 1; k < 4; k++)
				if (place % (4 * bit) == 0 && place + k * bit < n)
					act(call, rank_in_tree(call, place + k * bit));
		break;
	}
}

static void give_all(const struct collective_call *call, uint32_t rank)
{
	give(call, rank, call->bytes);
}

void algorithm_down(const struct collective_call *call, enum tree tree)
{
	uint32_t place = place_in_tree(call, call->rank);
	if (place)
		take(call, rank_in_tree(call, parent_of(tree, place)));
	for_children(call, tree, place, give_all);
}

void algorithm_up(const struct collective_call *call, enum tree tree)
{
	uint32_t place = place_in_tree(call, call->rank);
	for_children(call, tree, place, take);
	if (place)
		give(call, rank_in_tree(call, parent_of(tree, place)), call->bytes);
}

/* The bytes of a rank and those below it. */
static double bytes_below(const struct collective_call *call, uint32_t rank)
{
	uint32_t place = place_in_tree(call, rank), below = place ? place & -place : call->ranks;
	below = below < call->ranks - place ? below : call->ranks - place;
	return bytes_of_blocks(call, rank, below);
}

static void give_below(const struct collective_call *call, uint32_t rank)
{
	give(call, rank, bytes_below(call, rank));
}

void algorithm_gather_binomial(const struct collective_call *call)
{
	uint32_t place = place_in_tree(call, call->rank);
	for_children(call, TREE_IN_ORDER, place, take);
	if (place)
		give(call, rank_in_tree(call, parent_of(TREE_IN_ORDER, place)), bytes_below(call, call->rank));
}

void algorithm_scatter_binomial(const struct collective_call *call)
{
	uint32_t place = place_in_tree(call, call->rank);
	if (place)
		take(call, rank_in_tree(call, parent_of(TREE_IN_ORDER, place)));
	for_children(call, TREE_IN_ORDER, place, give_below);
}

/* ---- all with all */

/* Returns the bytes of a block if whole elements are divided among the ranks: the first blocks have one more. */
static double share_of(const struct collective_call *call, uint32_t block)
{
	double elements = floor(call->bytes / call->datatype), each = floor(elements / call->ranks);
	return (each + (block < elements - each * call->ranks)) * call->datatype;
}

void algorithm_allreduce_ring(const struct collective_call *call)
{
	uint32_t n = call->ranks;
	for (uint32_t step = 0; step < 2 * (n - 1); step++) {
		/* the block of the rank itself first; in the second round the one behind it */
		uint32_t back = step < n - 1 ? step : step - n;
		give(call, further(call, call->rank, 1), share_of(call, (uint32_t)(((uint64_t)call->rank + 2 * n - back) % n)));
		take(call, further(call, call->rank, n - 1));
	}
}

void algorithm_dissemination(const struct collective_call *call)
{
	for (uint64_t distance = 1; distance < call->ranks; distance *= 2) {
		give(call, further(call, call->rank, (uint32_t)distance), call->bytes);
		take(call, further(call, call->rank, call->ranks - (uint32_t)distance));
	}
}

/* In the step of a distance go the blocks whose way, from 1 to ranks - 1, has that bit. */
void algorithm_alltoall_bruck(const struct collective_call *call)
{
	for (uint64_t distance = 1; distance < call->ranks; distance *= 2) {
		uint64_t whole = call->ranks / (2 * distance) * distance, rest = call->ranks % (2 * distance);
		double blocks = (double)(whole + (rest > distance ? rest - distance : 0));
		give(call, further(call, call->rank, (uint32_t)distance), blocks * call->bytes);
		take(call, further(call, call->rank, call->ranks - (uint32_t)distance));
	}
}

void algorithm_allgather_bruck(const struct collective_call *call)
{
	for (uint64_t distance = 1; distance < call->ranks; distance *= 2) {
		uint32_t d = (uint32_t)distance, blocks = d < call->ranks - d ? d : call->ranks - d;
		give(call, further(call, call->rank, call->ranks - d), bytes_of_blocks(call, call->rank, blocks));
		take(call, further(call, call->rank, d));
	}
}

/* The number of ranks is a power of two. */
void algorithm_allgather_doubling(const struct collective_call *call)
{
	for (uint32_t distance = 1; distance < call->ranks; distance *= 2) {
		give(call, call->rank ^ distance, bytes_of_blocks(call, call->rank & ~(distance - 1), distance));
		take(call, call->rank ^ distance);
	}
}

/* Pairs of blocks go to the neighbours in turn; the number of ranks is even. */
void algorithm_allgather_neighbours(const struct collective_call *call)
{
	uint32_t n = call->ranks, rank = call->rank, pair = rank - rank % 2, have = pair;
	uint32_t neighbour[2] = {rank ^ 1, further(call, rank, rank % 2 ? 1 : n - 1)};
	uint32_t from[2] = {pair, pair}, step[2] = {rank % 2 ? n - 2 : 2, rank % 2 ? 2 : n - 2};
	give(call, neighbour[0], bytes_for(call, rank));
	take(call, neighbour[0]);
	for (uint32_t i = 1; i < n / 2; i++) {
		from[i % 2] = further(call, from[i % 2], step[i % 2]);
		give(call, neighbour[i % 2], bytes_of_blocks(call, have, 2));
		take(call, neighbour[i % 2]);
		have = from[i % 2];
	}
}

void algorithm_scan_linear(const struct collective_call *call)
{
	if (call->rank)
		take(call, call->rank - 1);
	if (call->rank + 1 < call->ranks)
		give(call, call->rank + 1, call->bytes);
}

/* ---- in two parts */

/* Returns the bytes of the blocks of equal size into which a whole is cut; the last ones may have less, or nothing. */
static double cut(const struct collective_call *call, uint64_t first, uint64_t count)
{
	double elements = floor(call->bytes / call->datatype), block = ceil(elements / call->ranks);
	double from = fmin((double)first * block, elements), to = fmin((double)(first + count) * block, elements);
	return (to - from) * call->datatype;
}

void algorithm_bcast_scatter(const struct collective_call *call, bool doubling)
{
	uint32_t n = call->ranks, place = place_in_tree(call, call->rank), height = place ? place & -place : 1;
	while (!place && height < n)
		height *= 2;
	if (place && cut(call, place, height) > 0)
		take(call, rank_in_tree(call, place - height));
	for (uint32_t half = height / 2; half; half /= 2)
		if (place + half < n && cut(call, place + half, half) > 0)
			give(call, rank_in_tree(call, place + half), cut(call, place + half, half));
	if (doubling && !(n & (n - 1))) {
		for (uint32_t distance = 1; distance < n; distance *= 2) {
			give(call, rank_in_tree(call, place ^ distance), cut(call, place & ~(distance - 1), distance));
			take(call, rank_in_tree(call, place ^ distance));
		}
		return;
	}
	for (uint32_t step = 0; step + 1 < n; step++) {
		give(call, further(call, call->rank, 1), cut(call, (place + n - step) % n, 1));
		take(call, further(call, call->rank, n - 1));
	}
}
