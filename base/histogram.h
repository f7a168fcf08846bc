/*
 * Histograms of weights. Weights are nearly always small integers, which an array counts; with unequal channel speeds any positive number
 * occurs, and a sorted list counts those that are not small integers. Merging is exact and independent of the order.
 */
#ifndef BASE_HISTOGRAM_H
#define BASE_HISTOGRAM_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

enum { HISTOGRAM_DENSE = 1 << 12 }; /* integers below this are counted in the array */

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

/* Creates an empty histogram. Returns 0, or -1 if out of memory. */
int histogram_init(struct histogram *histogram, struct error *error);
void histogram_clear(struct histogram *histogram);

/* Empties the histogram. Time O(bins in use). */
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

/* Adds all observations of from to into. Returns 0, or -1. */
int histogram_merge(struct histogram *into, const struct histogram *from, struct error *error);

/* Returns the number of bins that are not empty. */
size_t histogram_bins(const struct histogram *histogram);

/* Writes the histogram_bins() non-empty bins to bins, ascending by value. */
void histogram_list(const struct histogram *histogram, struct bin *bins);

/*
 * Returns the total number of observations, and the sum over them of min(1, 1/value): the bandwidth of the paper's linear model, in units
 * of the link's peak bandwidth.
 */
void histogram_bandwidth(const struct histogram *histogram, uint64_t *total, double *bandwidth);

#endif
