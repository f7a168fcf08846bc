/* The report as JSON: schema orcs-result/1, see doc/orcs-result.md. */
#include "orcs/report_workspace.h"

#include "base/values.h"
#include "base/version.h"

#include <cJSON.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

static cJSON *json_raw(const struct outcome *outcome, int m)
{
	cJSON *list = cJSON_CreateArray();
	for (uint64_t r = 0; r < outcome->runs; r++)
		cJSON_AddItemToArray(list, json_number(outcome->raw[m][r]));
	return list;
}

static cJSON *json_channels(const struct report *report)
{
	const struct fabric *fabric = report_fabric(report);
	double largest = report_largest_sum(report);
	cJSON *list = cJSON_CreateArray();
	for (uint32_t v = 0; v < fabric->nodes; v++)
		for (uint32_t c = fabric->first_channel[v]; c < fabric->first_channel[v + 1]; c++) {
			cJSON *channel = cJSON_CreateObject();
			double sum = report_channel_sum(report, c);
			char text[40];
			report_format_weight(text, sizeof text, sum);
			cJSON_AddItemToObject(channel, "id", json_count(c));
			cJSON_AddItemToObject(channel, "from", json_string(fabric->labels->name[v]));
			cJSON_AddItemToObject(channel, "to", json_string(fabric->labels->name[fabric->head[c]]));
			cJSON_AddItemToObject(channel, "sum", cJSON_CreateRaw(text));
			cJSON_AddItemToObject(channel, "congestion", json_number(largest > 0 ? sum / largest : 0));
			if (report_watched(report) > 0)
				cJSON_AddItemToObject(channel, "busy", json_number(report_channel_busy(report, c)));
			if (report->outcome->channel_limit)
				cJSON_AddItemToObject(channel, report_limit_name(report), json_number(report_channel_limit(report, c)));
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
			report_merge_bins(item, &i, weight, sizeof weight, &count);
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
	const struct fabric *fabric = report_fabric(report);
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

int report_write_json(const struct report *report, FILE *file, struct error *error)
{
	const struct campaign_setup *setup = report->setup;
	const struct runs *runs = setup->work;
	const struct engine_setup *s = &runs->setup;
	const struct options *options = report->options;
	cJSON *json = cJSON_CreateObject();
	cJSON_AddStringToObject(json, "schema", "orcs-result/1");
	cJSON_AddStringToObject(json, "version", ORCS_VERSION);
	cJSON *command = cJSON_AddArrayToObject(json, "command");
	for (int i = 0; i < options->argc; i++)
		if (options_recorded(options, i))
			cJSON_AddItemToArray(command, json_string(options->argv[i]));
	cJSON_AddBoolToObject(json, "partial", report->outcome->partial);
	cJSON_AddItemToObject(json, "fabric", json_fabric(report_fabric(report)));
	cJSON_AddItemToObject(json, "pattern", json_string(report_sent(report)));
	if (options->pattern.argument)
		cJSON_AddItemToObject(json, "pattern_argument", json_string(options->pattern.argument));
	if (!runs_of_pairs(runs)) {
		cJSON_AddItemToObject(json, "engine", json_string(runs->engine->name));
		cJSON_AddItemToObject(json, "bytes", json_number(options->bytes));
	}
	if (runs->engine->record)
		runs->engine->record(runs->state, json);
	if (s->pattern && s->pattern->first) {
		cJSON_AddItemToObject(json, "first_pattern", json_string(options->pattern.first));
		cJSON_AddItemToObject(json, "second_pattern", json_string(options->pattern.second));
		cJSON_AddItemToObject(json, "part_comm_size", json_count(s->pattern->first->ranks));
	}
	if (s->multipath)
		cJSON_AddItemToObject(json, "multipath", json_string(multipath_modes[s->multipath->setup.mode]));
	if (s->only_level >= 0)
		cJSON_AddItemToObject(json, "level", json_count((uint64_t)s->only_level));
	cJSON_AddItemToObject(json, "comm_size", json_count(setup->placement->ranks));
	cJSON_AddItemToObject(json, "subset", json_string(options->subset));
	cJSON_AddItemToObject(json, "mapping", json_string(options->mapping));
	cJSON_AddItemToObject(json, "seed", json_count(setup->seed));
	cJSON_AddItemToObject(json, "runs", json_count(report->outcome->runs));
	cJSON_AddItemToObject(json, "unroutable", json_count(report->outcome->unroutable));
	if (options->print_names)
		cJSON_AddItemToObject(json, "hosts", json_names(report));
	if (options->print_pattern)
		cJSON_AddItemToObject(json, "pattern_levels", report_print_pattern(report, NULL));
	cJSON_AddItemToObject(json, "metrics", json_metrics(report));
	char *text = cJSON_PrintUnformatted(json);
	cJSON_Delete(json);
	if (!text)
		return error_set(error, STATUS_IO, "out of memory for the JSON result");
	fprintf(file, "%s\n", text);
	cJSON_free(text);
	return 0;
}
