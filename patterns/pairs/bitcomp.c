/* Rank with all its binary digits inverted. */
#include "patterns/pairs.h"

static void bitcomp_level(const struct pattern_call *call, uint64_t level, struct sink *sink)
{
	(void)level;
	for (uint32_t i = 0; i < call->ranks; i++)
		emit(sink, i, call->ranks - 1 - i);
}

const struct pattern pattern_bitcomp = {
	.name = "bitcomp",
	.summary = "every rank to the rank with the binary digits inverted",
	.source = "Dally and Towles: Principles and Practices of Interconnection Networks, 3.2",
	.power_of_two = true,
	.once = true,
	.level = bitcomp_level,
};
