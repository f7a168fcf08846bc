/*
 * Converts the result of an engine to forwarding tables and virtual lanes: the same as reading the graph that orcs-route(1) writes for it.
 */
#ifndef ROUTINGS_ROUTED_TABLES_H
#define ROUTINGS_ROUTED_TABLES_H

#include "fabric/forwarding.h"
#include "fabric/virtual_lanes.h"
#include "routings/routing.h"

/*
 * Takes the tables out of the result. all: multipath entries are kept whole; otherwise only their first channels, and *ambiguous counts
 * them. NULL if out of memory. Time O(hosts * columns), with multipath entries O(hosts * channels).
 */
struct forwarding *routed_forwarding(
	struct routed *routed, const struct routing_graph *graph, bool all, uint64_t *ambiguous, struct error *error);

/* Returns the virtual lanes and service levels in *lanes, NULL if there are none. Returns 0, or -1 if out of memory. */
int routed_lanes(struct virtual_lanes **lanes, const struct routed *routed, const struct routing_graph *graph, struct error *error);

#endif
