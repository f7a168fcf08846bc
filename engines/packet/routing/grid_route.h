/*
 * Routing on meshes and tori (grid.h), in dimension order or adaptively, with lanes on which it cannot deadlock. Dimensions are grouped
 * into zones, one after another (Chen and others: The IBM Blue Gene/Q Interconnection Network and Message Unit, SC 2011): within a zone
 * adaptive packets take any channel that brings them nearer. They can always take the escape lanes, on which the path is that of dimension
 * order (Duato: A New Theory of Deadlock-Free Adaptive Routing in Wormhole Networks, IEEE Transactions on Parallel and Distributed Systems
 * 1993).
 */
#ifndef ENGINES_PACKET_ROUTING_GRID_ROUTE_H
#define ENGINES_PACKET_ROUTING_GRID_ROUTE_H

#include "engines/packet/routing/grid.h"

/* The rule that prevents cyclic waits in a ring. */
enum grid_guard {
	GRID_DATELINE, /* two classes of lanes, see grid.h */
	GRID_BALANCED, /* the same, but packets that pass no dateline can take either class */
	/*
	 * The first lane of a ring is entered only if it has room for two packets, so that room for one remains free (Puente, Izu, Beivide,
	 * Gregorio, Vallejo, Prellezo: The Adaptive Bubble Router, Journal of Parallel and Distributed Computing 61, 2001); other lanes are
	 * not restricted.
	 */
	GRID_BUBBLE,
};

struct grid_route {
	struct grid grid;
	enum grid_guard guard;
	bool adaptive;
	enum ties ties;
	unsigned zone[STRUCTURE_DIMENSIONS_MAX]; /* zone of each dimension */
	/*
	 * One order of dimensions for all packets, or two, between which they draw, each with lanes of its own: the second is the first
	 * backwards within each zone (Seo, Ali, Lim, Rafique, Thottethodi: Near-Optimal Worst-Case Throughput Routing for Two-Dimensional
	 * Mesh Networks, ISCA 2005).
	 */
	unsigned orders;
	unsigned order[2][STRUCTURE_DIMENSIONS_MAX]; /* by zone */
	uint16_t class_mask[2][2];                   /* [orders] lanes of each class */
	uint16_t free;                               /* lanes without a class */
};

/* The parameters of a grid routing. */
struct grid_wish {
	const char *guard, *ties; /* dateline, balanced or bubble; TIES_NAMES */
	const char *zones;        /* such as 12:34, "": the first half of the dimensions, then the others; NULL: one zone of all */
	const char *order;        /* of the dimensions, within their zones, such as 4321, or random; NULL or "": as in zones */
	bool adaptive;            /* otherwise dimension order in the order of the zones */
};

/* Creates it as router->data. Returns 0, or -1; call grid_route_clear() in either case if data is not NULL. */
int grid_route_setup(struct packet_router *router, const struct grid_wish *wish, struct error *error);
void grid_route_clear(struct packet_router *router);
unsigned grid_route_candidates(
	struct packet_router *router, struct packet_head *packet, uint32_t node, struct packet_candidate *candidates);
bool grid_route_decide(const struct packet_router *router, struct packet_head *packet, uint32_t node, uint32_t choice);

#endif
