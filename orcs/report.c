#include "orcs/report.h"

#include "base/memory.h"
#include "base/shown.h"
#include "base/statistics.h"
#include "base/values.h"
#include "base/version.h"
#include "cli/palette.h"
#include "orcs/packet_job.h"

#include <cJSON.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_bisection(const char *pattern)
{
	return !strcmp(pattern, "bisect") || !strcmp(pattern, "bisect_fb_sym");
}

static bool sends_all_the_time(const struct options *options)
{
	return options->packet.loads || options->packet.saturation;
}

/* What was sent: the pattern, or of an open loop the traffic. */
static const char *what_was_sent(const struct options *options)
{
	return sends_all_the_time(options) ? options->packet.traffic : options->pattern.spec;
}

/* What control variates make of the mean. */
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
		struct gathered gathered = {values, sorted, count, report->outcome->numbers[m], call->numbers,
			report->outcome->numbers[m] ? report->outcome->runs : 0,
			report->setup->pattern && is_bisection(report->setup->pattern->pattern->name)};
		if (call->metric->finish(call, &gathered, &report->result[m], error))
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

/* The congestion sum of a channel: an integer, but where loads are split, or divided by the speed. */
static double channel_sum(const struct report *report, uint32_t channel)
{
	double sum = (double)report->outcome->channel_sum[channel] * report->outcome->channel_unit;
	return report->setup->speed_aware ? sum / report->setup->fabric->speed[channel] : sum;
}

/* Seconds for which the packet engine watched the channels, over all runs; 0: another engine. */
static double watched(const struct report *report)
{
	for (int m = 0; m < report->setup->metric_count; m++) {
		const struct item *item = result_find(&report->result[m], "channels");
		if (item && item->number[0] > 0)
			return item->number[0];
	}
	return 0;
}

/* Shares of the time in which the channel was busy. */
static double channel_busy(const struct report *report, uint32_t channel)
{
	return channel_sum(report, channel) / PICOSECONDS / watched(report);
}

/* Seconds in which the channel was a bottleneck, over all runs; of the packet engine the share of the time in which it was blocked. */
static double channel_limit(const struct report *report, uint32_t channel)
{
	double seconds = (double)report->outcome->channel_limit[channel] / PICOSECONDS, time = watched(report);
	return time > 0 ? seconds / time : seconds;
}

static const char *limit_name(const struct report *report)
{
	return watched(report) > 0 ? "blocked" : "bottleneck";
}

static double largest_sum(const struct report *report)
{
	double largest = 0;
	for (uint32_t c = 0; c < report->setup->fabric->channels; c++)
		if (channel_sum(report, c) > largest)
			largest = channel_sum(report, c);
	return largest;
}

/* Writes a weight: with six decimals, or as the integer that it is but for rounding. */
static void format_weight(char *text, size_t size, double weight)
{
	snprintf(text, size, fabs(weight - round(weight)) < 5e-7 ? "%.0f" : "%.6f", weight);
}

/* The key of a histogram's bin; bins whose keys read alike are merged: *count becomes their sum, *index the last of them. */
static void merge_bins(const struct item *item, size_t *index, char *text, size_t size, uint64_t *count)
{
	*count = item->bins[*index].count;
	if (item->any_size) {
		snprintf(text, size, "%.6g", item->bins[*index].value);
		return;
	}
	format_weight(text, size, item->bins[*index].value);
	*count = item->bins[*index].count;
	for (; *index + 1 < item->bin_count; ++*index) {
		char next[40];
		format_weight(next, sizeof next, item->bins[*index + 1].value);
		if (strcmp(text, next))
			break;
		*count += item->bins[*index + 1].count;
	}
}

/* ---- text */

enum { CELL = 32 };

static const char *format_cell(const struct item *item, size_t row, size_t column, char *text)
{
	double number = item->list[row * item->column_count + column];
	snprintf(text, CELL, isnan(number) ? "-" : "%.5g", number);
	return text;
}

/* How wide text has a column; 0: it leaves it out, as nobody calls it anything, or it has no numbers. */
static size_t column_width(const struct item *item, size_t column)
{
	const char *label = item->columns[column].label;
	size_t width = label ? strlen(label) : 0;
	bool any = false;
	char cell[CELL];
	for (size_t row = 0; row < item->list_count / item->column_count; row++) {
		size_t length = strlen(format_cell(item, row, column, cell));
		width = length > width ? length : width;
		any |= !isnan(item->list[row * item->column_count + column]);
	}
	return label && any ? width : 0;
}

