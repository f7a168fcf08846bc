/*
 * Single-source shortest paths: destination by destination, every node takes that of its shortest ways whose channels carry the fewest
 * routes of the destinations before, all together (Hoefler, Schneider, Lumsdaine: Optimized Routing for Large-Scale InfiniBand Networks,
 * Hot Interconnects 2009, with first weights so large that no way becomes longer). Time O(switches with hosts * channels + hosts *
 * choices).
 *
 * dfsssp puts these routes on lanes so that they cannot deadlock (Domke, Hoefler, Nagel: Deadlock-Free Oblivious Routing for Arbitrary
 * Topologies, IPDPS 2011). That paper begins with all routes on one lane and moves those to the next that break its circles at their
 * weakest turns; here each route takes the first lane on which it closes none, destination by destination, which comes out with fewer
 * lanes. Where there still are too few it routes anew, thriftily: of its shortest ways every node then takes that which needs the lowest
 * lane, of these that of the least weights. Time: that of sssp, and of lane_fit_try() for each host, switch and lane.
 */
#include "lane_fit.h"

#include <stdio.h>
#include <stdlib.h>

struct sssp {
	const struct routing_graph *graph;
	struct routed *routed;
	struct choices choices;
	uint64_t *weight;     /* [channels] routes */
	uint64_t *length;     /* [nodes] the weights on the way to the destination */
	uint64_t *arrived;    /* [nodes] routes of this destination that pass */
	struct lane_fit *fit; /* NULL: deadlocks do not matter */
	bool thrifty;         /* with lanes */
};

/* Of the choices of a node the next after one (NONE: the first) by the weights on their ways, and of equals by their numbers; NONE after
 * the last. The node gets its length. */
static uint32_t next_choice(struct sssp *s, uint32_t i, uint32_t after)
{
	const struct choices *choices = &s->choices;
	uint64_t *length = &s->length[choices->order[i]], least = *length;
	uint32_t best = NONE;
	for (uint32_t k = choices->first[i]; k < choices->first[i + 1]; k++) {
		uint32_t c = choices->channel[k];
		uint64_t of_c = s->weight[c] + s->length[s->graph->fabric->head[c]];
		if ((best == NONE || of_c < *length) && (after == NONE || of_c > least || (of_c == least && c > after))) {
			best = c;
			*length = of_c;
		}
	}
	return best;
}

/* Gives a node its entry, and its routes to the host a lane. */
static void fit_node(struct sssp *s, uint32_t host, uint32_t i, struct error *error)
{
	uint32_t node = s->choices.order[i], column = s->graph->column[node], *entry = routed_row(s->routed, s->graph, host) + column;
	for (unsigned lane = 0; lane < s->fit->most && !error->status; lane++)
		for (*entry = next_choice(s, i, NONE); *entry != NONE; *entry = s->thrifty ? next_choice(s, i, *entry) : NONE) {
			lane_fit_change(s->fit, node);
			if (!lane_fit_try(s->fit, lane, node, error))
				continue;
			routed_levels(s->routed, s->graph, host)[column] = (uint8_t)lane;
			return;
		}
	lane_fit_fail(s->fit, error);
}

static void route_host(struct sssp *s, uint32_t group, uint32_t host, struct error *error)
{
	const struct routing_graph *n = s->graph;
	const struct choices *choices = &s->choices;
	uint32_t *row = routed_row(s->routed, n, host), last = routing_last(n, group, host);
	if (last != NONE)
		row[n->column[choices->root]] = last;
	s->length[choices->root] = 0;
	if (s->fit)
		lane_fit_start(s->fit, row);
	for (uint32_t i = 0; i < choices->count; i++) {
		uint32_t u = choices->order[i];
		s->arrived[u] = n->senders[u];
		if (s->fit && n->senders[u])
			fit_node(s, host, i, error);
		else
			row[n->column[u]] = next_choice(s, i, NONE);
		if (error->status)
			return;
	}
	for (uint32_t i = choices->count; i--;) {
		uint32_t u = choices->order[i], c = row[n->column[u]];
		s->weight[c] += s->arrived[u];
		s->arrived[n->fabric->head[c]] += s->arrived[u];
	}
}

static int route_all(const struct routing_task *task, struct routed *routed, struct lane_fit *fit, bool thrifty, struct error *error)
{
	const struct routing_graph *n = task->graph;
	struct sssp s = {
		.graph = n,
		.routed = routed,
		.weight = array_create(n->fabric->channels, sizeof *s.weight, error),
		.length = array_create(n->fabric->nodes, sizeof *s.length, error),
		.arrived = array_create(n->fabric->nodes, sizeof *s.arrived, error),
		.fit = fit,
		.thrifty = thrifty,
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
	return error->status ? -1 : 0;
}

static int sssp_route(const struct routing_task *task, struct routed *routed, struct error *error)
{
	routed->deadlocks = true;
	return route_all(task, routed, NULL, false, error);
}

static int route_on_lanes(const struct routing_task *task, struct routed *routed, bool thrifty, struct error *error)
{
	struct lane_fit fit;
	if (!lane_fit_init(&fit, routed, task, "dfsssp", error))
		route_all(task, routed, &fit, thrifty, error);
	lane_fit_clear(&fit);
	return error->status ? -1 : 0;
}

static int dfsssp_route(const struct routing_task *task, struct routed *routed, struct error *error)
{
	if (!route_on_lanes(task, routed, false, error) || error->status != STATUS_FABRIC)
		return error->status ? -1 : 0;
	*error = (struct error){0};
	free(routed->level);
	routed->level = NULL;
	if (route_on_lanes(task, routed, true, error))
		return -1;
	snprintf(routed->note, sizeof routed->note, "the routes of sssp need more lanes than %u: other shortest ways are taken",
		task->lanes);
	return 0;
}

const struct routing routing_sssp = {
	.name = "sssp",
	.summary = "shortest ways, those whose cables carry the fewest routes",
	.source = "Hoefler, Schneider, Lumsdaine 2009",
	.needs = "any fabric",
	.route = sssp_route,
};

const struct routing routing_dfsssp = {
	.name = "dfsssp",
	.summary = "the routes of sssp, on lanes that keep them free of deadlocks; others as short where there are too few lanes",
	.source = "Domke, Hoefler, Nagel 2011",
	.needs = "any fabric; lanes",
	.route = dfsssp_route,
};
