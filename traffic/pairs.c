#include "traffic/pairs.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* 1 GiB of them: all that is much larger is all-to-all, which is uniform. */
static const uint64_t pairs_max = UINT64_C(1) << 28;

static int refuse_many(const char *spec, uint64_t pairs, struct error *error)
{
	return error_set(error, STATUS_USAGE,
		"traffic '%s' has about %" PRIu64 " pairs, more than %" PRIu64 "; 'uniform' is traffic to all", spec, pairs, pairs_max);
}

/* Counts pairs, or puts them in their places: first becomes the place after the last of each rank. */
struct pairs_sink {
	struct sink sink;
	uint64_t *first; /* [ranks + 1] */
	uint32_t *pair;  /* NULL: count them in first[sender + 1] */
};

static void take(struct sink *sink)
{
	struct pairs_sink *pairs = (struct pairs_sink *)sink;
	for (size_t i = 0; i < sink->count; i++) {
		uint32_t sender = sink->pairs[i].sender;
		if (pairs->pair)
			pairs->pair[pairs->first[sender]++] = sink->pairs[i].receiver;
		else
			pairs->first[sender + 1]++;
	}
}

/* What emits all pairs into a sink, twice the same. */
typedef void emitter(const void *from, struct sink *sink);

static int collect(struct traffic_call *call, emitter *emit_all, const void *from, struct error *error)
{
	enum { BLOCK = 256 };
	struct pair block[BLOCK];
	uint32_t ranks = call->setup.ranks;
	call->first = array_create((size_t)ranks + 1, sizeof *call->first, error);
	if (!call->first)
		return -1;
	struct pairs_sink pairs = {{.pairs = block, .capacity = BLOCK, .take = take}, call->first, NULL};
	emit_all(from, &pairs.sink);
	for (uint32_t i = 0; i < ranks; i++)
		call->first[i + 1] += call->first[i];
	if (call->first[ranks] > pairs_max)
		return refuse_many("pairs", call->first[ranks], error);
	call->pair = pairs.pair = array_create(call->first[ranks], sizeof *call->pair, error);
	if (!call->pair)
		return -1;
	emit_all(from, &pairs.sink);
	memmove(call->first + 1, call->first, ranks * sizeof *call->first); /* back to the first of each */
	call->first[0] = 0;
	return 0;
}

static void emit_pattern(const void *from, struct sink *sink)
{
	for (uint64_t level = 0, levels = pattern_levels(from); level < levels; level++)
		pattern_level(from, level, sink);
}

static int fill_pattern(struct traffic_call *call, const struct pattern_request *request, struct error *error)
{
	struct pattern_call *pattern = pattern_create(request, call->setup.ranks, error);
	uint64_t pairs = pattern ? pattern_pairs(pattern, -1) : 0;
	if (pairs > pairs_max)
		refuse_many(request->spec, pairs, error);
	if (!error->status) {
		pattern_run(pattern, call->setup.run);
		collect(call, emit_pattern, pattern, error);
	}
	pattern_free(pattern);
	return error->status ? -1 : 0;
}

static void emit_graph(const void *from, struct sink *sink)
{
	const struct task_graph *graph = from;
	for (uint32_t i = 0; i < graph->operations; i++)
		if (graph->kind[i] == OPERATION_MESSAGE)
			emit(sink, graph->task[i], graph->receiver[i]);
	sink_flush(sink);
}

static int fill_workload(struct traffic_call *call, struct workload_call *workload, const char *spec, struct error *error)
{
	const struct traffic_setup *setup = &call->setup;
	struct workload_task task = {.tasks = setup->ranks,
		.bytes = 1,
		.seed = setup->seed,
		.run = setup->run,
		.distance = setup->distance,
		.data = setup->data};
	if (workload_ordered(workload))
		return error_set(error, STATUS_USAGE, "'%s' is no traffic: its messages wait for each other", spec);
	struct task_graph *graph = workload_graph(workload, &task, error);
	if (graph)
		collect(call, emit_graph, graph, error);
	task_graph_free(graph);
	return error->status ? -1 : 0;
}

/* Whether workload_create() finds a workload of the table, not a pattern. */
static bool is_workload(const char *spec)
{
	size_t length = spec_name_length(spec);
	for (size_t i = 0; workloads[i]; i++)
		if (strlen(workloads[i]->name) == length && !strncmp(spec, workloads[i]->name, length))
			return true;
	return false;
}

int pairs_fill(struct traffic_call *call, const struct pattern_request *request, struct error *error)
{
	if (!is_workload(request->spec))
		return fill_pattern(call, request, error);
	struct workload_call *workload = workload_create(request, error);
	if (workload)
		fill_workload(call, workload, request->spec, error);
	workload_free(workload);
	return error->status ? -1 : 0;
}