/* Columns to the right, as wide as what is in them. */
static void text_table(FILE *file, const struct item *item)
{
	size_t rows = item->list_count / item->column_count;
	char cell[CELL];
	if (rows)
		fprintf(file, "%s:\n", item->label);
	for (size_t row = 0; rows && row <= rows; row++) {
		const char *before = "";
		for (size_t c = 0; c < item->column_count; c++) {
			int width = (int)column_width(item, c);
			if (!width)
				continue;
			fprintf(file, "%s%*s", before, width, row ? format_cell(item, row - 1, c, cell) : item->columns[c].label);
			before = "  ";
		}
		putc('\n', file);
	}
}

static void text_item(FILE *file, const struct item *item)
{
	char weight[40];
	uint64_t count;
	switch (item->type) {
	case ITEM_HISTOGRAM:
		for (size_t i = 0; i < item->bin_count; i++) {
			merge_bins(item, &i, weight, sizeof weight, &count);
			fprintf(file, "%s %s: %" PRIu64 " of the %" PRIu64 " %s\n", item->label, weight, count, item->count, item->of);
		}
		break;
	case ITEM_INTERVALS:
		for (size_t i = 0; i < item->bin_count; i++)
			if (item->bins[i].count)
				fprintf(file, "%s %.2f-%.2f: %" PRIu64 " of the %" PRIu64 " %s\n", item->label, item->bins[i].value,
					item->bins[i].value + 1.0 / (double)item->bin_count, item->bins[i].count, item->count, item->of);
		break;
	case ITEM_COUNT: fprintf(file, "%s: %" PRIu64 "\n", item->label, item->count); break;
	case ITEM_NUMBER:
		if (!isnan(item->number[0]))
			fprintf(file, "%s: %.6f\n", item->label, item->number[0]);
		break;
	case ITEM_RANGE:
		if (!isnan(item->number[0]))
			fprintf(file, item->any_size ? "%s: %.9g .. %.9g\n" : "%s: %.6f .. %.6f\n", item->label, item->number[0],
				item->number[1]);
		break;
	case ITEM_QUANTITY: fprintf(file, isnan(item->number[0]) ? "%s: none\n" : "%s: %.9g\n", item->label, item->number[0]); break;
	case ITEM_LIST:
		for (size_t i = 0; i < item->list_count; i++)
			fprintf(file, isnan(item->list[i]) ? "%s %zu: none\n" : "%s %zu: %.9g\n", item->label, i, item->list[i]);
		break;
	case ITEM_TABLE: text_table(file, item); break;
	case ITEM_CHANNELS: break;
	}
}

/* What is not the result stands before it as comments, so that scripts can tell them apart. */
static void text_names(const struct report *report, FILE *file)
{
	const struct fabric *fabric = report->setup->fabric;
	for (uint32_t r = 0; r < report->setup->placement->ranks; r++) {
		fputs("# ", file);
		write_shown(file, fabric->labels->name[fabric->host_node[report->setup->placement->host[r]]]);
		putc('\n', file);
	}
}

/* What prints the pattern: a sink that goes through its pairs. */
struct printer {
	struct sink sink;
	struct pair pairs[256];
	FILE *file;
	cJSON *list;
};

static void print_pairs(struct sink *sink)
{
	struct printer *printer = (struct printer *)sink;
	for (size_t i = 0; i < sink->count; i++) {
		const struct pair *pair = &sink->pairs[i];
		if (printer->file)
			fprintf(printer->file, "# %" PRIu32 " -> %" PRIu32 "\n", pair->sender, pair->receiver);
		else
			cJSON_AddItemToArray(printer->list, cJSON_CreateIntArray((const int[]){(int)pair->sender, (int)pair->receiver}, 2));
	}
}

/* The pairs of every level of the run that was drawn last, to the file or, when that is NULL, as a new list. */
static cJSON *print_pattern(const struct report *report, FILE *file)
{
	const struct campaign_setup *setup = report->setup;
	struct printer printer = {.sink = {.capacity = 256, .take = print_pairs}, .file = file};
	printer.sink.pairs = printer.pairs;
	cJSON *levels = file ? NULL : cJSON_CreateArray();
	for (uint64_t level = 0; level < pattern_levels(setup->pattern); level++) {
		if (setup->only_level >= 0 && level != (uint64_t)setup->only_level)
			continue;
		if (file)
			fprintf(file, "# level %" PRIu64 ":\n", level);
		else
			cJSON_AddItemToArray(levels, printer.list = cJSON_CreateArray());
		pattern_level(setup->pattern, level, &printer.sink);
	}
	return levels;
}

