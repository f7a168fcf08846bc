/* Every rank and the one that is as far from the other end: on a grid of any lengths, the opposite corner of the diagonal. */
#include "patterns/pairs.h"
#include "patterns/traffic.h"

static void diagonal_level(const struct pattern_call *call, uint64_t level, struct sink *sink)
{
	(void)level;
	for (uint32_t i = 0; i < call->ranks; i++)
		emit(sink, i, call->ranks - 1 - i);
}

const struct pattern pattern_diagonal = {
	.name = "diagonal",
	.summary = "every rank i to n-1-i, mirrored in each dimension of a grid of ranks",
	.source = "CODES paper 3.1",
	.with_load = &diagonal_with_load,
	.once = true,
	.level = diagonal_level,
};
