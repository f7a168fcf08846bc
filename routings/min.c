/*
 * Minimal paths on dragonflies of orcs-topology: within the group, over one cable to the other group, within that (Kim, Dally, Scott, Abts:
 * Technology-Driven, Highly-Scalable Dragonfly Topology, ISCA 2008), on virtual lanes that make them deadlock-free (see lane_fit.h).
 */
#include "routings/lane_fit.h"
#include "routings/topology_match.h"

static int min_route(const struct routing_task *task, struct routed *routed, struct error *error)
{
	struct topology_match match;
	uint32_t detours;
	if (!topology_match_init(&match, task, "min", error) && !topology_match_route(&match, routed, NULL, NULL, &detours, error)) {
		topology_match_note(&match, routed, "hosts behind them are reached by shortest paths");
		lane_fit_all(routed, task, "min", 0, error);
	}
	topology_match_clear(&match);
	return error->status ? -1 : 0;
}

static int min_prepare(const struct routing_task *task, struct routing_demand *demand, struct error *error)
{
	return routing_prepare_function(task, "min", demand, error);
}

const struct routing routing_min = {
	.name = "min",
	.summary = "minimal routes on dragonflies: exactly one cable between groups, even if two in a row would be shorter",
	.source = "Kim, Dally, Scott, Abts 2008",
	.needs = "dragonfly of orcs-topology; cables may be missing or parallel; lanes",
	.route = min_route,
	.demand = min_prepare,
};