/* The value of every run, where a run has one. */
static void text_raw(const struct report *report, FILE *file, int m)
{
	const struct outcome *outcome = report->outcome;
	for (uint64_t r = 0; report->options->raw && outcome->raw[m] && r < outcome->runs; r++)
		if (isnan(outcome->raw[m][r]))
			fprintf(file, "run %" PRIu64 ": none\n", outcome->run[r]);
		else
			fprintf(file, "run %" PRIu64 ": %.9g\n", outcome->run[r], outcome->raw[m][r]);
}

static void write_text(const struct report *report, FILE *file)
{
	const struct campaign_setup *setup = report->setup;
	const char *before = "";
	if (report->options->print_names)
		text_names(report, file);
	if (report->options->print_pattern)
		print_pattern(report, file);
	for (int m = 0; m < setup->metric_count; m++) {
		const struct metric *metric = setup->metrics[m].metric;
		const struct result *result = &report->result[m];
		if (metric_is_graph(metric)) {
			if (!metric_file(&setup->metrics[m]))
				report_graph(report, file);
			continue;
		}
		if (setup->metric_count > 1)
			fprintf(file, "%s# %s\n", before, metric->name);
		before = "\n";
		text_raw(report, file, m);
		for (unsigned i = 0; i < result->items; i++)
			if (result->item[i].label)
				text_item(file, &result->item[i]);
		if (!setup->flow && !result->item[0].count)
			fputs("nothing was sent\n", file);
	}
	bool packets = sends_all_the_time(report->options);
	bool only_graph = setup->metric_count == 1 && metric_is_graph(setup->metrics[0].metric);
	const char *comment = only_graph ? "// " : "";
	if (setup->flow && report->outcome->unroutable)
		fprintf(file, "%snot delivered: %" PRIu64 " of the %" PRIu64 " %s\n", comment, report->outcome->unroutable,
			report->outcome->unroutable + report->outcome->connections, packets ? "packets" : "messages");
	else if (setup->drop)
		fprintf(file, "%sunroutable: %" PRIu64 " of the %" PRIu64 " %s left out\n", comment, report->outcome->unroutable,
			report->outcome->unroutable + report->outcome->connections, packets ? "packets" : "connections");
	if (report->outcome->partial)
		fprintf(file, "%spartial: %" PRIu64 " of the %" PRIu64 " runs\n", comment, report->outcome->runs, setup->runs);
}

/* ---- JSON */

static cJSON *json_raw(const struct outcome *outcome, int m)
{
	cJSON *list = cJSON_CreateArray();
	for (uint64_t r = 0; r < outcome->runs; r++)
		cJSON_AddItemToArray(list, json_number(outcome->raw[m][r]));
	return list;
}

static cJSON *json_channels(const struct report *report)
{
	const struct fabric *fabric = report->setup->fabric;
	double largest = largest_sum(report);
	cJSON *list = cJSON_CreateArray();
	for (uint32_t v = 0; v < fabric->nodes; v++)
		for (uint32_t c = fabric->first_channel[v]; c < fabric->first_channel[v + 1]; c++) {
			cJSON *channel = cJSON_CreateObject();
			double sum = channel_sum(report, c);
			char text[40];
			format_weight(text, sizeof text, sum);
			cJSON_AddItemToObject(channel, "id", json_count(c));
			cJSON_AddItemToObject(channel, "from", json_string(fabric->labels->name[v]));
			cJSON_AddItemToObject(channel, "to", json_string(fabric->labels->name[fabric->head[c]]));
			cJSON_AddItemToObject(channel, "sum", cJSON_CreateRaw(text));
			cJSON_AddItemToObject(channel, "congestion", json_number(largest > 0 ? sum / largest : 0));
			if (watched(report) > 0)
				cJSON_AddItemToObject(channel, "busy", json_number(channel_busy(report, c)));
			if (report->outcome->channel_limit)
				cJSON_AddItemToObject(channel, limit_name(report), json_number(channel_limit(report, c)));
			cJSON_AddItemToArray(list, channel);
		}
	return list;
}

