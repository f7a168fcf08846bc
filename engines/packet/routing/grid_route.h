/*
 * Routing on meshes and tori (grid.h), dimension by dimension or adaptively, with lanes on which that cannot deadlock. Dimensions are in
 * zones, one after the other (Chen and others: The IBM Blue Gene/Q Interconnection Network and Message Unit, SC 2011): within a zone
 * adaptive packets take any channel that brings them nearer. They always may take the lanes of escape, on which the way is that of
 * dimension order (Duato: A New Theory of Deadlock-Free Adaptive Routing in Wormhole Networks, IEEE Transactions on Parallel and
 * Distributed Systems 1993).
 */
#ifndef ENGINES_PACKET_ROUTING_GRID_ROUTE_H
#define ENGINES_PACKET_ROUTING_GRID_ROUTE_H

#include "engines/packet/routing/grid.h"

/* What keeps packets from waiting for one another in a ring. */
enum grid_guard {
	GRID_DATELINE, /* two classes of lanes, see grid.h */
	GRID_BALANCED, /* the same, and packets that pass no dateline may take either */
	/* Lane 0 of a ring is only entered where two packets have room, so that one stays free (Puente, Izu, Beivide, Gregorio, Vallejo,
	 * Prellezo: The Adaptive Bubble Router, Journal of Parallel and Distributed Computing 61, 2001); other lanes are free to all. */
	GRID_BUBBLE,
};

struct grid_route {
	struct grid grid;
	enum grid_guard guard;
	bool adaptive;
	enum ties ties;
	unsigned zone[STRUCTURE_DIMENSIONS_MAX];  /* of each dimension */
	unsigned order[STRUCTURE_DIMENSIONS_MAX]; /* dimensions by their zones */
	uint16_t class_mask[2];                   /* lanes of each class */
	uint16_t free;                            /* lanes without a class */
};

/* What a kind wants. */
struct grid_wish {
	const char *guard, *ties; /* dateline, balanced or bubble; TIES_NAMES */
	const char *zones;        /* as 12:34, "": the first half of the dimensions, then the others; NULL: one zone of all */
	bool adaptive;            /* else dimension order in the order of the zones */
};

/* Makes it as router->data. Returns 0, or -1; grid_route_clear() in every case where data is not NULL. */
int grid_route_setup(struct packet_router *router, const struct grid_wish *wish, struct error *error);
void grid_route_clear(struct packet_router *router);
unsigned grid_route_ways(struct packet_router *router, struct packet_head *packet, uint32_t node, struct packet_candidate *candidates);
bool grid_route_decide(const struct packet_router *router, struct packet_head *packet, uint32_t node, uint32_t choice);

#endif
