/* The report as text, JSON (schema orcs-result/1, see doc/orcs-result.md) and CSV: a row for every number, "metric,item,key,value". */
#include "orcs/report_workspace.h"

#include "base/document.h"
#include "base/shown.h"
#include "fabric/described.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* A report being written, and its channels. */
struct writer {
	const struct report *report;
	struct document *document;
	double largest;     /* of the channels' sums */
	struct node *inner; /* the object of the last item "a.b"; NULL: the last item was none */
	const char *inner_key;
	struct column columns[7];
};

/* ---- items of metrics */

static void channel_row(struct row *row, size_t index, const void *data)
{
	const struct writer *w = data;
	const struct fabric *fabric = report_fabric(w->report);
	uint32_t channel = (uint32_t)index;
	double sum = report_channel_sum(w->report, channel);
	char text[40];
	report_format_weight(text, sizeof text, sum);
	row_count(row, channel);
	row_text(row, fabric->labels->name[fabric_tail(fabric, channel)]);
	row_text(row, fabric->labels->name[fabric->head[channel]]);
	row_print(row, "%s", text);
	row_number(row, w->largest > 0 ? sum / w->largest : 0, NULL);
	if (report_watched(w->report) > 0)
		row_number(row, report_channel_busy(w->report, channel), NULL);
	if (w->report->outcome->channel_limit)
		row_number(row, report_channel_limit(w->report, channel), NULL);
}

static void add_hottest(struct node *to, const struct report *report)
{
	const struct fabric *fabric = report_fabric(report);
	const uint64_t *guid = fabric->labels->guid;
	uint32_t channel = report->hottest.channel;
	if (channel == NONE) {
		add_value(to, "hottest", NO_VALUE);
		return;
	}
	struct node *object = add_object(to, "hottest");
	add_count(object, "id", channel);
	add_channel(object, fabric, channel);
	add_guids(object, guid[fabric_tail(fabric, channel)], guid[fabric->head[channel]]);
	add_number(object, "mean", report_channel_sum(report, channel) / (double)(report->loads.runs * report->loads.levels));
	hottest_add(object, &report->hottest);
}

/* In CSV the number of a channel is that of its row. */
static void add_channels(struct node *to, struct writer *w)
{
	static const struct column columns[] = {{.key = "id", .csv = ""}, {.key = "from", .csv = "from"}, {.key = "to", .csv = "to"},
		{.key = "sum", .csv = "sum"}, {.key = "congestion", .csv = "congestion"}};
	unsigned count = sizeof columns / sizeof *columns;
	memcpy(w->columns, columns, sizeof columns);
	if (report_watched(w->report) > 0)
		w->columns[count++] = (struct column){.key = "busy", .csv = "busy"};
	if (w->report->outcome->channel_limit)
		w->columns[count++] = (struct column){.key = report_limit_name(w->report), .csv = report_limit_name(w->report)};
	w->largest = report_largest_sum(w->report);
	if (w->report->loads.levels)
		add_hottest(to, w->report);
	add_table(to, "channels", (struct table){w->columns, count, report_fabric(w->report)->channels, channel_row, w});
}

static void item_row(struct row *row, size_t index, const void *data)
{
	const struct item *item = data;
	for (size_t c = 0; c < item->column_count; c++)
		row_number(row, item->list[index * item->column_count + c], "%.5g");
}

/* The text omits columns without a label, or without any number. */
static void write_table(struct node *to, FILE *text, const struct item *item)
{
	struct document *d = document_of(to);
	size_t rows = item->list_count / item->column_count;
	struct column *columns = document_alloc(d, item->column_count * sizeof *columns);
	if (!columns)
		return;
	for (size_t c = 0; c < item->column_count; c++)
		columns[c] =
			(struct column){.key = item->columns[c].key, .title = item->columns[c].label, .optional = true, .before = "  "};
	const struct table table = {columns, (unsigned)item->column_count, rows, item_row, item};
	add_table(to, item->key, table);
	if (!rows || text != d->text)
		return;
	fprintf(text, "%s:\n", item->label);
	say_table(d, table);
}

static void write_histogram(struct node *to, FILE *text, const struct item *item)
{
	struct document *d = document_of(to);
	struct node *bins = add_object(to, item->key);
	char weight[40];
	uint64_t count;
	for (size_t i = 0; i < item->bin_count; i++) {
		report_merge_bins(item, &i, weight, sizeof weight, &count);
		fprintf(text, "%s %s: %" PRIu64 " of the %" PRIu64 " %s\n", item->label, weight, count, item->count, item->of);
		add_count(bins, document_print(d, "%s", weight), count);
	}
}