static cJSON *json_table(const struct item *item)
{
	cJSON *rows = cJSON_CreateArray();
	for (size_t i = 0; i < item->list_count; i += item->column_count) {
		cJSON *row = cJSON_CreateObject();
		for (size_t c = 0; c < item->column_count; c++)
			cJSON_AddItemToObject(row, item->columns[c].key, json_number(item->list[i + c]));
		cJSON_AddItemToArray(rows, row);
	}
	return rows;
}

static cJSON *json_item(const struct report *report, const struct item *item)
{
	cJSON *json = NULL;
	char weight[40];
	uint64_t count;
	switch (item->type) {
	case ITEM_HISTOGRAM:
		json = cJSON_CreateObject();
		for (size_t i = 0; i < item->bin_count; i++) {
			merge_bins(item, &i, weight, sizeof weight, &count);
			cJSON_AddItemToObject(json, weight, json_count(count));
		}
		break;
	case ITEM_INTERVALS:
		json = cJSON_CreateArray();
		for (size_t i = 0; i < item->bin_count; i++)
			cJSON_AddItemToArray(json, json_count(item->bins[i].count));
		break;
	case ITEM_COUNT: json = json_count(item->count); break;
	case ITEM_NUMBER:
	case ITEM_QUANTITY: json = json_number(item->number[0]); break;
	case ITEM_LIST:
		json = cJSON_CreateArray();
		for (size_t i = 0; i < item->list_count; i++)
			cJSON_AddItemToArray(json, json_number(item->list[i]));
		break;
	case ITEM_RANGE:
		json = cJSON_CreateArray();
		cJSON_AddItemToArray(json, json_number(item->number[0]));
		cJSON_AddItemToArray(json, json_number(item->number[1]));
		if (isnan(item->number[0])) {
			cJSON_Delete(json);
			json = cJSON_CreateNull();
		}
		break;
	case ITEM_TABLE: json = json_table(item); break;
	case ITEM_CHANNELS: json = json_channels(report); break;
	}
	return json;
}

static cJSON *json_metrics(const struct report *report)
{
	const struct campaign_setup *setup = report->setup;
	cJSON *metrics = cJSON_CreateObject();
	for (int m = 0; m < setup->metric_count; m++) {
		cJSON *object = cJSON_AddObjectToObject(metrics, setup->metrics[m].metric->name);
		for (unsigned i = 0; i < report->result[m].items; i++)
			cJSON_AddItemToObject(object, report->result[m].item[i].key, json_item(report, &report->result[m].item[i]));
		if (report->options->raw && report->outcome->raw[m])
			cJSON_AddItemToObject(object, "raw", json_raw(report->outcome, m));
	}
	return metrics;
}

static cJSON *json_names(const struct report *report)
{
	const struct fabric *fabric = report->setup->fabric;
	cJSON *list = cJSON_CreateArray();
	for (uint32_t r = 0; r < report->setup->placement->ranks; r++)
		cJSON_AddItemToArray(list, json_string(fabric->labels->name[fabric->host_node[report->setup->placement->host[r]]]));
	return list;
}

static cJSON *json_fabric(const struct fabric *fabric)
{
	char hash[20];
	cJSON *json = cJSON_CreateObject();
	snprintf(hash, sizeof hash, "%016" PRIx64, fabric->labels->hash);
	cJSON_AddItemToObject(json, "file", json_string(fabric->labels->source));
	cJSON_AddStringToObject(json, "hash", hash);
	cJSON_AddItemToObject(json, "hosts", json_count(fabric->hosts));
	cJSON_AddItemToObject(json, "switches", json_count(fabric->nodes - fabric->hosts));
	cJSON_AddItemToObject(json, "channels", json_count(fabric->channels));
	return json;
}

/* The least and the largest of those of the channels, as quantities of that unit. */
static cJSON *json_extremes(const double *values, uint32_t count, double unit)
{
	double least = count ? values[0] : NAN, largest = least;
	for (uint32_t i = 1; i < count; i++) {
		least = fmin(least, values[i]);
		largest = fmax(largest, values[i]);
	}
	cJSON *json = cJSON_CreateArray();
	cJSON_AddItemToArray(json, json_number(least / unit));
	cJSON_AddItemToArray(json, json_number(largest / unit));
	return json;
}

