/*
 * The workspace of max_min, for engines/max_min*.c: max_min.c manages the flows, max_min_take.c adds many together, max_min_whole.c
 * computes all rates, max_min_parts.c computes those that change.
 */
#ifndef ENGINES_FLOW_MAX_MIN_WORKSPACE_H
#define ENGINES_FLOW_MAX_MIN_WORKSPACE_H

#include "base/memory.h"
#include "engines/flow/max_min.h"

#include <math.h>

enum { LINE = 64 / sizeof(uint32_t) }; /* channels or flows per cache line */

/*
 * All rates are computed, which is cheaper per flow, if more than FEW flows, and more than one in PART, are new; also if an update visits
 * more than MANY times the number of flows.
 */
enum { PART = 2, FEW = 64, MANY = 8 };

static inline double weight_of(const struct max_min *m, uint32_t flow)
{
	return m->weight ? m->weight[flow] : 1;
}

static inline double part_at(const struct max_min *m, size_t place)
{
	return m->part ? m->part[place] : 1;
}

/* Returns whether two rates are equal, except for rounding. */
static inline bool same(double a, double b)
{
	return fabs(a - b) <= MAX_MIN_SAME * fabs(b);
}

/*
 * Allocates an array with undefined content, in large pages if the C library gives it pages of its own in any case; smaller ones would
 * leave gaps between runs. NULL if out of memory.
 */
static inline void *large_create(size_t count, size_t size, struct error *error)
{
	const size_t large = (size_t)32 << 20; /* the C library's largest threshold for that */
	void *array = NULL;
	size_t room = 0;
	if (count > large / size)
		return block_create(count * size, error);
	return array_grow(&array, &room, count ? count : 1, size, error) ? NULL : array;
}

/* Resets the state of a channel without flows. */
void max_min_reset(struct max_min *m, uint32_t channel);

/* Removes the flow from its channels, if these are known. */
void max_min_leave(struct max_min *m, uint32_t flow);

/* Computes all rates. Returns 0, or -1. Time O(channels of all flows), times log for classes of many channels. */
int max_min_solve_whole(struct max_min *m, struct error *error);

/* Updates the rates that change. Returns 1, 0 if that would be too much work, or -1. */
int max_min_solve_part(struct max_min *m, struct error *error);

#endif
