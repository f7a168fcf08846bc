/* A routed fabric as dot: the graph as it was read, with the tables that an engine made, see orcs-dot(5) and orcs-route(1). */
#ifndef FORMATS_ROUTE_DOT_H
#define FORMATS_ROUTE_DOT_H

#include "routings/routing.h"
#include "formats/dot.h"

/*
 * Writes the graph with these forwarding sets, the attribute routing of that name, and where there are several service levels the attribute
 * sl of hosts, and sl2vl of edges if lanes are not levels; weights of edges where entries have some. With source routes there are no sets,
 * and the attribute routes has the name. What the graph told of sl, sl2vl and weights before is gone. Returns 0, or -1: STATUS_FABRIC, and
 * nothing written, where the name of a host cannot stand in a list, STATUS_IO without memory; errors of writing stay in the FILE. Time
 * O(hosts * nodes), and O(hosts * hosts) with levels.
 */
int route_dot_write(const struct routed *routed, const struct routing_graph *graph, const struct attributes *attributes, const char *name,
	FILE *file, struct error *error);

#endif
