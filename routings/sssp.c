/*
 * Single-source shortest paths: destination by destination, every node takes that of its shortest ways whose channels carry the fewest
 * routes of the destinations before, all together (Hoefler, Schneider, Lumsdaine: Optimized Routing for Large-Scale InfiniBand Networks,
 * Hot Interconnects 2009, with first weights so large that no way becomes longer). dfsssp then splits the routes over lanes so that they
 * cannot deadlock (see lane_split.h). Time O(switches with hosts * channels + hosts * choices), and that of the split.
 */
#include "lane_fit.h"

#include <stdlib.h>
#include <string.h>

struct sssp {
	const struct routing_graph *graph;
	struct routed *routed;
	struct choices choices;
	uint64_t *weight;  /* [channels] routes */
	uint64_t *length;  /* [nodes] the weights on the way to the destination */
	uint64_t *arrived; /* [nodes] routes of this destination that pass */
};

static void route_host(struct sssp *s, uint32_t group, uint32_t host)
{
	const struct routing_graph *n = s->graph;
	const struct choices *choices = &s->choices;
	uint32_t *row = routed_row(s->routed, n, host), last = routing_last(n, group, host);
	if (last != NONE)
		row[n->column[choices->root]] = last;
	s->length[choices->root] = 0;
	for (uint32_t i = 0; i < choices->count; i++) {
		uint32_t u = choices->order[i], best = NONE;
		for (uint32_t k = choices->first[i]; k < choices->first[i + 1]; k++) {
			uint32_t c = choices->channel[k];
			uint64_t length = s->weight[c] + s->length[n->fabric->head[c]];
			if (best == NONE || length < s->length[u]) {
				best = c;
				s->length[u] = length;
			}
		}
		row[n->column[u]] = best;
		s->arrived[u] = n->senders[u];
	}
	for (uint32_t i = choices->count; i--;) {
		uint32_t u = choices->order[i], c = row[n->column[u]];
		s->weight[c] += s->arrived[u];
		s->arrived[n->fabric->head[c]] += s->arrived[u];
	}
}

static int sssp_route(const struct routing_task *task, struct routed *routed, struct error *error)
{
	const struct routing_graph *n = task->graph;
	struct sssp s = {
		.graph = n,
		.routed = routed,
		.weight = array_create(n->fabric->channels, sizeof *s.weight, error),
		.length = array_create(n->fabric->nodes, sizeof *s.length, error),
		.arrived = array_create(n->fabric->nodes, sizeof *s.arrived, error),
	};
	for (uint32_t g = choices_init(&s.choices, n, error) ? n->groups : 0; g < n->groups; g++) {
		choices_shortest(&s.choices, n->root[g]);
		for (uint32_t i = n->first_member[g]; i < n->first_member[g + 1]; i++)
			route_host(&s, g, n->member[i]);
	}
	routed->deadlocks = true;
	choices_clear(&s.choices);
	free(s.weight);
	free(s.length);
	free(s.arrived);
	return error->status ? -1 : 0;
}

static int dfsssp_route(const struct routing_task *task, struct routed *routed, struct error *error)
{
	if (sssp_route(task, routed, error))
		return -1;
	routed->deadlocks = false;
	return lane_fit_all(routed, task, "dfsssp", error);
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
	.summary = "the routes of sssp, on lanes that keep them free of deadlocks",
	.source = "Domke, Hoefler, Nagel 2011",
	.needs = "any fabric; lanes",
	.route = dfsssp_route,
};
