/*
 * The crystal router: messages of all to all reach their receivers in ceil(log2 n) stages (Fox and others: Solving Problems on Concurrent
 * Processors, 1988; CODES paper, section 3.2). The ranks are halved again and again; in each stage every rank exchanges with the one at its
 * place in the other half. For n a power of two that is the neighbour in a hypercube, the highest bit first. Of an odd number the lower
 * half has one more, whose last sends to the last of the other half and receives nothing.
 */
#include "patterns/pairs.h"

static void crystal_router_level(const struct pattern_call *call, uint64_t level, struct sink *sink)
{
	for (uint32_t rank = 0; rank < call->ranks; rank++) {
		uint32_t first = 0, count = call->ranks, half = count - count / 2;
		for (uint64_t stage = 0; stage < level; stage++) {
			bool upper = rank - first >= half;
			first += upper ? half : 0;
			count = upper ? count - half : half;
			half = count - count / 2;
		}
		uint32_t place = rank - first, last = count - 1;
		emit(sink, rank, first + (place >= half ? place - half : place + half < last ? place + half : last));
	}
}

const struct pattern pattern_crystal_router = {
	.name = "crystal_router",
	.summary =
		"every rank with its partner in the other half of the ranks, then of that half, and so on: a hypercube, the highest bit first",
	.source = "CODES paper 3.2",
	.passes_on = true,
	.levels = levels_log2,
	.level = crystal_router_level,
};
