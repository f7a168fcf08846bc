/* Matrix transpose: the upper and the lower half of the binary digits are exchanged, so their number must be even. */
#include "patterns/pairs.h"

#include <inttypes.h>

static int transpose_setup(struct pattern_call *call, struct error *error)
{
	if (levels_log2(call) % 2 == 0)
		return 0;
	return error_set(
		error, STATUS_USAGE, "pattern 'transpose' needs a power of four as the number of ranks, not %" PRIu32, call->ranks);
}

static void transpose_level(const struct pattern_call *call, uint64_t level, struct sink *sink)
{
	(void)level;
	unsigned half = (unsigned)levels_log2(call) / 2;
	for (uint32_t i = 0; i < call->ranks; i++)
		emit(sink, i, i >> half | (i << half & (call->ranks - 1)));
}

const struct pattern pattern_transpose = {
	.name = "transpose",
	.summary = "every rank to the rank with the halves of the binary digits exchanged",
	.source = "Dally and Towles: Principles and Practices of Interconnection Networks, 3.2",
	.power_of_two = true,
	.once = true,
	.setup = transpose_setup,
	.level = transpose_level,
};
