/* Every other rank with equal probability. */
#include "patterns/open/draw.h"
#include "patterns/traffic.h"

static uint32_t uniform_receiver(const struct traffic_call *call, uint32_t source, const uint32_t word[4])
{
	return draw_other(draw_bits(word + 2), 0, call->setup.ranks, source);
}

const struct pattern pattern_uniform = {
	.name = "uniform",
	.summary = "every message to any other rank",
	.source = "Dally and Towles: Principles and Practices of Interconnection Networks, 3.2",
	.receiver = uniform_receiver,
};
