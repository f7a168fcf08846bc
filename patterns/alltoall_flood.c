/* All-to-all at once. */
#include "pattern.h"

static void alltoall_flood_level(const struct pattern_call *call, uint64_t level, struct sink *sink)
{
	(void)level;
	for (uint32_t i = 0; i < call->ranks; i++)
		for (uint32_t j = 0; j < call->ranks; j++)
			emit(sink, i, j);
}

const struct pattern pattern_alltoall_flood = {
	.name = "alltoall_flood",
	.summary = "every rank to every other, all at once",
	.source = "all-to-all without a schedule",
	.level = alltoall_flood_level,
};
