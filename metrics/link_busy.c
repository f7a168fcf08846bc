/* The time for which channels send, and for which packets that request them are blocked because the downstream buffers are full. */
#include "base/memory.h"
#include "fabric/dimensions.h"
#include "fabric/tiers.h"
#include "metrics/by_load.h"

#include <math.h>
#include <stdlib.h>

enum { TWENTIETHS = 20 };
enum { BUSY, BUSY_MAX, BLOCKED, BLOCKED_MAX, SHARES };

/* Groups of channels: those of a tier, and those of a way, which is a direction of a dimension of a grid. */
enum { WAYS_MAX = 2 * GRID_DIMENSIONS_MAX, GROUPS = TIERS_MAX + WAYS_MAX };
enum { ALL = 0, BY_GROUP = SHARES, MEASURED = BY_GROUP + GROUPS * SHARES, LOAD, NUMBERS };

/* What is counted in the bins of a histogram, whose values are then: those of all channels, then for each load those of each group. */
enum { COUNT_BUSY, COUNT_BLOCKED, COUNTS };
enum { OF_ALL = TWENTIETHS, OF_GROUP = COUNTS * TWENTIETHS, OF_LOAD = GROUPS * OF_GROUP };

static const struct arg link_busy_args[] = {
	{"FILE", ARG_TEXT, "", 0, 0, "output file of the graph, each edge coloured by its busy time"},
	{.type = ARG_END},
};

