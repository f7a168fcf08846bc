/*
 * Virtual lanes for routes that could deadlock: those that close a circle move to the next lane (Domke, Hoefler, Nagel: Deadlock-Free
 * Oblivious Routing for Arbitrary Topologies, IPDPS 2011).
 */
#ifndef ROUTINGS_LANE_SPLIT_H
#define ROUTINGS_LANE_SPLIT_H

#include "routing.h"

/*
 * Sets the level of each route that begins at a node with senders, the lane being the level. All begin on the first lane. As long as the
 * dependencies of a lane have a circle, all routes that need its weakest turn, which the fewest need, go to the next lane. Returns 0; 1
 * where it takes more lanes than that many, then level is not to be used; -1 when the memory is not there. Time O(routes * hops) for each
 * lane, and O(hosts) for each circle.
 */
int lane_split(struct routed *routed, const struct routing_graph *graph, unsigned lanes, struct error *error);

#endif
