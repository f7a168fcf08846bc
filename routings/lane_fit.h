/*
 * Virtual lanes for routes that could deadlock: each takes the first lane on which it closes no circle with the routes there (as in LASH,
 * Skeie, Lysne, Theiss: Layered Shortest Path (LASH) Routing in Irregular System Area Networks, IPDPS 2002). The lane is the service level.
 */
#ifndef ROUTINGS_LANE_FIT_H
#define ROUTINGS_LANE_FIT_H

#include "routing.h"
#include "turns.h"

struct lane_fit {
	const struct routing_graph *graph;
	struct routed *routed; /* whose levels and lanes it counts */
	unsigned most;
	const char *engine; /* for messages */
	struct turns turns;
	struct lane_order order[ROUTING_LANES_MAX]; /* [routed->lanes] */
	bool *never[ROUTING_LANES_MAX];             /* [routed->lanes][turns] closes a circle with what is on the lane for good */
};

/* Adds levels to routed, for up to so many lanes. Returns 0, or -1 when the memory is not there. lane_fit_clear() in every case. */
int lane_fit_init(struct lane_fit *fit, struct routed *routed, const struct routing_task *task, const char *engine, struct error *error);
void lane_fit_clear(struct lane_fit *fit);

/* Puts the route from a node with a column by a row of tables on a lane. Returns it, or -1: STATUS_FABRIC where it needs one lane more than
 * there may be. Time O(hops) for each lane, and that of searches for circles. */
int lane_fit_take(struct lane_fit *fit, const uint32_t *row, uint32_t node, struct error *error);

/* All of it, for all routes that begin at nodes with senders, in the order of destinations. Returns 0, or -1. */
int lane_fit_all(struct routed *routed, const struct routing_task *task, const char *engine, struct error *error);

#endif
