/* Rank with its binary digits reversed. */
#include "patterns/pairs.h"

static void bitrev_level(const struct pattern_call *call, uint64_t level, struct sink *sink)
{
	(void)level;
	unsigned digits = (unsigned)levels_log2(call);
	for (uint32_t i = 0; i < call->ranks; i++) {
		uint32_t reversed = 0;
		for (unsigned digit = 0; digit < digits; digit++)
			reversed |= (i >> digit & 1) << (digits - 1 - digit);
		emit(sink, i, reversed);
	}
}

const struct pattern pattern_bitrev = {
	.name = "bitrev",
	.summary = "every rank to the rank with the binary digits reversed",
	.source = "Dally and Towles: Principles and Practices of Interconnection Networks, 3.2",
	.power_of_two = true,
	.once = true,
	.level = bitrev_level,
};
