/* What pair_statistics.h tells, of a set of source routes: several for a pair, each with a share of its traffic. */
#ifndef TOOLS_CHECK_ROUTE_SURVEY_H
#define TOOLS_CHECK_ROUTE_SURVEY_H

#include "base/digraph.h"
#include "fabric/source_routes.h"
#include "tools/check/pair_statistics.h"

/*
 * Looks at all routes, with one lane for all. A pair is minimal if all its routes are; hops and extra count routes; routes of a channel are
 * those of all pairs, each by its share. passed: [hosts] new, those that some route goes through, and the only ones that shortest ways may
 * go through. trees has no tree: only the fabric. Returns 0, or -1 if out of memory; pair_statistics_clear() in every case. Time
 * O(hops of all routes between groups + groups * channels), and O(1) for each fault.
 */
int route_statistics_make(struct pair_statistics *statistics, const struct destination_trees *trees, const struct source_routes *set,
	struct faults *faults, struct error *error);

/* How many lanes would make the routes free of deadlock, found greedily as layers_count does, each route for itself. graph: that of all
 * dependencies. Returns 0 if out of memory. Time as there. */
uint32_t route_statistics_lanes(
	const struct dependencies *dependencies, const struct source_routes *set, const struct digraph *graph, struct error *error);

#endif