/* What the packet engine ran with, given or not. */
static cJSON *json_packets(const struct packet_job *job)
{
	const struct packet_setup *s = &job->setup;
	double second = job->options->cycles ? CYCLE_NS * 1e-9 : 1, bit = job->options->cycles ? CYCLE_RATE : 1;
	const struct {
		const char *key;
		double number; /* NAN: null */
	} number[] = {
		{"lanes", job->router->lanes},
		{"mtu", s->mtu},
		{"buffer", s->buffer},
		{"eager", s->eager == PACKET_ALL_ASK ? 0
			  : s->eager                 ? s->eager
						     : NAN},
		{"control_packet", s->control},
		{"speedup", s->speedup},
		{"routing_delay", s->routing_delay / second},
		{"arbitration_delay", s->arbitration_delay / second},
		{"credit_delay", s->credit_delay / second},
		{"injection_rate", s->inject_rate > 0 ? s->inject_rate / bit : NAN},
		{"injection_latency", s->inject_latency / second},
		{"delivery_rate", s->deliver_rate > 0 ? s->deliver_rate / bit : NAN},
		{"delivery_latency", s->deliver_latency / second},
	};
	cJSON *json = cJSON_CreateObject();
	cJSON_AddBoolToObject(json, "cycles", job->options->cycles);
	cJSON_AddItemToObject(json, "capacity", json_extremes(s->capacity, s->fabric->channels, bit));
	cJSON_AddItemToObject(json, "latency", s->latency ? json_extremes(s->latency, s->fabric->channels, second) : cJSON_CreateNull());
	for (size_t i = 0; i < sizeof number / sizeof *number; i++)
		cJSON_AddItemToObject(json, number[i].key, json_number(number[i].number));
	cJSON_AddBoolToObject(json, "voq", s->voq);
	cJSON_AddBoolToObject(json, "store_forward", s->store_forward);
	cJSON_AddItemToObject(json, "arbiter", json_string(packet_arbiters[s->arbiter]));
	cJSON_AddItemToObject(json, "allocator", json_string(packet_allocators[s->allocator]));
	return json;
}

static int write_json(const struct report *report, FILE *file, struct error *error)
{
	const struct campaign_setup *setup = report->setup;
	const struct options *options = report->options;
	cJSON *json = cJSON_CreateObject();
	cJSON_AddStringToObject(json, "schema", "orcs-result/1");
	cJSON_AddStringToObject(json, "version", ORCS_VERSION);
	cJSON *command = cJSON_AddArrayToObject(json, "command");
	for (int i = 0; i < options->argc; i++)
		if (options_recorded(options, i))
			cJSON_AddItemToArray(command, json_string(options->argv[i]));
	cJSON_AddBoolToObject(json, "partial", report->outcome->partial);
	cJSON_AddItemToObject(json, "fabric", json_fabric(setup->fabric));
	cJSON_AddItemToObject(json, "pattern", json_string(what_was_sent(options)));
	if (options->pattern.argument)
		cJSON_AddItemToObject(json, "pattern_argument", json_string(options->pattern.argument));
	if (setup->flow) {
		cJSON_AddItemToObject(json, "engine", json_string(engine_names[options->engine]));
		cJSON_AddItemToObject(json, "bytes", json_number(options->bytes));
	}
	if (setup->flow && setup->flow->packets) {
		cJSON_AddItemToObject(json, "packet_routing", json_string(setup->flow->packets->name));
		cJSON_AddItemToObject(json, "packets", json_packets(setup->flow->packets));
	}
	if (setup->pattern && setup->pattern->first) {
		cJSON_AddItemToObject(json, "first_pattern", json_string(options->pattern.first));
		cJSON_AddItemToObject(json, "second_pattern", json_string(options->pattern.second));
		cJSON_AddItemToObject(json, "part_comm_size", json_count(setup->pattern->first->ranks));
	}
	if (setup->multipath)
		cJSON_AddItemToObject(json, "multipath", json_string(multipath_modes[setup->multipath->setup.mode]));
	if (setup->only_level >= 0)
		cJSON_AddItemToObject(json, "level", json_count((uint64_t)setup->only_level));
	cJSON_AddItemToObject(json, "comm_size", json_count(setup->placement->ranks));
	cJSON_AddItemToObject(json, "subset", json_string(options->subset));
	cJSON_AddItemToObject(json, "mapping", json_string(options->mapping));
	cJSON_AddItemToObject(json, "seed", json_count(setup->seed));
	cJSON_AddItemToObject(json, "runs", json_count(report->outcome->runs));
	cJSON_AddItemToObject(json, "unroutable", json_count(report->outcome->unroutable));
	if (options->print_names)
		cJSON_AddItemToObject(json, "hosts", json_names(report));
	if (options->print_pattern)
		cJSON_AddItemToObject(json, "pattern_levels", print_pattern(report, NULL));
	cJSON_AddItemToObject(json, "metrics", json_metrics(report));
	char *text = cJSON_PrintUnformatted(json);
	cJSON_Delete(json);
	if (!text)
		return error_set(error, STATUS_IO, "out of memory for the JSON result");
	fprintf(file, "%s\n", text);
	cJSON_free(text);
	return 0;
}

