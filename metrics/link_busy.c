/* The time for which channels send, and for which packets that request them are blocked because the downstream buffers are full. */
#include "base/memory.h"
#include "fabric/tiers.h"
#include "metrics/by_load.h"

#include <math.h>
#include <stdlib.h>

enum { TWENTIETHS = 20 };
enum { BUSY, BUSY_MAX, BLOCKED, BLOCKED_MAX, SHARES };
enum { ALL = 0, BY_TIER = SHARES, MEASURED = BY_TIER + TIERS_MAX * SHARES, LOAD, NUMBERS };

static const struct arg link_busy_args[] = {
	{"FILE", ARG_TEXT, "", 0, 0, "output file of the graph, each edge coloured by its busy time"},
	{.type = ARG_END},
};

/* Adds a channel to the shares of a group; means are sums until all channels are added. */
static void add_channel(double *shares, double busy, double blocked)
{
	shares[BUSY] += busy;
	shares[BUSY_MAX] = fmax(shares[BUSY_MAX], busy);
	shares[BLOCKED] += blocked;
	shares[BLOCKED_MAX] = fmax(shares[BLOCKED_MAX], blocked);
}

static void end_shares(double *shares, uint32_t channels)
{
	shares[BUSY] /= channels;
	shares[BLOCKED] /= channels;
	for (int i = 0; i < SHARES && !channels; i++)
		shares[i] = NAN;
}

static void link_busy_cleanup(struct metric_call *call)
{
	free(call->data);
	call->data = NULL;
}

static int link_busy_flow(struct metric_call *call, const struct observation *seen, double *numbers, struct error *error)
{
	const struct packet_seen *s = seen->packets;
	uint32_t channels[TIERS_MAX] = {0};
	for (unsigned i = 0; i < NUMBERS; i++)
		numbers[i] = 0;
	numbers[LOAD] = s->open ? s->load : NAN;
	numbers[MEASURED] = (double)s->measured / PICOSECONDS;
	if (!call->data && !(call->data = tiers_make(seen->fabric, seen->topology, error)))
		return -1;
	for (uint32_t c = 0; s->measured && c < seen->fabric->channels; c++) {
		double busy = (double)s->busy[c] / (double)s->measured, blocked = (double)s->blocked[c] / (double)s->measured;
		unsigned tier = ((const uint8_t *)call->data)[c], bin = (unsigned)(TWENTIETHS * busy);
		channels[tier]++;
		add_channel(numbers + ALL, busy, blocked);
		add_channel(numbers + BY_TIER + tier * SHARES, busy, blocked);
		if (histogram_add_one(&call->run, bin < TWENTIETHS ? bin : TWENTIETHS - 1, error))
			return -1;
	}
	end_shares(numbers + ALL, s->measured ? seen->fabric->channels : 0);
	for (unsigned tier = 0; tier < TIERS_MAX; tier++)
		end_shares(numbers + BY_TIER + tier * SHARES, channels[tier]);
	return 0;
}

/* Returns the number of channels per twentieth of the time that they were busy. */
static struct bin *list_twentieths(const struct histogram *pooled, struct error *error)
{
	struct bin *bins = array_create(TWENTIETHS, sizeof *bins, error);
	for (unsigned i = 0; bins && i < TWENTIETHS; i++)
		bins[i] = (struct bin){(double)i / TWENTIETHS, pooled->dense[i]};
	return bins;
}

/* Adds the shares by load and tier as a table. Returns 0, or -1. */
static int finish_tiers(const struct samples *samples, struct result *result, struct error *error)
{
	static const struct table_column column[] = {{"load", "load"}, {"tier", "tier"}, {"busy", "busy"}, {"busy_max", "at most"},
		{"blocked", "blocked"}, {"blocked_max", "at most"}};
	enum { COLUMNS = sizeof column / sizeof *column, FIGURES = 1 + TIERS_MAX * SHARES };
	struct load_figure figure[FIGURES] = {{.number = LOAD}};
	size_t rows, cells = 0;
	for (unsigned i = 0; i < TIERS_MAX * SHARES; i++)
		figure[1 + i] = (struct load_figure){.number = BY_TIER + i};
	double *loads = load_table(samples, figure, FIGURES, &rows, error);
	double *table = loads ? array_create(rows * TIERS_MAX * COLUMNS, sizeof *table, error) : NULL;
	for (size_t row = 0; table && row < rows; row++)
		for (unsigned tier = 0; tier < TIERS_MAX; tier++) {
			const double *shares = loads + row * FIGURES + 1 + tier * SHARES;
			if (isnan(*shares))
				continue;
			table[cells++] = loads[row * FIGURES];
			table[cells++] = tier;
			for (unsigned i = 0; i < SHARES; i++)
				table[cells++] = shares[i];
		}
	free(loads);
	if (!table)
		return -1;
	result_table(result, "tiers", "by tier of cables, 0 those to hosts", column, COLUMNS, table, cells);
	return 0;
}

static const struct load_figure figure[] = {
	{"load", NULL, LOAD_MEAN, LOAD, LINE_IF_KNOWN, false},
	{"busy", "share of the time in which a channel sends (mean)", LOAD_MEAN, BUSY, LINE_ALWAYS, false},
	{"busy_max", "of the busiest", LOAD_MEAN, BUSY_MAX, LINE_ALWAYS, false},
	{"blocked", "in which packets wait because the buffers beyond are full (mean)", LOAD_MEAN, BLOCKED, LINE_ALWAYS, false},
	{"blocked_max", "at most", LOAD_MEAN, BLOCKED_MAX, LINE_ALWAYS, false},
};

static const struct table_column column[] = {
	{"load", "load"}, {"busy", "busy"}, {"busy_max", "at most"}, {"blocked", "blocked"}, {"blocked_max", "at most"}};

static int link_busy_finish(const struct metric_call *call, const struct samples *samples, struct result *result, struct error *error)
{
	static const struct load_layout layout = {"shares of the time", figure, column, sizeof figure / sizeof *figure, false};
	struct bin *bins = list_twentieths(&call->pooled, error);
	if (!bins)
		return -1;
	result_histogram(result, ITEM_INTERVALS, "histogram", several_loads(samples, LOAD) ? NULL : "busy", "channels", bins, TWENTIETHS);
	if (finish_loads(samples, &layout, result, error))
		return -1;
	if (finish_tiers(samples, result, error))
		return -1;
	double seconds = mean_number(samples, MEASURED);
	result_channels(result);
	result_watched(result, seconds * (double)samples->runs);
	return 0;
}

const struct metric metric_link_busy = {
	.name = "link_busy",
	.summary = "busy time of each channel, and time for which full buffers block its packets",
	.source = "Mubarak et al., TPDS 2017",
	.args = link_busy_args,
	.gathers = METRIC_VALUES | METRIC_POOLED | METRIC_CHANNELS,
	.wants = SEEN_PACKETS,
	.numbers = NUMBERS,
	.cleanup = link_busy_cleanup,
	.flow = link_busy_flow,
	.finish = link_busy_finish,
};
