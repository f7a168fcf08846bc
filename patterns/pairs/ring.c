/* One message goes round the ring, one hop per level. */
#include "patterns/pairs.h"

static uint64_t ring_levels(const struct pattern_call *call)
{
	return call->ranks;
}

static void ring_level(const struct pattern_call *call, uint64_t level, struct sink *sink)
{
	emit(sink, (uint32_t)level, (uint32_t)((level + 1) % call->ranks));
}

const struct pattern pattern_ring = {
	.name = "ring",
	.summary = "every rank to its right neighbour, one after another",
	.source = "ORCS paper 2.4",
	.passes_on = true,
	.once = true,
	.levels = ring_levels,
	.level = ring_level,
};
