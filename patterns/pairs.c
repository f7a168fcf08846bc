#include "patterns/pairs.h"

#include "patterns/workload.h"

#include <inttypes.h>

/* ---- without levels: the messages of a task graph */

/* Creates the graph of a run, unless it exists. Returns 0, or -1. */
static int make_graph(struct pattern_call *call, uint64_t run, struct error *error)
{
	struct workload_task task = {.tasks = call->ranks, .bytes = 1, .seed = call->seed, .run = run, .args = call->args.value};
	if (call->graph && (call->graph_run == run || !call->pattern->drawn))
		return 0;
	task_graph_free(call->graph);
	call->graph = pattern_graph(call->pattern, &task, error);
	call->graph_run = run;
	return call->graph ? 0 : -1;
}

static void emit_graph(const struct task_graph *graph, struct sink *sink)
{
	for (uint32_t i = 0; graph && i < graph->operations; i++)
		if (graph->kind[i] == OPERATION_MESSAGE)
			emit(sink, graph->task[i], graph->receiver[i]);
}

/* ---- setup */

static int set_up(struct pattern_call *call, uint32_t ranks, struct error *error)
{
	call->ranks = ranks;
	if (pattern_fits(call->pattern, ranks, error))
		return -1;
	if (!call->pattern->level)
		return make_graph(call, 0, error);
	return call->pattern->setup ? call->pattern->setup(call, error) : 0;
}

struct pattern_call *pattern_create(const struct pattern_request *request, uint32_t ranks, struct error *error)
{
	struct pattern_call *call = pattern_read(request, PATTERN_PAIRS, error);
	if (!call)
		return NULL;
	if (call->first && (request->first_ranks < 1 || request->first_ranks >= ranks))
		error_set(error, STATUS_USAGE,
			"--first-ranks is %" PRId64 ", but each of the two patterns needs at least one of the %" PRIu32 " ranks",
			request->first_ranks, ranks);
	else if (call->first && !set_up(call->first, (uint32_t)request->first_ranks, error))
		set_up(call->second, ranks - (uint32_t)request->first_ranks, error);
	if (!error->status && !set_up(call, ranks, error))
		return call;
	pattern_free(call);
	return NULL;
}

uint64_t pattern_levels(const struct pattern_call *call)
{
	return call->pattern->levels ? call->pattern->levels(call) : 1;
}

int pattern_run(struct pattern_call *call, uint64_t run, struct error *error)
{
	if (call->pattern->run)
		call->pattern->run(call, run);
	return call->pattern->level ? 0 : make_graph(call, run, error);
}

bool pattern_partial_permutation(const struct pattern_call *call)
{
	return call->first ? call->first->pattern->once && call->second->pattern->once : call->pattern->once;
}

void pattern_level(const struct pattern_call *call, uint64_t level, struct sink *sink)
{
	sink->count = 0;
	sink->offset = 0;
	sink->part = 0;
	if (call->pattern->level)
		call->pattern->level(call, level, sink);
	else
		emit_graph(call->graph, sink);
	sink_flush(sink);
}

/* ---- counts */

/* A sink that counts pairs. */
struct counting_sink {
	struct sink sink;
	uint64_t pairs;
};

static void count_pairs(struct sink *sink)
{
	((struct counting_sink *)sink)->pairs += sink->count;
}

uint64_t pattern_level_pairs(const struct pattern_call *call, uint64_t level)
{
	enum { BLOCK = 256 };
	struct pair pairs[BLOCK];
	struct counting_sink count = {{.pairs = pairs, .capacity = BLOCK, .take = count_pairs}, 0};
	if (call->pattern->pairs)
		return call->pattern->pairs(call, level);
	pattern_level(call, level, &count.sink);
	return count.pairs;
}

uint64_t pattern_pairs(struct pattern_call *call, int64_t only_level)
{
	enum { SAMPLES = 8 };
	uint64_t levels = only_level < 0 ? pattern_levels(call) : 1, samples = levels < SAMPLES ? levels : SAMPLES, pairs = 0;
	struct error unseen = {0}; /* counts 0 for a graph that exceeds the memory; its run will report that */
	pattern_run(call, 0, &unseen);
	for (uint64_t i = 0; i < samples; i++)
		pairs += pattern_level_pairs(call, only_level < 0 ? i * levels / samples : (uint64_t)only_level);
	return samples ? (uint64_t)((double)pairs / (double)samples * (double)levels) : 0;
}
