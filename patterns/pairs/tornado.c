/* Tornado: almost halfway round the ring of ranks, the worst case of minimal routing on a ring. */
#include "patterns/pairs.h"
#include "patterns/traffic.h"

static void tornado_level(const struct pattern_call *call, uint64_t level, struct sink *sink)
{
	(void)level;
	uint64_t distance = (call->ranks + UINT64_C(1)) / 2 - 1;
	for (uint64_t i = 0; i < call->ranks; i++)
		emit(sink, (uint32_t)i, (uint32_t)((i + distance) % call->ranks));
}

const struct pattern pattern_tornado = {
	.name = "tornado",
	.summary = "every rank to the one ceil(n/2)-1 further on",
	.source = "Dally and Towles: Principles and Practices of Interconnection Networks, 3.2",
	.with_load = &tornado_with_load,
	.once = true,
	.level = tornado_level,
};
