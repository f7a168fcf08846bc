/* The contents of a report, and the parts that its formats share. */
#include "orcs/report_workspace.h"

#include "base/memory.h"
#include "base/statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_bisection(const char *pattern)
{
	return !strcmp(pattern, "bisect") || !strcmp(pattern, "bisect_fb_sym");
}

/* Adds the mean with control variates. */
static void add_controlled(const struct report *report, const double *values, size_t count, struct result *result)
{
	const struct control *control = report->setup->control;
	struct controlled c = {NAN, NAN, NAN};
	if (!control)
		return;
	if (report->outcome->sums && count && count == report->outcome->runs)
		c = control_estimate(values, report->outcome->sums, count, control->expected);
	bool known = isfinite(c.half);
	result_number(result, "control_mean", "mean by control variates", known ? c.mean : NAN);
	result_range(
		result, "control_ci95", "95% confidence interval of that", known ? c.mean - c.half : NAN, known ? c.mean + c.half : NAN);
	result_number(result, "control_left", "share of the variance that is left", known ? c.left : NAN);
}

int report_make(struct report *report, struct error *error)
{
	const struct engine_setup *s = &report->setup->work->setup;
	if (report->loads.levels && hottest_find(&report->hottest, &report->loads, error))
		return -1;
	for (int m = 0; m < report->setup->metric_count; m++) {
		const struct metric_call *call = &report->setup->metrics[m];
		size_t count = report->outcome->value_count[m];
		const double *values = report->outcome->values[m];
		double *sorted = report->sorted[m] = array_create(count, sizeof *sorted, error);
		if (!sorted)
			return -1;
		if (count)
			memcpy(sorted, values, count * sizeof *sorted);
		sort_values(sorted, count);
		struct samples samples = {values, sorted, count, report->outcome->numbers[m], call->numbers,
			report->outcome->numbers[m] ? report->outcome->runs : 0, s->pattern && is_bisection(s->pattern->pattern->name)};
		if (call->metric->finish(call, &samples, &report->result[m], error))
			return -1;
		if (call->metric->gathers & METRIC_VALUES)
			add_controlled(report, values, count, &report->result[m]);
	}
	return 0;
}

void report_clear(struct report *report)
{
	for (int m = 0; m < METRICS_MAX; m++) {
		result_clear(&report->result[m]);
		free(report->sorted[m]);
		report->sorted[m] = NULL;
	}
}

int report_value(const struct report *report, const struct threshold *threshold, double *value)
{
	for (int m = 0; m < report->setup->metric_count; m++) {
		const char *key = threshold->key, *name = report->setup->metrics[m].metric->name;
		size_t length = strlen(name);
		const struct item *item = NULL;
		if (!strcmp(key, "bw")) {
			item = result_find(&report->result[m], "bandwidth");
			if (!item && !strcmp(name, "hist_acc_band"))
				item = result_find(&report->result[m], report->setup->control ? "control_mean" : "mean");
		} else {
			if (!strncmp(key, name, length) && key[length] == '.')
				key += length + 1;
			item = result_find(&report->result[m], key);
		}
		if (item && (item->type == ITEM_NUMBER || item->type == ITEM_QUANTITY || item->type == ITEM_COUNT)) {
			*value = item->type == ITEM_COUNT ? (double)item->count : item->number[0];
			return 0;
		}
	}
	return -1;
}

double report_channel_sum(const struct report *report, uint32_t channel)
{
	double sum = (double)report->outcome->channel_sum[channel] * report->outcome->channel_unit;
	return report->setup->work->setup.speed_aware ? sum / report_fabric(report)->speed[channel] : sum;
}

double report_watched(const struct report *report)
{
	for (int m = 0; m < report->setup->metric_count; m++) {
		const struct item *item = result_find(&report->result[m], "channels");
		if (item && item->number[0] > 0)
			return item->number[0];
	}
	return 0;
}

double report_channel_busy(const struct report *report, uint32_t channel)
{
	return report_channel_sum(report, channel) / PICOSECONDS / report_watched(report);
}

double report_channel_limit(const struct report *report, uint32_t channel)
{
	double seconds = (double)report->outcome->channel_limit[channel] / PICOSECONDS, time = report_watched(report);
	return time > 0 ? seconds / time : seconds;
}

const char *report_limit_name(const struct report *report)
{
	return report_watched(report) > 0 ? "blocked" : "bottleneck";
}

double report_largest_sum(const struct report *report)
{
	double largest = 0;
	for (uint32_t c = 0; c < report_fabric(report)->channels; c++)
		if (report_channel_sum(report, c) > largest)
			largest = report_channel_sum(report, c);
	return largest;
}

void report_format_weight(char *text, size_t size, double weight)
{
	snprintf(text, size, fabs(weight - round(weight)) < 5e-7 ? "%.0f" : "%.6f", weight);
}

void report_merge_bins(const struct item *item, size_t *index, char *text, size_t size, uint64_t *count)
{
	*count = item->bins[*index].count;
	if (item->any_size) {
		snprintf(text, size, "%.6g", item->bins[*index].value);
		return;
	}
	report_format_weight(text, size, item->bins[*index].value);
	*count = item->bins[*index].count;
	for (; *index + 1 < item->bin_count; ++*index) {
		char next[40];
		report_format_weight(next, sizeof next, item->bins[*index + 1].value);
		if (strcmp(text, next))
			break;
		*count += item->bins[*index + 1].count;
	}
}
