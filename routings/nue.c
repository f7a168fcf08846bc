/*
 * Routing within a given number of lanes, in the manner of Nue (Domke, Hoefler, Matsuoka: Routing on the Dependency Graph: A New Approach
 * to Deadlock-Free High-Performance Routing, HPDC 2016). The destinations are shared out over the lanes. Towards each a search of the kind
 * of Dijkstra's goes outwards, fewest channels first, then fewest routes, that takes no turn which would close a circle with those in use
 * on the lane. The turns of a spanning tree are in use on every lane from the beginning; a search that leaves nodes without a way is taken
 * back, and the destination is reached by the tree: so there is always a way, even with one lane. Unlike Nue it does not look for a detour
 * before it falls back, and does not choose the destinations of a lane by their neighbourhood but by their order.
 * Time O(hosts * channels * log channels), and that of searches for circles.
 */
#include "routing.h"
#include "turns.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A channel that could be the way of its tail. */
struct offer {
	uint32_t hops;
	uint64_t weight;
	uint32_t channel;
};

struct nue {
	const struct routing_graph *graph;
	struct routed *routed;
	struct turns turns;
	struct lane_order order; /* of the lane */
	uint32_t *parent;        /* [nodes] the spanning tree: the channel towards its root, NONE at the root */
	uint32_t *child;         /* [nodes] the channel from the parent */
	uint32_t *queue;         /* [nodes] */
	uint64_t *weight;        /* [channels] routes */
	uint64_t *length;        /* [nodes] of the way: weights */
	uint32_t *hops;          /* [nodes] of the way */
	uint64_t *arrived;       /* [nodes] */
	struct offer *heap;      /* [offers] the least first */
	uint32_t offers;
	uint32_t fallbacks; /* destinations reached by the tree */
};

/* ---- the heap */

static bool is_less(const struct offer *a, const struct offer *b)
{
	if (a->hops != b->hops)
		return a->hops < b->hops;
	return a->weight != b->weight ? a->weight < b->weight : a->channel < b->channel;
}

static void push(struct nue *nue, struct offer offer)
{
	uint32_t i = nue->offers++;
	for (; i && is_less(&offer, &nue->heap[(i - 1) / 2]); i = (i - 1) / 2)
		nue->heap[i] = nue->heap[(i - 1) / 2];
	nue->heap[i] = offer;
}

static struct offer pop(struct nue *nue)
{
	struct offer least = nue->heap[0], last = nue->heap[--nue->offers];
	uint32_t i = 0;
	for (uint32_t child; (child = 2 * i + 1) < nue->offers; i = child) {
		if (child + 1 < nue->offers && is_less(&nue->heap[child + 1], &nue->heap[child]))
			child++;
		if (!is_less(&nue->heap[child], &last))
			break;
		nue->heap[i] = nue->heap[child];
	}
	nue->heap[i] = last;
	return least;
}

/* ---- the spanning tree */

/* The channel from u to v, NONE if there is none. */
static uint32_t channel_between(const struct fabric *fabric, uint32_t u, uint32_t v)
{
	for (uint32_t c = fabric->first_channel[u]; c < fabric->first_channel[u + 1]; c++)
		if (fabric->head[c] == v)
			return c;
	return NONE;
}

/* Trees of the switches that are joined by whole cables, one for each part, by breadth-first search from its switch with the most cables.
 */
static void span(struct nue *nue)
{
	const struct routing_graph *n = nue->graph;
	const struct fabric *fabric = n->fabric;
	memset(nue->hops, 0xff, fabric->nodes * sizeof *nue->hops); /* NONE */
	for (;;) {
		uint32_t root = NONE, count = 0;
		for (uint32_t v = 0; v < fabric->nodes; v++)
			if (routing_is_switch(n, v) && nue->hops[v] == NONE &&
				(root == NONE || fabric->first_channel[v + 1] - fabric->first_channel[v] >
							 fabric->first_channel[root + 1] - fabric->first_channel[root]))
				root = v;
		if (root == NONE)
			return;
		nue->parent[root] = nue->child[root] = NONE;
		nue->hops[root] = 0;
		nue->queue[count++] = root;
		for (uint32_t i = 0; i < count; i++) {
			uint32_t v = nue->queue[i];
			for (uint32_t c = fabric->first_channel[v]; c < fabric->first_channel[v + 1]; c++) {
				uint32_t u = fabric->head[c], back = routing_is_switch(n, u) ? channel_between(fabric, u, v) : NONE;
				if (back == NONE || nue->hops[u] != NONE)
					continue;
				nue->hops[u] = nue->hops[v] + 1;
				nue->parent[u] = back;
				nue->child[u] = c;
				nue->queue[count++] = u;
			}
		}
	}
}

