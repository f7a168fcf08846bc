/*
 * The largest matching between units that each represent several identical objects: hosts that use a channel for the same destinations, and
 * destinations for which the same hosts use it. A right unit may be matched with any of the left units it lists, with several, and with one
 * several times.
 */
#ifndef TOOLS_BOUND_MATCHING_H
#define TOOLS_BOUND_MATCHING_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

struct matching {
	uint32_t lefts, rights;
	uint32_t *left_room, *right_room; /* number of objects of the unit; after solving, the number left unmatched */
	size_t *first;                    /* [rights + 1] */
	uint32_t *left;                   /* right unit r lists left[first[r]] .. left[first[r + 1] - 1] */
	uint32_t *pairs;                  /* [first[rights]] number of matched pairs, set by matching_solve() */
};

/*
 * Finds the largest matching. Returns 0 and its size, or -1 if out of memory. Hopcroft and Karp: An n^5/2 algorithm for maximum matchings
 * in bipartite graphs, SIAM J. Comput. 1973, extended to units with several objects: time O(edges * units^1/2) if every unit has one
 * object, O(edges * units^2) in the worst case.
 */
int matching_solve(struct matching *matching, uint64_t *size, struct error *error);

/* Frees all arrays. */
void matching_release(struct matching *matching);

#endif
