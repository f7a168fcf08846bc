/* Perfect shuffle: the binary digits move one place up, the first becomes the last. */
#include "patterns/pairs.h"

static void shuffle_level(const struct pattern_call *call, uint64_t level, struct sink *sink)
{
	(void)level;
	unsigned digits = (unsigned)levels_log2(call);
	for (uint32_t i = 0; i < call->ranks; i++) {
		uint32_t top = digits ? i >> (digits - 1) : 0;
		emit(sink, i, (i << 1 | top) & (call->ranks - 1));
	}
}

const struct pattern pattern_shuffle = {
	.name = "shuffle",
	.summary = "every rank to the rank with the binary digits rotated one place to the left",
	.source = "Dally and Towles: Principles and Practices of Interconnection Networks, 3.2",
	.power_of_two = true,
	.once = true,
	.level = shuffle_level,
};
