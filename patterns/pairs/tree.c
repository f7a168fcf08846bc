/* Binomial tree: in level l the 2^l ranks that have the data send to the next 2^l (section 4 and Figure 6 of the paper). */
#include "patterns/pairs.h"

static void tree_level(const struct pattern_call *call, uint64_t level, struct sink *sink)
{
	uint64_t distance = UINT64_C(1) << level;
	for (uint64_t i = 0; i < distance && i + distance < call->ranks; i++)
		emit(sink, (uint32_t)i, (uint32_t)(i + distance));
}

const struct pattern pattern_tree = {
	.name = "tree",
	.summary = "binomial tree from rank 0, one level after another",
	.source = "ORCS paper 2.4, 4 and Figure 6",
	.passes_on = true,
	.once = true,
	.levels = levels_log2,
	.level = tree_level,
};
