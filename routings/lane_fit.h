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
	const uint32_t *row;                        /* the tables to the destination of now */
	uint16_t *fits, *fails;                     /* [columns] the lanes that take the route from there, or cannot */
};

/* Adds levels to routed, for up to so many lanes. Returns 0, or -1 when the memory is not there. lane_fit_clear() in every case. Memory:
 * that of an order (see turns.h) for each lane in use. */
int lane_fit_init(struct lane_fit *fit, struct routed *routed, const struct routing_task *task, const char *engine, struct error *error);
void lane_fit_clear(struct lane_fit *fit);

/* What comes is the routes by this row of tables. Time O(columns). */
void lane_fit_start(struct lane_fit *fit, const uint32_t *row);

/* Puts the route from a node with a column on the lane if it closes no circle there; lanes are tried from 0 on. Returns whether it is there
 * now; error is set if the memory is not there. The entries on the way then stay as they are. Time O(1) where the rest of the way has been
 * tried on the lane before, else O(hops), and that of searches for circles: one for each turn and lane in all. */
bool lane_fit_try(struct lane_fit *fit, unsigned lane, uint32_t node, struct error *error);

/* The same on the first lane of all that there may be. Returns it, or -1: lane_fit_fail() where none takes it. */
int lane_fit_take(struct lane_fit *fit, uint32_t node, struct error *error);

/* The node, whose route is on no lane, has another entry now. */
void lane_fit_change(struct lane_fit *fit, uint32_t node);

/* Sets the error, if there is none yet: STATUS_FABRIC, there are too few lanes. Returns -1. */
int lane_fit_fail(const struct lane_fit *fit, struct error *error);

/* All of it, for all routes that begin at nodes with senders, in the order of destinations. Returns 0, or -1: lane_fit_fail() where a route
 * finds no lane. Time O(hosts * columns) for each lane, and that of searches. */
int lane_fit_all(struct routed *routed, const struct routing_task *task, const char *engine, struct error *error);

#endif
