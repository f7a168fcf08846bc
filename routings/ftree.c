/*
 * Fat trees of any kind, also with missing cables: OpenSM's ftree (Zahavi, Johnson, Kerbyson, Lang: Optimized InfiniBand fat-tree routing
 * for shift all-to-all communication patterns, Concurrency and Computation 22, 2010). For each destination, in order, one path upwards is
 * chosen from its switch: each time to the parent whose down channel carries the fewest destinations so far. All nodes below a switch of
 * that path go up to it, where possible, by the least used channel. The remaining nodes use the least used legal path; so do all nodes of
 * fabrics that are not trees. Deadlock-free on one virtual lane, as up/down routing. Time O(switches with hosts * channels + hosts *
 * choices).
 */
#include "base/memory.h"
#include "routings/updown.h"

#include <stdlib.h>

struct tree {
	const struct updown *updown;
	struct choices choices;
	struct routed *routed;
	uint32_t *usage;    /* [channels] number of destinations */
	uint32_t *spare;    /* [channels] the same for the remaining nodes, of which complete trees have none */
	uint32_t *position; /* [nodes] index in the order of the choices */
	uint32_t *queue;    /* [nodes] */
};

/* Returns whether that channel is one of the choices of u. */
static bool is_choice(const struct tree *t, uint32_t u, uint32_t channel)
{
	uint32_t i = t->position[u];
	for (uint32_t k = t->choices.first[i]; k < t->choices.first[i + 1]; k++)
		if (t->choices.channel[k] == channel)
			return true;
	return false;
}

/*
 * Returns the least used channel into v that nodes on the given side of it (above or below) may choose, NONE if there is none; only
 * channels from node, unless that is NONE.
 */
static uint32_t least_used_into(const struct tree *t, uint32_t v, uint32_t node, bool above)
{
	const struct routing_graph *n = t->updown->graph;
	const uint32_t *height = t->updown->height;
	uint32_t best = NONE;
	for (uint32_t i = n->first_in[v]; i < n->first_in[v + 1]; i++) {
		uint32_t c = n->in[i], u = n->tail[c];
		if ((node == NONE || u == node) && (height[u] > height[v]) == above && n->column[u] != NONE &&
			t->choices.distance[u] == t->choices.distance[v] + 1 && (best == NONE || t->usage[c] < t->usage[best]) &&
			is_choice(t, u, c))
			best = c;
	}
	return best;
}

static void take(struct tree *t, uint32_t *row, uint32_t channel)
{
	const struct routing_graph *n = t->updown->graph;
	row[n->column[n->tail[channel]]] = channel;
	t->usage[channel]++;
}

/* Routes all nodes below v that have no path yet up to it. */
static void raise_below(struct tree *t, uint32_t *row, uint32_t v)
{
	const struct routing_graph *n = t->updown->graph;
	uint32_t count = 0;
	t->queue[count++] = v;
	for (uint32_t k = 0; k < count; k++) {
		uint32_t w = t->queue[k];
		for (uint32_t i = n->first_in[w]; i < n->first_in[w + 1]; i++) {
			uint32_t u = n->tail[n->in[i]];
			if (n->column[u] == NONE || row[n->column[u]] != NONE || u == t->choices.root ||
				t->updown->height[u] > t->updown->height[w])
				continue;
			uint32_t channel = least_used_into(t, w, u, false);
			if (channel == NONE)
				continue;
			take(t, row, channel);
			if (routing_is_switch(n, u))
				t->queue[count++] = u;
		}
	}
}

static void route_host(struct tree *t, uint32_t group, uint32_t host)
{
	const struct routing_graph *n = t->updown->graph;
	uint32_t *row = routed_row(t->routed, n, host), last = routing_last(n, group, host), v = n->root[group];
	if (last != NONE)
		row[n->column[v]] = last;
	for (uint32_t down; raise_below(t, row, v), (down = least_used_into(t, v, NONE, true)) != NONE; v = n->tail[down])
		take(t, row, down);
	for (uint32_t i = 0; i < t->choices.count; i++) {
		uint32_t *entry = &row[n->column[t->choices.order[i]]], best = t->choices.channel[t->choices.first[i]];
		if (*entry != NONE)
			continue;
		for (uint32_t k = t->choices.first[i] + 1; k < t->choices.first[i + 1]; k++)
			if (t->spare[t->choices.channel[k]] < t->spare[best])
				best = t->choices.channel[k];
		*entry = best;
		t->spare[best]++;
	}
}

static void route_all(struct tree *t)
{
	const struct routing_graph *n = t->updown->graph;
	for (uint32_t g = 0; g < n->groups; g++) {
		choices_legal(&t->choices, t->updown, n->root[g]);
		for (uint32_t i = 0; i < t->choices.count; i++)
			t->position[t->choices.order[i]] = i;
		for (uint32_t i = n->first_member[g]; i < n->first_member[g + 1]; i++)
			route_host(t, g, n->member[i]);
	}
}

static int ftree_route(const struct routing_task *task, struct routed *routed, struct error *error)
{
	const struct fabric *fabric = task->graph->fabric;
	struct updown updown = {0};
	struct tree tree = {
		.updown = &updown,
		.routed = routed,
		.usage = array_create(fabric->channels, sizeof *tree.usage, error),
		.spare = array_create(fabric->channels, sizeof *tree.spare, error),
		.position = array_create(fabric->nodes, sizeof *tree.position, error),
		.queue = array_create(fabric->nodes, sizeof *tree.queue, error),
	};
	if (!choices_init(&tree.choices, task->graph, error) && !updown_init(&updown, task->graph, error) &&
		!updown_by_roots(&updown, task->roots, task->root_count, error))
		route_all(&tree);
	updown_clear(&updown);
	choices_clear(&tree.choices);
	free(tree.usage);
	free(tree.spare);
	free(tree.position);
	free(tree.queue);
	return error->status ? -1 : 0;
}

const struct routing routing_ftree_orcs = {
	.name = "ftree-orcs",
	.summary = "fat trees, complete or not: no two routes of a shift share a channel of a complete tree",
	.source = "orcs, after Zahavi et al. 2010",
	.needs = "any fabric with bidirectional cables, but designed for trees; roots from --roots, otherwise found",
	.roots = true,
	.route = ftree_route,
};
