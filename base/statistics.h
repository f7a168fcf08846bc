/* Statistics of a list of numbers. All variances are population variances. */
#ifndef BASE_STATISTICS_H
#define BASE_STATISTICS_H

#include "base/error.h"
#include "base/histogram.h"

#include <stddef.h>

struct statistics {
	size_t count;
	double mean, variance, sd;       /* sd = sqrt(variance) */
	double low, high;                /* the 95% confidence interval of the mean, Student's t; NAN for one number */
	double min, q1, median, q3, max; /* quartiles by linear interpolation between order statistics */
};

/* Returns the statistics of values[0..count-1], count > 0, summed in the order given. sorted: the same values, ascending. Time O(count). */
struct statistics statistics_of(const double *values, const double *sorted, size_t count);

/*
 * Returns half the width of the 95% confidence interval of the mean of count values with that population variance; infinite for count < 2.
 */
double confidence_half_width(double variance, size_t count);

enum { BATCHES_MAX = 30 };

/*
 * Returns half the width of the 95% interval of the quotient of two sums over the batches of a run, by the formula of Cochran, Sampling
 * Techniques (1977), 6.4, for a ratio of means. Successive batches may be correlated: they are joined until their correlation is
 * insignificant (Fishman: Grouping observations in digital simulation, 1978), or six are left; the remaining correlation widens the
 * interval as for a first-order process (Bayley, Hammersley: The effective number of independent observations, 1946). NAN if batches are
 * too few, or empty. batches: at most BATCHES_MAX. Time O(batches).
 */
double batch_half_width(const double *above, const double *below, size_t batches);

/* Sorts ascending, in place; no value may be NAN. Time O(count) for many values if as much memory again is available. */
void sort_values(double *values, size_t count);

/* Counts the equal values of a sorted list. Returns a new array of *bins bins, ascending; NULL if out of memory. */
struct bin *count_values(const double *sorted, size_t count, size_t *bins, struct error *error);

#endif
