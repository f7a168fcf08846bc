/*
 * Valiant's routing: every packet is routed via a random intermediate switch, in both phases by another engine's tables (Valiant: A scheme
 * for fast parallel communication, SIAM Journal on Computing 11, 1982; on dragonflies Kim, Dally, Scott, Abts, ISCA 2008). The tables are
 * those of the other engine; the graph states that packets use intermediate switches (via, see orcs-dot(5)), which the simulation draws.
 */
#include "fabric/route_choice.h"
#include "routings/topology_match.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct arg valiant_args[] = {
	{"ENGINE", ARG_TEXT, "", 0, 0, "engine of both phases, with its parameters; by default the topology's own, otherwise minhop-orcs"},
	{.type = ARG_END},
};

/* Returns the engine of both phases. */
static const char *engine_of(const struct routing_task *task)
{
	const char *own = !task->args[0].text && task->topology ? topology_match_routing(task->topology) : NULL;
	return task->args[0].text ? task->args[0].text : own ? own : "minhop-orcs";
}

static int check(const struct routing_task *task, struct error *error)
{
	if (route_choice_can_detour(task->graph->fabric))
		return 0;
	const struct fabric_labels *labels = task->graph->fabric->labels;
	return error_at(error, STATUS_FABRIC, labels ? labels->source : "", 0,
		"valiant needs every host attached to one switch by one cable; choose another engine");
}

static int valiant_prepare(const struct routing_task *task, struct routing_demand *demand, struct error *error)
{
	struct routing_task half = *task;
	const char *engine = engine_of(task);
	if (!strncmp(engine, "valiant", strlen("valiant")) || check(task, error))
		return error->status ? -1 : 0;
	if (routing_prepare(demand, engine, &half, error))
		return -1;
	if (demand->forwarding)
		demand->forwarding->via = true;
	return 0;
}

static int valiant_route(const struct routing_task *task, struct routed *routed, struct error *error)
{
	const char *engine = engine_of(task);
	struct routing_task half = *task;
	if (check(task, error))
		return -1;
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
	.demand = valiant_prepare,
};
