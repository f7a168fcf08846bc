/*
 * Two patterns side by side: the first on ranks 0..z-1, the second as noise on the rest. Level l contains level l of the first and of the
 * second. The second starts again when it ends before the first; when the first ends, the second finishes its pass.
 */
#include "patterns/pairs.h"

static uint64_t ptrnvsptrn_levels(const struct pattern_call *call)
{
	uint64_t first = pattern_levels(call->first), second = pattern_levels(call->second);
	if (!second)
		return first;
	uint64_t passes = first ? (first + second - 1) / second : 1;
	return passes * second;
}

static void draw(struct pattern_call *call, uint64_t run)
{
	if (call->pattern->run)
		call->pattern->run(call, run);
}

static void ptrnvsptrn_run(struct pattern_call *call, uint64_t run)
{
	draw(call->first, run);
	draw(call->second, run);
}

static void ptrnvsptrn_level(const struct pattern_call *call, uint64_t level, struct sink *sink)
{
	uint64_t passes = pattern_levels(call->second);
	if (level < pattern_levels(call->first))
		call->first->pattern->level(call->first, level, sink);
	sink_flush(sink);
	sink->part = 1;
	sink->offset = call->first->ranks;
	if (passes)
		call->second->pattern->level(call->second, level % passes, sink);
}

static uint64_t ptrnvsptrn_pairs(const struct pattern_call *call, uint64_t level)
{
	uint64_t passes = pattern_levels(call->second);
	return (level < pattern_levels(call->first) ? pattern_level_pairs(call->first, level) : 0) +
	       (passes ? pattern_level_pairs(call->second, level % passes) : 0);
}

const struct pattern pattern_ptrnvsptrn = {
	.name = "ptrnvsptrn",
	.summary = "--first-pattern on the first --first-ranks ranks, --second-pattern on the others",
	.source = "ORCS paper 2.4",
	.two = true,
	.run = ptrnvsptrn_run,
	.levels = ptrnvsptrn_levels,
	.level = ptrnvsptrn_level,
	.pairs = ptrnvsptrn_pairs,
};