/* The text omits empty bins. */
static void write_intervals(struct node *to, FILE *text, const struct item *item)
{
	struct node *bins = add_list(to, item->key);
	for (size_t i = 0; i < item->bin_count; i++) {
		const struct bin *bin = &item->bins[i];
		if (bin->count)
			fprintf(text, "%s %.2f-%.2f: %" PRIu64 " of the %" PRIu64 " %s\n", item->label, bin->value,
				bin->value + 1.0 / (double)item->bin_count, bin->count, item->count, item->of);
		add_count(bins, document_print(document_of(to), "%.2f", bin->value), bin->count);
	}
}

static void write_list(struct node *to, FILE *text, const struct item *item)
{
	struct node *list = add_list(to, item->key);
	for (size_t i = 0; i < item->list_count; i++) {
		fprintf(text, isnan(item->list[i]) ? "%s %zu: none\n" : "%s %zu: %.9g\n", item->label, i, item->list[i]);
		add_number(list, NULL, item->list[i]);
	}
}

/* Returns the object of an item: for "a.b" the object a, of which *key becomes the member. */
static struct node *object_of(struct writer *w, struct node *to, const char **key)
{
	const char *point = strchr(*key, '.');
	size_t length = point ? (size_t)(point - *key) + 1 : 0;
	if (!point) {
		w->inner = NULL;
		return to;
	}
	if (!w->inner || strncmp(w->inner_key, *key, length) != 0)
		w->inner = add_object(to, document_print(document_of(to), "%.*s", (int)length - 1, *key));
	w->inner_key = *key;
	*key = point + 1;
	return w->inner;
}

static void write_rows(struct node *to, FILE *text, const struct item *item)
{
	struct document *d = document_of(to);
	add_table(to, item->key, item->rows);
	if (!item->rows.rows || text != d->text)
		return;
	fprintf(text, "%s:\n", item->label);
	say_table(d, item->rows);
}

/* Writes an item as a member of its metric, and as text if it has a text form. */
static void write_item(struct writer *w, struct node *to, FILE *text, const struct item *item)
{
	double number = item->number[0];
	const char *key = item->key;
	struct node *object = object_of(w, to, &key);
	switch (item->type) {
	case ITEM_HISTOGRAM: write_histogram(to, text, item); break;
	case ITEM_INTERVALS: write_intervals(to, text, item); break;
	case ITEM_COUNT:
		fprintf(text, "%s: %" PRIu64 "\n", item->label, item->count);
		add_count(to, item->key, item->count);
		break;
	case ITEM_NUMBER:
		if (!isnan(number))
			fprintf(text, "%s: %.6f\n", item->label, number);
		add_number(to, item->key, number);
		break;
	case ITEM_QUANTITY:
		fprintf(text, isnan(number) ? "%s: none\n" : "%s: %.9g\n", item->label, number);
		add_number(object, key, number);
		break;
	case ITEM_RANGE:
		if (!isnan(number))
			fprintf(text, item->any_size ? "%s: %.9g .. %.9g\n" : "%s: %.6f .. %.6f\n", item->label, number, item->number[1]);
		add_range(to, item->key, number, item->number[1]);
		break;
	case ITEM_LIST: write_list(to, text, item); break;
	case ITEM_TABLE: write_table(to, text, item); break;
	case ITEM_ROWS: write_rows(to, text, item); break;
	case ITEM_CHANNELS: add_channels(to, w); break;
	}
}

/* ---- metrics */

static void say_raw(FILE *text, const struct outcome *outcome, int m)
{
	for (uint64_t r = 0; r < outcome->runs; r++)
		if (isnan(outcome->raw[m][r]))
			fprintf(text, "run %" PRIu64 ": none\n", outcome->run[r]);
		else
			fprintf(text, "run %" PRIu64 ": %.9g\n", outcome->run[r], outcome->raw[m][r]);
}

/* In CSV the rows have the numbers of the runs. */
static void add_raw(struct node *to, const struct outcome *outcome, int m)
{
	struct document *d = document_of(to);
	struct node *list = add_list(to, "raw");
	for (uint64_t r = 0; r < outcome->runs; r++)
		add_number(list, d->format == FORMAT_CSV ? document_print(d, "%" PRIu64, outcome->run[r]) : NULL, outcome->raw[m][r]);
}

