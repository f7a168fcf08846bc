/* All send to rank 0 at once. */
#include "patterns/pairs.h"

static void gather_level(const struct pattern_call *call, uint64_t level, struct sink *sink)
{
	(void)level;
	for (uint32_t i = 1; i < call->ranks; i++)
		emit(sink, i, 0);
}

const struct pattern pattern_gather = {
	.name = "gather",
	.summary = "all ranks send to rank 0 at once",
	.source = "ORCS paper 2.4",
	.level = gather_level,
};
