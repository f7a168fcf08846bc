/*
 * Rabenseifner's allreduce: reduce-scatter by recursive halving (partners n/2, n/4, .. 1 apart), then allgather by recursive doubling (1,
 * 2, .. n/2). If n is not a power of two, p = 2^floor(log2 n): the first n-p pairs of ranks (2i, 2i+1) fold into their even rank in a level
 * before, and get the result back in a level after.
 */
#include "patterns/pairs.h"

/* Returns log2 of p. */
static unsigned halvings(const struct pattern_call *call)
{
	unsigned digits = 0;
	while ((UINT64_C(2) << digits) <= call->ranks)
		digits++;
	return digits;
}

/* Returns the number of ranks beyond p: n - p. */
static uint32_t extra(const struct pattern_call *call)
{
	return call->ranks - (UINT32_C(1) << halvings(call));
}

static uint64_t allreduce_rabenseifner_levels(const struct pattern_call *call)
{
	return 2 * (halvings(call) + (extra(call) != 0));
}

static void allreduce_rabenseifner_level(const struct pattern_call *call, uint64_t level, struct sink *sink)
{
	uint32_t folded = extra(call);
	uint64_t last = allreduce_rabenseifner_levels(call) - 1;
	if (folded && (level == 0 || level == last)) {
		for (uint32_t i = 0; i < folded; i++)
			emit(sink, 2 * i + (level == 0), 2 * i + (level != 0));
		return;
	}
	unsigned digits = halvings(call), step = (unsigned)level - (folded != 0);
	uint32_t distance = UINT32_C(1) << (step < digits ? digits - 1 - step : step - digits);
	for (uint32_t i = 0; i < UINT32_C(1) << digits; i++) {
		uint32_t partner = i ^ distance;
		emit(sink, i < folded ? 2 * i : i + folded, partner < folded ? 2 * partner : partner + folded);
	}
}

const struct pattern pattern_allreduce_rabenseifner = {
	.name = "allreduce_rabenseifner",
	.summary = "allreduce by recursive halving, then doubling",
	.source = "Rabenseifner, ICCS 2004; Thakur, Rabenseifner, Gropp, IJHPCA 19 (2005)",
	.passes_on = true,
	.once = true,
	.levels = allreduce_rabenseifner_levels,
	.level = allreduce_rabenseifner_level,
};
