/* The lengths of the messages' routes, and the number of messages per channel, with all messages at once. */
#include "base/memory.h"
#include "metrics/metric.h"

#include <math.h>

static int hops_flow(struct metric_call *call, const struct observation *seen, double *numbers, struct error *error)
{
	*numbers = seen->shares->messages ? seen->shares->hops : NAN;
	return histogram_merge(&call->run, &seen->shares->lengths, error);
}

static int loads_flow(struct metric_call *call, const struct observation *seen, double *numbers, struct error *error)
{
	*numbers = seen->shares->max_load;
	return histogram_merge(&call->run, &seen->shares->loads, error);
}

static int finish(const struct metric_call *call, const struct samples *samples, struct result *result, const char *label, const char *of,
	const char *number, const char *number_label, struct error *error)
{
	size_t count = histogram_bins(&call->pooled);
	struct bin *bins = array_create(count, sizeof *bins, error);
	if (!bins)
		return -1;
	histogram_list(&call->pooled, bins);
	result_histogram(result, ITEM_HISTOGRAM, "histogram", label, of, bins, count);
	finish_number(samples, 0, number, number_label, result);
	return 0;
}

static int hops_finish(const struct metric_call *call, const struct samples *samples, struct result *result, struct error *error)
{
	return finish(call, samples, result, "hops", "messages", "mean", "mean", error);
}

static int loads_finish(const struct metric_call *call, const struct samples *samples, struct result *result, struct error *error)
{
	return finish(call, samples, result, "load", "channels", "max", "largest load (mean over the runs)", error);
}

const struct metric metric_hops = {
	.name = "hops",
	.summary = "lengths of the messages' routes: histogram",
	.source = "INRFlow paper 3.1",
	.gathers = METRIC_VALUES | METRIC_POOLED,
	.wants = SEEN_SHARES,
	.flow = hops_flow,
	.finish = hops_finish,
};

const struct metric metric_loads = {
	.name = "loads",
	.summary = "messages per channel, all messages at once: histogram",
	.source = "INRFlow paper 3.1",
	.gathers = METRIC_VALUES | METRIC_POOLED,
	.wants = SEEN_SHARES,
	.flow = loads_flow,
	.finish = loads_finish,
};
