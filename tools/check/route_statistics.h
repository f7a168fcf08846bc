/* The statistics of pair_statistics.h for a set of source routes: several per pair, each with a share of its traffic. */
#ifndef TOOLS_CHECK_ROUTE_SURVEY_H
#define TOOLS_CHECK_ROUTE_SURVEY_H

#include "base/digraph.h"
#include "fabric/source_routes.h"
#include "tools/check/pair_statistics.h"

/*
 * Computes the statistics of all routes, on one virtual lane. A pair is minimal if all its routes are; hops and extra count routes; routes
 * of a channel are those of all pairs, each by its share. passed: [hosts] new, the hosts that some route passes through, the only ones that
 * shortest paths may pass through. trees has no tree, only the fabric. Returns 0, or -1 if out of memory; call pair_statistics_clear() in
 * either case. Time O(hops of all routes between groups + groups * channels), and O(1) per fault.
 */
int route_statistics_make(struct pair_statistics *statistics, const struct destination_trees *trees, const struct source_routes *set,
	struct faults *faults, struct error *error);

/*
 * Returns a number of virtual lanes that makes the routes free of deadlock, found greedily as by layers_count(), each route on its own; 0
 * if out of memory. graph: the graph of all dependencies. Time as layers_count().
 */
uint32_t route_statistics_lanes(
	const struct dependencies *dependencies, const struct source_routes *set, const struct digraph *graph, struct error *error);

#endif
