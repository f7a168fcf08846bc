#include "tools/advise/measured.h"

#include "base/document.h"
#include "base/shown.h"
#include "fabric/described.h"

#include <inttypes.h>
#include <math.h>

enum { LISTED = 20, NAMED = 3 }; /* channels and findings; hosts of a finding */

#define EXPLAINED 0.5 /* correlation, below which tables and demand explain less than a quarter of the variance */

static const char *const kinds[] = {
	[FINDING_ENTRY] = "wrong_entry", [FINDING_LESS] = "less", [FINDING_MORE] = "more", [FINDING_SLOW] = "slow"};

static double ratio(const struct measured_channel *k)
{
	return k->expected > 0 ? k->bytes / k->expected : NAN;
}

static void text_row(struct row *row, size_t index, const void *data)
{
	const struct measured *m = data;
	const struct measured_channel *k = &m->channel[m->order[index]];
	row_channel(row, m->fabric, m->order[index]);
	row_number(row, k->bytes, "%.4g");
	row_number(row, k->expected, "%.4g");
	row_number(row, ratio(k), "%.3f");
	row_number(row, k->deviation, "%+.1f");
	row_number(row, 100 * measured_lost(k), "%.1f%%");
}

static const struct column columns[] = {
	{.title = "from", .left = true},
	{.title = "port"},
	{.title = "to", .left = true},
	{.title = "port"},
	{.title = "measured", .before = "  "},
	{.title = "expected", .before = "  "},
	{.title = "ratio", .before = "  "},
	{.title = "deviation", .before = "  "},
	{.title = "lost", .before = "  "},
};

static void json_row(struct row *row, size_t index, const void *data)
{
	const struct measured *m = data;
	const struct measured_channel *k = &m->channel[m->order[index]];
	row_channel(row, m->fabric, m->order[index]);
	row_number(row, k->bytes, NULL);
	row_number(row, k->expected, NULL);
	row_number(row, k->pairs, NULL);
	row_number(row, ratio(k), NULL);
	row_number(row, k->deviation, NULL);
	row_number(row, k->wait, NULL);
	row_number(row, measured_lost(k), NULL);
	row_number(row, k->slowness, NULL);
}

static const struct column members[] = {
	{.key = "from"},
	{.key = "from_port"},
	{.key = "to"},
	{.key = "to_port"},
	{.key = "measured"},
	{.key = "expected"},
	{.key = "pairs"},
	{.key = "ratio"},
	{.key = "deviation"},
	{.key = "wait"},
	{.key = "lost"},
	{.key = "slowness"},
};

static void write_end(FILE *text, const struct measured *m, uint32_t channel)
{
	const struct fabric *f = m->fabric;
	char guids[GUIDS_TEXT];
	write_channel(text, f, channel);
	fprintf(text, " (%.4g of %.4g bytes%s)", m->channel[channel].bytes, m->channel[channel].expected,
		guids_text(f->labels->guid[fabric_tail(f, channel)], f->labels->guid[f->head[channel]], guids));
}

static void say_finding(FILE *text, const struct measured *m, const struct finding *finding)
{
	const struct fabric *f = m->fabric;
	const struct measured_channel *k = &m->channel[finding->channel];
	switch (finding->kind) {
	case FINDING_ENTRY:
		fprintf(text, "wrong table entry: %s: less on ", SHOWN(f->labels->name[fabric_tail(f, finding->channel)]));
		write_end(text, m, finding->channel);
		fputs("; more on ", text);
		write_end(text, m, finding->instead);
		for (uint32_t i = 0; i < finding->hosts && i < NAMED; i++)
			fprintf(text, "%s%s", i ? " or " : "; for ", SHOWN(f->labels->name[f->host_node[finding->host[i]]]));
		if (finding->hosts > NAMED)
			fprintf(text, " or others, %" PRIu32 " in all", finding->hosts);
		break;
	case FINDING_LESS:
		fputs("less than expected: ", text);
		write_end(text, m, finding->channel);
		fputs("; no table entry explains it", text);
		break;
	case FINDING_MORE:
		fputs("more than expected: ", text);
		write_end(text, m, finding->channel);
		fputs("; no table entry explains it", text);
		break;
	case FINDING_SLOW:
		fputs("slow cable: ", text);
		write_end(text, m, finding->channel);
		fprintf(text, ": data waited %.2f times as long as it took to send them", k->bytes > 0 ? 4 * k->wait / k->bytes : NAN);
		break;
	}
	fprintf(text, "; %.1f standard deviations\n", finding->deviations);
}

