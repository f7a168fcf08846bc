/* Routes: the channels that a packet takes from one host to another, found by following the forwarding tables. */
#ifndef ORCS_ROUTES_H
#define ORCS_ROUTES_H

#include "fabric.h"
#include "forwarding.h"

/* What routes_walk returns instead of a length. */
enum { ROUTE_NO_ENTRY = -1, ROUTE_LOOP = -2 };

/*
 * Writes the route from one host index to another to channels, which must hold fabric->nodes of them, the host's up link first.
 * Returns how many there are, ROUTE_NO_ENTRY when a node on the way has no entry, ROUTE_LOOP when a node would be entered twice.
 * Time O(length): a loop is found by comparing with a node of the way that is moved on whenever the way has doubled (Brent 1980).
 */
static inline int routes_walk(const struct fabric *fabric, const struct forwarding *forwarding, uint32_t source, uint32_t destination,
	uint32_t *channels)
{
	uint32_t target = fabric->host_node[destination];
	struct hop at = {fabric->host_node[source], forwarding->column[fabric->host_node[source]]};
	uint32_t length = 0, anchor = at.node, limit = 8;
	for (;;) {
		uint32_t channel = forwarding_next(forwarding, at.node, at.column, destination);
		if (channel == NONE)
			return ROUTE_NO_ENTRY;
		channels[length++] = channel;
		at = forwarding->hop[channel];
		if (at.node == target)
			return (int)length;
		if (at.node == anchor || length >= fabric->nodes)
			return ROUTE_LOOP;
		if (length == limit) {
			anchor = at.node;
			limit *= 2;
		}
	}
}

/* Why a pair is not routable, for people: names both hosts, the node where the route ends and the cause. Needs the fabric's labels. Returns -1. */
int routes_explain(const struct fabric *fabric, const struct forwarding *forwarding, uint32_t source, uint32_t destination,
	struct error *error);

#endif
