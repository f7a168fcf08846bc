/* A task graph must be one that every operation of it can run in. */
#ifndef TESTS_FUZZ_TASK_GRAPH_CHECKS_H
#define TESTS_FUZZ_TASK_GRAPH_CHECKS_H

#include "memory_file.h"
#include "target.h"
#include "patterns/task_graph.h"
#include "patterns/workload.h"

#include <math.h>

static inline void check_waits(const struct task_graph *graph, const uint64_t *first, const uint32_t *next, uint64_t *waits)
{
	if (!first)
		return;
	CHECK(first[0] == 0);
	for (uint32_t o = 0; o < graph->operations; o++) {
		CHECK(first[o] <= first[o + 1]);
		for (uint64_t i = first[o]; i < first[o + 1]; i++)
			CHECK(next[i] < graph->operations);
	}
	*waits += first[graph->operations];
}

static inline void check_graph(const struct task_graph *graph)
{
	uint64_t waits = 0, sum = 0;
	for (uint32_t o = 0; o < graph->operations; o++) {
		CHECK(graph->kind[o] <= OPERATION_RELEASE && graph->task[o] < graph->tasks && graph->receiver[o] < graph->tasks);
		CHECK(isfinite(graph->size[o]) && graph->size[o] >= 0);
		sum += graph->waits ? graph->waits[o] : 0;
	}
	check_waits(graph, graph->first, graph->next, &waits);
	check_waits(graph, graph->first_begun, graph->next_begun, &waits);
	CHECK(waits == sum);
}

/* A workload is refused in one line, or, if it has a number of tasks from least to most, a graph that is in order. */
static inline void check_workload(const char *spec, uint32_t least, uint32_t most)
{
	struct error error = {0};
	struct workload_task task = {.bytes = 1};
	struct task_graph *graph = NULL;
	struct workload_call *call = workload_create(&(struct pattern_request){.spec = spec, .first_ranks = -1}, &error);
	CHECK(call);
	if (!workload_count(call, &task.tasks, &error) && task.tasks >= least && task.tasks <= most)
		graph = workload_graph(call, &task, &error);
	if (graph)
		check_graph(graph);
	else if (error.status)
		check_refused(&error, REFUSED_FABRIC);
	task_graph_free(graph);
	workload_free(call);
}

#endif
