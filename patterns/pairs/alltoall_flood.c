/* All-to-all at once. The receiver changes slowest, so routes to one destination find their table entries side by side. */
#include "patterns/pairs.h"

static void alltoall_flood_level(const struct pattern_call *call, uint64_t level, struct sink *sink)
{
	(void)level;
	for (uint32_t receiver = 0; receiver < call->ranks && !sink->done; receiver++)
		for (uint32_t sender = 0; sender < call->ranks; sender++)
			emit(sink, sender, receiver);
}

static uint64_t alltoall_flood_pairs(const struct pattern_call *call, uint64_t level)
{
	(void)level;
	return (uint64_t)call->ranks * (call->ranks - 1);
}

const struct pattern pattern_alltoall_flood = {
	.name = "alltoall_flood",
	.summary = "every rank to every other, all at once",
	.source = "all-to-all without a schedule",
	.level = alltoall_flood_level,
	.pairs = alltoall_flood_pairs,
};