static bool in_tree(const struct nue *nue, uint32_t channel)
{
	const struct routing_graph *n = nue->graph;
	return turns_joins_switches(&nue->turns, channel) &&
	       (nue->parent[n->tail[channel]] == channel || nue->child[n->fabric->head[channel]] == channel);
}

/* All turns of the trees, but those back to where one came from: up first, then down, so that there is no circle. */
static void use_tree(struct nue *nue)
{
	const struct routing_graph *n = nue->graph;
	for (uint32_t from = 0; from < n->fabric->channels; from++) {
		uint32_t v = n->fabric->head[from];
		if (!in_tree(nue, from))
			continue;
		for (uint32_t to = n->fabric->first_channel[v]; to < n->fabric->first_channel[v + 1]; to++)
			if (in_tree(nue, to) && n->fabric->head[to] != n->tail[from])
				lane_order_add(&nue->order, from, to);
	}
}

/* ---- ways to one destination: nodes that have one stand in queue[0..], each after those on its way */

/* The turn that a node's way takes by the channel, where it is one between switches. */
static bool turn_after(const struct nue *nue, const uint32_t *row, uint32_t channel, uint32_t *next)
{
	const struct routing_graph *n = nue->graph;
	if (!turns_joins_switches(&nue->turns, channel))
		return false;
	*next = row[n->column[n->fabric->head[channel]]];
	return *next != NONE && turns_joins_switches(&nue->turns, *next);
}

/* By the tree; to a host with several cables by the first of its switches. Returns how many nodes have a way. */
static uint32_t route_by_tree(struct nue *nue, uint32_t *row, uint32_t root)
{
	const struct routing_graph *n = nue->graph;
	uint32_t count = 0, v = root, next;
	for (uint32_t i = 0;; v = nue->queue[i++]) {
		for (uint32_t k = n->first_in[v]; k < n->first_in[v + 1]; k++) {
			uint32_t c = n->in[k], u = n->tail[c];
			bool joins = routing_is_switch(n, u) && (v == root && !routing_is_switch(n, v) ? !count : in_tree(nue, c));
			if (u == root || n->column[u] == NONE || row[n->column[u]] != NONE || (routing_is_switch(n, u) && !joins))
				continue;
			row[n->column[u]] = c;
			nue->queue[count++] = u;
			if (turn_after(nue, row, c, &next))
				lane_order_add(&nue->order, c, next);
		}
		while (i < count && !routing_is_switch(n, nue->queue[i]))
			i++;
		if (i == count)
			return count;
	}
}

/* All channels into v are offers. */
static void offer_channels(struct nue *nue, const uint32_t *row, uint32_t root, uint32_t v)
{
	const struct routing_graph *n = nue->graph;
	for (uint32_t k = n->first_in[v]; k < n->first_in[v + 1]; k++) {
		uint32_t c = n->in[k], u = n->tail[c];
		if (u != root && n->column[u] != NONE && row[n->column[u]] == NONE)
			push(nue, (struct offer){nue->hops[v] + 1, nue->length[v] + nue->weight[c], c});
	}
}

/* By the search. Returns how many nodes have a way. */
static uint32_t search(struct nue *nue, uint32_t *row, uint32_t root)
{
	const struct routing_graph *n = nue->graph;
	uint32_t count = 0, next;
	nue->hops[root] = 0;
	nue->length[root] = 0;
	nue->offers = 0;
	for (offer_channels(nue, row, root, root); nue->offers;) {
		struct offer offer = pop(nue);
		uint32_t u = n->tail[offer.channel];
		if (row[n->column[u]] != NONE ||
			(turn_after(nue, row, offer.channel, &next) && !lane_order_add(&nue->order, offer.channel, next)))
			continue;
		row[n->column[u]] = offer.channel;
		nue->hops[u] = offer.hops;
		nue->length[u] = offer.weight;
		nue->queue[count++] = u;
		if (routing_is_switch(n, u))
			offer_channels(nue, row, root, u);
	}
	return count;
}

