/* The load of the channels: in all, over time, and the channels that are bottlenecks. */
#include "base/memory.h"
#include "metrics/metric.h"

#include <math.h>
#include <string.h>

enum { PARTS = 20 }; /* of the makespan */
/*
 * MEAN and each part: bits carried, divided by what all channels together could have carried: a mean over the channels, weighted by their
 * capacities.
 */
enum { MEAN, LARGEST, LIMIT, OVER_TIME, NUMBERS = OVER_TIME + PARTS };

static const struct arg link_use_args[] = {
	{"FILE", ARG_TEXT, "", 0, 0, "output file of the graph, each edge coloured by the bits that it carried"},
	{.type = ARG_END},
};

static int link_use_flow(struct metric_call *call, const struct observation *seen, double *numbers, struct error *error)
{
	const struct task_times *t = seen->times;
	double seconds = (double)t->end / PICOSECONDS, capacity = 0, sent = 0, part = (double)t->end / PARTS;
	(void)call, (void)error;
	memset(numbers, 0, NUMBERS * sizeof *numbers);
	for (uint32_t c = 0; seconds > 0 && c < seen->fabric->channels; c++) {
		double use = seen->capacity[c] > 0 ? t->sent[c] / (seen->capacity[c] * seconds) : 0;
		sent += t->sent[c];
		numbers[LARGEST] = fmax(numbers[LARGEST], use);
		numbers[LIMIT] = fmax(numbers[LIMIT], t->bottleneck[c] / seconds);
		capacity += seen->capacity[c];
	}
	numbers[MEAN] = capacity > 0 ? sent / (capacity * seconds) : 0;
	for (int bin = 0; part > 0 && bin < LINK_BINS; bin++) { /* the overlap of each bin with each part */
		double begin = (double)bin * (double)t->bin, end = fmin(begin + (double)t->bin, (double)t->end);
		for (int i = 0; i < PARTS && begin < end; i++) {
			double common = fmin(end, (i + 1) * part) - fmax(begin, i * part);
			if (common > 0)
				numbers[OVER_TIME + i] += t->used[bin] * common / (end - begin) / (capacity * part / PICOSECONDS);
		}
	}
	return 0;
}

static int link_use_finish(const struct metric_call *call, const struct samples *samples, struct result *result, struct error *error)
{
	(void)call;
	double *means = array_create(PARTS, sizeof *means, error);
	if (!means)
		return -1;
	for (unsigned i = 0; i < PARTS; i++)
		means[i] = mean_number(samples, OVER_TIME + i);
	finish_number(samples, MEAN, "mean", "utilisation of the channels (mean)", result);
	finish_number(samples, LARGEST, "max", "of the channel that carries most", result);
	finish_number(samples, LIMIT, "bottleneck", "share of the time in which one channel is a bottleneck, at most", result);
	result_list(result, "over_time", "utilisation in twentieths of the time, part", means, PARTS);
	result_channels(result);
	return 0;
}

const struct metric metric_link_use = {
	.name = "link_use",
	.summary = "utilisation of the channels, over time and per channel, and time for which they are bottlenecks",
	.source = "INRFlow paper 3.1",
	.args = link_use_args,
	.gathers = METRIC_VALUES | METRIC_CHANNELS,
	.wants = SEEN_TIMES | SEEN_LINKS,
	.numbers = NUMBERS,
	.flow = link_use_flow,
	.finish = link_use_finish,
};
