/* The time of tasks from the arrival of their job, or its start, until their last operation: computing, and the rest, which is waiting for
 * messages. */
#include "base/memory.h"
#include "metrics/metric.h"

#include "engines/computations.h"
#include "scheduling/schedule.h"

#include <math.h>
#include <stdlib.h>

enum { COMMUNICATE, COMMUNICATE_MAX, COMPUTE, COMPUTE_MAX, NUMBERS };

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

static int tasks_flow(struct metric_call *call, const struct observation *seen, double *numbers, struct error *error)
{
	const struct task_graph *g = seen->graph;
	uint64_t *compute = array_create(g->tasks, sizeof *compute, error);
	uint64_t *pause = array_create(g->tasks, sizeof *pause, error); /* before the task's job arrives */
	uint64_t *end = array_create(g->tasks, sizeof *end, error);
	for (uint32_t o = 0; compute && pause && end && o < g->operations; o++) {
		uint32_t task = g->task[o], receiver = g->receiver[o];
		uint64_t ended = seen->times->ended[o];
		pause[task] += g->kind[o] == OPERATION_PAUSE ? ended - seen->times->begun[o] : 0;
		end[task] = ended > end[task] ? ended : end[task];
		end[receiver] = ended > end[receiver] ? ended : end[receiver];
	}
	for (int i = 0; i < NUMBERS; i++)
		numbers[i] = 0;
	if (!error->status)
		add_computations(seen->times, compute, error);
	if (!error->status && seen->times->schedule)
		start_jobs(seen->times->schedule, compute, pause, end);
	for (uint32_t t = 0; !error->status && t < g->tasks; t++) {
		double computes = (double)compute[t] / people_time(call),
		       communicates = (double)(end[t] - pause[t] - compute[t]) / people_time(call);
		numbers[COMPUTE] += computes / g->tasks;
		numbers[COMMUNICATE] += communicates / g->tasks;
		numbers[COMPUTE_MAX] = fmax(numbers[COMPUTE_MAX], computes);
		numbers[COMMUNICATE_MAX] = fmax(numbers[COMMUNICATE_MAX], communicates);
	}
	free(compute);
	free(pause);
	free(end);
	return error->status ? -1 : 0;
}

static int tasks_finish(const struct metric_call *call, const struct samples *samples, struct result *result, struct error *error)
{
	(void)error;
	finish_number(samples, COMMUNICATE, "communicate", PEOPLE_LABEL(call, "communication time of a task, ", " (mean)"), result);
	finish_number(samples, COMMUNICATE_MAX, "communicate_max", "maximum", result);
	finish_number(samples, COMPUTE, "compute", PEOPLE_LABEL(call, "computation time of a task, ", " (mean)"), result);
	finish_number(samples, COMPUTE_MAX, "compute_max", "maximum", result);
	return 0;
}

const struct metric metric_tasks = {
	.name = "tasks",
	.summary = "communication and computation time per task",
	.source = "INRFlow paper 3.1",
	.gathers = METRIC_VALUES,
	.wants = SEEN_TIMES,
	.numbers = NUMBERS,
	.flow = tasks_flow,
	.finish = tasks_finish,
};
