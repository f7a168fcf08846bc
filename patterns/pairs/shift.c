/* Every rank sends K ranks further on. */
#include "patterns/pairs.h"

static const struct arg shift_args[] = {
	{"K", ARG_INTEGER, NULL, INT32_MIN, INT32_MAX, "distance in ranks; negative: backwards"},
	{.type = ARG_END},
};

static void shift_level(const struct pattern_call *call, uint64_t level, struct sink *sink)
{
	(void)level;
	int64_t n = call->ranks, distance = call->args.value[0].integer % n;
	for (int64_t i = 0; i < n; i++)
		emit(sink, (uint32_t)i, (uint32_t)((i + distance + n) % n));
}

const struct pattern pattern_shift = {
	.name = "shift",
	.summary = "every rank to the one K further on, all at once",
	.source = "cyclic shift permutation",
	.args = shift_args,
	.once = true,
	.level = shift_level,
};
