/*
 * Layered shortest paths: one shortest way from every switch to every other, and for each pair the first lane on which its way closes no
 * circle with those there (Skeie, Lysne, Theiss: Layered Shortest Path (LASH) Routing in Irregular System Area Networks, IPDPS 2002). Of
 * its shortest ways every node takes that which the fewest switches have so far. Time O(switches with hosts squared * hops), and that of
 * searches for circles.
 */
#include "routing.h"
#include "turns.h"

#include <stdlib.h>

struct lash {
	const struct routing_graph *graph;
	struct routed *routed;
	unsigned lanes; /* at most */
	struct turns turns;
	struct lane_order order[ROUTING_LANES_MAX]; /* [routed->lanes] */
};

/* Adds the turns of the way from the node, or takes back the first count of them. Returns how many were added; *whole: all. */
static uint32_t add_way(
	struct lash *l, struct lane_order *order, const uint32_t *row, uint32_t node, uint32_t count, bool back, bool *whole)
{
	const struct routing_graph *n = l->graph;
	uint32_t added = 0, channel = row[n->column[node]];
	*whole = true;
	if (!routing_is_switch(n, node) && routing_is_switch(n, n->fabric->head[channel]))
		channel = row[n->column[n->fabric->head[channel]]];
	while (channel != NONE && turns_joins_switches(&l->turns, channel) && added < count) {
		uint32_t next = row[n->column[n->fabric->head[channel]]];
		if (next == NONE || !turns_joins_switches(&l->turns, next))
			break;
		if (back)
			lane_order_remove(order, channel, next);
		else if (!lane_order_add(order, channel, next))
			*whole = false;
		if (!*whole)
			break;
		added++;
		channel = next;
	}
	return added;
}

/* The first lane that takes the way from the node. Returns 0, or -1. */
static int choose_lane(struct lash *l, const uint32_t *row, uint32_t node, uint8_t *level, struct error *error)
{
	bool whole = false;
	for (*level = 0; *level < l->lanes; ++*level) {
		struct lane_order *order = &l->order[*level];
		if (*level == l->routed->lanes) {
			if (lane_order_init(order, &l->turns, error))
				return -1;
			l->routed->levels = ++l->routed->lanes;
		}
		uint32_t added = add_way(l, order, row, node, UINT32_MAX, false, &whole);
		if (whole)
			return 0;
		add_way(l, order, row, node, added, true, &whole);
	}
	return error_set(error, STATUS_FABRIC, "lash needs more lanes than %u", l->lanes);
}

static int route_group(struct lash *l, const struct choices *choices, uint32_t group, uint32_t *usage, struct error *error)
{
	const struct routing_graph *n = l->graph;
	uint32_t host = n->member[n->first_member[group]], *row = routed_row(l->routed, n, host);
	uint8_t *level = routed_levels(l->routed, n, host);
	routed_least_used(l->routed, choices, group, host, usage);
	for (uint32_t i = 0; i < choices->count; i++) {
		uint32_t node = choices->order[i];
		if (n->senders[node] && choose_lane(l, row, node, &level[n->column[node]], error))
			return -1;
	}
	routed_copy_group(l->routed, n, group);
	return 0;
}

static int lash_route(const struct routing_task *task, struct routed *routed, struct error *error)
{
	const struct routing_graph *n = task->graph;
	struct lash *l = array_create(1, sizeof *l, error);
	struct choices choices;
	uint32_t *usage = array_create(n->fabric->channels, sizeof *usage, error);
	choices_init(&choices, n, error);
	if (l) {
		*l = (struct lash){.graph = n, .routed = routed, .lanes = task->lanes};
		routed->lanes = 0;
		if (!turns_init(&l->turns, n, error) && !routed_add_levels(routed, n, error) &&
			!lane_order_init(&l->order[0], &l->turns, error))
			routed->levels = routed->lanes = 1;
		for (uint32_t g = 0; g < n->groups && !error->status; g++) {
			choices_shortest(&choices, n->root[g]);
			route_group(l, &choices, g, usage, error);
		}
		for (unsigned i = 0; i < ROUTING_LANES_MAX; i++)
			lane_order_clear(&l->order[i]);
		turns_clear(&l->turns);
	}
	choices_clear(&choices);
	free(usage);
	free(l);
	return error->status ? -1 : 0;
}

const struct routing routing_lash = {
	.name = "lash",
	.summary = "one shortest way for each pair of switches, on lanes that keep them free of deadlocks",
	.source = "Skeie, Lysne, Theiss 2002",
	.needs = "any fabric; lanes",
	.route = lash_route,
};
