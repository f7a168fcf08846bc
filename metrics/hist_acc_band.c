/* The bandwidth of each run, over its connections of all levels: the distribution over the mappings. */
#include "base/memory.h"
#include "metrics/metric.h"

#include "base/statistics.h"

#include <math.h>

enum { BINS = 20 };

static double hist_acc_band_end_run(struct metric_call *call)
{
	uint64_t total;
	double bandwidth;
	histogram_bandwidth(&call->run, &total, &bandwidth);
	call->rates /= (double)total;
	return total ? bandwidth / (double)total : NAN;
}

static int hist_acc_band_finish(const struct metric_call *call, const struct samples *samples, struct result *result, struct error *error)
{
	(void)call;
	struct bin *bins = array_create(BINS, sizeof *bins, error);
	if (!bins)
		return -1;
	for (int i = 0; i < BINS; i++)
		bins[i].value = (double)i / BINS;
	for (size_t i = 0; i < samples->count; i++) {
		/* a bandwidth that rounding puts just below a bin's lower edge belongs to that bin */
		int bin = (int)(samples->values[i] * BINS + 1e-9);
		bins[bin < BINS ? bin : BINS - 1].count++;
	}
	struct statistics s = {
		.mean = NAN, .sd = NAN, .low = NAN, .high = NAN, .min = NAN, .q1 = NAN, .median = NAN, .q3 = NAN, .max = NAN};
	if (samples->count)
		s = statistics_of(samples->values, samples->sorted, samples->count);
	result_histogram(result, ITEM_INTERVALS, "bins", "bandwidth", "runs", bins, BINS);
	result_count(result, "runs", NULL, samples->count);
	result_number(result, "mean", samples->bisection ? "effective bisection bandwidth (mean)" : "mean", s.mean);
	result_number(result, "sd", "standard deviation", s.sd);
	result_range(result, "ci95", "95% confidence interval of the mean", s.low, s.high);
	result_number(result, "min", "minimum", s.min);
	result_number(result, "q1", "lower quartile", s.q1);
	result_number(result, "median", "median", s.median);
	result_number(result, "q3", "upper quartile", s.q3);
	result_number(result, "max", "maximum", s.max);
	double gbps = mean_number(samples, 1);
	if (!isnan(gbps))
		result_number(result, "mean_gbps", samples->bisection ? "effective bisection bandwidth, Gb/s (mean)" : "mean, Gb/s", gbps);
	return 0;
}

const struct metric metric_hist_acc_band = {
	.name = "hist_acc_band",
	.summary = "bandwidth per run: histogram, mean, confidence interval, quartiles",
	.source = "ORCS paper 2.5, Figure 3",
	.unit = "bandwidth: share of a link that a connection gets, mean over the connections of a run (1: all of it)",
	.gathers = METRIC_VALUES,
	.numbers = 2,
	.level = metric_add_level,
	.end_run = hist_acc_band_end_run,
	.finish = hist_acc_band_finish,
};
