#include "patterns/pairs.h"

#include "patterns/workload.h"

#include <inttypes.h>
#include <math.h>

/* ---- without levels: the messages of a task graph */

/* Sets the number of tasks, which the ranks must have. Returns 0, or -1. */
static int count_tasks(const struct pattern_call *call, uint32_t *tasks, struct error *error)
{
	if (!call->pattern->count)
		return 0;
	if (call->pattern->count(call->args.value, tasks, error))
		return -1;
	if (*tasks <= call->ranks)
		return 0;
	return error_set(error, STATUS_USAGE, "'%s' has %" PRIu32 " tasks, but there are %" PRIu32 " ranks", call->pattern->name, *tasks,
		call->ranks);
}

/* Creates the graph of a run, unless it exists. Returns 0, or -1. */
static int make_graph(struct pattern_call *call, uint64_t run, struct error *error)
{
	const struct pattern *pattern = call->pattern;
	struct workload_task task = {.tasks = call->ranks, .bytes = 1, .seed = call->seed, .run = run, .args = call->args.value};
	if (call->graph && (call->graph_run == run || !pattern->drawn))
		return 0;
	task_graph_free(call->graph);
	message_phases_clear(&call->phases);
	if (pattern->ordered && count_tasks(call, &task.tasks, error))
		return -1;
	call->unit = phases_unit(pattern->args, call->args.value, pattern->name, error);
	call->graph = error->status ? NULL : pattern_graph(pattern, &task, error);
	call->graph_run = run;
	if (!call->graph)
		return -1;
	return pattern->phases ? message_phases_find(&call->phases, call->graph, error) : 0;
}

/* Emits a message as often as it counts. */
static void emit_message(const struct pattern_call *call, uint32_t message, struct sink *sink)
{
	const struct task_graph *graph = call->graph;
	uint64_t times = call->unit > 0 && graph->size[message] > call->unit ? (uint64_t)ceil(graph->size[message] / call->unit) : 1;
	for (; times && !sink->done; times--)
		emit(sink, graph->task[message], graph->receiver[message]);
}

static void emit_graph(const struct pattern_call *call, uint64_t level, struct sink *sink)
{
	const struct task_graph *graph = call->graph;
	const struct message_phases *phases = &call->phases;
	if (call->pattern->phases) {
		for (uint32_t i = level < phases->count ? phases->first[level] : 0; level < phases->count && i < phases->first[level + 1];
			i++)
			emit_message(call, phases->message[i], sink);
		return;
	}
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
	if (call->pattern->phases)
		return call->phases.count;
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
		emit_graph(call, level, sink);
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
