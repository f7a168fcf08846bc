/* Flow completion times: the time that each message takes, and its slowdown compared with an idle network. */
#include "base/memory.h"
#include "metrics/metric.h"

#include "base/statistics.h"

#include <math.h>
#include <stdlib.h>

enum { MEAN, P50, P90, P99, LONGEST, SLOWDOWN, SLOWDOWN_P99, FLOWS, UNROUTABLE, REROUTED, NUMBERS };

/* Returns the largest of 1, 2 and 5 times a power of ten that is not above the time. */
static double bin_of(double time)
{
	if (time <= 0)
		return 0;
	double power = pow(10, floor(log10(time) + 1e-12)), digit = time / power * (1 + 1e-12);
	return power * (digit >= 5 ? 5 : digit >= 2 ? 2 : 1);
}

/* Returns the end of a bin: 2 for the bin that begins at 1, 5 for 2, 10 for 5. */
static double bin_end(double from)
{
	return bin_of(from * 2.5);
}

static double mean_of(const double *values, size_t count)
{
	double sum = 0;
	for (size_t i = 0; i < count; i++)
		sum += values[i];
	return count ? sum / (double)count : NAN;
}

static int fct_flow(struct metric_call *call, const struct observation *seen, double *numbers, struct error *error)
{
	const struct task_times *t = seen->times;
	const struct task_graph *g = seen->graph;
	double *time = array_create(g->operations, sizeof *time, error), *slow = array_create(g->operations, sizeof *slow, error);
	size_t count = 0, slows = 0;
	for (uint32_t o = 0; time && slow && o < g->operations; o++) {
		if (!flow_enters(g, t->host, o) || (t->lost && t->lost[o]))
			continue;
		double took = (double)(t->ended[o] - t->begun[o]);
		time[count] = took / people_time(call);
		if (t->zero_load[o] > 0)
			slow[slows++] = took / PICOSECONDS / t->zero_load[o];
		if (histogram_add(&call->run, bin_of(time[count++]), 1, error))
			break;
	}
	if (!error->status) {
		sort_values(time, count);
		sort_values(slow, slows);
		numbers[MEAN] = mean_of(time, count);
		numbers[P50] = quantile_of(time, count, 0.5);
		numbers[P90] = quantile_of(time, count, 0.9);
		numbers[P99] = quantile_of(time, count, 0.99);
		numbers[LONGEST] = quantile_of(time, count, 1);
		numbers[SLOWDOWN] = mean_of(slow, slows);
		numbers[SLOWDOWN_P99] = quantile_of(slow, slows, 0.99);
		numbers[FLOWS] = (double)t->messages;
		numbers[UNROUTABLE] = (double)(t->unroutable - t->lost_transfers);
		numbers[REROUTED] = (double)t->rerouted;
	}
	free(time);
	free(slow);
	return error->status ? -1 : 0;
}

static int fct_finish(const struct metric_call *call, const struct samples *samples, struct result *result, struct error *error)
{
	size_t count = histogram_bins(&call->pooled);
	struct bin *bins = array_create(count, sizeof *bins, error);
	if (!bins)
		return -1;
	histogram_list(&call->pooled, bins);
	result_histogram(result, ITEM_HISTOGRAM, "histogram", PEOPLE_LABEL(call, "", " from"), "messages", bins, count);
	result_any_size(result);
	result_bin_end(result, bin_end);
	finish_number(samples, FLOWS, "flows", "messages delivered per run", result);
	finish_number(samples, UNROUTABLE, "unroutable", NULL, result);
	finish_number(samples, REROUTED, "rerouted", mean_number(samples, REROUTED) > 0 ? "of these by another route" : NULL, result);
	finish_number(samples, MEAN, "mean", PEOPLE_LABEL(call, "completion time, ", " (mean)"), result);
	finish_number(samples, P50, "p50", "median", result);
	finish_number(samples, P90, "p90", "90% within", result);
	finish_number(samples, P99, "p99", "99% within", result);
	finish_number(samples, LONGEST, "max", "maximum", result);
	finish_number(samples, SLOWDOWN, "slowdown", "slowdown against an idle network (mean)", result);
	finish_number(samples, SLOWDOWN_P99, "slowdown_p99", "99% within", result);
	return 0;
}

const struct metric metric_fct = {
	.name = "fct",
	.summary = "completion times of messages, and their slowdowns compared with an idle network",
	.source = "INRFlow paper 3.1",
	.gathers = METRIC_VALUES | METRIC_POOLED,
	.wants = SEEN_TIMES,
	.numbers = NUMBERS,
	.flow = fct_flow,
	.finish = fct_finish,
};
