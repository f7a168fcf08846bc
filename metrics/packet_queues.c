/* The queues of packets over time, and the congestion trees: where packets wait for what, and who waits behind them. */
#include "metrics/packet_queues.h"

#include "base/memory.h"
#include "fabric/described.h"
#include "metrics/by_load.h"

#include <math.h>

enum { TREES_SHOWN = 10 };
enum { HELD, FULLEST, FULL, FIRST, LOAD, NUMBERS };

static void packet_queues_cleanup(struct metric_call *call)
{
	queue_series_free(call->data);
	call->data = NULL;
}

static int packet_queues_flow(struct metric_call *call, const struct observation *seen, double *numbers, struct error *error)
{
	const struct packet_seen *s = seen->packets;
	const struct packet_queues *q = s->queues;
	(void)error;
	numbers[LOAD] = s->open ? s->load : NAN;
	numbers[HELD] = numbers[FULLEST] = numbers[FULL] = 0;
	numbers[FIRST] = NAN;
	for (size_t m = 0; m < q->moments; m++) {
		double held = 0, full = 0;
		for (size_t i = q->first[m]; i < q->first[m + 1]; i++) {
			held += q->sample[i].held;
			full += q->sample[i].full;
			numbers[FULLEST] = fmax(numbers[FULLEST], (double)q->sample[i].held / (double)q->buffer);
		}
		numbers[HELD] = fmax(numbers[HELD], held);
		numbers[FULL] = fmax(numbers[FULL], full);
		if (full > 0 && isnan(numbers[FIRST]))
			numbers[FIRST] = (double)((m + 1) * q->interval) / people_time(call);
	}
	return 0;
}

static int packet_queues_first(struct metric_call *call, const struct observation *seen, struct error *error)
{
	call->data = queue_series_create(seen, error);
	return call->data ? 0 : -1;
}

/* Adds the moments of the first run as a table. Returns 0, or -1. */
static int add_moments(const struct queue_series *s, struct result *result, struct error *error)
{
	static const struct table_column column[] = {{"time", "time"}, {"held", "held"}, {"fullest", "fullest"}, {"full", "full"},
		{"trees", "trees"}, {"largest_tree", "largest tree"}};
	enum { COLUMNS = sizeof column / sizeof *column };
	size_t moments = s ? s->moments : 0, cells = 0;
	double *table = array_create(moments * COLUMNS, sizeof *table, error);
	for (size_t m = 0; table && m < moments; m++) {
		const struct queue_moment *q = &s->moment[m];
		const double row[COLUMNS] = {
			queue_time(s, m), (double)q->held, (double)q->fullest / (double)s->buffer, q->full, q->trees, q->most};
		for (unsigned c = 0; c < COLUMNS; c++)
			table[cells++] = row[c];
	}
	if (!table)
		return -1;
	result_table(result, "moments", NULL, column, COLUMNS, table, cells);
	return 0;
}

static void tree_row(struct row *row, size_t index, const void *data)
{
	const struct queue_series *s = data;
	const struct queue_tree *t = &s->tree[index];
	row_channel(row, s->fabric, t->root);
	row_number(row, queue_time(s, t->first), "%.5g");
	row_number(row, queue_time(s, t->last), "%.5g");
	row_count(row, t->most);
	row_number(row, queue_time(s, t->largest), "%.5g");
	row_number(row, (double)t->sum * (double)s->interval / s->unit, "%.5g");
}

static void add_trees(const struct metric_call *call, const struct queue_series *s, struct result *result)
{
	static const struct column columns[] = {{.key = "from", .csv = "from", .title = "from", .left = true},
		{.key = "from_port", .csv = "from_port", .title = "port", .optional = true},
		{.key = "to", .csv = "to", .title = "to", .left = true, .before = "  "},
		{.key = "to_port", .csv = "to_port", .title = "port", .optional = true},
		{.key = "begins", .csv = "begins", .title = "begins", .before = "  "},
		{.key = "ends", .csv = "ends", .title = "ends", .before = "  "},
		{.key = "largest", .csv = "largest", .title = "channels", .before = "  "},
		{.key = "largest_at", .csv = "largest_at", .title = "at", .before = "  "},
		{.key = "channel_time", .csv = "channel_time", .title = "channels x time", .before = "  "}};
	size_t trees = s ? s->trees < TREES_SHOWN ? s->trees : TREES_SHOWN : 0;
	result_rows(result, "trees", PEOPLE_LABEL(call, "congestion trees of the first run by their roots, ", ""),
		(struct table){columns, sizeof columns / sizeof *columns, trees, tree_row, s});
}

static const struct load_figure figures[] = {
	{"load", NULL, LOAD_MEAN, LOAD, LINE_IF_KNOWN, false},
	{"held", "bytes in the buffers, at most", LOAD_MEAN, HELD, LINE_ALWAYS, false},
	{"fullest", "share of the buffers of one channel, at most", LOAD_MEAN, FULLEST, LINE_ALWAYS, false},
	{"full", "channels with a full buffer at a time, at most", LOAD_MEAN, FULL, LINE_ALWAYS, false},
	{"first_full", NULL, LOAD_MEAN, FIRST, LINE_IF_KNOWN, false},
};
enum { FIRST_FIGURE = 4 };

static const struct table_column column[] = {
	{"load", "load"}, {"held", "held"}, {"fullest", "fullest"}, {"full", "full"}, {"first_full", "first full"}};

static int packet_queues_finish(const struct metric_call *call, const struct samples *samples, struct result *result, struct error *error)
{
	enum { FIGURES = sizeof figures / sizeof *figures };
	const struct queue_series *s = call->data;
	struct load_figure figure[FIGURES];
	const struct load_layout layout = {
		PEOPLE_LABEL(call, "queues at their largest: bytes, shares, channels, ", ""), figure, column, FIGURES, false};
	for (unsigned i = 0; i < FIGURES; i++)
		figure[i] = figures[i];
	figure[FIRST_FIGURE].label = PEOPLE_LABEL(call, "the first buffer is full after, ", "");
	if (finish_loads(samples, &layout, result, error) || add_moments(s, result, error))
		return -1;
	add_trees(call, s, result);
	return 0;
}

const struct metric metric_packet_queues = {
	.name = "packet_queues",
	.summary = "queues of packets over time, and where congestion trees begin and how far they grow",
	.source = "Dally, Towles 2004, 23.1; Pfister, Norton 1985",
	.gathers = METRIC_VALUES,
	.wants = SEEN_PACKETS | SEEN_QUEUES,
	.numbers = NUMBERS,
	.cleanup = packet_queues_cleanup,
	.flow = packet_queues_flow,
	.first = packet_queues_first,
	.finish = packet_queues_finish,
};
