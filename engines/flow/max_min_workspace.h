/* What the files of max_min share: max_min.c has the flows, max_min_take.c takes many at once, max_min_whole.c finds all rates,
 * max_min_parts.c those that change. For engines/max_min*.c. */
#ifndef ENGINES_FLOW_MAX_MIN_WORKSPACE_H
#define ENGINES_FLOW_MAX_MIN_WORKSPACE_H

#include "base/memory.h"
#include "engines/flow/max_min.h"

#include <math.h>

enum { LINE = 64 / sizeof(uint32_t) }; /* channels or flows in a line of a cache */

/* Where more than one in so many flows is new, all is solved: that is cheaper for each. So it is where changes are followed to so many
 * times the flows there are. */
enum { PART = 2, FEW = 64, MANY = 8 };

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

/* An array in large pages where it has pages of its own in any case; smaller ones would leave gaps from run to run. Of no certain content;
 * NULL if out of memory. */
static inline void *large_create(size_t count, size_t size, struct error *error)
{
	const size_t large = (size_t)32 << 20; /* the C library's largest threshold for that */
	void *array = NULL;
	size_t room = 0;
	if (count > large / size)
		return block_create(count * size, error);
	return array_grow(&array, &room, count ? count : 1, size, error) ? NULL : array;
}

/* What is known of a channel without flows. */
void max_min_reset(struct max_min *m, uint32_t channel);

/* The flow leaves its channels, where these are known. */
void max_min_leave(struct max_min *m, uint32_t flow);

/* Finds all rates. Returns 0, or -1. Time O(channels of all flows), but for classes of many channels: * log. */
int max_min_solve_whole(struct max_min *m, struct error *error);

/* Mends what has changed. Returns 1, 0 where that would be too much, or -1. */
int max_min_solve_part(struct max_min *m, struct error *error);

#endif
