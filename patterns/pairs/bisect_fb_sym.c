/* bisect in both directions at once. */
#include "patterns/pairs.h"

static void bisect_fb_sym_level(const struct pattern_call *call, uint64_t level, struct sink *sink)
{
	(void)level;
	for (uint32_t i = 1; i < call->ranks; i += 2) {
		emit(sink, i, i - 1);
		emit(sink, i - 1, i);
	}
}

const struct pattern pattern_bisect_fb_sym = {
	.name = "bisect_fb_sym",
	.summary = "both halves send to each other, pairwise",
	.source = "ORCS paper 2.4",
	.once = true,
	.level = bisect_fb_sym_level,
};
