#include "lane_fit.h"

#include <stdlib.h>
#include <string.h>

static int add_lane(struct lane_fit *fit, struct error *error)
{
	if (lane_order_init(&fit->order[fit->routed->lanes], &fit->turns, error))
		return -1;
	fit->routed->levels = ++fit->routed->lanes;
	return 0;
}

int lane_fit_init(struct lane_fit *fit, struct routed *routed, const struct routing_task *task, const char *engine, struct error *error)
{
	*fit = (struct lane_fit){
		.graph = task->graph,
		.routed = routed,
		.most = task->lanes,
		.engine = engine,
		.fits = array_create(task->graph->columns, sizeof *fit->fits, error),
		.fails = array_create(task->graph->columns, sizeof *fit->fails, error),
	};
	routed->lanes = 0;
	return turns_init(&fit->turns, task->graph, error) || add_lane(fit, error) ? -1 : routed_add_levels(routed, task->graph, error);
}

void lane_fit_clear(struct lane_fit *fit)
{
	for (unsigned lane = 0; lane < ROUTING_LANES_MAX; lane++)
		lane_order_clear(&fit->order[lane]);
	turns_clear(&fit->turns);
	free(fit->fits);
	free(fit->fails);
}

void lane_fit_start(struct lane_fit *fit, const uint32_t *row)
{
	fit->row = row;
	memset(fit->fits, 0, fit->graph->columns * sizeof *fit->fits);
	memset(fit->fails, 0, fit->graph->columns * sizeof *fit->fails);
}

/* The channel by which the node goes on to another switch; NONE where that is the destination. */
static uint32_t onwards(const struct lane_fit *fit, uint32_t node)
{
	const struct routing_graph *n = fit->graph;
	uint32_t channel = routing_is_switch(n, node) ? fit->row[n->column[node]] : NONE;
	return channel != NONE && turns_joins_switches(&fit->turns, channel) ? channel : NONE;
}

/* Whether the lane takes the route from a switch: the rest of its way first, then its turn. Routes that end there share it. */
static bool take_lane(struct lane_fit *fit, unsigned lane, uint32_t node)
{
	const struct routing_graph *n = fit->graph;
	uint32_t channel = onwards(fit, node), bit = 1U << lane;
	if (channel == NONE || fit->fits[n->column[node]] & bit)
		return true;
	if (fit->fails[n->column[node]] & bit)
		return false;
	fit->fails[n->column[node]] |= (uint16_t)bit; /* also where the way comes back here */
	uint32_t head = n->fabric->head[channel], next = onwards(fit, head);
	if (!take_lane(fit, lane, head) || (next != NONE && !lane_order_add(&fit->order[lane], channel, next)))
		return false;
	fit->fails[n->column[node]] &= (uint16_t)~bit;
	fit->fits[n->column[node]] |= (uint16_t)bit;
	return true;
}

bool lane_fit_try(struct lane_fit *fit, unsigned lane, uint32_t node, struct error *error)
{
	const struct routing_graph *n = fit->graph;
	if (!routing_is_switch(n, node)) {
		uint32_t channel = fit->row[n->column[node]];
		if (channel == NONE)
			return true;
		node = n->fabric->head[channel];
	}
	return !(lane == fit->routed->lanes && add_lane(fit, error)) && take_lane(fit, lane, node);
}

int lane_fit_take(struct lane_fit *fit, uint32_t node, struct error *error)
{
	for (unsigned lane = 0; lane < fit->most && !error->status; lane++)
		if (lane_fit_try(fit, lane, node, error))
			return (int)lane;
	return lane_fit_fail(fit, error);
}

void lane_fit_change(struct lane_fit *fit, uint32_t node)
{
	if (routing_is_switch(fit->graph, node))
		fit->fits[fit->graph->column[node]] = fit->fails[fit->graph->column[node]] = 0;
}

int lane_fit_fail(const struct lane_fit *fit, struct error *error)
{
	if (!error->status)
		error_set(error, STATUS_FABRIC, "%s needs more lanes than %u", fit->engine, fit->most);
	return -1;
}

int lane_fit_all(struct routed *routed, const struct routing_task *task, const char *engine, struct error *error)
{
	const struct routing_graph *n = task->graph;
	struct lane_fit fit;
	if (!lane_fit_init(&fit, routed, task, engine, error))
		for (uint32_t i = 0; i < n->fabric->hosts && !error->status; i++) {
			uint8_t *level = routed_levels(routed, n, n->member[i]);
			lane_fit_start(&fit, routed_row(routed, n, n->member[i]));
			for (uint32_t column = 0; column < n->columns && !error->status; column++) {
				if (n->senders[n->node[column]])
					level[column] = (uint8_t)lane_fit_take(&fit, n->node[column], error);
			}
		}
	lane_fit_clear(&fit);
	return error->status ? -1 : 0;
}
