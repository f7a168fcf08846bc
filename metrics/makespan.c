/* The time at which the last operation ends. */
#include "metrics/metric.h"

#include "base/statistics.h"

#include <math.h>

static int makespan_flow(struct metric_call *call, const struct observation *seen, double *numbers, struct error *error)
{
	(void)error;
	*numbers = (double)seen->times->end / people_time(call);
	return 0;
}

static int makespan_finish(const struct metric_call *call, const struct samples *samples, struct result *result, struct error *error)
{
	(void)error;
	struct statistics s = {.min = NAN, .max = NAN, .mean = NAN, .sd = NAN, .low = NAN, .high = NAN};
	bool several = samples->count > 1;
	if (samples->count)
		s = statistics_of(samples->values, samples->sorted, samples->count);
	if (s.min == s.max) /* equal except for rounding */
		s.sd = 0;
	result_quantity(
		result, "mean", several ? PEOPLE_LABEL(call, "makespan, ", " (mean)") : PEOPLE_LABEL(call, "makespan, ", ""), s.mean);
	result_quantity(result, "sd", several ? "standard deviation" : NULL, s.sd);
	result_range(result, "ci95", "95% confidence interval of the mean", s.low, s.high);
	result_any_size(result);
	result_quantity(result, "min", several ? "minimum" : NULL, s.min);
	result_quantity(result, "max", several ? "maximum" : NULL, s.max);
	return 0;
}

const struct metric metric_makespan = {
	.name = "makespan",
	.summary = "seconds until the last operation ends, with dependencies",
	.source = "INRFlow paper 3.1",
	.gathers = METRIC_VALUES,
	.wants = SEEN_TIMES,
	.flow = makespan_flow,
	.finish = makespan_finish,
};
