/*
 * Layered shortest paths: one shortest way from every switch to every other, and for each pair the first lane on which its way closes no
 * circle with those there (Skeie, Lysne, Theiss: Layered Shortest Path (LASH) Routing in Irregular System Area Networks, IPDPS 2002). Of
 * its shortest ways every node takes that which the fewest switches have so far. Time O(switches with hosts squared * hops), and that of
 * searches for circles.
 */
#include "lane_fit.h"

#include <stdlib.h>

static void route_group(struct lane_fit *fit, const struct choices *choices, uint32_t group, uint32_t *usage, struct error *error)
{
	const struct routing_graph *n = fit->graph;
	uint32_t host = n->member[n->first_member[group]];
	uint8_t *level = routed_levels(fit->routed, n, host);
	routed_least_used(fit->routed, choices, group, host, usage);
	lane_fit_start(fit, routed_row(fit->routed, n, host));
	for (uint32_t i = 0; i < choices->count && !error->status; i++) {
		uint32_t node = choices->order[i];
		if (n->senders[node])
			level[n->column[node]] = (uint8_t)lane_fit_take(fit, node, error);
	}
	routed_copy_group(fit->routed, n, group);
}

static int lash_route(const struct routing_task *task, struct routed *routed, struct error *error)
{
	const struct routing_graph *n = task->graph;
	struct lane_fit fit = {0};
	struct choices choices;
	uint32_t *usage = array_create(n->fabric->channels, sizeof *usage, error);
	if (!choices_init(&choices, n, error) && !lane_fit_init(&fit, routed, task, "lash", error))
		for (uint32_t g = 0; g < n->groups && !error->status; g++) {
			choices_shortest(&choices, n->root[g]);
			route_group(&fit, &choices, g, usage, error);
		}
	lane_fit_clear(&fit);
	choices_clear(&choices);
	free(usage);
	return error->status ? -1 : 0;
}

const struct routing routing_lash = {
	.name = "lash",
	.summary = "one shortest way for each pair of switches, on lanes that keep them free of deadlocks",
	.source = "Skeie, Lysne, Theiss 2002",
	.needs = "any fabric; lanes",
	.route = lash_route,
};
