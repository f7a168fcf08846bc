/* Recursive doubling: in level l the ranks k and k + 2^l exchange where bit l of k is 0 (Figure 2 of the paper). */
#include "patterns/pairs.h"

static void recdbl_level(const struct pattern_call *call, uint64_t level, struct sink *sink)
{
	uint64_t distance = UINT64_C(1) << level;
	for (uint64_t k = 0; k + distance < call->ranks; k++)
		if (k / distance % 2 == 0) {
			emit(sink, (uint32_t)k, (uint32_t)(k + distance));
			emit(sink, (uint32_t)(k + distance), (uint32_t)k);
		}
}

const struct pattern pattern_recdbl = {
	.name = "recdbl",
	.summary = "recursive doubling: in level l ranks 2^l apart exchange",
	.source = "ORCS paper 2.4, Figure 2",
	.passes_on = true,
	.once = true,
	.levels = levels_log2,
	.level = recdbl_level,
};
