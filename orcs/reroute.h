/* A fabric that is routed anew once it is loaded, as orcs-route would have done it before. */
#ifndef ORCS_REROUTE_H
#define ORCS_REROUTE_H

#include "fabric/virtual_lanes.h"
#include "fabric/source_routes.h"
#include "formats/dot.h"

struct files;

struct rerouting {
	const char *engine;
	uint64_t seed;
	bool all;            /* multipath entries are kept whole */
	bool lanes;          /* virtual lanes and service levels are wanted */
	bool few_pairs;      /* only the routes of messages matter, not lanes: they are computed on demand where that is possible */
	bool written;        /* the graph will be written again: its attributes become those of the routed one */
	struct files *files; /* registers files that the engine's parameters name; NULL: nothing does */
	FILE *graph;         /* the routed graph is written there, as orcs-route would; errors of writing stay in it. NULL: it is not */
};

/* What routes it; each is to be freed. */
struct rerouted {
	struct forwarding *forwarding; /* without an entry where there are source routes */
	struct source_routes *routes;  /* NULL: none beside the tables */
	struct virtual_lanes *lanes;   /* NULL: none, or not wanted */
	bool demand;                   /* forwarding and routes compute on demand: see reroute_again() */
	bool opensm, uncertain;        /* see struct routed */
	const char *fallback;          /* see struct routed */
	char warning[1200];            /* to be reported; "": none */
};

/*
 * Routes the fabric. Pairs that the engine leaves without a route have none. attributes: of the graph; the report is told of what reading
 * the routed graph would have found. Its hash becomes that of the routed fabric. Returns 0, or -1: what routing_run() returns, STATUS_IO
 * for memory; nothing is to be freed then.
 */
int reroute(const struct rerouting *rerouting, struct fabric *fabric, struct attributes **attributes, struct rerouted *rerouted,
	struct dot_report *report, struct error *error);

/*
 * Makes routes on demand in another process, whose forwarding has no entries: topology: the attribute of the graph, NULL: none. Returns 0,
 * or -1.
 */
int reroute_again(const char *engine, uint64_t seed, const struct fabric *fabric, const char *topology, struct forwarding *forwarding,
	struct source_routes **routes, struct error *error);

#endif
