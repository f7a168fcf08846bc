/*
 * Statistics of all ordered pairs of different hosts: whether they have a route, its length, its length beyond a shortest path, and the
 * number of routes on each channel. Hops are the switches (and other nodes) between two hosts: the number of channels of a route minus one.
 */
#ifndef TOOLS_CHECK_SURVEY_H
#define TOOLS_CHECK_SURVEY_H

#include "fabric/destination_trees.h"
#include "fabric/dependencies.h"
#include "tools/check/faults.h"

struct pair_statistics {
	uint64_t pairs, routable, no_entry, loop, no_path, minimal;
	uint32_t longest;          /* hops of the longest route; the arrays below end there */
	uint64_t *hops;            /* [nodes] routes by number of hops; of pairs with multipath tables, the longest route */
	uint64_t *extra;           /* [nodes] routes by number of hops beyond a shortest path */
	double hops_sum;           /* over all pairs; of pairs with several routes, the expected hops */
	uint64_t forked;           /* pairs with several routes by the tables */
	uint64_t alternatives;     /* number of routes if pairs may have several; otherwise 0 */
	double *routes;            /* [channels] routes on the channel; of pairs with several routes, the expected number */
	uint32_t *destinations;    /* [channels] destinations of those routes */
	struct dependencies waits; /* dependencies of the routes, by virtual lane */
};

/*
 * Computes the statistics of the routes of the trees. Shortest paths may pass through hosts that forward packets on some route, and through
 * no other hosts. Returns 0, or -1 if out of memory; call pair_statistics_clear() in either case. Time O(destinations * switches + switches
 * with hosts * channels), and O(1) per kept fault.
 */
int pair_statistics_make(struct pair_statistics *statistics, struct destination_trees *trees, const struct virtual_lanes *lanes, int level,
	struct faults *faults, struct error *error);
void pair_statistics_clear(struct pair_statistics *statistics);

#endif
