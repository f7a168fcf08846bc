/*
 * Histograms of weights. Weights are small integers nearly always, and an array counts those; with unequal channel speeds any
 * positive number occurs, and a sorted list counts what is no small integer. Merging is exact and independent of the order.
 */
#ifndef BASE_HISTOGRAM_H
#define BASE_HISTOGRAM_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

enum { HISTOGRAM_DENSE = 1 << 12 }; /* integers below are counted in the array */

struct bin {
	double value;
	uint64_t count;
};

struct histogram {
	uint64_t *dense;   /* [HISTOGRAM_DENSE] */
	uint32_t top;      /* all of dense[top..] are 0 */
	struct bin *other; /* [others], ascending values */
	size_t others, capacity;
};

/* Makes an empty histogram. Returns 0, or -1 when the memory is not there. */
int histogram_init(struct histogram *histogram, struct error *error);
void histogram_clear(struct histogram *histogram);

/* Empties it, at the cost of what it holds. */
void histogram_reset(struct histogram *histogram);

/* Adds count observations of value (finite, >= 0). Returns 0, or -1. */
int histogram_add(struct histogram *histogram, double value, uint64_t count, struct error *error);

/* Adds one observation of an integer weight. Returns 0, or -1. */
static inline int histogram_add_one(struct histogram *histogram, uint32_t value, struct error *error)
{
	if (value >= HISTOGRAM_DENSE)
		return histogram_add(histogram, value, 1, error);
	histogram->dense[value]++;
	if (value >= histogram->top)
		histogram->top = value + 1;
	return 0;
}

/* Adds all of from to into. Returns 0, or -1. */
int histogram_merge(struct histogram *into, const struct histogram *from, struct error *error);

/* How many bins are not empty. */
size_t histogram_bins(const struct histogram *histogram);

/* Writes the histogram_bins() bins, ascending by value, to bins. */
void histogram_list(const struct histogram *histogram, struct bin *bins);

/* Total number of observations, and sum over them of min(1, 1/value): the bandwidth of the paper's linear model, in units of the link's
 * peak. */
void histogram_bandwidth(const struct histogram *histogram, uint64_t *total, double *bandwidth);

#endif
