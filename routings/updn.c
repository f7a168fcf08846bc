/*
 * Up/down routing in OpenSM's two variants, see opensm(8): updn ranks the switches by their distance from root switches; dnup by their
 * distance from the hosts, if that gives every pair a path. Each node takes, among its legal paths, the one that the fewest destinations
 * use so far. Deadlock-free on one virtual lane. Time O(switches with hosts * channels + hosts * choices).
 */
#include "base/memory.h"
#include "routings/updown.h"

#include <stdio.h>
#include <stdlib.h>

/* choices, updown: initialised for the graph. */
static void route_legally(const struct updown *updown, struct choices *choices, struct routed *routed, struct error *error)
{
	const struct routing_graph *n = updown->graph;
	uint32_t *usage = array_create(n->fabric->channels, sizeof *usage, error);
	for (uint32_t g = usage ? 0 : n->groups; g < n->groups; g++) {
		choices_legal(choices, updown, n->root[g]);
		for (uint32_t i = n->first_member[g]; i < n->first_member[g + 1]; i++)
			routed_least_used(routed, choices, g, n->member[i], usage);
	}
	free(usage);
}

static int updn_route(const struct routing_task *task, struct routed *routed, struct error *error)
{
	struct updown updown = {0};
	struct choices choices;
	if (!choices_init(&choices, task->graph, error) && !updown_init(&updown, task->graph, error) &&
		!updown_by_roots(&updown, task->roots, task->root_count, error))
		route_legally(&updown, &choices, routed, error);
	updown_clear(&updown);
	choices_clear(&choices);
	return error->status ? -1 : 0;
}

static int dnup_route(const struct routing_task *task, struct routed *routed, struct error *error)
{
	struct updown updown = {0};
	struct choices choices;
	if (!choices_init(&choices, task->graph, error) && !updown_init(&updown, task->graph, error) && !updown_by_hosts(&updown, error)) {
		if (!updown_reaches_all(&updown, &choices) && !updown_by_roots(&updown, NULL, 0, error))
			snprintf(routed->note, sizeof routed->note,
				"ranking by distance from the hosts leaves pairs without a legal path: ranked as for updn");
		route_legally(&updown, &choices, routed, error);
	}
	updown_clear(&updown);
	choices_clear(&choices);
	return error->status ? -1 : 0;
}

const struct routing routing_updn_orcs = {
	.name = "updn-orcs",
	.summary = "up, then down, ranked by distance from the roots: deadlock-free on one virtual lane",
	.source = "orcs, after Schroeder et al. 1991",
	.needs = "any fabric with bidirectional cables; roots from --roots, otherwise found",
	.roots = true,
	.route = updn_route,
};

const struct routing routing_dnup_orcs = {
	.name = "dnup-orcs",
	.summary = "up, then down, ranked by distance from the hosts: deadlock-free on one virtual lane",
	.source = "orcs, after OpenSM's DNUP",
	.needs = "any fabric with bidirectional cables",
	.route = dnup_route,
};
