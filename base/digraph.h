/* Cycles of a directed graph. */
#ifndef BASE_DIGRAPH_H
#define BASE_DIGRAPH_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

struct digraph {
	uint32_t vertices;
	uint64_t *first; /* [vertices + 1] */
	uint32_t *to;    /* [first[vertices]] ascending for each vertex */
};

/* Allocates the arrays. Returns 0, or -1; call digraph_clear() in either case. */
int digraph_init(struct digraph *graph, uint32_t vertices, uint64_t edges, struct error *error);
void digraph_clear(struct digraph *graph);

/* Returns the index of an edge that exists. Time O(log degree). */
uint64_t digraph_edge(const struct digraph *graph, uint32_t from, uint32_t to);

/*
 * Finds the strongly connected components (Tarjan: Depth-first search and linear graph algorithms, SIAM Journal on Computing 1972, without
 * recursion). Returns a new array [vertices]: the component (1 or more) of a vertex on a cycle, otherwise 0. NULL if out of memory. Time
 * O(vertices + edges).
 */
uint32_t *digraph_cyclic(const struct digraph *graph, struct error *error);

/*
 * Finds a shortest cycle: the first one found in the order of the vertices. cyclic is the result of digraph_cyclic(). least: a length that
 * no cycle is below, which ends the search early. Returns a new array of *length vertices in the order of the cycle; NULL if there is none
 * (*length is 0), or on errors. Time O(vertices on cycles * what a search reaches in fewer steps than the cycle has).
 */
uint32_t *digraph_shortest_cycle(
	const struct digraph *graph, const uint32_t *cyclic, uint32_t least, uint32_t *length, struct error *error);

#endif
