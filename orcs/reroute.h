/* A fabric that is routed anew once it is loaded, as orcs-route would have done it before. */
#ifndef ORCS_REROUTE_H
#define ORCS_REROUTE_H

#include "formats/dot.h"
#include "fabric/route_set.h"

/*
 * Writes the graph with the tables that the routing engine makes, as orcs-route would. Pairs that the engine leaves without a route have
 * none. An engine of source routes puts them into *routes, and the graph has no tables; routes NULL: it is refused. Returns 0, or -1: what
 * routing_run() returns, STATUS_IO for memory; errors of writing stay in the FILE.
 */
int reroute_write(const char *engine, uint64_t seed, const struct fabric *fabric, const struct attributes *attributes, FILE *file,
	struct route_set **routes, struct error *error);

/*
 * Replaces what fabric_load() gave, DOT_KEEP wanted, by the same graph with the tables that the routing engine makes, as if orcs-route had
 * written it and it had been read again. Pairs that the engine leaves without a route have none; *routes is as above. Returns 0, or -1: what routing_run() and
 * dot_load() return; all is there to be freed in every case.
 */
int reroute(const char *engine, uint64_t seed, unsigned wants, struct fabric **fabric, struct forwarding **forwarding,
	struct route_set **routes, struct attributes **attributes, struct dot_report *report, struct error *error);

#endif
