/* Rank 0 sends to all at once. */
#include "patterns/pairs.h"

static void scatter_level(const struct pattern_call *call, uint64_t level, struct sink *sink)
{
	(void)level;
	for (uint32_t i = 1; i < call->ranks; i++)
		emit(sink, 0, i);
}

const struct pattern pattern_scatter = {
	.name = "scatter",
	.summary = "rank 0 sends to all ranks at once",
	.source = "ORCS paper 2.4",
	.level = scatter_level,
};