/* ---- CSV: one row for every number, "metric,item,key,value" */

static void csv_number(FILE *file, const char *metric, const char *item, double number)
{
	fprintf(file, "%s,%s,,", metric, item);
	if (!isnan(number))
		fprintf(file, "%.17g", number);
	putc('\n', file);
}

static void csv_channels(const struct report *report, FILE *file, const char *metric)
{
	const struct fabric *fabric = report->setup->fabric;
	double largest = largest_sum(report);
	for (uint32_t v = 0; v < fabric->nodes; v++)
		for (uint32_t c = fabric->first_channel[v]; c < fabric->first_channel[v + 1]; c++) {
			char text[40];
			double sum = channel_sum(report, c);
			format_weight(text, sizeof text, sum);
			fprintf(file, "%s,from,%" PRIu32 ",", metric, c);
			csv_text(file, fabric->labels->name[v]);
			fprintf(file, "\n%s,to,%" PRIu32 ",", metric, c);
			csv_text(file, fabric->labels->name[fabric->head[c]]);
			fprintf(file, "\n%s,sum,%" PRIu32 ",%s\n", metric, c, text);
			fprintf(file, "%s,congestion,%" PRIu32 ",%.17g\n", metric, c, largest > 0 ? sum / largest : 0);
			if (watched(report) > 0)
				fprintf(file, "%s,busy,%" PRIu32 ",%.17g\n", metric, c, channel_busy(report, c));
			if (report->outcome->channel_limit)
				fprintf(file, "%s,%s,%" PRIu32 ",%.17g\n", metric, limit_name(report), c, channel_limit(report, c));
		}
}

/* A line for each cell: the item is the table's key and the column's, the key the row. */
static void csv_table(FILE *file, const char *metric, const struct item *item)
{
	for (size_t i = 0; i < item->list_count; i++) {
		fprintf(file, "%s,%s.%s,%zu,", metric, item->key, item->columns[i % item->column_count].key, i / item->column_count);
		fprintf(file, isnan(item->list[i]) ? "\n" : "%.17g\n", item->list[i]);
	}
}

static void csv_item(const struct report *report, FILE *file, const char *metric, const struct item *item)
{
	char weight[40];
	uint64_t count;
	switch (item->type) {
	case ITEM_HISTOGRAM:
		for (size_t i = 0; i < item->bin_count; i++) {
			merge_bins(item, &i, weight, sizeof weight, &count);
			fprintf(file, "%s,%s,%s,%" PRIu64 "\n", metric, item->key, weight, count);
		}
		break;
	case ITEM_INTERVALS:
		for (size_t i = 0; i < item->bin_count; i++)
			fprintf(file, "%s,%s,%.2f,%" PRIu64 "\n", metric, item->key, item->bins[i].value, item->bins[i].count);
		break;
	case ITEM_COUNT: fprintf(file, "%s,%s,,%" PRIu64 "\n", metric, item->key, item->count); break;
	case ITEM_NUMBER:
	case ITEM_QUANTITY: csv_number(file, metric, item->key, item->number[0]); break;
	case ITEM_LIST:
		for (size_t i = 0; i < item->list_count; i++)
			fprintf(file, isnan(item->list[i]) ? "%s,%s,%zu,\n" : "%s,%s,%zu,%.17g\n", metric, item->key, i, item->list[i]);
		break;
	case ITEM_RANGE:
		for (int i = 0; i < 2; i++) {
			fprintf(file, "%s,%s,%s,", metric, item->key, i ? "high" : "low");
			fprintf(file, isnan(item->number[i]) ? "\n" : "%.17g\n", item->number[i]);
		}
		break;
	case ITEM_TABLE: csv_table(file, metric, item); break;
	case ITEM_CHANNELS: csv_channels(report, file, metric); break;
	}
}