static void add_finding(struct node *to, const struct measured *m, const struct finding *finding)
{
	const struct fabric *f = m->fabric;
	const uint32_t channel[] = {finding->channel, finding->instead};
	static const char *const key[] = {"channel", "instead"};
	add_text(to, "kind", kinds[finding->kind]);
	add_number(to, "deviations", finding->deviations);
	for (int i = 0; i < 2; i++) {
		if (channel[i] == NONE) {
			add_value(to, key[i], NO_VALUE);
			continue;
		}
		struct node *object = add_object(to, key[i]);
		add_channel(object, f, channel[i]);
		add_guids(object, f->labels->guid[fabric_tail(f, channel[i])], f->labels->guid[f->head[channel[i]]]);
	}
	add_count(to, "hosts", finding->hosts);
	struct node *list = add_list(to, "likeliest");
	for (uint32_t i = 0; i < finding->hosts && i < FINDING_HOSTS; i++)
		add_text(list, NULL, f->labels->name[f->host_node[finding->host[i]]]);
}

/* Names the channel that waits most per data, among its kind; it need not be a finding. */
static void say_slowest(FILE *text, const struct measured *m)
{
	uint32_t most = NONE;
	for (uint32_t c = 0; c < m->fabric->channels; c++)
		if (m->channel[c].slowness > (most == NONE ? 0 : m->channel[most].slowness))
			most = c;
	if (most == NONE)
		return;
	fputs("waits most for its data, among its kind: ", text);
	write_channel(text, m->fabric, most);
	fprintf(text, ", %.2f times as long as it took to send them\n", 4 * m->channel[most].wait / m->channel[most].bytes);
}

static void say_head(FILE *text, const struct measured *m)
{
	const struct fabric *f = m->fabric;
	write_shown(text, f->labels->source);
	fprintf(text, ": %" PRIu32 " hosts, %" PRIu32 " switches; counters of %" PRIu32 " of %" PRIu32 " channels\n", f->hosts,
		f->nodes - f->hosts, m->known, f->channels);
	fprintf(text, "expected: %s\n",
		m->by_hosts ? "what hosts sent and received, by the tables" : "every host sends to every other one alike, by the tables");
	if (!isnan(m->correlation))
		fprintf(text, "correlation of measured and expected load: %.4f\n", m->correlation);
	if (!isnan(m->inner))
		fprintf(text, "correlation, channels between switches: %.4f\n", m->inner);
	if (m->correlation < EXPLAINED)
		fputs("the tables hardly explain the loads: are they of the same fabric and time, or is the traffic between few hosts?\n",
			text);
	if (m->waits && !isnan(m->lost))
		fprintf(text, "lost bandwidth: data waited %.1f%% of the time to send, %.4g ticks\n", 100 * m->lost, m->wait_total);
	say_slowest(text, m);
	if (m->reset)
		fprintf(text, "counters that are smaller than before, as they were reset, and count from 0: %" PRIu64 "%s\n", m->reset,
			m->reset >= m->known ? "; or are the two files exchanged?" : "");
	if (m->full)
		fprintf(text, "counters of 32 bits that are full and not used: %" PRIu64 "; read them with perfquery -x, or more often\n",
			m->full);
	if (m->strangers)
		fprintf(text, "ports with counters that are not ports of the fabric, or have no cable: %" PRIu64 "\n", m->strangers);
}

int measured_report(const struct measured *m, const struct advise_options *options, FILE *file, struct error *error)
{
	struct document d;
	if (!document_begin(&d, options->format, file, error)) {
		add_head(&d, "orcs-measured/1", options->argc, options->argv);
		add_fabric(d.root, m->fabric);
		add_text(d.root, "before", options->before);
		add_text(d.root, "after", options->after);
		add_text(d.root, "demand", m->by_hosts ? "hosts" : "pairs");
		add_count(d.root, "known", m->known);
		add_number(d.root, "correlation", m->correlation);
		add_number(d.root, "correlation_between_switches", m->inner);
		add_number(d.root, "measured", m->total);
		add_number(d.root, "wait", m->waits ? m->wait_total : NAN);
		add_number(d.root, "lost", m->waits ? m->lost : NAN);
		add_count(d.root, "counters_reset", m->reset);
		add_count(d.root, "counters_full", m->full);
		add_count(d.root, "other_ports", m->strangers);
		struct node *list = add_list(d.root, "findings");
		say_head(d.text, m);
		fputs(m->findings ? "\n" : "\nno load differs by more than chance\n", d.text);
		for (unsigned i = 0; i < m->findings; i++) {
			add_finding(add_object(list, NULL), m, &m->finding[i]);
			if (i < LISTED)
				say_finding(d.text, m, &m->finding[i]);
		}
		if (m->findings > LISTED)
			fprintf(d.text, "and %u more\n", m->findings - LISTED);
		fputs("\n", d.text);
		uint32_t channels = m->fabric->channels;
		say_table(
			&d, (struct table){columns, sizeof columns / sizeof *columns, channels < LISTED ? channels : LISTED, text_row, m});
		add_table(d.root, "channels", (struct table){members, sizeof members / sizeof *members, channels, json_row, m});
	}
	return document_end(&d, error);
}
