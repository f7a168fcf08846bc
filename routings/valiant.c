/*
 * Valiant's routing: every packet is routed via a random intermediate switch, in both phases by another engine's tables (Valiant: A scheme
 * for fast parallel communication, SIAM Journal on Computing 11, 1982; on dragonflies Kim, Dally, Scott, Abts, ISCA 2008). The tables are
 * those of the other engine; the graph states that packets use intermediate switches (via, see orcs-dot(5)), which the simulation draws.
 */
#include "fabric/route_choice.h"
#include "routings/topology_match.h"

#include <stdio.h>
#include <stdlib.h>

static const struct arg valiant_args[] = {
	{"ENGINE", ARG_TEXT, "", 0, 0, "engine of both phases, with its parameters; by default the topology's own, otherwise minhop-orcs"},
	{.type = ARG_END},
};

static int valiant_route(const struct routing_task *task, struct routed *routed, struct error *error)
{
	const char *own = !task->args[0].text && task->topology ? topology_match_routing(task->topology) : NULL;
	const char *engine = task->args[0].text ? task->args[0].text : own ? own : "minhop-orcs";
	struct routing_task half = *task;
	if (!route_choice_can_detour(task->graph->fabric))
		return error_at(error, STATUS_FABRIC, task->graph->fabric->labels->source, 0,
			"valiant needs every host attached to one switch by one cable; choose another engine");
	free(routed->next);
	routed->next = NULL;
	if (routing_run(routed, engine, &half, error))
		return -1;
	if (routed->via)
		return error_set(error, STATUS_USAGE, "valiant cannot use an engine that routes via intermediate switches itself");
	routed->via = true;
	snprintf(routed->note, sizeof routed->note,
		"packets are routed via a random switch; their second phase needs virtual lanes of its own, %u as for the first",
		routed->lanes);
	return 0;
}

const struct routing routing_valiant = {
	.name = "valiant",
	.summary = "via a random intermediate switch, to and from it by another engine",
	.source = "Valiant 1982",
	.needs = "what the other engine needs; every host attached to one switch by one cable",
	.args = valiant_args,
	.roots = true,
	.route = valiant_route,
};
