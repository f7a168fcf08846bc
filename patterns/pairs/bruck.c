/* Bruck's exchange: in level l every rank sends 2^l ranks further on in the ring. */
#include "patterns/pairs.h"

static void bruck_level(const struct pattern_call *call, uint64_t level, struct sink *sink)
{
	uint64_t distance = UINT64_C(1) << level;
	for (uint64_t i = 0; i < call->ranks; i++)
		emit(sink, (uint32_t)i, (uint32_t)((i + distance) % call->ranks));
}

const struct pattern pattern_bruck = {
	.name = "bruck",
	.summary = "in level l every rank sends to the rank 2^l further on",
	.source = "ORCS paper 2.4, Figure 1",
	.passes_on = true,
	.once = true,
	.levels = levels_log2,
	.level = bruck_level,
};
