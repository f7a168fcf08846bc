/* The report as text. */
#include "orcs/report_workspace.h"

#include "base/shown.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

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
			report_merge_bins(item, &i, weight, sizeof weight, &count);
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
	const struct fabric *fabric = report_fabric(report);
	for (uint32_t r = 0; r < report->setup->placement->ranks; r++) {
		fputs("# ", file);
		write_shown(file, fabric->labels->name[fabric->host_node[report->setup->placement->host[r]]]);
		putc('\n', file);
	}
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

void report_write_text(const struct report *report, FILE *file)
{
	const struct campaign_setup *setup = report->setup;
	const struct engine_setup *s = &setup->work->setup;
	const char *before = "";
	if (report->options->print_names)
		text_names(report, file);
	if (report->options->print_pattern)
		report_print_pattern(report, file);
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
		if (runs_of_pairs(setup->work) && !result->item[0].count)
			fputs("nothing was sent\n", file);
	}
	bool open = setup->work->terms.open;
	bool only_graph = setup->metric_count == 1 && metric_is_graph(setup->metrics[0].metric);
	const char *comment = only_graph ? "// " : "";
	if (!runs_of_pairs(setup->work) && report->outcome->unroutable)
		fprintf(file, "%snot delivered: %" PRIu64 " of the %" PRIu64 " %s\n", comment, report->outcome->unroutable,
			report->outcome->unroutable + report->outcome->connections, open ? "packets" : "messages");
	else if (s->drop)
		fprintf(file, "%sunroutable: %" PRIu64 " of the %" PRIu64 " %s left out\n", comment, report->outcome->unroutable,
			report->outcome->unroutable + report->outcome->connections, open ? "packets" : "connections");
	if (report->outcome->partial)
		fprintf(file, "%spartial: %" PRIu64 " of the %" PRIu64 " runs\n", comment, report->outcome->runs, setup->runs);
}
