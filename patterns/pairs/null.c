/* No messages: the silent partner in ptrnvsptrn, and the smallest example of a pattern. */
#include "patterns/pairs.h"

static uint64_t null_levels(const struct pattern_call *call)
{
	(void)call;
	return 0;
}

static void null_level(const struct pattern_call *call, uint64_t level, struct sink *sink)
{
	(void)call, (void)level, (void)sink;
}

const struct pattern pattern_null = {
	.name = "null",
	.summary = "no communication, e.g. as the second pattern of ptrnvsptrn",
	.source = "ORCS paper 2.4",
	.levels = null_levels,
	.level = null_level,
};
