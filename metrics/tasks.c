/* The time of tasks from the arrival of their job, or its start, until their last operation: computing, and the rest, which is waiting for
 * messages. */
#include "base/memory.h"
#include "metrics/metric.h"

#include "engines/computations.h"

#include <math.h>
#include <stdlib.h>

enum { COMMUNICATE, COMMUNICATE_MAX, COMPUTE, COMPUTE_MAX, NUMBERS };

static int tasks_flow(struct metric_call *call, const struct observation *seen, double *numbers, struct error *error)
{
	uint32_t tasks = seen->graph->tasks;
	uint64_t *communicate = array_create(tasks, sizeof *communicate, error);
	uint64_t *compute = array_create(tasks, sizeof *compute, error);
	for (int i = 0; i < NUMBERS; i++)
		numbers[i] = 0;
	if (!error->status)
		computations_split(seen->times, communicate, compute, error);
	for (uint32_t t = 0; !error->status && t < tasks; t++) {
		double computes = (double)compute[t] / people_time(call), communicates = (double)communicate[t] / people_time(call);
		numbers[COMPUTE] += computes / tasks;
		numbers[COMMUNICATE] += communicates / tasks;
		numbers[COMPUTE_MAX] = fmax(numbers[COMPUTE_MAX], computes);
		numbers[COMMUNICATE_MAX] = fmax(numbers[COMMUNICATE_MAX], communicates);
	}
	free(communicate);
	free(compute);
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
