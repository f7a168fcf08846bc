/* Every rank to every other in n-1 levels, each a shift by one more. All-to-all libraries and shift tests use different names for it. */
#include "patterns/pairs.h"

static void shifts_level(const struct pattern_call *call, uint64_t level, struct sink *sink)
{
	uint32_t shift = (uint32_t)(level + 1), ranks = call->ranks;
	for (uint32_t i = 0; i < ranks - shift; i++)
		emit(sink, i, i + shift);
	for (uint32_t i = ranks - shift; i < ranks; i++)
		emit(sink, i, i - (ranks - shift));
}

const struct pattern pattern_alltoall = {
	.name = "alltoall",
	.summary = "every rank to every other, one shift per level",
	.source = "linear-shift all-to-all of MPI libraries",
	.once = true,
	.levels = levels_others,
	.level = shifts_level,
};

const struct pattern pattern_allshifts = {
	.name = "allshifts",
	.summary = "the shifts by 1, 2, .. n-1, one per level (the same pairs as alltoall)",
	.source = "Zahavi, J. Parallel Distrib. Comput. 72 (2012)",
	.once = true,
	.levels = levels_others,
	.level = shifts_level,
};
