/*
 * Virtual lanes for routes that could deadlock: each route takes the first lane on which it adds no cycle to the channel dependencies of
 * the routes there (as in LASH, Skeie, Lysne, Theiss: Layered Shortest Path (LASH) Routing in Irregular System Area Networks, IPDPS 2002).
 * The lane is the service level.
 */
#ifndef ROUTINGS_LANE_FIT_H
#define ROUTINGS_LANE_FIT_H

#include "routings/routing.h"
#include "routings/turns.h"

struct lane_fit {
	const struct routing_graph *graph;
	struct routed *routed; /* its levels and lanes are set */
	unsigned most;
	const char *engine; /* name, for messages */
	bool thrifty;       /* see lane_fit_choose() */
	struct turns turns;
	struct lane_order order[ROUTING_LANES_MAX]; /* [routed->lanes] */
	const uint32_t *row;                        /* the row of tables of the current destination */
	uint16_t *fits, *fails;                     /* [columns] bit set of lanes that take the route from there, or cannot */
};

/*
 * Adds levels to routed, for up to task->lanes lanes. Returns 0, or -1 if out of memory. Call lane_fit_clear() in either case. Memory: that
 * of an order (see turns.h) for each lane in use.
 */
int lane_fit_init(struct lane_fit *fit, struct routed *routed, const struct routing_task *task, const char *engine, struct error *error);
void lane_fit_clear(struct lane_fit *fit);

/* Begins the routes of this row of tables. Time O(columns). */
void lane_fit_start(struct lane_fit *fit, const uint32_t *row);

/*
 * Puts the route from a node with a column on the lane if it adds no cycle there; lanes must be tried in order, 0 first. Returns whether it
 * is on the lane now; sets error if out of memory. The entries along its path must not change afterwards. Time O(1) if the rest of the path
 * was tried on the lane before, otherwise O(hops), plus searches for cycles: one per turn and lane in all.
 */
bool lane_fit_try(struct lane_fit *fit, unsigned lane, uint32_t node, struct error *error);

/* Puts the route on the first lane that takes it. Returns the lane, or -1: STATUS_FABRIC if none takes it. */
int lane_fit_take(struct lane_fit *fit, uint32_t node, struct error *error);

/* Returns the cost of a channel as the next of a path; state belongs to the engine. */
typedef uint64_t lane_fit_cost(const void *state, uint32_t channel);

/*
 * Returns the choice of node order[i] that follows `after` (NONE: the first) in the order of costs, then of numbers; NONE after the last.
 * Time O(choices).
 */
uint32_t lane_fit_next(const struct choices *choices, uint32_t i, uint32_t after, lane_fit_cost *cost, const void *state);

/*
 * Sets the entry of order[i] in the row to the cheapest choice, and puts its route on a lane. If thrifty, takes the cheapest of the choices
 * that the lowest lane takes. Returns the lane, or -1: STATUS_FABRIC if there is none. Time as lane_fit_take(), for each choice if thrifty.
 */
int lane_fit_choose(struct lane_fit *fit, uint32_t *row, const struct choices *choices, uint32_t i, lane_fit_cost *cost, const void *state,
	struct error *error);

/* Engine that sets the entries and lanes of all nodes by lane_fit_choose(). */
typedef void lane_fit_engine(const struct routing_task *task, struct lane_fit *fit, struct error *error);

/*
 * Runs the engine; if the lanes do not suffice, once more thriftily, with a note. Returns 0, or -1: the error then states how many lanes
 * would suffice, which takes another run.
 */
int lane_fit_run(const struct routing_task *task, struct routed *routed, const char *engine, lane_fit_engine *route, struct error *error);

/*
 * Finds lanes for the tables of routed, for all routes that begin at nodes with senders, in the order of destinations. Returns 0, or -1:
 * STATUS_FABRIC if a route finds no lane; the error then states how many lanes would suffice: known, or computed if that is 0. If lanes
 * are optional there are none then, and if they are not needed none at all. Time O(hosts * columns) per lane, plus searches.
 */
int lane_fit_all(struct routed *routed, const struct routing_task *task, const char *engine, unsigned known, struct error *error);

#endif
