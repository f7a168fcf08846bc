/*
 * Single-source shortest paths: destination by destination, every node takes, among its shortest paths, the one whose channels carry the
 * fewest routes of the destinations before, in total (Hoefler, Schneider, Lumsdaine: Optimized Routing for Large-Scale InfiniBand Networks,
 * Hot Interconnects 2009, with initial weights so large that no path becomes longer). Time O(switches with hosts * channels + hosts *
 * choices).
 *
 * dfsssp puts these routes on virtual lanes so that they cannot deadlock (Domke, Hoefler, Nagel: Deadlock-Free Oblivious Routing for
 * Arbitrary Topologies, IPDPS 2011). That paper starts with all routes on one lane and moves those that close cycles at their weakest turns
 * to the next lane. Here each route takes the first lane on which it adds no cycle, destination by destination, which results in fewer
 * lanes. If the lanes do not suffice, it routes again thriftily: every node then takes, among its shortest paths, the one that needs the
 * lowest lane, and among these the one with the least weights. Time: that of sssp, plus lane_fit_choose() for each host and switch.
 */
#include "base/memory.h"
#include "routings/lane_fit.h"

#include <stdlib.h>

struct weighted_paths {
	const struct routing_graph *graph;
	struct routed *routed;
	struct choices choices;
	uint64_t *weight;     /* [channels] number of routes */
	uint64_t *length;     /* [nodes] sum of the weights on the path to the destination */
	uint64_t *arrived;    /* [nodes] number of routes to this destination that pass */
	struct lane_fit *fit; /* NULL: without lanes, deadlocks are not avoided */
};

static uint64_t length_by(const void *state, uint32_t channel)
{
	const struct weighted_paths *s = state;
	return s->weight[channel] + s->length[s->graph->fabric->head[channel]];
}

static void route_host(struct weighted_paths *s, uint32_t group, uint32_t host, struct error *error)
{
	const struct routing_graph *n = s->graph;
	const struct choices *choices = &s->choices;
	uint32_t *row = routed_row(s->routed, n, host), last = routing_last(n, group, host);
	uint8_t *level = s->fit ? routed_levels(s->routed, n, host) : NULL;
	if (last != NONE)
		row[n->column[choices->root]] = last;
	if (s->fit)
		lane_fit_start(s->fit, row);
	s->length[choices->root] = 0;
	for (uint32_t i = 0; i < choices->count; i++) {
		uint32_t u = choices->order[i], *entry = row + n->column[u];
		s->arrived[u] = n->senders[u];
		if (!s->fit || !n->senders[u])
			*entry = lane_fit_next(choices, i, NONE, length_by, s);
		else
			level[n->column[u]] = (uint8_t)lane_fit_choose(s->fit, row, choices, i, length_by, s, error);
		if (error->status)
			return;
		s->length[u] = length_by(s, *entry);
	}
	for (uint32_t i = choices->count; i--;) {
		uint32_t u = choices->order[i], c = row[n->column[u]];
		s->weight[c] += s->arrived[u];
		s->arrived[n->fabric->head[c]] += s->arrived[u];
	}
}

/* fit: NULL for sssp, which does not avoid deadlocks. */
static void route_all(const struct routing_task *task, struct routed *routed, struct lane_fit *fit, struct error *error)
{
	const struct routing_graph *n = task->graph;
	struct weighted_paths s = {
		.graph = n,
		.routed = routed,
		.weight = array_create(n->fabric->channels, sizeof *s.weight, error),
		.length = array_create(n->fabric->nodes, sizeof *s.length, error),
		.arrived = array_create(n->fabric->nodes, sizeof *s.arrived, error),
		.fit = fit,
	};
	choices_init(&s.choices, n, error);
	for (uint32_t g = 0; g < n->groups && !error->status; g++) {
		choices_shortest(&s.choices, n->root[g]);
		for (uint32_t i = n->first_member[g]; i < n->first_member[g + 1] && !error->status; i++)
			route_host(&s, g, n->member[i], error);
	}
	choices_clear(&s.choices);
	free(s.weight);
	free(s.length);
	free(s.arrived);
}

static int sssp_route(const struct routing_task *task, struct routed *routed, struct error *error)
{
	routed->deadlocks = true;
	route_all(task, routed, NULL, error);
	return error->status ? -1 : 0;
}

static void route_on_lanes(const struct routing_task *task, struct lane_fit *fit, struct error *error)
{
	route_all(task, fit->routed, fit, error);
}

static int dfsssp_route(const struct routing_task *task, struct routed *routed, struct error *error)
{
	return lane_fit_run(task, routed, "dfsssp-orcs", route_on_lanes, error);
}

const struct routing routing_sssp_orcs = {
	.name = "sssp-orcs",
	.summary = "shortest paths over the channels with the fewest routes",
	.source = "orcs, after Hoefler, Schneider, Lumsdaine 2009",
	.needs = "any fabric",
	.route = sssp_route,
};

const struct routing routing_dfsssp_orcs = {
	.name = "dfsssp-orcs",
	.summary = "routes of sssp, deadlock-free on virtual lanes; other shortest paths if the lanes do not suffice",
	.source = "orcs, after Domke, Hoefler, Nagel 2011",
	.needs = "any fabric; lanes",
	.route = dfsssp_route,
};
