/* Every other rank sends to the rank before it: with a random mapping, a random half of the hosts sends to the other half. */
#include "patterns/pairs.h"

static void bisect_level(const struct pattern_call *call, uint64_t level, struct sink *sink)
{
	(void)level;
	for (uint32_t i = 1; i < call->ranks; i += 2)
		emit(sink, i, i - 1);
}

const struct pattern pattern_bisect = {
	.name = "bisect",
	.summary = "one half of the ranks sends to the other; an odd last rank is idle",
	.source = "ORCS paper 2.4",
	.once = true,
	.level = bisect_level,
};
