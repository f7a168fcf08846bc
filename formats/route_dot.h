/* Writes a routed fabric as dot: the graph as it was read, with the tables that an engine made, see orcs-dot(5) and orcs-route(1). */
#ifndef FORMATS_ROUTE_DOT_H
#define FORMATS_ROUTE_DOT_H

#include "routings/routing.h"
#include "formats/dot.h"

/*
 * Writes the graph with these forwarding sets and the attribute routing of that name. With several service levels, hosts get the attribute
 * sl, and edges sl2vl if virtual lanes differ from levels; edges get weights if entries have some. With source routes there are no sets,
 * and the attribute routes has the name. The graph's own sl, sl2vl and weights are dropped. Returns 0, or -1: STATUS_FABRIC, with nothing
 * written, if the name of a host cannot appear in a list, STATUS_IO if out of memory; errors of writing stay in the FILE. Time O(hosts *
 * nodes), and O(hosts * hosts) with levels.
 */
int route_dot_write(const struct routed *routed, const struct routing_graph *graph, const struct attributes *attributes, const char *name,
	FILE *file, struct error *error);

#endif
