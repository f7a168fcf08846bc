/* The report as CSV: one row for every number, "metric,item,key,value". */
#include "orcs/report_workspace.h"

#include "base/values.h"

#include <inttypes.h>
#include <math.h>

static void csv_number(FILE *file, const char *metric, const char *item, double number)
{
	fprintf(file, "%s,%s,,", metric, item);
	if (!isnan(number))
		fprintf(file, "%.17g", number);
	putc('\n', file);
}

static void csv_channels(const struct report *report, FILE *file, const char *metric)
{
	const struct fabric *fabric = report_fabric(report);
	double largest = report_largest_sum(report);
	for (uint32_t v = 0; v < fabric->nodes; v++)
		for (uint32_t c = fabric->first_channel[v]; c < fabric->first_channel[v + 1]; c++) {
			char text[40];
			double sum = report_channel_sum(report, c);
			report_format_weight(text, sizeof text, sum);
			fprintf(file, "%s,from,%" PRIu32 ",", metric, c);
			csv_text(file, fabric->labels->name[v]);
			fprintf(file, "\n%s,to,%" PRIu32 ",", metric, c);
			csv_text(file, fabric->labels->name[fabric->head[c]]);
			fprintf(file, "\n%s,sum,%" PRIu32 ",%s\n", metric, c, text);
			fprintf(file, "%s,congestion,%" PRIu32 ",%.17g\n", metric, c, largest > 0 ? sum / largest : 0);
			if (report_watched(report) > 0)
				fprintf(file, "%s,busy,%" PRIu32 ",%.17g\n", metric, c, report_channel_busy(report, c));
			if (report->outcome->channel_limit)
				fprintf(file, "%s,%s,%" PRIu32 ",%.17g\n", metric, report_limit_name(report), c,
					report_channel_limit(report, c));
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
			report_merge_bins(item, &i, weight, sizeof weight, &count);
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

void report_write_csv(const struct report *report, FILE *file)
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
