/* Packets by service level: latency and accepted bytes; and what channels carried on each virtual lane. */
#include "base/memory.h"
#include "fabric/service_levels.h"
#include "metrics/by_load.h"

#include <math.h>
#include <stdlib.h>

enum { PACKETS, SHARE, BITS, MEAN, P50, P99, LONGEST, OF_LEVEL };
enum { CHANNELS, CARRIED, OF_LANE };
enum { LANES_MOST = 16 };
enum { LOAD, BY_LEVEL, BY_LANE = BY_LEVEL + SERVICE_LEVELS_MOST * OF_LEVEL, NUMBERS = BY_LANE + LANES_MOST * OF_LANE };

/* Returns the latency that a share of the packets of a level does not exceed, in picoseconds: the middle of its bin. NAN without packets.
 */
static double quantile(const struct packet_seen *s, unsigned level, double share)
{
	const struct packet_level *l = &s->level[level];
	const uint64_t *bins = s->level_bins + (size_t)level * LATENCY_BINS;
	uint64_t wanted = (uint64_t)ceil(share * (double)l->packets), count = 0;
	for (unsigned bin = 0; bin < LATENCY_BINS && l->packets; bin++) {
		double low = (double)packet_bin_floor(bin), high = (double)packet_bin_floor(bin + 1) - 1;
		count += bins[bin];
		if (count >= wanted && count)
			return fmin((low + high) / 2, (double)l->longest);
	}
	return NAN;
}

static void level_numbers(const struct metric_call *call, const struct packet_seen *s, unsigned level, double *numbers)
{
	const struct packet_level *l = &s->level[level];
	double time = people_time(call), accepted = s->measured ? (double)l->accepted / (double)s->measured : NAN;
	bool any = l->packets || l->accepted;
	for (int i = 0; i < OF_LEVEL; i++)
		numbers[i] = NAN;
	if (!any)
		return;
	numbers[PACKETS] = (double)l->packets;
	numbers[SHARE] = s->open ? accepted / (s->link * s->senders) : NAN;
	numbers[BITS] = (call->cycles ? 1 : 8) * time * accepted;
	numbers[MEAN] = l->packets ? (double)l->latency / (double)l->packets / time : NAN;
	numbers[P50] = quantile(s, level, 0.5) / time;
	numbers[P99] = quantile(s, level, 0.99) / time;
	numbers[LONGEST] = l->packets ? (double)l->longest / time : NAN;
}

static int service_levels_flow(struct metric_call *call, const struct observation *seen, double *numbers, struct error *error)
{
	const struct packet_seen *s = seen->packets;
	double all = 0;
	(void)error;
	for (unsigned i = 0; i < NUMBERS; i++)
		numbers[i] = i < BY_LANE ? NAN : 0;
	numbers[LOAD] = s->open ? s->load : NAN;
	for (unsigned level = 0; level < SERVICE_LEVELS_MOST; level++)
		level_numbers(call, s, level, numbers + BY_LEVEL + level * OF_LEVEL);
	for (uint32_t c = 0; c < seen->fabric->channels; c++)
		for (unsigned lane = 0; lane < s->lanes; lane++) {
			uint64_t bytes = s->lane_bytes[(size_t)c * s->lanes + lane];
			numbers[BY_LANE + lane * OF_LANE + CHANNELS] += bytes > 0;
			numbers[BY_LANE + lane * OF_LANE + CARRIED] += (double)bytes;
			all += (double)bytes;
		}
	for (unsigned lane = 0; lane < LANES_MOST; lane++) {
		double *of_lane = numbers + BY_LANE + lane * OF_LANE;
		of_lane[CARRIED] = of_lane[CARRIED] > 0 ? of_lane[CARRIED] / all : NAN;
	}
	return 0;
}

/* A table of rows by load and by level or lane. */
struct rows {
	const char *key, *label;
	const struct table_column *column;     /* load, number, and the figures */
	unsigned first, count, figures, known; /* numbers of the first row; the figure that a row has if there is one */
};

static int add_rows(const struct samples *samples, const struct rows *r, struct result *result, struct error *error)
{
	unsigned columns = r->figures + 2, numbers = 1 + r->count * r->figures;
	struct load_figure *figure = array_create(numbers, sizeof *figure, error);
	size_t rows, cells = 0;
	if (!figure)
		return -1;
	figure[0] = (struct load_figure){.number = LOAD};
	for (unsigned i = 1; i < numbers; i++)
		figure[i] = (struct load_figure){.number = r->first + i - 1};
	double *loads = load_table(samples, figure, numbers, &rows, error);
	double *table = loads ? array_create(rows * r->count * columns, sizeof *table, error) : NULL;
	for (size_t row = 0; table && row < rows; row++)
		for (unsigned i = 0; i < r->count; i++) {
			const double *of = loads + row * numbers + 1 + i * r->figures;
			if (isnan(of[r->known]))
				continue;
			table[cells++] = loads[row * numbers];
			table[cells++] = i;
			for (unsigned k = 0; k < r->figures; k++)
				table[cells++] = of[k];
		}
	free(figure);
	free(loads);
	if (!table)
		return -1;
	result_table(result, r->key, r->label, r->column, columns, table, cells);
	return 0;
}

static const struct table_column level_column[] = {{"load", "load"}, {"sl", "sl"}, {"packets", "packets"}, {"accepted", "accepted"},
	{"bits", "bits/s"}, {"mean", "mean"}, {"p50", "50%"}, {"p99", "99%"}, {"max", "maximum"}};
static const struct table_column cycle_column[] = {{"load", "load"}, {"sl", "sl"}, {"packets", "packets"}, {"accepted", "accepted"},
	{"bits", "flits/cycle"}, {"mean", "mean"}, {"p50", "50%"}, {"p99", "99%"}, {"max", "maximum"}};
static const struct table_column lane_column[] = {{"load", "load"}, {"vl", "vl"}, {"channels", "channels"}, {"carried", "of all bytes"}};

static int service_levels_finish(const struct metric_call *call, const struct samples *samples, struct result *result, struct error *error)
{
	const struct rows levels = {.key = "levels",
		.label = PEOPLE_LABEL(call, "by service level: accepted traffic, and latency in ", ""),
		.column = call->cycles ? cycle_column : level_column,
		.first = BY_LEVEL,
		.count = SERVICE_LEVELS_MOST,
		.figures = OF_LEVEL,
		.known = PACKETS};
	const struct rows lanes = {.key = "lanes",
		.label = "by virtual lane: channels with packets on it, and the share of the bytes that channels carried",
		.column = lane_column,
		.first = BY_LANE,
		.count = LANES_MOST,
		.figures = OF_LANE,
		.known = CARRIED};
	return add_rows(samples, &levels, result, error) || add_rows(samples, &lanes, result, error) ? -1 : 0;
}

const struct metric metric_service_levels = {
	.name = "service_levels",
	.summary = "accepted traffic and latency by service level, and the use of virtual lanes",
	.source = "InfiniBand Architecture Specification 1, 7.6",
	.gathers = METRIC_VALUES,
	.wants = SEEN_PACKETS | SEEN_LEVELS,
	.numbers = NUMBERS,
	.flow = service_levels_flow,
	.finish = service_levels_finish,
};
