/*
 * The times of messages on an idle network: the latencies of the channels, plus bits divided by the smallest capacity (Jones, Engelmann
 * 2011, section III).
 */
#include "base/memory.h"
#include "metrics/metric.h"

#include "base/statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MEAN, P50, P90, P99, SMALLEST, LARGEST, NUMBERS };

static int latency_flow(struct metric_call *call, const struct observation *seen, double *numbers, struct error *error)
{
	(void)call;
	double *sorted = array_create(seen->alones, sizeof *sorted, error), sum = 0;
	if (!sorted)
		return -1;
	for (uint64_t i = 0; i < seen->alones; i++)
		sum += sorted[i] = seen->zero_load[i];
	sort_values(sorted, seen->alones);
	numbers[MEAN] = seen->alones ? sum / (double)seen->alones : NAN;
	numbers[P50] = quantile_of(sorted, seen->alones, 0.5);
	numbers[P90] = quantile_of(sorted, seen->alones, 0.9);
	numbers[P99] = quantile_of(sorted, seen->alones, 0.99);
	numbers[SMALLEST] = quantile_of(sorted, seen->alones, 0);
	numbers[LARGEST] = quantile_of(sorted, seen->alones, 1);
	free(sorted);
	return 0;
}

static int latency_finish(const struct metric_call *call, const struct samples *samples, struct result *result, struct error *error)
{
	(void)call, (void)error;
	finish_number(samples, MEAN, "mean", "message latency, seconds (mean)", result);
	finish_number(samples, P50, "p50", "median", result);
	finish_number(samples, P90, "p90", "90% within", result);
	finish_number(samples, P99, "p99", "99% within", result);
	finish_number(samples, SMALLEST, "min", "minimum", result);
	finish_number(samples, LARGEST, "max", "maximum", result);
	return 0;
}

const struct metric metric_latency = {
	.name = "latency",
	.summary = "time of each message on an idle network",
	.source = "Jones, Engelmann 2011, III",
	.gathers = METRIC_VALUES,
	.wants = SEEN_ALONE,
	.numbers = NUMBERS,
	.flow = latency_flow,
	.finish = latency_finish,
};
