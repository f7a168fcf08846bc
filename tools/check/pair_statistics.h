/*
 * All ordered pairs of different hosts: whether they have a route, how long it is, how much longer than it need be, and how many routes use
 * each channel. Hops are the switches (and other nodes) between two hosts: the channels of a route less one.
 */
#ifndef TOOLS_CHECK_SURVEY_H
#define TOOLS_CHECK_SURVEY_H

#include "fabric/destination_trees.h"
#include "tools/check/dependencies.h"
#include "tools/check/faults.h"

struct pair_statistics {
	uint64_t pairs, routable, no_entry, loop, no_path, minimal;
	uint32_t longest;          /* hops of a route; arrays below end there */
	uint64_t *hops;            /* [nodes] routes of so many; of pairs with several ways by the tables the longest */
	uint64_t *extra;           /* [nodes] routes of so many more than a shortest one */
	double hops_sum;           /* of all pairs; where they have several routes, the expected ones */
	uint64_t forked;           /* pairs with several ways by the tables */
	uint64_t alternatives;     /* routes, where pairs may have several; else 0 */
	double *routes;            /* [channels] that use it; where pairs have several, the expected number */
	uint32_t *destinations;    /* [channels] of those routes */
	struct dependencies waits; /* of the routes, by lanes */
};

/*
 * Looks at the routes of the trees. A shortest way may lead through hosts that forward packets in some route, and through no others.
 * Returns 0, or -1 if out of memory; pair_statistics_clear() in every case. Time O(destinations * switches + switches with hosts *
 * channels), and O(1) for each fault that is kept.
 */
int pair_statistics_make(struct pair_statistics *statistics, struct destination_trees *trees, const struct virtual_lanes *lanes, int level,
	struct faults *faults, struct error *error);
void pair_statistics_clear(struct pair_statistics *statistics);

#endif
