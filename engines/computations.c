#include "engines/computations.h"

#include "base/memory.h"

#include <stdlib.h>

static int compare(const void *left, const void *right, void *data)
{
	const struct task_times *times = data;
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	const uint32_t *task = times->graph->task;
	if (task[a] != task[b])
		return task[a] < task[b] ? -1 : 1;
	if (times->begun[a] != times->begun[b])
		return times->begun[a] < times->begun[b] ? -1 : 1;
	return (a > b) - (a < b);
}

uint32_t *computations_of(const struct task_times *times, size_t *count, struct error *error)
{
	const struct task_graph *g = times->graph;
	*count = 0;
	for (uint32_t o = 0; o < g->operations; o++)
		*count += g->kind[o] == OPERATION_COMPUTE;
	uint32_t *list = array_create(*count, sizeof *list, error);
	for (uint32_t o = 0, next = 0; list && o < g->operations; o++)
		if (g->kind[o] == OPERATION_COMPUTE)
			list[next++] = o;
	if (list)
		qsort_r(list, *count, sizeof *list, compare, (void *)times);
	return list;
}
