/* The table of all metrics. To add one, write its file and add a line here. */
#include "base/memory.h"
#include "base/spelling.h"
#include "metrics/metric.h"

#include "base/statistics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define METRICS(X) \
	X(hist_max_cong) \
	X(hist_acc_band) \
	X(sum_max_cong) \
	X(dep_max_delay) \
	X(get_cable_cong) \
	X(get_cong_map) \
	X(throughput) \
	X(hops) \
	X(loads) \
	X(makespan) \
	X(contention) \
	X(fct) \
	X(tasks) \
	X(levels) \
	X(link_use) \
	X(queue) \
	X(latency) \
	X(packet_latency) \
	X(packet_throughput) \
	X(link_busy) \
	X(service_levels) \
	X(packet_losses) \
	X(packet_queues)

#define DECLARE(name) extern const struct metric metric_##name;
#define LIST(name) &metric_##name,

METRICS(DECLARE)
const struct metric *const metrics[] = {METRICS(LIST) NULL};

static const struct metric *find_metric(const char *name, struct error *error)
{
	const char *names[sizeof metrics / sizeof *metrics];
	size_t count = 0;
	for (; metrics[count]; count++) {
		names[count] = metrics[count]->name;
		if (!strcmp(name, names[count]))
			return metrics[count];
	}
	error_unknown(error, "metric", name, names, count);
	return NULL;
}

/* Extends the parameters of a metric by flags of its own that follow after commas, and moves rest past them. */
static void join_flags(const struct metric *metric, const char *text, char **rest)
{
	bool more = text && metric && metric->args;
	while (more && *rest) {
		size_t length = strcspn(*rest, ",");
		more = false;
		for (const struct arg *arg = metric->args; arg->type != ARG_END; arg++)
			more |= arg->type == ARG_FLAG && strlen(arg->key) == length && !memcmp(arg->key, *rest, length);
		if (!more)
			break;
		(*rest)[-1] = ',';
		*rest += length;
		if (**rest)
			*(*rest)++ = '\0';
		else
			*rest = NULL;
	}
}

int metrics_parse(const char *list, struct metric_call *calls, struct error *error)
{
	char *copy = strdup(list), *rest = copy;
	int count = 0;
	if (!copy)
		return error_set(error, STATUS_IO, "out of memory");
	while (rest && !error->status) {
		char *text = strsep(&rest, ","), *name = strsep(&text, ":");
		const struct metric *metric = find_metric(name, error);
		join_flags(metric, text, &rest);
		for (int i = 0; metric && i < count; i++)
			if (calls[i].metric == metric)
				error_set(error, STATUS_USAGE, "metric '%s' is given twice; name each metric once", name);
		if (error->status)
			break;
		if (count == METRICS_MAX) {
			error_set(error, STATUS_USAGE, "too many metrics: at most %d are allowed", METRICS_MAX);
			break;
		}
		calls[count] = (struct metric_call){.metric = metric};
		args_parse(&calls[count].args, metric->args, text, "metric", name, error);
		count++;
	}
	free(copy);
	if (!error->status)
		return count;
	while (count)
		metric_clear(&calls[--count]);
	return -1;
}

int metric_setup(struct metric_call *call, uint32_t ranks, uint32_t levels, bool serialise_sends, struct error *error)
{
	call->ranks = ranks;
	call->numbers = call->metric->gathers & METRIC_LEVELS ? levels : call->metric->numbers ? call->metric->numbers : 1;
	call->serialise_sends = serialise_sends;
	if (histogram_init(&call->pooled, error) || histogram_init(&call->run, error))
		return -1;
	return call->metric->setup ? call->metric->setup(call, error) : 0;
}

void metric_clear(struct metric_call *call)
{
	if (call->metric && call->metric->cleanup)
		call->metric->cleanup(call);
	histogram_clear(&call->pooled);
	histogram_clear(&call->run);
	args_clear(&call->args);
	*call = (struct metric_call){0};
}

unsigned metric_wants(const struct metric *metric)
{
	return metric->wants ? metric->wants : SEEN_WEIGHTS;
}

