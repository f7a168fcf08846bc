/* The histogram of the weights of the connections of all levels and runs, and the bandwidth of the linear model. */
#include "base/memory.h"
#include "metrics/metric.h"

#include <math.h>

static int hist_max_cong_finish(const struct metric_call *call, const struct samples *samples, struct result *result, struct error *error)
{
	size_t count = histogram_bins(&call->pooled);
	struct bin *bins = array_create(count, sizeof *bins, error);
	if (!bins)
		return -1;
	uint64_t total;
	double bandwidth;
	histogram_list(&call->pooled, bins);
	histogram_bandwidth(&call->pooled, &total, &bandwidth);
	result_histogram(result, ITEM_HISTOGRAM, "weights", "weight", "connections", bins, count);
	result_count(result, "connections", NULL, total);
	result_number(result, "bandwidth", "BW", total ? bandwidth / (double)total : NAN);
	double gbps = mean_number(samples, 1) * (double)samples->runs / (double)total;
	if (!isnan(gbps))
		result_number(result, "bandwidth_gbps", "BW, Gb/s", gbps);
	return 0;
}

const struct metric metric_hist_max_cong = {
	.name = "hist_max_cong",
	.summary = "weights of all connections: histogram and mean bandwidth",
	.source = "ORCS paper 2.5, Listing 3",
	.unit = "weight: routes on the fullest channel of a connection; BW: share of a link that a connection gets, mean of 1/weight (1: all of it)",
	.gathers = METRIC_POOLED,
	.numbers = 2,
	.level = metric_add_level,
	.finish = hist_max_cong_finish,
};
