/*
 * How many lanes would make a routing free of deadlock: found greedily, each route on the first lane where it closes no cycle, as LASH does
 * (Skeie, Lysne, Theiss: Layered shortest path (LASH) routing in irregular system area networks, IPDPS 2002). Routes of hosts at the same
 * switch to the same destination stay together.
 */
#ifndef TOOLS_CHECK_LAYERS_H
#define TOOLS_CHECK_LAYERS_H

#include "tools/check/dependencies.h"

/*
 * Fills lane after lane, each destination by destination in their order, from the destination on: routes that share the rest of their way
 * are refused together. graph: that of all dependencies, on one lane. Returns the number of lanes, 0 if out of memory. Time
 * O(tree) for each destination and lane, and that of acyclic_add for each dependency and lane. Memory: a bit for each destination and
 * start.
 */
uint32_t layers_count(struct dependencies *dependencies, struct destination_trees *trees, const struct digraph *graph, struct error *error);

#endif
