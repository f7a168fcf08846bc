/* The end of each level of a pattern, phase of an application, or job. */
#include "base/memory.h"
#include "metrics/metric.h"

#include <math.h>
#include <string.h>

static int levels_flow(struct metric_call *call, const struct observation *seen, double *numbers, struct error *error)
{
	const struct task_graph *g = seen->graph;
	(void)error;
	for (unsigned i = 0; i < call->numbers; i++)
		numbers[i] = NAN;
	for (uint32_t o = 0; o < g->operations; o++) {
		uint32_t level = g->level ? g->level[o] : 0;
		double end = (double)seen->times->ended[o] / people_time(call);
		if (level < call->numbers && !(numbers[level] >= end))
			numbers[level] = end;
	}
	return 0;
}

static int levels_finish(const struct metric_call *call, const struct samples *samples, struct result *result, struct error *error)
{
	double *means = array_create(samples->width, sizeof *means, error);
	if (!means)
		return -1;
	for (unsigned i = 0; i < samples->width; i++)
		means[i] = mean_number(samples, i);
	result_list(result, "ends", PEOPLE_LABEL(call, "ended after ", ", level"), means, samples->width);
	return 0;
}

const struct metric metric_levels = {
	.name = "levels",
	.summary = "time at which each level, phase or job ends",
	.source = "INRFlow paper 3.1",
	.gathers = METRIC_VALUES | METRIC_LEVELS,
	.wants = SEEN_TIMES,
	.flow = levels_flow,
	.finish = levels_finish,
};
