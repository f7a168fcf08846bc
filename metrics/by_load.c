#include "metrics/by_load.h"

#include "base/memory.h"
#include "base/statistics.h"

#include <math.h>
#include <stdlib.h>

/* A run and its load, for sorting. */
struct place {
	double load;
	size_t run;
};

static int compare_places(const void *left, const void *right)
{
	const struct place *a = left, *b = right;
	if (a->load != b->load)
		return a->load < b->load ? -1 : 1;
	return (a->run > b->run) - (a->run < b->run);
}

static double number_of(const struct samples *g, size_t run, unsigned number)
{
	return g->numbers[run * g->width + number];
}

/* Returns a new array of the runs, ascending by load. NULL if out of memory. */
static struct place *sort_runs(const struct samples *g, unsigned load, struct error *error)
{
	struct place *place = array_create(g->runs, sizeof *place, error);
	for (size_t r = 0; place && r < g->runs; r++) {
		double value = number_of(g, r, load);
		place[r] = (struct place){isnan(value) ? 0 : value, r};
	}
	if (place && g->runs)
		qsort(place, g->runs, sizeof *place, compare_places);
	return place;
}

/* Returns the number of runs, from the first on, that have the load of the first. */
static size_t alike(const struct place *place, size_t runs)
{
	size_t count = 1;
	while (count < runs && place[count].load == place[0].load)
		count++;
	return count;
}

bool several_loads(const struct samples *samples, unsigned load)
{
	for (size_t r = 1; r < samples->runs; r++) /* the loads of a task graph are NAN, and count as equal */
		if (number_of(samples, r, load) < number_of(samples, 0, load) || number_of(samples, r, load) > number_of(samples, 0, load))
			return true;
	return false;
}

/* Returns a figure of the runs of one load; NAN if none of them has it. */
static double figure_of(const struct samples *g, const struct load_figure *figure, const struct place *place, size_t runs)
{
	double sum = 0, squares = 0, largest = NAN;
	size_t count = 0;
	for (size_t i = 0; i < runs; i++) {
		double value = number_of(g, place[i].run, figure->number);
		sum += isnan(value) ? 0 : value;
		count += !isnan(value);
		largest = fmax(largest, value);
	}
	double mean = count ? sum / (double)count : NAN;
	if (figure->value != LOAD_HALF)
		return figure->value == LOAD_MEAN ? mean : largest;
	if (count < 2)
		return runs == 1 ? number_of(g, place->run, figure->number + 1) : NAN;
	for (size_t i = 0; i < runs; i++) {
		double value = number_of(g, place[i].run, figure->number);
		squares += isnan(value) ? 0 : (value - mean) * (value - mean);
	}
	return confidence_half_width(squares / (double)count, count);
}

/* Returns the maximum of a column; NAN if it is empty. */
static double largest_of(const double *table, size_t width, size_t rows, size_t column)
{
	double largest = NAN;
	for (size_t row = 0; row < rows; row++)
		largest = fmax(largest, table[row * width + column]);
	return largest;
}

/* Adds the figures of the highest load as items; text shows them if there is only one load. */
static void add_items(const struct load_layout *layout, const double *table, size_t rows, struct result *result)
{
	double mean = NAN;
	for (size_t i = 0; i < layout->figures; i++) {
		const struct load_figure *f = &layout->figure[i];
		double last = rows ? table[(rows - 1) * layout->figures + i] : NAN;
		bool shown = rows < 2 && (f->line == LINE_ALWAYS || (f->line == LINE_IF_KNOWN && !isnan(last)) || last > 0);
		const char *label = shown ? f->label : NULL;
		if (f->value == LOAD_HALF) {
			result_range(result, "ci95", label, mean - last, mean + last);
			result_any_size(result);
		} else {
			result_quantity(result, f->key, label, f->best ? largest_of(table, layout->figures, rows, i) : last);
		}
		mean = last;
	}
}

double *load_table(const struct samples *samples, const struct load_figure *figure, size_t figures, size_t *rows, struct error *error)
{
	struct place *place = sort_runs(samples, figure->number, error);
	double *table = array_create(samples->runs * figures, sizeof *table, error);
	*rows = 0;
	for (size_t r = 0, runs; place && table && r < samples->runs; r += runs, ++*rows) {
		runs = alike(place + r, samples->runs - r);
		for (size_t i = 0; i < figures; i++)
			table[*rows * figures + i] = figure_of(samples, &figure[i], place + r, runs);
	}
	free(place);
	if (!error->status)
		return table;
	free(table);
	return NULL;
}

int finish_loads(const struct samples *samples, const struct load_layout *layout, struct result *result, struct error *error)
{
	size_t rows, left_out = layout->sizes && !several_loads(samples, layout->figure->number), figures = layout->figures - left_out;
	const struct load_layout shown = {layout->label, layout->figure + left_out, layout->column + left_out, figures, false};
	double *table = load_table(samples, shown.figure, figures, &rows, error);
	if (!table)
		return -1;
	add_items(&shown, table, rows, result);
	result_table(result, "loads", rows < 2 ? NULL : shown.label, shown.column, figures, table, rows * figures);
	return 0;
}

double bin_value(unsigned bin, uint64_t least, uint64_t most, double unit, bool whole)
{
	double low = (double)packet_bin_floor(bin), high = (double)packet_bin_floor(bin + 1) - 1, middle = (low + high) / 2;
	double rounded = round(middle / unit) * unit;
	if (whole && rounded >= low && rounded <= high)
		middle = rounded;
	return fmin(fmax(middle, (double)least), (double)most) / unit;
}

double bins_quantile(
	const uint64_t bins[LATENCY_BINS], uint64_t count, double share, uint64_t least, uint64_t most, double unit, bool whole)
{
	uint64_t wanted = (uint64_t)ceil(share * (double)count), seen = 0;
	for (unsigned bin = 0; bin < LATENCY_BINS && count; bin++) {
		seen += bins[bin];
		if (seen >= wanted && seen)
			return bin_value(bin, least, most, unit, whole);
	}
	return NAN;
}
