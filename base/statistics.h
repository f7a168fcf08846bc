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

/* The statistics of values[0..count-1], count > 0. The sums run in the order given. sorted: the same values, ascending. Time O(count). */
struct statistics statistics_of(const double *values, const double *sorted, size_t count);

/* Half the width of the 95% confidence interval of the mean of count values whose population variance is given; infinite for count < 2. */
double confidence_half_width(double variance, size_t count);

/* Sorts ascending, in place; no NANs. Time O(count) for many, with as much memory again where that is to be had. */
void sort_values(double *values, size_t count);

/* Counts equal values of a sorted list: a new array of bins, ascending, *bins of them; NULL when the memory is not there. */
struct bin *count_values(const double *sorted, size_t count, size_t *bins, struct error *error);

#endif
