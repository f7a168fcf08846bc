/*
 * A part of a directed graph that grows edge by edge and never has a cycle: its vertices stand in an order in which all its edges lead
 * onwards, which changes as edges come (Pearce, Kelly: A dynamic topological sort algorithm for directed acyclic graphs, Journal of
 * Experimental Algorithmics 2006; searched from both ends, as by Bender, Fineman, Gilbert, Tarjan: A new approach to incremental cycle
 * detection and related problems, ACM Transactions on Algorithms 2015).
 */
#ifndef TOOLS_CHECK_ACYCLIC_H
#define TOOLS_CHECK_ACYCLIC_H

#include "base/digraph.h"

struct acyclic {
	const struct digraph *graph;
	uint64_t effort;               /* steps left for searches */
	uint32_t *component;           /* [vertices] of digraph_cyclic: an edge from one to another is on no cycle */
	uint8_t *state;                /* [edges] */
	uint32_t *to, *onwards;        /* added edges of vertex v lead to[graph->first[v]..] onwards[v] vertices */
	uint64_t *first_into;          /* [vertices + 1] */
	uint32_t *from, *back;         /* and from[first_into[v]..] back[v] vertices to it */
	uint64_t *place;               /* [vertices + 1] in the order: ascending, with gaps */
	uint32_t *next, *previous;     /* [vertices + 1] in the order, a ring whose end and beginning is the last */
	uint8_t *side;                 /* [vertices] of the edge that is added */
	uint32_t *following, *leading; /* [vertices] those of each side */
};

/* Without edges. The graph is borrowed. Returns 0, or -1; acyclic_clear() in every case. Time O(vertices + edges). */
int acyclic_init(struct acyclic *acyclic, const struct digraph *graph, struct error *error);
void acyclic_clear(struct acyclic *acyclic);

/* Takes all edges away. Time O(edges). */
void acyclic_empty(struct acyclic *acyclic);

/* Adds an edge of the graph, unless that closes a cycle, or no short search tells that it does not. Returns whether it is there now. Time
 * O(log degree) where it was added or refused before, or leads onwards; else O(degree) for each step of the search, of which there are
 * 2^22, and eight for each edge. */
bool acyclic_add(struct acyclic *acyclic, uint32_t from, uint32_t to);

#endif
