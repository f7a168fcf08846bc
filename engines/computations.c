#include "engines/computations.h"

#include "base/memory.h"
#include "scheduling/schedule.h"

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

/* Adds the picoseconds for which each task computes; overlapping computations count once. Returns 0, or -1. */
static int add_computations(const struct task_times *t, uint64_t *compute, struct error *error)
{
	size_t count;
	uint32_t *list = computations_of(t, &count, error);
	uint64_t until = 0;
	for (size_t i = 0; list && i < count; i++) {
		uint32_t o = list[i], task = t->graph->task[o];
		bool first = !i || t->graph->task[list[i - 1]] != task;
		uint64_t from = first || t->begun[o] > until ? t->begun[o] : until;
		until = first || t->ended[o] > until ? t->ended[o] : until;
		compute[task] += until - from;
	}
	free(list);
	return list ? 0 : -1;
}

/* Tasks of a queue begin when their job starts; if it only computes, its first task does so for all. */
static void start_jobs(const struct schedule *schedule, uint64_t *compute, uint64_t *pause, uint64_t *end)
{
	const struct job_queue *queue = schedule->queue;
	for (uint32_t j = 0; j < queue->jobs; j++)
		for (uint32_t first = queue->job[j].first, t = first; t < first + queue->job[j].tasks; t++) {
			pause[t] = schedule->placed[j].start;
			if (queue->job[j].computes)
				compute[t] = compute[first];
			if (queue->job[j].computes || end[t] < pause[t])
				end[t] = pause[t] + compute[t];
		}
}

int computations_split(const struct task_times *times, uint64_t *communicate, uint64_t *compute, struct error *error)
{
	const struct task_graph *g = times->graph;
	uint64_t *pause = array_create(g->tasks, sizeof *pause, error), *end = communicate; /* pause: before the task's job arrives */
	if (!pause)
		return -1;
	for (uint32_t t = 0; t < g->tasks; t++)
		compute[t] = end[t] = 0;
	for (uint32_t o = 0; o < g->operations; o++) {
		uint32_t task = g->task[o], receiver = g->receiver[o];
		uint64_t ended = times->ended[o];
		pause[task] += g->kind[o] == OPERATION_PAUSE ? ended - times->begun[o] : 0;
		end[task] = ended > end[task] ? ended : end[task];
		end[receiver] = ended > end[receiver] ? ended : end[receiver];
	}
	int failed = add_computations(times, compute, error);
	if (!failed && times->schedule)
		start_jobs(times->schedule, compute, pause, end);
	for (uint32_t t = 0; !failed && t < g->tasks; t++)
		communicate[t] = end[t] - pause[t] - compute[t];
	free(pause);
	return failed;
}