/* The text of a graph metric is the graph, unless it has its own file. */
static void write_metric(struct writer *w, struct node *to, int m)
{
	const struct report *report = w->report;
	const struct metric_call *call = &report->setup->metrics[m];
	const struct result *result = &report->result[m];
	struct document *d = w->document;
	bool graph = metric_is_graph(call->metric), raw = report->options->raw && report->outcome->raw[m];
	if (graph && d->format == FORMAT_TEXT && !metric_file(call))
		report_graph(report, d->text);
	FILE *text = graph || d->format != FORMAT_TEXT ? d->nowhere : d->text;
	if (raw && text != d->nowhere)
		say_raw(text, report->outcome, m);
	for (unsigned i = 0; i < result->items; i++)
		write_item(w, to, result->item[i].label ? text : d->nowhere, &result->item[i]);
	if (runs_of_pairs(report->setup->work) && !result->item[0].count)
		fputs("nothing was sent\n", text);
	if (raw && d->format != FORMAT_TEXT)
		add_raw(to, report->outcome, m);
}

static void write_metrics(struct writer *w, struct node *to)
{
	const struct campaign_setup *setup = w->report->setup;
	const char *before = "";
	for (int m = 0; m < setup->metric_count; m++) {
		const struct metric *metric = setup->metrics[m].metric;
		if (setup->metric_count > 1 && !metric_is_graph(metric))
			fprintf(w->document->text, "%s# %s\n", before, metric->name);
		if (!metric_is_graph(metric))
			before = "\n";
		write_metric(w, add_object(to, metric->name), m);
	}
}

/* ---- additions to the result: in text, comments before it, so that scripts can distinguish them */

static void write_names(struct node *to, const struct report *report)
{
	const struct fabric *fabric = report_fabric(report);
	struct node *list = add_list(to, "hosts");
	FILE *text = document_of(to)->text;
	for (uint32_t r = 0; r < report->setup->placement->ranks; r++) {
		const char *name = fabric->labels->name[fabric->host_node[report->setup->placement->host[r]]];
		fputs("# ", text);
		write_shown(text, name);
		putc('\n', text);
		add_text(list, NULL, name);
	}
}

/* Prints the pattern: a sink of its pairs. */
struct printer {
	struct sink sink;
	struct pair pairs[256];
	FILE *text;
	struct node *list;
};

static void print_pairs(struct sink *sink)
{
	struct printer *printer = (struct printer *)sink;
	for (size_t i = 0; i < sink->count; i++) {
		const struct pair *pair = &sink->pairs[i];
		fprintf(printer->text, "# %" PRIu32 " -> %" PRIu32 "\n", pair->sender, pair->receiver);
		struct node *ends = add_list(printer->list, NULL);
		add_count(ends, NULL, pair->sender);
		add_count(ends, NULL, pair->receiver);
	}
}

/* Writes the pairs of every level of the first run. */
static void write_pattern(struct node *to, const struct report *report)
{
	const struct engine_setup *setup = &report->setup->work->setup;
	struct printer printer = {.sink = {.capacity = 256, .take = print_pairs}, .text = document_of(to)->text};
	struct node *levels = add_list(to, "pattern_levels");
	printer.sink.pairs = printer.pairs;
	for (uint64_t level = 0; level < pattern_levels(setup->pattern); level++) {
		if (setup->only_level >= 0 && level != (uint64_t)setup->only_level)
			continue;
		fprintf(printer.text, "# level %" PRIu64 ":\n", level);
		printer.list = add_list(levels, NULL);
		pattern_level(setup->pattern, level, &printer.sink);
	}
}

/* Adds the share of the messages that arrived, where failures are meant to lose some. */
static void add_delivery(struct node *to, const struct report *report)
{
	const struct outcome *o = report->outcome;
	double all = (double)(o->connections + o->unroutable);
	if (report->setup->work->terms.delivery)
		add_number(to, "delivered", all > 0 ? (double)o->connections / all : NAN);
}

/* Fabrics whose links all have one speed have no flag. */
static void add_speeds(struct node *to, const struct report *report)
{
	const struct options *o = report->options;
	if (fabric_speeds_differ(report_fabric(report)))
		add_bool(to, "speed_aware", !o->ignore_speeds && !o->terms.cycles);
}

