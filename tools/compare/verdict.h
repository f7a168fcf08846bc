/* Which of several routings is the best, and by how much, when all had the same runs. */
#ifndef TOOLS_COMPARE_VERDICT_H
#define TOOLS_COMPARE_VERDICT_H

#include "base/statistics.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What one routing came to. */
struct verdict {
	struct statistics runs; /* over its runs that have a value; count 0: none has, and then nothing else is set */
	bool complete;          /* it lost no messages, or all did */
	bool best;              /* no mean of a complete one is larger */
	/* its value minus that of the best (of the first of several), run by run: mean and 95% confidence interval, NAN for a single run */
	size_t common; /* runs in which both have a value */
	double difference, low, high;
};

/*
 * values[i] holds the value of each of the runs on routing i, NAN for a run without one; NULL for a routing that was not compared. lost[i]
 * is how many messages had no route; those on the way of others make these look better. Sums run in the order of the runs. Returns 0, or -1
 * if out of memory. Time O(routings * runs * log runs).
 */
int verdicts_of(struct verdict *verdict, const double *const *values, const uint64_t *lost, int routings, size_t runs, struct error *error);

#endif
