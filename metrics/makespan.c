/* The time at which the last operation ends. */
#include "metrics/by_load.h"

#include "base/statistics.h"

#include <math.h>

enum { END, HALF, BYTES, NUMBERS };

static int makespan_flow(struct metric_call *call, const struct observation *seen, double *numbers, struct error *error)
{
	(void)error;
	numbers[END] = (double)seen->times->end / people_time(call);
	numbers[HALF] = NAN; /* one run has no interval of its own */
	numbers[BYTES] = seen->bytes;
	return 0;
}

static const struct load_figure figure[] = {
	{"bytes", NULL, LOAD_MEAN, BYTES, LINE_ALWAYS, false},
	{"mean", NULL, LOAD_MEAN, END, LINE_ALWAYS, false},
	{"ci95_half", NULL, LOAD_HALF, END, LINE_ALWAYS, false},
	{"max", NULL, LOAD_LARGEST, END, LINE_ALWAYS, false},
};

static const struct table_column column[] = {{"bytes", "bytes"}, {"mean", "mean"}, {"ci95_half", "+-"}, {"max", "maximum"}};

static int makespan_finish(const struct metric_call *call, const struct samples *samples, struct result *result, struct error *error)
{
	const struct load_layout sizes = {PEOPLE_LABEL(call, "makespan, ", ""), figure, column, sizeof figure / sizeof *figure, true};
	struct statistics s = {.min = NAN, .max = NAN, .mean = NAN, .sd = NAN, .low = NAN, .high = NAN};
	bool several = samples->count > 1;
	if (several_loads(samples, BYTES))
		return finish_loads(samples, &sizes, result, error);
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
	.sizes = true,
	.numbers = NUMBERS,
	.flow = makespan_flow,
	.finish = makespan_finish,
};