unsigned metrics_want(const struct metric_call *calls, int count)
{
	unsigned all = 0;
	for (int m = 0; m < count; m++) {
		const struct arg *arg = calls[m].metric->args;
		bool simple = arg && arg->type == ARG_FLAG && calls[m].args.value[0].integer; /* of throughput */
		unsigned wants = metric_wants(calls[m].metric);
		all |= simple ? wants & ~(unsigned)SEEN_EXACT : wants;
		all |= calls[m].metric->gathers & METRIC_CHANNELS ? SEEN_CHANNELS : 0;
	}
	return all;
}

const char *metric_file(const struct metric_call *call)
{
	const char *file = call->metric->gathers & METRIC_CHANNELS ? call->args.value[0].text : NULL;
	bool into_result = file && metric_is_graph(call->metric) && !strcmp(file, "-");
	return into_result ? NULL : file;
}

void metric_begin_run(struct metric_call *call)
{
	histogram_reset(&call->run);
	call->sum = call->rates = 0;
	call->levels = 0;
	if (call->metric->begin_run)
		call->metric->begin_run(call);
}

int metric_end_run(struct metric_call *call, const struct observation *seen, double *numbers, struct error *error)
{
	call->cycles = seen && seen->packets && seen->packets->cycles;
	bool whole = seen && call->metric->flow;
	if (whole && call->metric->flow(call, seen, numbers, error))
		return -1;
	if (!whole)
		*numbers = call->metric->end_run ? call->metric->end_run(call) : NAN;
	if (!whole && call->numbers > 1)
		numbers[1] = call->rates;
	return call->metric->gathers & METRIC_POOLED ? histogram_merge(&call->pooled, &call->run, error) : 0;
}

int metric_take_first(struct metric_call *call, const struct observation *seen, struct error *error)
{
	if (!metric_needs_first(call))
		return 0;
	call->has_first = true;
	return call->metric->first(call, seen, error);
}

int metric_add_level(struct metric_call *call, const struct level *level, struct error *error)
{
	size_t count = level->rates ? histogram_bins(level->rates) : 0;
	struct bin *bins = array_create(count, sizeof *bins, error);
	if (!bins)
		return -1;
	if (level->rates)
		histogram_list(level->rates, bins);
	else
		call->rates = NAN;
	for (size_t i = 0; i < count; i++)
		call->rates += bins[i].value * (double)bins[i].count;
	free(bins);
	return histogram_merge(&call->run, level->weights, error);
}

double mean_number(const struct samples *samples, unsigned index)
{
	double sum = 0;
	size_t count = 0;
	for (size_t r = 0; r < samples->runs; r++) {
		double value = samples->numbers[r * samples->width + index];
		sum += isnan(value) ? 0 : value;
		count += !isnan(value);
	}
	return count ? sum / (double)count : NAN;
}

void finish_number(const struct samples *samples, unsigned index, const char *key, const char *label, struct result *result)
{
	result_quantity(result, key, label, mean_number(samples, index));
}

double quantile_of(const double *sorted, size_t count, double p)
{
	size_t index = (size_t)ceil(p * (double)count);
	return count ? sorted[index ? index - 1 : 0] : NAN;
}

int finish_values(const struct samples *samples, const char *label, struct result *result, struct error *error)
{
	size_t bins;
	struct bin *list = count_values(samples->sorted, samples->count, &bins, error);
	if (!list)
		return -1;
	struct statistics s = {.min = NAN, .max = NAN, .mean = NAN, .variance = NAN, .low = NAN, .high = NAN};
	if (samples->count)
		s = statistics_of(samples->values, samples->sorted, samples->count);
	result_histogram(result, ITEM_HISTOGRAM, "histogram", label, "runs", list, bins);
	result_number(result, "min", "minimum", s.min);
	result_number(result, "max", "maximum", s.max);
	result_number(result, "mean", "mean", s.mean);
	result_number(result, "variance", "variance", s.variance);
	return 0;
}
