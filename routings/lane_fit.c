#include "lane_fit.h"

#include <stdlib.h>

static int add_lane(struct lane_fit *fit, struct error *error)
{
	unsigned lane = fit->routed->lanes;
	fit->never[lane] = array_create(fit->turns.count, sizeof *fit->never[lane], error);
	if (!fit->never[lane] || lane_order_init(&fit->order[lane], &fit->turns, error))
		return -1;
	fit->routed->levels = ++fit->routed->lanes;
	return 0;
}

int lane_fit_init(struct lane_fit *fit, struct routed *routed, const struct routing_task *task, const char *engine, struct error *error)
{
	*fit = (struct lane_fit){.graph = task->graph, .routed = routed, .most = task->lanes, .engine = engine};
	routed->lanes = 0;
	return turns_init(&fit->turns, task->graph, error) || add_lane(fit, error) ? -1 : routed_add_levels(routed, task->graph, error);
}

void lane_fit_clear(struct lane_fit *fit)
{
	for (unsigned lane = 0; lane < ROUTING_LANES_MAX; lane++) {
		lane_order_clear(&fit->order[lane]);
		free(fit->never[lane]);
	}
	turns_clear(&fit->turns);
}

/* The channel by which the node goes on; NONE where that is the destination, or a host. */
static uint32_t onwards(const struct routing_graph *n, const uint32_t *row, uint32_t node)
{
	return routing_is_switch(n, node) ? row[n->column[node]] : NONE;
}

/* The turn after the channel, on a route by the row: *next is its second channel. Returns whether there is one between switches. */
static bool turn_after(const struct lane_fit *fit, const uint32_t *row, uint32_t channel, uint32_t *next)
{
	*next = onwards(fit->graph, row, fit->graph->fabric->head[channel]);
	return *next != NONE && turns_joins_switches(&fit->turns, *next);
}

/* Whether the route that begins with the channel has a turn that never fits on the lane. */
static bool never_fits(const struct lane_fit *fit, unsigned lane, const uint32_t *row, uint32_t channel)
{
	for (uint32_t next; turn_after(fit, row, channel, &next); channel = next)
		if (fit->never[lane][turns_number(&fit->turns, channel, next)])
			return true;
	return false;
}

/* Adds the turns of the route that begins with the channel to a lane, all or none. Returns whether they fit. */
static bool add_route(struct lane_fit *fit, unsigned lane, const uint32_t *row, uint32_t first)
{
	struct lane_order *order = &fit->order[lane];
	bool fresh = false; /* a turn before is new on the lane, and might be to blame */
	uint32_t added = 0, next;
	for (uint32_t channel = first; turn_after(fit, row, channel, &next); channel = next, added++) {
		size_t turn = turns_number(&fit->turns, channel, next);
		if (lane_order_add(order, channel, next)) {
			fresh |= order->users[turn] == 1;
			continue;
		}
		fit->never[lane][turn] |= !fresh;
		for (channel = first; added && turn_after(fit, row, channel, &next); channel = next, added--)
			lane_order_remove(order, channel, next);
		return false;
	}
	return true;
}

int lane_fit_take(struct lane_fit *fit, const uint32_t *row, uint32_t node, struct error *error)
{
	const struct routing_graph *n = fit->graph;
	uint32_t channel = row[n->column[node]];
	if (channel != NONE && !routing_is_switch(n, node))
		channel = onwards(n, row, n->fabric->head[channel]);
	if (channel == NONE || !turns_joins_switches(&fit->turns, channel))
		return 0;
	for (unsigned lane = 0; lane < fit->most; lane++) {
		if (lane == fit->routed->lanes && add_lane(fit, error))
			return -1;
		if (!never_fits(fit, lane, row, channel) && add_route(fit, lane, row, channel))
			return (int)lane;
	}
	return error_set(error, STATUS_FABRIC, "%s needs more lanes than %u", fit->engine, fit->most);
}

int lane_fit_all(struct routed *routed, const struct routing_task *task, const char *engine, struct error *error)
{
	const struct routing_graph *n = task->graph;
	struct lane_fit fit;
	if (!lane_fit_init(&fit, routed, task, engine, error))
		for (uint32_t i = 0; i < n->fabric->hosts && !error->status; i++) {
			const uint32_t *row = routed_row(routed, n, n->member[i]);
			uint8_t *level = routed_levels(routed, n, n->member[i]);
			for (uint32_t column = 0; column < n->columns && !error->status; column++)
				if (n->senders[n->node[column]])
					level[column] = (uint8_t)lane_fit_take(&fit, row, n->node[column], error);
		}
	lane_fit_clear(&fit);
	return error->status ? -1 : 0;
}