/* The groups of the channels, and what they count in one run. */
struct groups {
	uint8_t *tier;
	struct dimensions dimensions;
	uint32_t count[OF_LOAD];
	uint32_t channels[GROUPS];
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

static unsigned twentieth(double share)
{
	unsigned bin = (unsigned)(TWENTIETHS * share);
	return bin < TWENTIETHS ? bin : TWENTIETHS - 1;
}

/* Adds a channel to a group. */
static void add_to_group(struct groups *g, unsigned group, double busy, double blocked, double *numbers)
{
	g->channels[group]++;
	add_channel(numbers + BY_GROUP + group * SHARES, busy, blocked);
	g->count[group * OF_GROUP + COUNT_BUSY * TWENTIETHS + twentieth(busy)]++;
	g->count[group * OF_GROUP + COUNT_BLOCKED * TWENTIETHS + twentieth(blocked)]++;
}

static void link_busy_cleanup(struct metric_call *call)
{
	struct groups *g = call->data;
	if (g) {
		dimensions_clear(&g->dimensions);
		free(g->tier);
	}
	free(g);
	call->data = NULL;
}

/* Returns the groups of the fabric, with nothing counted; NULL if out of memory. */
static struct groups *begin_groups(struct metric_call *call, const struct observation *seen, struct error *error)
{
	struct groups *g = call->data;
	if (!g) {
		g = call->data = array_create(1, sizeof *g, error);
		if (!g || !(g->tier = tiers_make(seen->fabric, seen->topology, error)) ||
			dimensions_make(&g->dimensions, seen->fabric, seen->topology, error))
			return NULL;
	}
	for (unsigned i = 0; i < OF_LOAD; i++)
		g->count[i] = 0;
	for (unsigned i = 0; i < GROUPS; i++)
		g->channels[i] = 0;
	return g;
}

/* Adds what the groups have counted to the histogram of the run. Returns 0, or -1. */
static int add_counts(struct metric_call *call, const struct groups *g, uint64_t point, struct error *error)
{
	for (unsigned i = 0; i < OF_LOAD; i++)
		if (g->count[i] && histogram_add(&call->run, OF_ALL + (double)point * OF_LOAD + i, g->count[i], error))
			return -1;
	return 0;
}

static int link_busy_flow(struct metric_call *call, const struct observation *seen, double *numbers, struct error *error)
{
	const struct packet_seen *s = seen->packets;
	struct groups *g = begin_groups(call, seen, error);
	if (!g)
		return -1;
	for (unsigned i = 0; i < NUMBERS; i++)
		numbers[i] = 0;
	numbers[LOAD] = s->open ? s->load : NAN;
	numbers[MEASURED] = (double)s->measured / PICOSECONDS;
	for (uint32_t c = 0; s->measured && c < seen->fabric->channels; c++) {
		double busy = (double)s->busy[c] / (double)s->measured, blocked = (double)s->blocked[c] / (double)s->measured;
		add_channel(numbers + ALL, busy, blocked);
		add_to_group(g, g->tier[c], busy, blocked, numbers);
		if (g->dimensions.count && g->dimensions.way[c] != NO_WAY)
			add_to_group(g, TIERS_MAX + g->dimensions.way[c], busy, blocked, numbers);
		if (histogram_add_one(&call->run, twentieth(busy), error))
			return -1;
	}
	end_shares(numbers + ALL, s->measured ? seen->fabric->channels : 0);
	for (unsigned group = 0; group < GROUPS; group++)
		end_shares(numbers + BY_GROUP + group * SHARES, g->channels[group]);
	return add_counts(call, g, call->points ? seen->run % call->points : 0, error);
}

/* ---- results */

/* Returns the number of channels per twentieth of the time that they were busy. */
static struct bin *list_twentieths(const struct histogram *pooled, struct error *error)
{
	struct bin *bins = array_create(TWENTIETHS, sizeof *bins, error);
	for (unsigned i = 0; bins && i < TWENTIETHS; i++)
		bins[i] = (struct bin){(double)i / TWENTIETHS, pooled->dense[i]};
	return bins;
}

/* A table of groups: its rows begin with the load and the names of the group. */
enum { NAMES_MAX = 2, COLUMNS_MAX = 1 + NAMES_MAX + SHARES };

struct group_table {
	unsigned first, groups; /* of the groups */
	unsigned names;         /* 1: the tier; 2: dimension, from 1 on, and direction, 1 or -1 */
	double *cell;
	size_t cells;
};

static void begin_row(struct group_table *t, double load, unsigned group)
{
	t->cell[t->cells++] = load;
	t->cell[t->cells++] = t->names == 1 ? group : group / 2 + 1;
	if (t->names > 1)
		t->cell[t->cells++] = group % 2 ? 1 : -1;
}

/* Fills the table with the shares of the groups by load. Returns 0, or -1. */
static int fill_shares(struct group_table *t, const struct samples *samples, struct error *error)
{
	enum { FIGURES = 1 + GROUPS * SHARES };
	struct load_figure figure[FIGURES] = {{.number = LOAD}};
	size_t rows;
	for (unsigned i = 0; i < GROUPS * SHARES; i++)
		figure[1 + i] = (struct load_figure){.number = BY_GROUP + i};
	double *loads = load_table(samples, figure, FIGURES, &rows, error);
	t->cell = loads ? array_create(rows * t->groups * COLUMNS_MAX, sizeof *t->cell, error) : NULL;
	for (size_t row = 0; t->cell && row < rows; row++)
		for (unsigned group = 0; group < t->groups; group++) {
			const double *shares = loads + row * FIGURES + 1 + (t->first + group) * SHARES;
			if (isnan(*shares))
				continue;
			begin_row(t, loads[row * FIGURES], group);
			for (unsigned i = 0; i < SHARES; i++)
				t->cell[t->cells++] = shares[i];
		}
	free(loads);
	return t->cell ? 0 : -1;
}

/* A point of the load, and its load. */
struct point {
	double load;
	uint64_t number;
};

static int compare_points(const void *left, const void *right)
{
	const struct point *a = left, *b = right;
	return (a->load > b->load) - (a->load < b->load);
}

/*
 * Returns a new array of the points with a run, ascending by load; *count is their number. A point whose runs have different loads has
 * none. NULL if out of memory.
 */
static struct point *list_points(const struct metric_call *call, const struct samples *samples, size_t *count, struct error *error)
{
	struct point *list = array_create(call->points + 1, sizeof *list, error);
	*count = samples->runs < call->points ? samples->runs : call->points ? call->points : samples->runs > 0;
	for (size_t i = 0; list && i < *count; i++)
		list[i] =
			(struct point){*count == 1 && several_loads(samples, LOAD) ? NAN : samples->numbers[i * samples->width + LOAD], i};
	if (list && *count)
		qsort(list, *count, sizeof *list, compare_points);
	return list;
}

/* Returns the number of the first bin of at least that value. */
static size_t find_bin(const struct bin *bin, size_t bins, double value)
{
	size_t low = 0;
	while (low < bins) {
		size_t middle = low + (bins - low) / 2;
		if (bin[middle].value < value)
			low = middle + 1;
		else
			bins = middle;
	}
	return low;
}

/* Fills the table with the histograms of the groups by load, without rows of zeros. Returns 0, or -1. */
static int fill_histograms(struct group_table *t, const struct metric_call *call, const struct samples *samples, struct error *error)
{
	size_t points, bins = histogram_bins(&call->pooled), room = 0;
	struct point *point = list_points(call, samples, &points, error);
	struct bin *bin = array_create(bins, sizeof *bin, error);
	if (bin)
		histogram_list(&call->pooled, bin);
	for (size_t p = 0; !error->status && p < points; p++)
		for (unsigned group = 0; group < t->groups; group++) {
			double value = OF_ALL + (double)point[p].number * OF_LOAD + (t->first + group) * OF_GROUP;
			uint64_t count[OF_GROUP] = {0};
			for (size_t i = find_bin(bin, bins, value); i < bins && bin[i].value < value + OF_GROUP; i++)
				count[(unsigned)(bin[i].value - value)] = bin[i].count;
			if (array_grow(&t->cell, &room, t->cells + TWENTIETHS * COLUMNS_MAX, sizeof *t->cell, error))
				break;
			for (unsigned i = 0; i < TWENTIETHS; i++) {
				if (!count[i] && !count[TWENTIETHS + i])
					continue;
				begin_row(t, point[p].load, group);
				t->cell[t->cells++] = (double)i / TWENTIETHS;
				t->cell[t->cells++] = (double)count[i];
				t->cell[t->cells++] = (double)count[TWENTIETHS + i];
			}
		}
	free(point);
	free(bin);
	return error->status ? -1 : 0;
}

/* Adds the shares of groups as a table, then their histograms. Returns 0, or -1. */
static int finish_groups(
	const struct metric_call *call, const struct samples *samples, bool ways, struct result *result, struct error *error)
{
	static const struct table_column shares[][1 + NAMES_MAX + SHARES] = {
		{{"load", "load"}, {"tier", "tier"}, {"busy", "busy"}, {"busy_max", "at most"}, {"blocked", "blocked"},
			{"blocked_max", "at most"}},
		{{"load", "load"}, {"dimension", "dimension"}, {"direction", "direction"}, {"busy", "busy"}, {"busy_max", "at most"},
			{"blocked", "blocked"}, {"blocked_max", "at most"}}};
	static const struct table_column counts[][1 + NAMES_MAX + 1 + COUNTS] = {
		{{"load", "load"}, {"tier", "tier"}, {"from", "share from"}, {"busy", "busy"}, {"blocked", "blocked"}},
		{{"load", "load"}, {"dimension", "dimension"}, {"direction", "direction"}, {"from", "share from"}, {"busy", "busy"},
			{"blocked", "blocked"}}};
	static const char *const share_key[] = {"tiers", "dimensions"}, *const count_key[] = {"tier_histogram", "dimension_histogram"};
	static const char *const share_label[] = {"by tier of cables, 0 those to hosts", "by dimension and direction"};
	static const char *const count_label[] = {
		"channels by tier and share of the time", "channels by dimension, direction and share of the time"};
	struct group_table of_shares = {ways ? TIERS_MAX : 0, ways ? WAYS_MAX : TIERS_MAX, ways ? 2 : 1, NULL, 0}, of_counts = of_shares;
	if (fill_shares(&of_shares, samples, error) || fill_histograms(&of_counts, call, samples, error)) {
		free(of_shares.cell);
		free(of_counts.cell);
		return -1;
	}
	bool any = !ways || of_shares.cells; /* the label of an empty table */
	result_table(result, share_key[ways], any ? share_label[ways] : NULL, shares[ways], 1 + of_shares.names + SHARES, of_shares.cell,
		of_shares.cells);
	result_table(result, count_key[ways], any && !several_loads(samples, LOAD) ? count_label[ways] : NULL, counts[ways],
		1 + of_counts.names + 1 + COUNTS, of_counts.cell, of_counts.cells);
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
	if (finish_loads(samples, &layout, result, error) || finish_groups(call, samples, false, result, error) ||
		finish_groups(call, samples, true, result, error))
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
