#include "base/document.h"
#include "base/memory.h"
#include "fabric/described.h"
#include "tools/advise/measured.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LISTED = 10 };
#define SAME 0.01 /* relative difference that is not listed as text */

struct ranked {
	const struct measured *measured;
	const struct fabric *fabric;
	const uint32_t *channel; /* the first ones of an order */
};

/* Ticks stand for words of 4 bytes that were not sent: the share of the channel's bandwidth that was lost while it had something to send.
 */
static double lost(const struct measured *m, uint32_t c)
{
	double wait = 4 * m->wait[c];
	return wait + m->bytes[c] > 0 ? wait / (wait + m->bytes[c]) : 0;
}

static double apart(const struct measured *m, uint32_t c)
{
	return fabs(m->bytes[c] - m->expected[c]);
}

static int descending(double a, double b, uint32_t left, uint32_t right)
{
	a = isnan(a) ? -1 : a;
	b = isnan(b) ? -1 : b;
	return a != b ? (a < b) - (a > b) : (left > right) - (left < right);
}

static int by_difference(const void *left, const void *right, void *data)
{
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	return descending(apart(data, a), apart(data, b), a, b);
}

static int by_excess(const void *left, const void *right, void *data)
{
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	const struct measured *m = data;
	return descending(m->excess[a], m->excess[b], a, b);
}

static void channel_row(struct row *row, size_t index, const void *data)
{
	const struct ranked *r = data;
	const struct measured *m = r->measured;
	const struct fabric *f = r->fabric;
	uint32_t c = r->channel[index], tail = fabric_tail(f, c);
	char text[300];
	row_print(row, "%s", channel_text(f, c, text, sizeof text));
	row_channel(row, f, c);
	row_number(row, m->bytes[c], "%.4g");
	row_number(row, m->expected[c], "%.4g");
	row_number(row, m->expected[c] > 0 ? m->bytes[c] / m->expected[c] : NAN, "%.3f");
	row_number(row, m->wait[c], "%.4g");
	row_number(row, m->excess[c], "%.4g");
	row_number(row, 100 * lost(m, c), "%.1f%%");
	const uint64_t guid[] = {f->labels->guid[tail], f->labels->guid[f->head[c]]};
	for (int i = 0; i < 2; i++)
		if (guid[i]) {
			row_print(row, "0x%016" PRIx64, guid[i]);
			row->cell[row->cells - 1].type = VALUE_TEXT; /* in quotes */
		} else {
			row_put(row, NO_VALUE);
		}
}

static const struct column columns[] = {
	{.title = "channel", .left = true},
	{.key = "from"},
	{.key = "from_port"},
	{.key = "to"},
	{.key = "to_port"},
	{.key = "bytes", .title = "bytes"},
	{.key = "expected", .title = "expected"},
	{.key = "ratio", .title = "ratio"},
	{.key = "wait", .title = "wait"},
	{.key = "wait_excess", .title = "excess"},
	{.key = "lost_percent", .title = "lost"},
	{.key = "from_guid"},
	{.key = "to_guid"},
};

static void list(struct document *doc, const char *key, const struct ranked *r, const uint32_t *order, size_t rows)
{
	struct ranked *kept = document_alloc(doc, sizeof *kept);
	uint32_t *channel = document_alloc(doc, (rows ? rows : 1) * sizeof *channel);
	if (!kept || !channel)
		return;
	memcpy(channel, order, rows * sizeof *channel);
	*kept = *r;
	kept->channel = channel;
	struct table table = {columns, sizeof columns / sizeof *columns, rows, channel_row, kept};
	if (rows)
		say_table(doc, table);
	add_table(doc->root, key, table);
}

int measured_report(
	const struct measured *measured, const struct fabric *fabric, const struct advise_options *options, FILE *file, struct error *error)
{
	const struct measured *m = measured;
	struct document doc;
	struct ranked r = {m, fabric, NULL};
	size_t shown = options->format == FORMAT_TEXT ? LISTED : m->channels;
	uint32_t *order = array_copy(m->listed, m->channels, sizeof *order, error);
	if (!document_begin(&doc, options->format, file, error) && order) {
		add_head(&doc, "orcs-measured/1", options->argc, options->argv);
		add_fabric(doc.root, fabric);
		add_text(doc.root, "form", m->form);
		add_count(doc.root, "channels_measured", m->channels);
		add_count(doc.root, "channels_between_switches", m->all);
		add_number(doc.root, "bytes", m->sum);
		add_number(doc.root, "correlation", m->correlation);
		add_count(doc.root, "ports_elsewhere", m->strangers);
		add_count(doc.root, "counters_reset", m->reset);
		add_count(doc.root, "counters_full", m->full);
		fprintf(doc.text,
			"%s: %" PRIu32 " of %" PRIu32
			" channels between switches, %.4g bytes; expected: what the tables make them carry if all "
			"pairs send alike\n",
			m->form, m->channels, m->all, m->sum);
		if (isfinite(m->correlation))
			fprintf(doc.text, "correlation of measured and expected: %.4f\n", m->correlation);
		if (m->strangers || m->reset || m->full)
			fprintf(doc.text,
				"left out: ports that the fabric does not have %" PRIu64 ", counters that were reset %" PRIu64
				", counters of 32 bits at their maximum %" PRIu64 "\n",
				m->strangers, m->reset, m->full);
		qsort_r(order, m->channels, sizeof *order, by_difference, (void *)m);
		size_t differ = 0, wait = 0;
		while (differ < shown && differ < m->channels && apart(m, order[differ]) > SAME * m->expected[order[differ]])
			differ++;
		fputs(differ ? "\nmeasured most apart from what is expected\n" : "\nno channel carried 1% more or less than expected\n",
			doc.text);
		list(&doc, "channels", &r, order, options->format == FORMAT_TEXT ? differ : m->channels);
		qsort_r(order, m->channels, sizeof *order, by_excess, (void *)m);
		while (wait < shown && wait < m->channels && m->excess[order[wait]] > 0)
			wait++;
		if (wait)
			fputs("\nwait longer than others that carried as much\n", doc.text);
		list(&doc, "waiting", &r, order, wait);
	}
	free(order);
	return document_end(&doc, error);
}
