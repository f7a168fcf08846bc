/*
 * Layered shortest paths: one shortest path from every switch to every other, and for each pair the first virtual lane on which its path
 * adds no cycle to the channel dependencies there (Skeie, Lysne, Theiss: Layered Shortest Path (LASH) Routing in Irregular System Area
 * Networks, IPDPS 2002). Each node takes, among its shortest paths, the one that the fewest switches use so far. If the lanes do not
 * suffice for these routes, it routes again thriftily, as dfsssp. Time O(switches with hosts squared * choices), plus lane_fit_choose() for
 * each.
 */
#include "base/memory.h"
#include "routings/lane_fit.h"

#include <stdlib.h>

static uint64_t used(const void *usage, uint32_t channel)
{
	return ((const uint32_t *)usage)[channel];
}

static void route_group(struct lane_fit *fit, const struct choices *choices, uint32_t group, uint32_t *usage, struct error *error)
{
	const struct routing_graph *n = fit->graph;
	uint32_t host = n->member[n->first_member[group]], *row = routed_row(fit->routed, n, host);
	uint8_t *level = routed_levels(fit->routed, n, host);
	lane_fit_start(fit, row);
	for (uint32_t i = 0; i < choices->count && !error->status; i++) {
		uint32_t column = n->column[choices->order[i]];
		if (n->senders[choices->order[i]])
			level[column] = (uint8_t)lane_fit_choose(fit, row, choices, i, used, usage, error);
		else
			row[column] = lane_fit_next(choices, i, NONE, used, usage);
		if (!error->status)
			usage[row[column]]++;
	}
	routed_copy_group(fit->routed, n, group);
}

static void route_all(const struct routing_task *task, struct lane_fit *fit, struct error *error)
{
	const struct routing_graph *n = task->graph;
	struct choices choices;
	uint32_t *usage = array_create(n->fabric->channels, sizeof *usage, error);
	choices_init(&choices, n, error);
	for (uint32_t g = 0; g < n->groups && !error->status; g++) {
		choices_shortest(&choices, n->root[g]);
		route_group(fit, &choices, g, usage, error);
	}
	choices_clear(&choices);
	free(usage);
}

static int lash_route(const struct routing_task *task, struct routed *routed, struct error *error)
{
	return lane_fit_run(task, routed, "lash-orcs", route_all, error);
}

const struct routing routing_lash_orcs = {
	.name = "lash-orcs",
	.summary = "one shortest path per pair of switches, deadlock-free on virtual lanes",
	.source = "orcs, after Skeie, Lysne, Theiss 2002",
	.needs = "any fabric; lanes",
	.route = lash_route,
};
