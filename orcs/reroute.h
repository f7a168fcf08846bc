/* A fabric that is routed anew once it is loaded, as orcs-route would have done it before. */
#ifndef ORCS_REROUTE_H
#define ORCS_REROUTE_H

#include "dot.h"

/*
 * Replaces what fabric_load() gave, DOT_KEEP wanted, by the same graph with the tables that the routing engine makes, as if orcs-route had
 * written it and it had been read again. Pairs that the engine leaves without a route have none. Returns 0, or -1: what routing_run() and
 * dot_load() return; all is there to be freed in every case.
 */
int reroute(const char *engine, uint64_t seed, unsigned wants, struct fabric **fabric, struct forwarding **forwarding, struct dot **dot,
	struct dot_report *report, struct error *error);

#endif
