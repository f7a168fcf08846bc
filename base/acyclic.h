/*
 * A part of a directed graph that grows edge by edge and never has a cycle: its vertices have an order in which all its edges lead forward,
 * and which is updated as edges are added (Pearce, Kelly: A dynamic topological sort algorithm for directed acyclic graphs, Journal of
 * Experimental Algorithmics 2006; searched from both ends, as by Bender, Fineman, Gilbert, Tarjan: A new approach to incremental cycle
 * detection and related problems, ACM Transactions on Algorithms 2015).
 */
#ifndef BASE_ACYCLIC_H
#define BASE_ACYCLIC_H

#include "base/digraph.h"

struct acyclic {
	const struct digraph *graph;
	uint64_t effort;               /* remaining steps of searches */
	uint32_t *component;           /* [vertices] see digraph_cyclic(): an edge between different components is on no cycle */
	uint8_t *state;                /* [edges] */
	uint32_t *to, *onwards;        /* added edges of vertex v lead to[graph->first[v]..], onwards[v] vertices */
	uint64_t *first_into;          /* [vertices + 1] */
	uint32_t *from, *back;         /* and come from[first_into[v]..], back[v] vertices */
	uint64_t *place;               /* [vertices + 1] positions in the order: ascending, with unused numbers between */
	uint32_t *next, *previous;     /* [vertices + 1] the order as a ring, whose end and beginning is the last entry */
	uint8_t *side;                 /* [vertices] side of the edge that is being added */
	uint32_t *following, *leading; /* [vertices] the vertices of each side */
};

/* Initialises it without edges. The graph is borrowed. Returns 0, or -1; call acyclic_clear() in either case. Time O(vertices + edges). */
int acyclic_init(struct acyclic *acyclic, const struct digraph *graph, struct error *error);
void acyclic_clear(struct acyclic *acyclic);

/* Removes all edges. Time O(edges). */
void acyclic_empty(struct acyclic *acyclic);

/*
 * Adds an edge of the graph, unless it closes a cycle, or no short search proves that it does not. Returns whether the edge is now present.
 * Time O(log degree) if it was added or refused before, or leads forward; otherwise O(degree) per step of the search, of which there are at
 * most 2^22 in all, and eight more per edge.
 */
bool acyclic_add(struct acyclic *acyclic, uint32_t from, uint32_t to);

#endif
