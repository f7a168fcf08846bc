/* Cycles of a directed graph. */
#ifndef BASE_CYCLES_H
#define BASE_CYCLES_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

struct digraph {
	uint32_t vertices;
	uint64_t *first; /* [vertices + 1] */
	uint32_t *to;    /* [first[vertices]] ascending for each vertex */
};

/* Room for so many vertices and edges. Returns 0, or -1; digraph_clear() in every case. */
int digraph_init(struct digraph *graph, uint32_t vertices, uint64_t edges, struct error *error);
void digraph_clear(struct digraph *graph);

/* The index of an edge that is there. Time O(log degree). */
uint64_t digraph_edge(const struct digraph *graph, uint32_t from, uint32_t to);

/*
 * Finds the strongly connected components (Tarjan: Depth-first search and linear graph algorithms, SIAM Journal on Computing 1972, without
 * recursion): cyclic[v] (new, [vertices]) is the component of a vertex that is on a cycle, from 1 on, else 0. NULL when the memory is not
 * there. Time O(vertices + edges).
 */
uint32_t *digraph_cyclic(const struct digraph *graph, struct error *error);

/*
 * A shortest cycle, its vertices in their order: the first found from the lowest vertex on. cyclic: of digraph_cyclic. least: no cycle can
 * be shorter, which ends the search. Returns a new array of *length vertices; NULL if there is none (*length is 0), or on errors. Time
 * O(vertices on cycles * what a search reaches in fewer steps than the cycle has).
 */
uint32_t *digraph_shortest_cycle(
	const struct digraph *graph, const uint32_t *cyclic, uint32_t least, uint32_t *length, struct error *error);

#endif
