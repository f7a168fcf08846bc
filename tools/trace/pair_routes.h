/* All routes of packets from one end to another, channel by channel. */
#ifndef TOOLS_TRACE_PAIR_ROUTES_H
#define TOOLS_TRACE_PAIR_ROUTES_H

#include "tools/trace/trace_network.h"

enum { LANE_UNKNOWN = 255 };

/* A channel of a route and the node that it leads to. */
struct trace_hop {
	uint32_t channel;           /* of the fabric; NONE: of another node */
	uint32_t out_port, in_port; /* 0: unknown */
	struct trace_node node;
	uint8_t lane; /* virtual lane on this channel, or LANE_UNKNOWN */
};

enum route_end { ROUTE_ENDS_THERE, ROUTE_ENDS_WITHOUT_ENTRY, ROUTE_ENDS_IN_LOOP, ROUTE_ENDS_WITHOUT_CABLE };

struct trace_route {
	size_t first, hops; /* its hops: routes->hop[first] .. */
	double share;       /* of the pair's packets */
	uint32_t lid;       /* of the destination; 0: unknown */
	enum route_end end; /* if not at the destination, where the last hop leads to */
};

struct pair_routes {
	struct trace_node from, to;
	uint32_t from_port, to_port; /* numbers of their ports; 0: unknown, or a switch */
	int level;                   /* service level; -1: unknown */
	struct trace_route *route;   /* [routes] */
	uint32_t routes;
	double total; /* number of routes, of which some may not be listed */
	struct trace_hop *hop;
	size_t hops, hop_capacity, route_capacity;
};

/*
 * Finds the routes between two different ends, at most `most` of them: those of the entries with several channels, of source routes with
 * the largest share first, and of each LID of the destination. Returns 0, or -1 if out of memory; call pair_routes_clear() in either case.
 * Time O(routes * length), with more routes than `most` O(channels).
 */
int pair_routes_find(struct pair_routes *routes, const struct trace_network *network, const struct trace_end *from,
	const struct trace_end *to, uint32_t most, struct error *error);
void pair_routes_clear(struct pair_routes *routes);

#endif