static void write_csv(const struct report *report, FILE *file)
{
	const struct campaign_setup *setup = report->setup;
	fprintf(file, "metric,item,key,value\nsummary,runs,,%" PRIu64 "\nsummary,unroutable,,%" PRIu64 "\nsummary,partial,,%d\n",
		report->outcome->runs, report->outcome->unroutable, report->outcome->partial);
	for (int m = 0; m < setup->metric_count; m++) {
		const char *name = setup->metrics[m].metric->name;
		for (unsigned i = 0; i < report->result[m].items; i++)
			csv_item(report, file, name, &report->result[m].item[i]);
		const struct outcome *outcome = report->outcome;
		for (uint64_t r = 0; report->options->raw && outcome->raw[m] && r < outcome->runs; r++)
			fprintf(file, isnan(outcome->raw[m][r]) ? "%s,raw,%" PRIu64 ",\n" : "%s,raw,%" PRIu64 ",%.17g\n", name,
				outcome->run[r], outcome->raw[m][r]);
	}
}

int report_write(const struct report *report, FILE *file, struct error *error)
{
	if (report->options->print_pattern && pattern_run(report->setup->pattern, 0, error))
		return -1;
	if (report->options->format == FORMAT_JSON)
		return write_json(report, file, error);
	if (report->options->format == FORMAT_CSV)
		write_csv(report, file);
	else
		write_text(report, file);
	return 0;
}

/* ---- the coloured graph */

struct colouring {
	const struct report *report;
	double largest, full; /* the largest sum; the sum that is full red */
};

static void column_congestion(FILE *file, uint32_t channel, const void *data)
{
	const struct colouring *c = data;
	fprintf(file, "%.6f", c->largest > 0 ? channel_sum(c->report, channel) / c->largest : 0);
}

static void column_sum(FILE *file, uint32_t channel, const void *data)
{
	char text[40];
	format_weight(text, sizeof text, channel_sum(((const struct colouring *)data)->report, channel));
	fputs(text, file);
}

static void column_limit(FILE *file, uint32_t channel, const void *data)
{
	fprintf(file, "%.9g", channel_limit(((const struct colouring *)data)->report, channel));
}

static void column_busy(FILE *file, uint32_t channel, const void *data)
{
	fprintf(file, "%.6f", channel_busy(((const struct colouring *)data)->report, channel));
}

static void column_colour(FILE *file, uint32_t channel, const void *data)
{
	const struct colouring *c = data;
	char text[40];
	palette_colour(c->report->options->palette, c->full > 0 ? channel_sum(c->report, channel) / c->full : 0, text, sizeof text);
	fputs(text, file);
}

void report_graph(const struct report *report, FILE *file)
{
	const struct campaign_setup *setup = report->setup;
	uint64_t levels = setup->only_level >= 0 || setup->flow ? 1 : pattern_levels(setup->pattern);
	bool packets = watched(report) > 0;
	double most =
		packets ? watched(report) * PICOSECONDS : (double)(report->outcome->runs * levels); /* what --absolute is a share of */
	struct colouring colouring = {.report = report, .largest = largest_sum(report)};
	colouring.full = report->options->absolute > 0 ? report->options->absolute * most : colouring.largest;
	struct dot_column columns[] = {
		{"congestion", column_congestion, &colouring},
		{packets ? "busy" : "congestion_sum", packets ? column_busy : column_sum, &colouring},
		{"color", column_colour, &colouring},
		{report->outcome->channel_limit ? limit_name(report) : NULL, column_limit, &colouring},
		{NULL, NULL, NULL},
	};
	char runs[24], level_count[24], full[40];
	snprintf(runs, sizeof runs, "%" PRIu64, report->outcome->runs);
	snprintf(level_count, sizeof level_count, "%" PRIu64, levels);
	format_weight(full, sizeof full, packets ? colouring.full / (watched(report) * PICOSECONDS) : colouring.full);
	struct dot_pair pairs[] = {
		{"orcs_pattern", what_was_sent(report->options)},
		{"orcs_runs", runs},
		{"orcs_levels", level_count},
		{"orcs_full_sum", full},
		{"orcs_palette", report->options->palette},
		{setup->flow ? "orcs_unit" : NULL, packets ? "busy" : "bits"}, /* else routes */
		{NULL, NULL},
	};
	dot_write(report->setup->fabric, report->attributes, file, columns, pairs);
}
