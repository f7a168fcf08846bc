/*
 * The worst permutation of a routing with one path per pair (Towles and Dally: Worst-case Traffic for Oblivious Routing Functions, SPAA
 * 2002): no permutation puts more routes on a channel than the largest matching between the sources and the destinations whose routes use
 * it, and every matching is part of a permutation.
 */
#ifndef TOOLS_BOUND_WORST_H
#define TOOLS_BOUND_WORST_H

#include "fabric/channel_routes.h"
#include "fabric/loads.h"
#include "parallel/comm.h"

struct worst {
	uint32_t channel;    /* channel with the largest load, of several the first by its bound, then by its id; NONE: nothing is routed */
	uint64_t congestion; /* routes on it */
	double load;         /* congestion divided by the channel's speed if speeds count */
	uint32_t *partner;   /* [hosts] the permutation: host -> host; without fixed points if possible */
};

/*
 * Finds the worst permutation; collective, all processes have the result. Channels are processed in descending order of the bound of their
 * matchings, the smaller number of hosts on either side, until that does not exceed the best found. Returns 0, or -1 in all processes. Call
 * worst_clear() in either case. Time: per batch of channels, that of channel_routes_collect(), plus their matchings.
 */
int worst_find(struct worst *worst, struct comm *comm, const struct fabric *fabric, const struct forwarding *forwarding,
	const struct loads *loads, bool speed_aware, struct error *error);
void worst_clear(struct worst *worst);

/*
 * Finds the largest matching of a channel's routes. Returns 0 and its size, or -1. partner: NULL, or [hosts], all NONE, filled in with the
 * matching. For worst_find() and tests.
 */
int worst_match(
	const struct source_groups *groups, const struct channel_routes *crossing, uint64_t *size, uint32_t *partner, struct error *error);

#endif
