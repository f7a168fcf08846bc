/*
 * Valiant's routing: every packet goes by way of a random switch, both halves by another engine's tables (Valiant: A scheme for fast
 * parallel communication, SIAM Journal on Computing 11, 1982; on dragonflies Kim, Dally, Scott, Abts, ISCA 2008). The tables are those of
 * the other engine; that packets take the detour is said by the graph (via, see orcs-dot(5)), and drawn by whoever sends them.
 */
#include "fabric/multipath.h"
#include "routings/placed.h"

#include <stdio.h>
#include <stdlib.h>

static const struct arg valiant_args[] = {
	{"ENGINE", ARG_TEXT, "", 0, 0, "the engine of both halves, with its parameters; none: the topology's own, else minhop"},
	{.type = ARG_END},
};

static int valiant_route(const struct routing_task *task, struct routed *routed, struct error *error)
{
	const char *own = !task->args[0].text && task->topology ? placed_routing(task->topology) : NULL;
	const char *engine = task->args[0].text ? task->args[0].text : own ? own : "minhop";
	struct routing_task half = *task;
	if (!multipath_can_detour(task->graph->fabric))
		return error_at(error, STATUS_FABRIC, task->graph->fabric->labels->source, 0,
			"has hosts that do not hang on one switch by one cable: there is no switch of theirs to go by way of");
	free(routed->next);
	routed->next = NULL;
	if (routing_run(routed, engine, &half, error))
		return -1;
	if (routed->via)
		return error_set(error, STATUS_USAGE, "valiant takes an engine whose packets go straight");
	routed->via = true;
	snprintf(routed->note, sizeof routed->note,
		"packets change at a random switch; their second halves need lanes of their own, %u as for the first", routed->lanes);
	return 0;
}

const struct routing routing_valiant = {
	.name = "valiant",
	.summary = "by way of a random switch, to and from it by another engine",
	.source = "Valiant 1982",
	.needs = "what the other engine needs; hosts with one cable to one switch",
	.args = valiant_args,
	.roots = true,
	.route = valiant_route,
};
