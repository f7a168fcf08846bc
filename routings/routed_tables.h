/* What an engine made, as the tables that packets follow: what reading the graph that orcs-route(1) writes of it would give. */
#ifndef ROUTINGS_ROUTED_TABLES_H
#define ROUTINGS_ROUTED_TABLES_H

#include "fabric/forwarding.h"
#include "fabric/lanes.h"
#include "routings/routing.h"

/* Takes the tables out of it. all: multipath entries are kept whole; else the first channel of each is, and *ambiguous counts them. NULL
 * when the memory is not there. Time O(hosts * columns), with multipath entries O(hosts * channels). */
struct forwarding *routed_forwarding(
	struct routed *routed, const struct routing_graph *graph, bool all, uint64_t *ambiguous, struct error *error);

/* The virtual lanes and service levels; *lanes is NULL if there are none. Returns 0, or -1 when the memory is not there. */
int routed_lanes(struct lanes **lanes, const struct routed *routed, const struct routing_graph *graph, struct error *error);

#endif
