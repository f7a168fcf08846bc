/* Reachability by the tables: all ordered pairs of hosts, without walking every pair. */
#ifndef COMPARE_REACH_H
#define COMPARE_REACH_H

#include "fabric/fabric.h"
#include "fabric/forwarding.h"
#include "fabric/pair_loads.h"
#include "fabric/placement.h"
#include "fabric/source_routes.h"

#include <stdint.h>

/* Hops are the switches on a route: its number of channels minus one. */
struct compared_reach {
	uint64_t reached, unreachable; /* ordered pairs of different hosts; unreachable: a missing entry, or a loop */
	uint64_t hops;                 /* sum over the reachable pairs */
	uint64_t max_hops;             /* maximum, 0 if no pair is reachable */
};

/*
 * Adds to *reach the pairs whose destination is the host index first, first + step, first + 2 * step… loads: receives the loads of these
 * pairs among the hosts of the placement, and is cleared by the caller; NULL: not needed. Returns 0, or -1 if out of memory. Time
 * O(switches) per destination if hosts have a single link, otherwise O(nodes).
 */
int reach_count(struct compared_reach *reach, struct pair_loads *loads, const struct fabric *fabric, const struct forwarding *forwarding,
	const struct placement *placement, uint32_t first, uint32_t step, struct error *error);

/* The same for source routes, without hops. Time O(hosts * hosts / step * log hosts). */
void reach_count_set(struct compared_reach *reach, const struct source_routes *routes, uint32_t first, uint32_t step);

#endif
