/*
 * The worst permutation for a routing with one path for each pair (Towles and Dally: Worst-case Traffic for Oblivious Routing Functions,
 * SPAA 2002): no permutation can put more routes on a channel than the largest matching between the sources and the destinations whose
 * routes use it, and every matching is part of a permutation.
 */
#ifndef TOOLS_BOUND_WORST_H
#define TOOLS_BOUND_WORST_H

#include "fabric/channel_routes.h"
#include "orcs/loads.h"

struct worst {
	uint32_t channel;    /* of those with the largest load the first by its bound, then by its id; NONE: nothing is routed */
	uint64_t congestion; /* routes on it */
	double load;         /* the same divided by the channel's speed if speeds count */
	uint32_t *partner;   /* [hosts] the permutation: host -> host; with no fixed point where that can be had */
};

/*
 * Finds it; collective, all processes have the result. Channels are taken by what bounds their matching, the smaller number of hosts on
 * either side, until that is no better than the best found. Returns 0, or -1 in all processes. worst_clear() in every case. Time: for every
 * batch of channels that of channel_routes_collect(), and their matchings.
 */
int worst_find(struct worst *worst, struct comm *comm, const struct fabric *fabric, const struct forwarding *forwarding,
	const struct loads *loads, bool speed_aware, struct error *error);
void worst_clear(struct worst *worst);

/* The largest matching of a channel's routes: returns 0 and its size, or -1. partner: NULL, or [hosts], all NONE, to be filled in where the
 * matching says. For worst_find() and tests. */
int worst_match(
	const struct source_groups *groups, const struct channel_routes *crossing, uint64_t *size, uint32_t *partner, struct error *error);

#endif
