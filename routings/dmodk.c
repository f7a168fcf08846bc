/*
 * D-mod-K on fat trees of orcs-topology (Zahavi: D-Mod-K Routing Providing Non-Blocking Traffic for Shift Permutations on Real Life Fat
 * Trees, 2010), also with missing cables: if the channel that the arithmetic selects is missing, or no legal shortest path uses it, it
 * selects one of the remaining choices by the destination's number modulo their number. Deadlock-free on one virtual lane, as all paths go
 * up first, then down. Time O(switches with hosts * channels + hosts * switches).
 */
#include "base/memory.h"
#include "routings/topology_match.h"
#include "routings/updown.h"

#include <stdlib.h>

/* Returns the channel for one node, number i of the choices. */
static uint32_t choose(const struct topology_match *p, const struct choices *choices, uint32_t i, uint32_t host)
{
	uint32_t first = choices->first[i], count = choices->first[i + 1] - first, wanted = topology_match_next(p, choices->order[i], host);
	for (uint32_t k = 0; k < count && wanted != NONE; k++)
		if (choices->channel[first + k] == wanted)
			return wanted;
	return choices->channel[first + host % count];
}

static void route_all(const struct topology_match *p, const struct updown *updown, struct choices *choices, struct routed *routed)
{
	const struct routing_graph *n = p->graph;
	for (uint32_t g = 0; g < n->groups; g++) {
		choices_legal(choices, updown, n->root[g]);
		for (uint32_t m = n->first_member[g]; m < n->first_member[g + 1]; m++) {
			uint32_t host = n->member[m], *row = routed_row(routed, n, host), last = routing_last(n, g, host);
			if (last != NONE)
				row[n->column[n->root[g]]] = last;
			for (uint32_t i = 0; i < choices->count; i++)
				row[n->column[choices->order[i]]] = choose(p, choices, i, host);
		}
	}
}

/* Sets the number of levels above the level of each switch. */
static void find_depths(const struct topology_match *p, uint32_t *depth)
{
	struct topology_structure structure;
	topology_structure(p->plain, &structure);
	for (uint32_t v = 0; v < p->graph->fabric->nodes; v++) {
		uint32_t above = structure.levels - 1;
		while (above && p->number[v] - p->topology->hosts < structure.first[above])
			above--;
		depth[v] = structure.levels - 1 - above;
	}
}

static int dmodk_route(const struct routing_task *task, struct routed *routed, struct error *error)
{
	struct topology_match match;
	struct updown updown = {0};
	struct choices choices = {0};
	uint32_t nodes = task->graph->fabric->nodes, *depth = array_create(nodes, sizeof *depth, error);
	if (!topology_match_init(&match, task, "dmodk", error) && depth && !updown_init(&updown, task->graph, error) &&
		!choices_init(&choices, task->graph, error)) {
		find_depths(&match, depth);
		if (!updown_by_depth(&updown, depth, error) && match.missing && !updown_reaches_all(&updown, &choices))
			updown_by_roots(&updown, NULL, 0, error); /* some pairs have no common ancestor left */
		if (!error->status)
			route_all(&match, &updown, &choices, routed);
		topology_match_note(&match, routed, "other shortest paths are used there");
	}
	choices_clear(&choices);
	updown_clear(&updown);
	topology_match_clear(&match);
	free(depth);
	return error->status ? -1 : 0;
}

static int dmodk_prepare(const struct routing_task *task, struct routing_demand *demand, struct error *error)
{
	return routing_prepare_function(task, "dmodk", demand, error);
}

const struct routing routing_dmodk = {
	.name = "dmodk",
	.summary = "fat trees, computed: no two routes of a shift share a channel of a complete tree of full bandwidth",
	.source = "Zahavi 2010",
	.needs = "star, tree, fattree, mport, thintree, gtree, xgft or pgft of orcs-topology; cables may be missing or parallel",
	.route = dmodk_route,
	.demand = dmodk_prepare,
};
