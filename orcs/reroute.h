/* A fabric that is routed anew once it is loaded, as orcs-route would have done it before. */
#ifndef ORCS_REROUTE_H
#define ORCS_REROUTE_H

#include "fabric/lanes.h"
#include "fabric/route_set.h"
#include "formats/dot.h"

struct rerouting {
	const char *engine;
	uint64_t seed;
	bool all;     /* multipath entries are kept whole */
	bool lanes;   /* virtual lanes and service levels are wanted */
	bool written; /* the graph will be written again: its attributes become those of the routed one */
	bool sources; /* an engine of source routes may make them; else it is refused */
};

/* What routes it; each is to be freed. */
struct rerouted {
	struct forwarding *forwarding; /* without an entry where there are source routes */
	struct route_set *routes;      /* NULL: none */
	struct lanes *lanes;           /* NULL: none, or not wanted */
};

/*
 * Routes the fabric. Pairs that the engine leaves without a route have none. attributes: of the graph; the report is told of what reading the
 * routed graph would have found. Its hash becomes that of the routed fabric. Returns 0, or -1: what routing_run() returns, STATUS_IO for
 * memory; nothing is to be freed then.
 */
int reroute(const struct rerouting *rerouting, struct fabric *fabric, struct attributes **attributes, struct rerouted *rerouted,
	struct dot_report *report, struct error *error);

/* Writes the graph with the tables that the engine makes, as orcs-route would; source routes go into *routes (NULL: an engine that makes
 * them is refused). Returns 0, or -1 likewise; errors of writing stay in the FILE. */
int reroute_write(const char *engine, uint64_t seed, const struct fabric *fabric, const struct attributes *attributes, FILE *file,
	struct route_set **routes, struct error *error);

#endif
