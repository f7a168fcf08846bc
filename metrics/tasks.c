/* What tasks spend their time with: computing, and all else until their last operation, which is waiting for messages. */
#include "metric.h"

#include <math.h>
#include <stdlib.h>

enum { COMMUNICATE, COMMUNICATE_MAX, COMPUTE, COMPUTE_MAX, NUMBERS };

static int tasks_flow(struct metric_call *call, const struct flow_seen *seen, double *numbers, struct error *error)
{
	const struct task_graph *g = seen->graph;
	double *compute = array_create(g->tasks, sizeof *compute, error);
	uint64_t *end = array_create(g->tasks, sizeof *end, error);
	(void)call;
	for (uint32_t o = 0; compute && end && o < g->operations; o++) {
		uint32_t task = g->task[o], receiver = g->receiver[o];
		uint64_t ended = seen->times->ended[o];
		compute[task] += g->kind[o] == OPERATION_COMPUTE ? g->size[o] : 0;
		end[task] = ended > end[task] ? ended : end[task];
		end[receiver] = ended > end[receiver] ? ended : end[receiver];
	}
	for (int i = 0; i < NUMBERS; i++)
		numbers[i] = 0;
	for (uint32_t t = 0; compute && end && t < g->tasks; t++) {
		double communicate = fmax((double)end[t] / PICOSECONDS - compute[t], 0);
		numbers[COMPUTE] += compute[t] / g->tasks;
		numbers[COMMUNICATE] += communicate / g->tasks;
		numbers[COMPUTE_MAX] = fmax(numbers[COMPUTE_MAX], compute[t]);
		numbers[COMMUNICATE_MAX] = fmax(numbers[COMMUNICATE_MAX], communicate);
	}
	free(compute);
	free(end);
	return error->status ? -1 : 0;
}

static int tasks_finish(const struct metric_call *call, const struct gathered *gathered, struct result *result, struct error *error)
{
	(void)call, (void)error;
	finish_number(gathered, COMMUNICATE, "communicate", "communication time of a task, seconds (mean)", result);
	finish_number(gathered, COMMUNICATE_MAX, "communicate_max", "maximum", result);
	finish_number(gathered, COMPUTE, "compute", "computation time of a task, seconds (mean)", result);
	finish_number(gathered, COMPUTE_MAX, "compute_max", "maximum", result);
	return 0;
}

const struct metric metric_tasks = {
	.name = "tasks",
	.summary = "communication and computation times of the tasks",
	.source = "INRFlow paper 3.1",
	.gathers = METRIC_VALUES,
	.engines = ENGINE_FLOW | ENGINE_PACKET,
	.wants = FLOW_TIMES,
	.numbers = NUMBERS,
	.flow = tasks_flow,
	.finish = tasks_finish,
};
