#include "routings/lane_fit.h"

#include "base/memory.h"

#include <stdio.h>
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

/* Returns the channel by which the node forwards to another switch; NONE if that is the destination. */
static uint32_t onwards(const struct lane_fit *fit, uint32_t node)
{
	const struct routing_graph *n = fit->graph;
	uint32_t channel = routing_is_switch(n, node) ? fit->row[n->column[node]] : NONE;
	return channel != NONE && turns_joins_switches(&fit->turns, channel) ? channel : NONE;
}

/*
 * Returns whether the lane can take the route from a switch: first the rest of its path, then its turn. Routes to the same destination
 * share the result.
 */
static bool take_lane(struct lane_fit *fit, unsigned lane, uint32_t node)
{
	const struct routing_graph *n = fit->graph;
	uint32_t channel = onwards(fit, node), bit = 1U << lane;
	if (channel == NONE || fit->fits[n->column[node]] & bit)
		return true;
	if (fit->fails[n->column[node]] & bit)
		return false;
	fit->fails[n->column[node]] |= (uint16_t)bit; /* also if the path returns here */
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

static int fail(const struct lane_fit *fit, struct error *error)
{
	return error->status ? -1 : error_set(error, STATUS_FABRIC, "%s needs more than %u virtual lanes", fit->engine, fit->most);
}

int lane_fit_take(struct lane_fit *fit, uint32_t node, struct error *error)
{
	for (unsigned lane = 0; lane < fit->most && !error->status; lane++)
		if (lane_fit_try(fit, lane, node, error))
			return (int)lane;
	return fail(fit, error);
}

uint32_t lane_fit_next(const struct choices *choices, uint32_t i, uint32_t after, lane_fit_cost *cost, const void *state)
{
	uint64_t least = after == NONE ? 0 : cost(state, after), best_cost = 0;
	uint32_t best = NONE;
	for (uint32_t k = choices->first[i]; k < choices->first[i + 1]; k++) {
		uint32_t c = choices->channel[k];
		uint64_t of_c = cost(state, c);
		if ((best == NONE || of_c < best_cost) && (after == NONE || of_c > least || (of_c == least && c > after))) {
			best = c;
			best_cost = of_c;
		}
	}
	return best;
}

/* Forgets the results for a node whose route is on no lane and whose entry has changed. */
static void forget(struct lane_fit *fit, uint32_t node)
{
	if (routing_is_switch(fit->graph, node))
		fit->fits[fit->graph->column[node]] = fit->fails[fit->graph->column[node]] = 0;
}

int lane_fit_choose(struct lane_fit *fit, uint32_t *row, const struct choices *choices, uint32_t i, lane_fit_cost *cost, const void *state,
	struct error *error)
{
	uint32_t node = choices->order[i], *entry = row + fit->graph->column[node];
	*entry = lane_fit_next(choices, i, NONE, cost, state);
	if (!fit->thrifty)
		return lane_fit_take(fit, node, error);
	for (unsigned lane = 0; lane < fit->most && !error->status; lane++) {
		*entry = NONE;
		while ((*entry = lane_fit_next(choices, i, *entry, cost, state)) != NONE && !error->status) {
			forget(fit, node);
			if (lane_fit_try(fit, lane, node, error))
				return (int)lane;
		}
	}
	return fail(fit, error);
}

/* Sets the error after another attempt with more lanes, whose error is more: states the number of lanes that would suffice. Returns -1. */
static int tell_need(const char *engine, unsigned most, unsigned needed, const struct error *more, struct error *error)
{
	*error = (struct error){0};
	if (!more->status)
		return error_set(error, STATUS_FABRIC, "%s needs more than %u virtual lane%s: %u suffice (orcs-route --virtual-lanes)",
			engine, most, most == 1 ? "" : "s", needed);
	if (more->status != STATUS_FABRIC)
		*error = *more;
	return error_set(
		error, STATUS_FABRIC, "%s needs more than %d virtual lanes; use nue, which needs only one", engine, ROUTING_LANES_MAX);
}

/* Discards the levels of a failed attempt. */
static void drop_levels(struct routed *routed)
{
	free(routed->level);
	routed->level = NULL;
}

static void run(const struct routing_task *task, struct routed *routed, const char *engine, bool thrifty, lane_fit_engine *route,
	struct error *error)
{
	struct lane_fit fit;
	if (!lane_fit_init(&fit, routed, task, engine, error)) {
		fit.thrifty = thrifty;
		route(task, &fit, error);
	}
	lane_fit_clear(&fit);
}

int lane_fit_run(const struct routing_task *task, struct routed *routed, const char *engine, lane_fit_engine *route, struct error *error)
{
	run(task, routed, engine, false, route, error);
	if (error->status == STATUS_FABRIC) {
		*error = (struct error){0};
		drop_levels(routed);
		run(task, routed, engine, true, route, error);
		snprintf(routed->note, sizeof routed->note,
			"the preferred routes of %s need more than %u virtual lanes: other shortest paths are used where that saves lanes",
			engine, task->lanes);
	}
	if (error->status == STATUS_FABRIC && task->lanes < ROUTING_LANES_MAX) {
		struct routing_task wide = *task;
		struct error more = {0};
		wide.lanes = ROUTING_LANES_MAX;
		drop_levels(routed);
		run(&wide, routed, engine, true, route, &more);
		tell_need(engine, task->lanes, routed->lanes, &more, error);
	}
	return error->status ? -1 : 0;
}

/* Finds lanes for all routes of tables, once. */
static void fit_all(struct routed *routed, const struct routing_task *task, const char *engine, struct error *error)
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
}

int lane_fit_all(struct routed *routed, const struct routing_task *task, const char *engine, unsigned known, struct error *error)
{
	if (task->lanes_use == LANES_NOT_NEEDED) {
		routed->deadlocks = true;
		return 0;
	}
	fit_all(routed, task, engine, error);
	if (error->status == STATUS_FABRIC && task->lanes_use == LANES_OPTIONAL) {
		*error = (struct error){0};
		drop_levels(routed);
		routed->levels = routed->lanes = 1;
		routed->deadlocks = true;
		return 0;
	}
	if (error->status == STATUS_FABRIC && task->lanes < ROUTING_LANES_MAX) {
		struct routing_task wide = *task;
		struct error more = {0};
		wide.lanes = ROUTING_LANES_MAX;
		drop_levels(routed);
		if (!known)
			fit_all(routed, &wide, engine, &more);
		tell_need(engine, task->lanes, known ? known : routed->lanes, &more, error);
	}
	return error->status ? -1 : 0;
}
