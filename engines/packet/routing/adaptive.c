/*
 * Minimal adaptive routing: packets take any channel that brings them nearer, preferring short queues, and can always escape to separate
 * lanes that have no cyclic wait (Duato: A New Theory of Deadlock-Free Adaptive Routing in Wormhole Networks, IEEE Transactions on Parallel
 * and Distributed Systems 1993). As packets fit into one buffer as a whole (virtual cut-through), it suffices that direct dependencies
 * between escape lanes form no cycle (Duato: A Necessary and Sufficient Condition for Deadlock-Free Routing in Cut-Through and
 * Store-and-Forward Networks, same journal 1996).
 *
 * The escape routes: on meshes and tori dimension order, with datelines or bubbles; also dimension order where all nodes of a dimension are
 * neighbours; elsewhere, on lane 0, legal paths, which go up, then down; a packet that has taken one stays on it.
 */
#include "base/memory.h"
#include "fabric/routing_function.h"
#include "engines/packet/routing/distances.h"
#include "engines/packet/routing/grid_route.h"

#include <stdlib.h>

struct adaptive {
	struct distances distances;
	const struct routing_function *function; /* escape is by dimension order; NULL: it is not */
	struct routing_function *own;            /* the same if the forwarding has none; NULL */
	uint16_t free;                           /* lanes other than the escape lanes */
};

enum { ESCAPE = 1 }; /* lane 0 */

/* The same packet routing on meshes and tori. */
static const struct packet_routing on_grids;

static void adaptive_clear(struct packet_router *router)
{
	struct adaptive *a = router->data;
	distances_clear(&a->distances);
	routing_function_free(a->own);
	free(a);
}

/* Sets dimension order as the escape route if the topology has it. */
static int find_order(struct packet_router *router, struct error *error)
{
	struct adaptive *a = router->data;
	a->function = packet_computed(&router->setup, STRUCTURE_FULL, &a->own, error);
	return error->status ? -1 : 0;
}

/* Adds the escape lane to the candidate with this channel, or adds a candidate. */
static unsigned add_escape(struct packet_candidate *candidates, unsigned count, uint32_t channel)
{
	for (unsigned i = 0; i < count; i++)
		if (candidates[i].channel == channel) {
			candidates[i].lanes |= ESCAPE;
			return count;
		}
	if (count == PACKET_CANDIDATES_MAX)
		count--;
	candidates[count] = (struct packet_candidate){channel, ESCAPE, PACKET_RANK_MAX, 0};
	return count + 1;
}

static unsigned adaptive_candidates(
	struct packet_router *router, struct packet_head *packet, uint32_t node, struct packet_candidate *candidates)
{
	const struct adaptive *a = router->data;
	const struct distances *r = &a->distances;
	uint32_t target = r->target[packet->destination], channel[PACKET_CANDIDATES_MAX];
	if (node == r->root[target]) {
		*candidates = (struct packet_candidate){r->last[packet->destination], packet_lanes_all(router), 0, 0};
		return 1;
	}
	unsigned first = r->column[r->fabric->host_node[packet->source]] == NONE, count = 0; /* hops before the first switch */
	uint32_t found = distances_nearer(r, target, node, channel);
	if (packet->hops < first) { /* no packet waits for these */
		for (uint32_t i = 0; i < found; i++)
			candidates[count++] = (struct packet_candidate){channel[i], packet_lanes_all(router),
				found > 1 ? packet_rank(router, channel[i], packet_lanes_all(router)) : 0, 0};
		return count;
	}
	bool escaped = !a->function && packet->hops > first && packet->lane == 0;
	if (found && !escaped) {
		packet_rank_all(router, packet, channel, found, a->free, candidates);
		count = found;
	}
	if (a->function)
		return add_escape(candidates, count, routing_function_next(a->function, node, packet->destination));
	found = distances_legal(r, target, node, channel);
	for (uint32_t i = 0; i < found; i++)
		count = add_escape(candidates, count, channel[i]);
	return count;
}

static int adaptive_setup(struct packet_router *router, struct error *error)
{
	const struct arg_value *value = router->args.value;
	if (grid_is(router->setup.topology)) {
		router->routing = &on_grids;
		return grid_route_setup(
			router, &(struct grid_wish){.guard = value[0].text, .ties = value[1].text, .adaptive = true}, error);
	}
	struct adaptive *a = router->data = array_create(1, sizeof *a, error);
	if (!a || find_order(router, error) ||
		distances_init(
			&a->distances, &router->setup, a->function ? DISTANCES_SHORTEST : DISTANCES_SHORTEST | DISTANCES_LEGAL, error) ||
		packet_router_need(router, 2, "escape lanes and adaptive ones", error))
		return -1;
	a->free = (uint16_t)(packet_lanes_all(router) & ~ESCAPE);
	router->escape = ESCAPE;
	router->last = a->function ? 0 : ESCAPE; /* a packet that takes it may have a longer path */
	router->leaders = ESCAPE | packet_first_lane(a->free);
	router->alike = true;
	router->sources = a->distances.mixed;
	router->counted = 2;
	return 0;
}

static const struct arg adaptive_args[] = {
	{"guard", ARG_WORD, "dateline", 0, 0, "deadlock avoidance of escape routes on tori, dateline: on lanes 0 and 1; bubble: on lane 0"},
	{"ties", ARG_WORD, "random", 0, 0, "on these, " TIES_HELP},
	{.type = ARG_END},
};

#define ADAPTIVE \
	.name = "adaptive", .summary = "any channel of a shortest path, shortest queue first, with escape routes", \
	.source = "Duato 1993 and 1996", .args = adaptive_args, .looks = true

static const struct packet_routing on_grids = {
	ADAPTIVE,
	.setup = adaptive_setup,
	.clear = grid_route_clear,
	.candidates = grid_route_candidates,
	.decide = grid_route_decide,
};

const struct packet_routing packet_routing_adaptive = {
	ADAPTIVE,
	.setup = adaptive_setup,
	.clear = adaptive_clear,
	.candidates = adaptive_candidates,
};
