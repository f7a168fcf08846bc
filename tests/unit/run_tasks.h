/* The slow and simple way to run a task graph: every operation takes a time of its own, whatever else runs. */
#ifndef TESTS_UNIT_RUN_TASKS_H
#define TESTS_UNIT_RUN_TASKS_H

#include "helpers.h"

#include "patterns/task_graph.h"

#include <stdlib.h>

struct times {
	double *begin, *end; /* [operations] */
	double last;         /* the end of all */
};

/* Seconds of an operation. */
typedef double cost_function(const struct task_graph *graph, uint32_t operation);

static inline double cost_one(const struct task_graph *graph, uint32_t operation)
{
	return graph->kind[operation] == OPERATION_MESSAGE ? 1 : graph->size[operation];
}

static inline double cost_size(const struct task_graph *graph, uint32_t operation)
{
	return graph->size[operation];
}

/* Whole seconds that look drawn. */
static inline double cost_mixed(const struct task_graph *graph, uint32_t operation)
{
	return graph->kind[operation] == OPERATION_JOIN || graph->kind[operation] == OPERATION_BARRIER ? 0
												       : 1 + operation * 2654435761U % 97;
}

static inline void times_clear(struct times *times)
{
	free(times->begin);
	free(times->end);
}

/* All operations must come to run. */
static inline struct times run_tasks(const struct task_graph *graph, cost_function *cost)
{
	struct times times = {calloc(graph->operations + 1, sizeof(double)), calloc(graph->operations + 1, sizeof(double)), 0};
	uint32_t *left = calloc(graph->operations + 1, sizeof *left), *ready = calloc(graph->operations + 1, sizeof *ready), count = 0;
	for (uint32_t o = 0; o < graph->operations; o++) {
		left[o] = graph->waits ? graph->waits[o] : 0;
		if (!left[o])
			ready[count++] = o;
	}
	for (uint32_t i = 0; i < count; i++) {
		uint32_t o = ready[i];
		times.end[o] = times.begin[o] + cost(graph, o);
		if (times.end[o] > times.last)
			times.last = times.end[o];
		for (int begun = 0; begun < 2; begun++) {
			const uint64_t *first = begun ? graph->first_begun : graph->first;
			const uint32_t *next = begun ? graph->next_begun : graph->next;
			double moment = begun ? times.begin[o] : times.end[o];
			for (uint64_t k = first ? first[o] : 0; first && k < first[o + 1]; k++) {
				if (times.begin[next[k]] < moment)
					times.begin[next[k]] = moment;
				if (!--left[next[k]])
					ready[count++] = next[k];
			}
		}
	}
	assert_int_equal(count, graph->operations);
	free(left);
	free(ready);
	return times;
}

/* The end of all. */
static inline double last_end(const struct task_graph *graph, cost_function *cost)
{
	struct times times = run_tasks(graph, cost);
	times_clear(&times);
	return times.last;
}

#endif
