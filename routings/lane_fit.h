/*
 * Virtual lanes for routes that could deadlock: each takes the first lane on which it closes no circle with the routes there (as in LASH,
 * Skeie, Lysne, Theiss: Layered Shortest Path (LASH) Routing in Irregular System Area Networks, IPDPS 2002). The lane is the service level.
 */
#ifndef ROUTINGS_LANE_FIT_H
#define ROUTINGS_LANE_FIT_H

#include "routings/routing.h"
#include "routings/turns.h"

struct lane_fit {
	const struct routing_graph *graph;
	struct routed *routed; /* whose levels and lanes it counts */
	unsigned most;
	const char *engine; /* for messages */
	bool thrifty;       /* see lane_fit_choose() */
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

/* The same on the first lane of all that there may be. Returns it, or -1: STATUS_FABRIC where none takes it. */
int lane_fit_take(struct lane_fit *fit, uint32_t node, struct error *error);

/* What a channel costs as the next of a way, to the engine whose state that is. */
typedef uint64_t lane_fit_cost(const void *state, uint32_t channel);

/* Of the choices of a node, order[i], the next by their costs after one of them (NONE: the first), of equals by their numbers; NONE after
 * the last. Time O(choices). */
uint32_t lane_fit_next(const struct choices *choices, uint32_t i, uint32_t after, lane_fit_cost *cost, const void *state);

/* Gives order[i] its entry in the row, the cheapest choice, and its route a lane. If thrifty, of the choices that the lowest lane takes the
 * cheapest. Returns the lane, or -1: STATUS_FABRIC where there is none. Time as lane_fit_take(), for each choice if thrifty. */
int lane_fit_choose(struct lane_fit *fit, uint32_t *row, const struct choices *choices, uint32_t i, lane_fit_cost *cost, const void *state,
	struct error *error);

/* An engine that gives all nodes entries and lanes, by lane_fit_choose(). */
typedef void lane_fit_engine(const struct routing_task *task, struct lane_fit *fit, struct error *error);

/* Lets the engine route; where it fails for the lanes once more, thriftily, with a note. Returns 0, or -1: the error then tells how many
 * lanes would do, for which it routes once more. */
int lane_fit_run(const struct routing_task *task, struct routed *routed, const char *engine, lane_fit_engine *route, struct error *error);

/* Lanes for the tables that routed has, for all routes that begin at nodes with senders, in the order of destinations. Returns 0, or -1:
 * STATUS_FABRIC where a route finds no lane; the error then tells how many would do: known, or as many as it takes if that is 0. Time
 * O(hosts
 * * columns) for each lane, and that of searches. */
int lane_fit_all(struct routed *routed, const struct routing_task *task, const char *engine, unsigned known, struct error *error);

#endif