/* Takes the ways of the first count nodes in the queue back. */
static void take_back(struct nue *nue, uint32_t *row, uint32_t count)
{
	uint32_t next;
	while (count) {
		uint32_t *way = &row[nue->graph->column[nue->queue[--count]]];
		if (turn_after(nue, row, *way, &next))
			lane_order_remove(&nue->order, *way, next);
		*way = NONE;
	}
}

/* reachable: how many nodes have a way at all. */
static void route_host(struct nue *nue, uint32_t group, uint32_t host, uint32_t reachable)
{
	const struct routing_graph *n = nue->graph;
	uint32_t root = n->root[group], *row = routed_row(nue->routed, n, host), last = routing_last(n, group, host);
	uint32_t count = search(nue, row, root);
	if (count < reachable) {
		take_back(nue, row, count);
		count = route_by_tree(nue, row, root);
		nue->fallbacks++;
	}
	for (uint32_t i = 0; i < count; i++)
		nue->arrived[nue->queue[i]] = n->senders[nue->queue[i]];
	for (uint32_t i = count; i--;) {
		uint32_t u = nue->queue[i], c = row[n->column[u]];
		nue->weight[c] += nue->arrived[u];
		nue->arrived[n->fabric->head[c]] += nue->arrived[u];
	}
	if (last != NONE)
		row[n->column[root]] = last;
}

/* The groups first..end-1, on one lane. */
static void route_lane(struct nue *nue, struct choices *choices, uint32_t first, uint32_t end, uint8_t lane)
{
	const struct routing_graph *n = nue->graph;
	use_tree(nue);
	for (uint32_t g = first; g < end; g++) {
		choices_shortest(choices, n->root[g]);
		for (uint32_t i = n->first_member[g]; i < n->first_member[g + 1]; i++) {
			route_host(nue, g, n->member[i], choices->count);
			memset(routed_levels(nue->routed, n, n->member[i]), lane, n->columns);
		}
	}
}

static int nue_route(const struct routing_task *task, struct routed *routed, struct error *error)
{
	const struct routing_graph *n = task->graph;
	uint32_t nodes = n->fabric->nodes, channels = n->fabric->channels;
	struct choices choices;
	struct nue nue = {
		.graph = n,
		.routed = routed,
		.parent = array_create(nodes, sizeof *nue.parent, error),
		.child = array_create(nodes, sizeof *nue.child, error),
		.queue = array_create(nodes, sizeof *nue.queue, error),
		.weight = array_create(channels, sizeof *nue.weight, error),
		.length = array_create(nodes, sizeof *nue.length, error),
		.hops = array_create(nodes, sizeof *nue.hops, error),
		.arrived = array_create(nodes, sizeof *nue.arrived, error),
		.heap = array_create(channels, sizeof *nue.heap, error),
	};
	routed->levels = routed->lanes = task->lanes < n->groups ? task->lanes : n->groups;
	if (!choices_init(&choices, n, error) && !turns_init(&nue.turns, n, error) && !routed_add_levels(routed, n, error)) {
		span(&nue);
		for (uint32_t lane = 0; lane < routed->lanes && !error->status; lane++) {
			if (!lane_order_init(&nue.order, &nue.turns, error))
				route_lane(&nue, &choices, (uint32_t)((uint64_t)n->groups * lane / routed->lanes),
					(uint32_t)((uint64_t)n->groups * (lane + 1) / routed->lanes), (uint8_t)lane);
			lane_order_clear(&nue.order);
		}
	}
	if (nue.fallbacks)
		snprintf(routed->note, sizeof routed->note, "destinations that only the spanning tree reaches on their lane: %" PRIu32,
			nue.fallbacks);
	choices_clear(&choices);
	turns_clear(&nue.turns);
	free(nue.parent);
	free(nue.child);
	free(nue.queue);
	free(nue.weight);
	free(nue.length);
	free(nue.hops);
	free(nue.arrived);
	free(nue.heap);
	return error->status ? -1 : 0;
}

const struct routing routing_nue = {
	.name = "nue",
	.summary = "short ways that keep free of deadlocks on as many lanes as there are",
	.source = "after Domke, Hoefler, Matsuoka 2016",
	.needs = "any fabric; one lane is enough, more give shorter ways",
	.route = nue_route,
};
