/* A task graph must be one that every operation of it can run in. */
#ifndef TESTS_FUZZ_TASK_GRAPH_CHECKS_H
#define TESTS_FUZZ_TASK_GRAPH_CHECKS_H

#include "memory_file.h"
#include "patterns/task_graph.h"

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

#endif
