/*
 * Broadcast from rank 0 down a binomial tree, the farthest partner first: in level l the ranks that are multiples of 2^(L-l) send
 * 2^(L-l-1) ranks further on, L = ceil(log2 n). The tree of MPI libraries; pattern tree sends to the nearest partner first.
 */
#include "patterns/pairs.h"

static void bcast_binomial_level(const struct pattern_call *call, uint64_t level, struct sink *sink)
{
	uint64_t distance = UINT64_C(1) << (levels_log2(call) - 1 - level);
	for (uint64_t i = 0; i + distance < call->ranks; i += 2 * distance)
		emit(sink, (uint32_t)i, (uint32_t)(i + distance));
}

const struct pattern pattern_bcast_binomial = {
	.name = "bcast_binomial",
	.summary = "broadcast from rank 0 down a binomial tree, farthest partner first",
	.source = "Thakur, Rabenseifner, Gropp, IJHPCA 19 (2005)",
	.passes_on = true,
	.once = true,
	.levels = levels_log2,
	.level = bcast_binomial_level,
};
