/*
 * Regular topologies by their own routing functions, which orcs computes if there are no tables. Deadlocks are not avoided. Time O(hosts *
 * nodes) steps of that function.
 */
#include "routings/topology_match.h"

static int own_route(const struct routing_task *task, struct routed *routed, struct error *error)
{
	struct topology_match match;
	uint32_t detours;
	if (!topology_match_init(&match, task, NULL, error) && !topology_match_route(&match, routed, NULL, NULL, &detours, error))
		topology_match_note(&match, routed, "hosts behind them are reached by shortest paths");
	routed->deadlocks = true;
	topology_match_clear(&match);
	return error->status ? -1 : 0;
}

static int own_prepare(const struct routing_task *task, struct routing_demand *demand, struct error *error)
{
	return routing_prepare_function(task, NULL, demand, error);
}

const struct routing routing_own = {
	.name = "own",
	.summary = "routing function of the fabric's own regular topology",
	.source = "that of the topology",
	.needs = "a topology of orcs-topology with a routing function; cables may be missing or parallel",
	.route = own_route,
	.demand = own_prepare,
};
