/* Determines the best of several routings with the same runs, and the differences to it. */
#ifndef COMPARE_VERDICT_H
#define COMPARE_VERDICT_H

#include "base/statistics.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The verdict on one routing. */
struct verdict {
	struct statistics runs; /* statistics of its runs that have a value; count 0: no run has one, and nothing else is set */
	bool complete;          /* no message was lost, or all routings lost messages */
	bool best;              /* no complete routing has a larger mean */
	/* paired differences to the best (the first of several): mean and 95% confidence interval, NAN for a single run */
	size_t common; /* number of runs in which both have a value */
	double difference, low, high;
};

/*
 * values[i] are the values of the runs on routing i, NAN for a run without one; NULL for a routing that was not compared. lost[i] is the
 * number of messages without a route; their absence makes the other messages faster. Sums are computed in the order of the runs. Returns 0,
 * or -1 if out of memory. Time O(routings * runs * log runs).
 */
int verdicts_of(struct verdict *verdict, const double *const *values, const uint64_t *lost, int routings, size_t runs, struct error *error);

#endif
