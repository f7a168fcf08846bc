/* The records of runs in process 0: their order, the precision of means, and the outcome. */
#include "base/memory.h"
#include "orcs/campaign_workspace.h"

#include "base/statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Returns the offset of a metric's values in a record: after the run and the values of the metrics before it. */
static size_t record_place(const struct campaign *c, int metric)
{
	size_t place = 1;
	for (int m = 0; m < metric; m++)
		place += c->setup->metrics[m].numbers;
	return place;
}

size_t record_width(const struct campaign *c)
{
	return record_place(c, c->setup->metric_count) + (c->setup->control ? CONTROLS : 0);
}

/* Lists the values of a metric in the order of the records, without runs that have none. Returns their number. */
static size_t collect_values(const struct campaign *c, int m, double *values)
{
	size_t width = record_width(c), place = record_place(c, m), count = 0;
	for (size_t r = 0; r < c->made.used; r += width)
		if (!isnan(c->made.records[r + place]))
			values[count++] = c->made.records[r + place];
	return count;
}

static int compare_records(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;
	return (a > b) - (a < b);
}

/* Sorts the records by run. Nearly all numbers occur, so each has its place. */
static void order_records(struct campaign *c, size_t width, size_t runs)
{
	uint64_t first = UINT64_MAX, last = 0;
	for (size_t r = 0; r < runs; r++) {
		uint64_t run = (uint64_t)c->made.records[r * width];
		first = run < first ? run : first;
		last = run > last ? run : last;
	}
	size_t *place = runs && last - first < 4 * runs ? calloc(last - first + 1, sizeof *place) : NULL;
	double *ordered = place ? malloc(runs * width * sizeof *ordered) : NULL;
	if (!ordered && runs)
		qsort(c->made.records, runs, width * sizeof *c->made.records, compare_records);
	for (size_t r = 0; ordered && r < runs; r++)
		place[(uint64_t)c->made.records[r * width] - first] = r + 1;
	size_t next = 0;
	for (uint64_t run = 0; ordered && run <= last - first; run++)
		if (place[run])
			memcpy(ordered + next++ * width, c->made.records + (place[run] - 1) * width, width * sizeof *ordered);
	free(place);
	if (!ordered)
		return;
	free(c->made.records);
	c->made.records = ordered;
	c->made.capacity = runs * width;
}

/* Returns a new array of the control sums of each run; all runs have a value of that metric. NULL: out of memory. */
static double (*collect_sums(const struct campaign *c, struct error *error))[CONTROLS]
{
	size_t width = record_width(c), runs = c->made.used / width;
	double(*sums)[CONTROLS] = array_create(runs, sizeof *sums, error);
	for (size_t r = 0; sums && r < runs; r++)
		memcpy(sums[r], c->made.records + (r + 1) * width - CONTROLS, sizeof *sums);
	return sums;
}

/* Computes half the width of the interval of a mean, and the mean. count > 0. */
static double half_width(const struct campaign *c, double *values, size_t count, double *mean, struct error *error)
{
	if (c->setup->control && count == c->made.used / record_width(c)) {
		double(*sums)[CONTROLS] = collect_sums(c, error);
		struct controlled controlled = {0};
		if (sums)
			controlled = control_estimate(values, sums, count, c->setup->control->expected);
		free(sums);
		*mean = controlled.mean;
		return controlled.half;
	}
	sort_values(values, count); /* the order of records depends on the processes; the sums must not */
	struct statistics s = statistics_of(values, values, count);
	*mean = s.mean;
	return count > 1 ? (s.high - s.low) / 2 : INFINITY;
}

bool precise_enough(struct campaign *c, struct error *error)
{
	size_t width = record_width(c), runs = c->made.used / width;
	double mean, *values = array_create(runs, sizeof *values, error);
	bool enough = values != NULL;
	if (c->setup->control)
		order_records(c, width, runs);
	for (int m = 0; enough && m < c->setup->metric_count; m++) {
		if (!(c->setup->metrics[m].metric->gathers & METRIC_VALUES))
			continue;
		size_t count = collect_values(c, m, values);
		if (count)
			enough = half_width(c, values, count, &mean, error) <= c->setup->precision * fabs(mean);
	}
	free(values);
	return enough;
}

/* Sorts the records by run, and lists the values of each metric. */
static int sort_records(struct campaign *c, struct outcome *outcome, struct error *error)
{
	size_t width = record_width(c), runs = c->made.used / width;
	order_records(c, width, runs);
	outcome->run = array_create(runs, sizeof *outcome->run, error);
	for (size_t r = 0; outcome->run && r < runs; r++)
		outcome->run[r] = (uint64_t)c->made.records[r * width];
	if (c->setup->control)
		outcome->sums = collect_sums(c, error);
	for (int m = 0; m < c->setup->metric_count; m++) {
		size_t numbers = c->setup->metrics[m].numbers, place = record_place(c, m);
		double *all = outcome->numbers[m] = array_create(runs * numbers, sizeof *all, error);
		for (size_t r = 0; all && r < runs; r++)
			memcpy(all + r * numbers, c->made.records + r * width + place, numbers * sizeof *all);
		if (!(c->setup->metrics[m].metric->gathers & METRIC_VALUES))
			continue;
		double *raw = outcome->raw[m] = array_create(runs, sizeof *raw, error);
		double *values = outcome->values[m] = array_create(runs, sizeof *values, error);
		if (error->status)
			return -1;
		for (size_t r = 0; r < runs; r++)
			raw[r] = numbers ? c->made.records[r * width + place] : NAN;
		outcome->value_count[m] = collect_values(c, m, values);
	}
	return 0;
}

/* Returns a new array of the sums; NULL: there are none. */
static uint64_t *copy_sums(const uint64_t *sum, size_t count, struct error *error)
{
	return sum ? array_copy(sum, count, sizeof *sum, error) : NULL;
}

int take_outcome(struct campaign *c, struct outcome *outcome, struct error *error)
{
	const struct campaign_setup *setup = c->setup;
	outcome->runs = c->made.runs;
	outcome->connections = c->made.connections;
	outcome->unroutable = c->made.unroutable;
	outcome->channel_unit = c->sums.unit;
	outcome->channel_sum = copy_sums(c->made.sum, c->made.channels, error);
	outcome->channel_limit = copy_sums(c->made.limit, c->made.channels, error);
	outcome->channel_carried = copy_sums(c->made.carried, 2 * (size_t)c->made.channels, error);
	if (!comm_rank(setup->comm) && !error->status)
		sort_records(c, outcome, error);
	return comm_agree(setup->comm, error);
}
