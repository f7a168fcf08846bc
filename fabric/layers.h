/*
 * A number of virtual lanes that makes a routing free of deadlock, found greedily: each route on the first lane where it closes no cycle,
 * as LASH does (Skeie, Lysne, Theiss: Layered shortest path (LASH) routing in irregular system area networks, IPDPS 2002). Routes of hosts
 * at the same switch to the same destination stay together.
 */
#ifndef FABRIC_LAYERS_H
#define FABRIC_LAYERS_H

#include "fabric/dependencies.h"

/*
 * Fills one lane after the other, destination by destination in order, starting at the destination: routes that share the rest of their
 * path are rejected together. graph: the graph of all dependencies, on one lane. Returns the number of lanes, 0 if out of memory. Time
 * O(tree) per destination and lane, plus acyclic_add() per dependency and lane. Memory: one bit per destination and start.
 */
uint32_t layers_count(struct dependencies *dependencies, struct destination_trees *trees, const struct digraph *graph, struct error *error);

#endif
