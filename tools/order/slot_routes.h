/*
 * The routes between the hosts that are offered, for an order of ranks: only channels whose load depends on the order, with the part of a
 * second, so to speak, that a message of weight 1 occupies each.
 */
#ifndef TOOLS_ORDER_SLOT_ROUTES_H
#define TOOLS_ORDER_SLOT_ROUTES_H

#include "fabric/fabric.h"
#include "fabric/forwarding.h"

#include <stdbool.h>

struct slot_routes {
	uint32_t hosts; /* that are offered */
	uint32_t *host; /* [hosts] their indices in the fabric */
	uint32_t *leaf; /* [hosts] number of the switch to which the first link leads */
	uint32_t leaves;
	uint32_t *row;                 /* [hosts] */
	uint64_t *first;               /* [rows * hosts + 1] the route to host k from one of row r: hop[first[r * hosts + k]] .. */
	uint32_t *hop;                 /* number of a channel << STEP_BITS | its steps */
	double *share;                 /* of each hop, if routes are split or speeds differ: load of a message of weight 1; NULL: all 1 */
	uint32_t rows, channels, unit; /* unit: steps of load 1 */
	bool speeds;                   /* channels have different speeds, and they count */
	bool ends;                     /* links of hosts are among the channels */
	double *uplink; /* [leaves] sum of the speeds of the channels that lead to other switches; INFINITY where a leaf is a host */
	double fastest; /* speed of the fastest link of a host */
	size_t capacity, share_capacity;
};

enum { STEP_BITS = 8 };

/*
 * Finds the routes between hosts, without repetitions, of a fabric with labels. several: more than one rank can be on a host. Returns 0, or
 * -1: STATUS_FABRIC for a pair without a route, or more than 2^24 channels. Call slot_routes_clear() in either case.
 * Time O(hosts^2 * length).
 */
int slot_routes_find(struct slot_routes *routes, const struct fabric *fabric, const struct forwarding *forwarding, const uint32_t *host,
	uint32_t hosts, bool several, bool ignore_speeds, struct error *error);
void slot_routes_clear(struct slot_routes *routes);

/* Returns the first hop of the route between two of the hosts, and the number of hops. */
static inline const uint32_t *slot_route(const struct slot_routes *routes, uint32_t from, uint32_t to, uint32_t *hops)
{
	const uint64_t *first = routes->first + (size_t)routes->row[from] * routes->hosts + to;
	*hops = (uint32_t)(first[1] - first[0]);
	return routes->hop + first[0];
}

#endif
