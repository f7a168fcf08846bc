/*
 * How many lanes would make a routing free of deadlock: found greedily, as DFSSSP does (Domke, Hoefler, Nagel: Deadlock-free oblivious
 * routing for arbitrary topologies, IPDPS 2011). Routes of hosts at the same switch to the same destination stay together.
 */
#ifndef CHECK_LAYERS_H
#define CHECK_LAYERS_H

#include "dependencies.h"

/*
 * All routes begin on the first lane. As long as the dependencies of a lane have a cycle, those routes go to the next lane that need its
 * edge that the fewest need. graph: that of all dependencies, on one lane. Returns the number of lanes, 0 when the memory is not there.
 * Time: O(tree) for each destination that needs an edge at which a cycle is broken, O(length) for each route that moves. Memory: that of a
 * tree for each destination.
 */
uint32_t layers_count(struct dependencies *dependencies, struct trees *trees, const struct digraph *graph, struct error *error);

#endif
