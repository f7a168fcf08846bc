/* The throughput of traffic with the routing, and the possible throughput of the same cables. */
#ifndef TOOLS_BOUND_THROUGHPUT_H
#define TOOLS_BOUND_THROUGHPUT_H

#include "patterns/pairs.h"
#include "fabric/loads.h"
#include "parallel/comm.h"
#include "tools/bound/commodities.h"

/* Pairs of hosts that all send at the same share of what they could alone: the rate of the slower of both hosts' fastest links. */
struct demand {
	const struct pair *pairs; /* host indices; NULL: all ordered pairs that have a route, each at 1/(hosts - 1) of that */
	size_t count;
};

/*
 * The largest share at which all pairs can send at the same time; of all pairs, the share of a host that sends to all others. Where all
 * hosts are equally fast, that is the rate in units of a host's link. Channels have the capacities of their speeds.
 */
struct throughput {
	bool any;            /* whether anything is sent */
	double routed;       /* along the routes */
	double lower, upper; /* bounds of what is possible along any paths, split arbitrarily */
	uint32_t phases;
};

/*
 * Computes the throughputs of count traffics, each in one process; collective, complete in process 0. Hosts forward for others only if the
 * routes of the fabric use them so. known and ceiling of the limits are set here; phases 0: from 30 to 2000, as many as process 5 * 10^9
 * arcs. Returns 0, or -1 in all processes. Time: that of flow_bounds_find() per traffic, plus O(hosts^2).
 */
int throughputs_find(struct throughput *throughput, const struct demand *traffic, int count, struct comm *comm, const struct fabric *fabric,
	const struct forwarding *forwarding, const struct loads *loads, const struct flow_limits *limits, struct error *error);

/*
 * Lists the pairs of a pattern's first level in run 0, rank i on host index i; pairs without a route are left out and counted. *pairs is
 * new. Returns 0, or -1: STATUS_FABRIC for a pair without a route unless drop.
 */
int traffic_of_pattern(struct pattern_call *call, const struct fabric *fabric, const struct forwarding *forwarding, bool drop,
	struct pair **pairs, size_t *count, uint64_t *unroutable, struct error *error);

#endif
