/* When the last operation has ended. */
#include "metric.h"

#include "statistics.h"

#include <math.h>

static int makespan_flow(struct metric_call *call, const struct flow_seen *seen, double *numbers, struct error *error)
{
	(void)call, (void)error;
	*numbers = (double)seen->times->end / PICOSECONDS;
	return 0;
}

static int makespan_finish(const struct metric_call *call, const struct gathered *gathered, struct result *result, struct error *error)
{
	(void)call, (void)error;
	struct statistics s = {.min = NAN, .max = NAN, .mean = NAN, .sd = NAN, .low = NAN, .high = NAN};
	if (gathered->count)
		s = statistics_of(gathered->values, gathered->sorted, gathered->count);
	result_quantity(result, "mean", "makespan, seconds (mean)", s.mean);
	result_quantity(result, "sd", "standard deviation", s.sd);
	result_range(result, "ci95", "95% confidence interval of the mean", s.low, s.high);
	result_quantity(result, "min", "minimum", s.min);
	result_quantity(result, "max", "maximum", s.max);
	return 0;
}

const struct metric metric_makespan = {
	.name = "makespan",
	.summary = "seconds until the last operation has ended, with what waits for what",
	.source = "INRFlow paper 3.1",
	.gathers = METRIC_VALUES,
	.engines = ENGINE_FLOW,
	.wants = FLOW_TIMES,
	.flow = makespan_flow,
	.finish = makespan_finish,
};
