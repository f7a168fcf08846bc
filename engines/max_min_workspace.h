/* What the parts of max_min share: max_min.c has the flows and finds all rates, max_min_parts.c those that change. For engines/max_min*.c.
 */
#ifndef ENGINES_MAX_MIN_WORKSPACE_H
#define ENGINES_MAX_MIN_WORKSPACE_H

#include "max_min.h"

#include <math.h>

/* Where more than one in so many flows may change, all is solved: that is cheaper for each. */
enum { PART = 2, FEW = 64 };

enum state { STATE_OLD, STATE_FREE, STATE_FOUND };

static inline double weight_of(const struct max_min *m, uint32_t flow)
{
	return m->weight ? m->weight[flow] : 1;
}

static inline double part_at(const struct max_min *m, size_t place)
{
	return m->part ? m->part[place] : 1;
}

/* Equal, but for rounding. */
static inline bool same(double a, double b)
{
	return fabs(a - b) <= MAX_MIN_SAME * fabs(b);
}

/* The heap of candidates, m->heap; with fair channels these know their places in it. To put one where it belongs, at i or above, or below;
 * to take out the one at i. */
void candidates_rise(struct max_min *m, size_t i, struct candidate candidate);
void candidates_sink(struct max_min *m, size_t i, struct candidate candidate);
void candidates_remove(struct max_min *m, size_t i);

/* The flow has its rate now; one that is the old but for rounding stays. */
void max_min_set_rate(struct max_min *m, uint32_t flow, double level, uint32_t channel);

/* Solves what has changed. Returns 1, 0 where that would be too much, or -1. */
int max_min_solve_part(struct max_min *m, struct error *error);

#endif
