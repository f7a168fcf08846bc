/* Disjoint sets of 0 .. n - 1 that are joined (union-find): above[v] leads from v to the root of its set, which is above itself. */
#ifndef BASE_DISJOINT_H
#define BASE_DISJOINT_H

#include <stdbool.h>
#include <stdint.h>

/* Makes each its own set. */
static inline void disjoint_init(uint32_t *above, uint32_t count)
{
	for (uint32_t v = 0; v < count; v++)
		above[v] = v;
}

/* Returns the root of the set. Halves the way to it; amortised time O(log n). */
static inline uint32_t disjoint_root(uint32_t *above, uint32_t v)
{
	while (above[v] != v)
		v = above[v] = above[above[v]];
	return v;
}

/* Joins two sets. Returns whether they were different; the root of the second remains. */
static inline bool disjoint_join(uint32_t *above, uint32_t a, uint32_t b)
{
	uint32_t from = disjoint_root(above, a), to = disjoint_root(above, b);
	above[from] = to;
	return from != to;
}

#endif