static void add_setup(struct document *d, const struct report *report)
{
	const struct campaign_setup *setup = report->setup;
	const struct runs *runs = setup->work;
	const struct engine_setup *s = &runs->setup;
	const struct options *options = report->options;
	struct node *root = d->root, *command = add_head(d, "orcs-result/1", 0, NULL);
	for (int i = 0; i < options->argc; i++)
		if (options_recorded(options, i))
			add_text(command, NULL, options->argv[i]);
	add_bool(root, "partial", report->outcome->partial);
	add_fabric(root, report_fabric(report));
	add_text(root, "pattern", report_sent(report));
	if (options->pattern.argument)
		add_text(root, "pattern_argument", options->pattern.argument);
	if (!runs_of_pairs(runs)) {
		add_text(root, "engine", runs->engine->name);
		add_number(root, "bytes", runs->terms.sizes || runs->terms.drawn_sizes ? NAN : options->bytes);
	}
	if (runs->engine->record)
		runs->engine->record(runs->state, root);
	if (s->pattern && s->pattern->first) {
		add_text(root, "first_pattern", options->pattern.first);
		add_text(root, "second_pattern", options->pattern.second);
		add_count(root, "part_comm_size", s->pattern->first->ranks);
	}
	if (s->multipath)
		add_text(root, "multipath", multipath_modes[s->multipath->setup.mode]);
	if (s->only_level >= 0)
		add_count(root, "level", (uint64_t)s->only_level);
	add_count(root, "comm_size", setup->placement->ranks);
	add_text(root, "subset", options->subset);
	add_text(root, "mapping", options->mapping);
	add_count(root, "seed", setup->seed);
	add_count(root, "runs", report->outcome->runs);
	add_count(root, "unroutable", report->outcome->unroutable);
	add_delivery(root, report);
	add_speeds(root, report);
}

/* ---- the whole report */

static void say_end(FILE *text, const struct report *report)
{
	const struct campaign_setup *setup = report->setup;
	const struct outcome *outcome = report->outcome;
	bool open = setup->work->terms.open;
	const char *comment = setup->metric_count == 1 && metric_is_graph(setup->metrics[0].metric) ? "// " : "";
	if (!runs_of_pairs(setup->work) && outcome->unroutable)
		fprintf(text, "%snot delivered: %" PRIu64 " of the %" PRIu64 " %s\n", comment, outcome->unroutable,
			outcome->unroutable + outcome->connections, open ? "packets" : "messages");
	else if (setup->work->setup.drop)
		fprintf(text, "%sunroutable: %" PRIu64 " of the %" PRIu64 " %s left out\n", comment, outcome->unroutable,
			outcome->unroutable + outcome->connections, open ? "packets" : "connections");
	if (setup->work->terms.delivery && outcome->unroutable + outcome->connections)
		fprintf(text, "%sdelivered: %.9g\n", comment,
			(double)outcome->connections / (double)(outcome->unroutable + outcome->connections));
	if (outcome->partial)
		fprintf(text, "%spartial: %" PRIu64 " of the %" PRIu64 " runs\n", comment, outcome->runs, setup->runs);
}

/* CSV has a summary instead of the setup. */
static void write_csv(struct writer *w)
{
	const struct outcome *outcome = w->report->outcome;
	struct node *summary = add_object(w->document->root, "summary");
	fputs("metric,item,key,value\n", w->document->file);
	add_count(summary, "runs", outcome->runs);
	add_count(summary, "unroutable", outcome->unroutable);
	add_delivery(summary, w->report);
	add_bool(summary, "partial", outcome->partial);
	add_speeds(summary, w->report);
	write_metrics(w, w->document->root);
}

void report_add(struct document *d, const struct report *report)
{
	struct writer *w = document_alloc(d, sizeof *w);
	if (!w)
		return;
	*w = (struct writer){.report = report, .document = d};
	add_setup(d, report);
	if (report->options->print_names)
		write_names(d->root, report);
	if (report->options->print_pattern)
		write_pattern(d->root, report);
	write_metrics(w, add_object(d->root, "metrics"));
	say_end(d->text, report);
}

int report_write(const struct report *report, FILE *file, struct error *error)
{
	struct document d;
	struct writer w = {.report = report, .document = &d};
	if (report->options->print_pattern && pattern_run(report->setup->work->setup.pattern, 0, error))
		return -1;
	if (document_begin(&d, report->options->format, file, error))
		return document_end(&d, error);
	if (d.format == FORMAT_CSV)
		write_csv(&w);
	else
		report_add(&d, report);
	return document_end(&d, error);
}
