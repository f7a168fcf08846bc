/* Policies beside one another: means over the runs of each, and paired differences to the first over the runs of one seed. */
#include "metrics/queue.h"

#include "base/memory.h"
#include "base/statistics.h"
#include "scheduling/allocation.h"
#include "scheduling/scheduler.h"

#include <math.h>
#include <stdlib.h>

/* The figures of which differences are shown. */
static const unsigned differing[] = {
	QUEUE_MEANS + QUEUE_WAIT, QUEUE_MEANS + QUEUE_TURNAROUND, QUEUE_MEANS + QUEUE_BOUNDED, QUEUE_MAKESPAN, QUEUE_UTILISATION};
enum { KINDS = 3, FIGURES = QUEUE_USED, DIFFERING = sizeof differing / sizeof *differing, CELLS = KINDS + FIGURES + 2 * DIFFERING };

static const struct column columns[] = {
	{.key = "scheduler", .title = "scheduler", .left = true},
	{.key = "allocation", .title = "allocation", .left = true, .before = "  "},
	{.key = "job_mapping", .title = "job mapping", .left = true, .before = "  "},
	{.key = "wait.mean", .title = "wait", .before = "  "},
	{.key = "wait.max"},
	{.key = "run.mean", .title = "run", .before = "  "},
	{.key = "run.max"},
	{.key = "turnaround.mean"},
	{.key = "turnaround.max"},
	{.key = "slowdown.mean"},
	{.key = "slowdown.max"},
	{.key = "bounded_slowdown.mean", .title = "slowdown", .before = "  "},
	{.key = "bounded_slowdown.max"},
	{.key = "makespan", .title = "makespan", .before = "  "},
	{.key = "throughput"},
	{.key = "utilisation", .title = "utilisation", .before = "  "},
	{.key = "fragmentation.idle_while_waiting"},
	{.key = "fragmentation.pieces"},
	{.key = "fragmentation.leaves"},
	{.key = "fragmentation.spread"},
	{.key = "difference.wait", .title = "wait to the first", .optional = true, .before = "  "},
	{.key = "difference.wait_half", .title = "+-", .optional = true},
	{.key = "difference.turnaround"},
	{.key = "difference.turnaround_half"},
	{.key = "difference.bounded_slowdown", .title = "slowdown", .optional = true, .before = "  "},
	{.key = "difference.bounded_slowdown_half", .title = "+-", .optional = true},
	{.key = "difference.makespan", .title = "makespan", .optional = true, .before = "  "},
	{.key = "difference.makespan_half", .title = "+-", .optional = true},
	{.key = "difference.utilisation"},
	{.key = "difference.utilisation_half"},
};

static double number_of(const struct samples *s, size_t run, unsigned number)
{
	return s->numbers[run * s->width + number];
}

/* Returns the run of the first policy with the same seed as a run; the number of runs if it was not made. Runs ascend. */
static size_t first_of(const struct samples *s, size_t run, uint64_t points)
{
	for (size_t r = run + 1; r-- > 0 && run - r < points;)
		if (number_of(s, r, QUEUE_POINT) == 0 && number_of(s, r, QUEUE_SEED) == number_of(s, run, QUEUE_SEED))
			return r;
	return s->runs;
}

/* Fills the mean and half the width of its 95% interval of a figure of one policy, or of its difference to the first. */
static void summarise(
	const struct samples *s, uint64_t points, uint64_t point, unsigned figure, bool difference, double *mean, double *half)
{
	double sum = 0, squares = 0;
	size_t count = 0;
	for (int pass = 0; pass < 2; pass++)
		for (size_t r = 0; r < s->runs; r++) {
			size_t first = difference ? first_of(s, r, points) : r;
			if (number_of(s, r, QUEUE_POINT) != (double)point || first == s->runs)
				continue;
			double value = number_of(s, r, figure) - (difference ? number_of(s, first, figure) : 0);
			if (isnan(value))
				continue;
			sum += pass ? 0 : value;
			count += !pass;
			squares += pass ? (value - sum / (double)count) * (value - sum / (double)count) : 0;
		}
	*mean = count ? sum / (double)count : NAN;
	*half = count > 1 ? confidence_half_width(squares / (double)count, count) : NAN;
}

static void make_row(struct row *row, size_t index, const void *data)
{
	const double *cell = (const double *)data + index * CELLS;
	row_text(row, schedulers[(size_t)cell[0]]->name);
	row_text(row, allocations[(size_t)cell[1]]->name);
	row_text(row, job_mappings[(size_t)cell[2]]->name);
	for (unsigned i = KINDS; i < CELLS; i++)
		row_number(row, cell[i], "%.5g");
}

/* Fills the row of a policy. Returns whether any run of it was made. */
static bool fill_row(const struct samples *s, uint64_t points, uint64_t point, double *cell)
{
	size_t r = 0;
	double half;
	while (r < s->runs && number_of(s, r, QUEUE_POINT) != (double)point)
		r++;
	if (r == s->runs)
		return false;
	for (unsigned k = 0; k < KINDS; k++)
		cell[k] = number_of(s, r, QUEUE_SCHEDULER + k);
	for (unsigned i = 0; i < QUEUE_FATES; i++) {
		summarise(s, points, point, QUEUE_MEANS + i, false, &cell[KINDS + 2 * i], &half);
		summarise(s, points, point, QUEUE_MAXIMA + i, false, &cell[KINDS + 2 * i + 1], &half);
	}
	for (unsigned i = QUEUE_MAKESPAN; i < FIGURES; i++)
		summarise(s, points, point, i, false, &cell[KINDS + i], &half);
	double *difference = cell + KINDS + FIGURES;
	for (unsigned i = 0; i < DIFFERING; i++)
		if (point)
			summarise(s, points, point, differing[i], true, &difference[2 * i], &difference[2 * i + 1]);
		else
			difference[2 * i] = difference[2 * i + 1] = NAN;
	return true;
}

int queue_compare(const struct samples *s, uint64_t points, struct result *result, struct error *error)
{
	double *cells = array_create(points * CELLS, sizeof *cells, error);
	size_t rows = 0;
	if (!cells)
		return -1;
	for (uint64_t p = 0; p < points; p++)
		rows += fill_row(s, points, p, cells + rows * CELLS);
	result_rows(result, "policies", "policies; times in seconds, slowdowns bounded, differences to the first over the same seeds",
		(struct table){columns, CELLS, rows, make_row, cells});
	result->item[result->items - 1].list = cells; /* owned */
	return 0;
}
