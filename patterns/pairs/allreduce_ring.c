/* Allreduce on a ring: reduce-scatter, then allgather; in each of the 2(n-1) levels every rank sends to the next. */
#include "patterns/pairs.h"

static uint64_t allreduce_ring_levels(const struct pattern_call *call)
{
	return 2 * (call->ranks - UINT64_C(1));
}

static void allreduce_ring_level(const struct pattern_call *call, uint64_t level, struct sink *sink)
{
	(void)level;
	for (uint64_t i = 0; i < call->ranks; i++)
		emit(sink, (uint32_t)i, (uint32_t)((i + 1) % call->ranks));
}

const struct pattern pattern_allreduce_ring = {
	.name = "allreduce_ring",
	.summary = "allreduce on a ring: 2(n-1) levels, every rank to the next",
	.source = "Patarasuk and Yuan, J. Parallel Distrib. Comput. 69 (2009)",
	.passes_on = true,
	.once = true,
	.levels = allreduce_ring_levels,
	.level = allreduce_ring_level,
};
