/*
 * The largest matching between units that each stand for several alike: hosts that use a channel for the same destinations, and
 * destinations for which the same hosts use it. A right unit may go with any of the left units it lists, with several, and more than once.
 */
#ifndef TOOLS_BOUND_MATCHING_H
#define TOOLS_BOUND_MATCHING_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

struct matching {
	uint32_t lefts, rights;
	uint32_t *left_room, *right_room; /* how many the unit stands for; in the end, how many of them are left over */
	size_t *first;                    /* [rights + 1] */
	uint32_t *left;                   /* right unit r lists left[first[r]] .. left[first[r + 1] - 1] */
	uint32_t *pairs;                  /* [first[rights]] how many go together, by matching_solve() */
};

/*
 * Finds the largest matching. Returns 0 and its size, or -1 if out of memory. Hopcroft and Karp: An n^5/2 algorithm for maximum
 * matchings in bipartite graphs, SIAM J. Comput. 1973, with room for several in a unit: time O(edges * units^1/2) where all rooms are 1,
 * O(edges * units^2) at worst.
 */
int matching_solve(struct matching *matching, uint64_t *size, struct error *error);

/* Frees all arrays. */
void matching_release(struct matching *matching);

#endif
