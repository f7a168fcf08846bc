/*
 * Routing within a given number of virtual lanes, similar to Nue (Domke, Hoefler, Matsuoka: Routing on the Dependency Graph: A New Approach
 * to Deadlock-Free High-Performance Routing, HPDC 2016). The destinations are distributed over the lanes. For each destination a search
 * proceeds outwards, hop by hop; every node takes, among its channels to the layer before, the one with the fewest routes whose turn adds
 * no cycle to the dependencies in use on the lane. If nodes remain without a path, a neighbour of one of them gets another path that this
 * node can continue on, and the search resumes there. The turns of a spanning tree are in use on every lane from the beginning. If nodes
 * remain even so, the search is undone and the destination is reached by the tree: so there is always a path, even with one lane. Unlike
 * Nue it assigns destinations to lanes by their order, not by their neighbourhood. Time O(hosts * channels), plus searches for cycles: one
 * per turn and lane, and again after every 512 removed turns. Memory: one order (see turns.h), 8 bytes per channel, and 36 per node.
 */
#include "base/memory.h"
#include "routings/routing.h"
#include "routings/turns.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Number of removed turns for which a refused turn may stay refused although it could be added: searches for cycles cost more. */
enum { PATIENCE = 512 };

struct nue {
	const struct routing_graph *graph;
	struct routed *routed;
	struct turns turns;
	struct lane_order order; /* of the lane */
	uint32_t *parent;        /* [nodes] the spanning tree: channel towards its root, NONE at the root */
	uint32_t *child;         /* [nodes] channel from the parent */
	uint32_t *queue;         /* [nodes] */
	uint64_t *weight;        /* [channels] number of routes */
	uint64_t *length;        /* [nodes] sum of the weights of the path */
	uint32_t *hops;          /* [nodes] hops of the path */
	uint64_t *arrived;       /* [nodes] */
	uint32_t *asked;         /* [nodes] number of the last layer that reached the node */
	uint32_t layers;         /* so far, in all searches */
	uint32_t fallbacks;      /* number of destinations reached by the tree */
};

/* ---- the spanning tree */

/* Returns the channel from u to v, NONE if there is none. */
static uint32_t channel_between(const struct fabric *fabric, uint32_t u, uint32_t v)
{
	for (uint32_t c = fabric->first_channel[u]; c < fabric->first_channel[u + 1]; c++)
		if (fabric->head[c] == v)
			return c;
	return NONE;
}

/*
 * Builds trees of the switches connected by bidirectional cables, one per part, by breadth-first search from the switch with the most
 * cables.
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

/* Adds all turns of the trees, except U-turns: up first, then down, so they form no cycle. */
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

/* ---- paths to one destination: nodes that have one are in queue[0..], each after those on its path */

/* Returns whether a node's path makes a turn after the channel, between channels between switches; *next: the second channel. */
static bool turn_after(const struct nue *nue, const uint32_t *row, uint32_t channel, uint32_t *next)
{
	const struct routing_graph *n = nue->graph;
	if (!turns_joins_switches(&nue->turns, channel))
		return false;
	*next = row[n->column[n->fabric->head[channel]]];
	return *next != NONE && turns_joins_switches(&nue->turns, *next);
}

/* Routes by the tree; to a host with several cables by the first of its switches. Returns the number of nodes that have a path. */
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

/* Returns whether the node, that many hops from the root, has a path and forwards. */
static bool leads_on(const struct nue *nue, const uint32_t *row, uint32_t root, uint32_t node, uint32_t hops)
{
	const struct routing_graph *n = nue->graph;
	return node == root || (nue->hops[node] == hops && routing_is_switch(n, node) && row[n->column[node]] != NONE);
}

/*
 * Gives a node the path with the fewest routes through a node of the layer such that the turn adds no cycle. Returns whether there is one.
 */
static bool reach(struct nue *nue, uint32_t *row, uint32_t root, uint32_t node, uint32_t hops)
{
	const struct routing_graph *n = nue->graph;
	const struct fabric *fabric = n->fabric;
	uint64_t tried_length = 0, length = 0;
	for (uint32_t tried = NONE, best, next;; tried = best, tried_length = length) {
		best = NONE;
		for (uint32_t c = fabric->first_channel[node]; c < fabric->first_channel[node + 1]; c++) {
			if (!leads_on(nue, row, root, fabric->head[c], hops))
				continue;
			uint64_t of_c = nue->weight[c] + nue->length[fabric->head[c]];
			if ((best == NONE || of_c < length) &&
				(tried == NONE || of_c > tried_length || (of_c == tried_length && c > tried))) {
				best = c;
				length = of_c;
			}
		}
		if (best == NONE)
			return false;
		if (turn_after(nue, row, best, &next) && !lane_order_add(&nue->order, best, next))
			continue;
		row[n->column[node]] = best;
		nue->hops[node] = hops + 1;
		nue->length[node] = length;
		return true;
	}
}

/* Gives nodes paths, layer by layer, starting at the node; they are queued after it from its place on. Returns the end of the queue. */
static uint32_t reach_from(struct nue *nue, uint32_t *row, uint32_t root, uint32_t node, uint32_t place)
{
	const struct routing_graph *n = nue->graph;
	uint32_t count = place;
	for (uint32_t layer = place, end, hops = nue->hops[node]; node != NONE; hops++) {
		uint32_t first = layer;
		end = count;
		nue->layers++;
		/* one node is outside the queue: the first */
		for (uint32_t i = first;; node = nue->queue[i++]) {
			for (uint32_t k = n->first_in[node]; k < n->first_in[node + 1] && (node == root || routing_is_switch(n, node));
				k++) {
				uint32_t u = n->tail[n->in[k]];
				if (u == root || n->column[u] == NONE || row[n->column[u]] != NONE || nue->asked[u] == nue->layers)
					continue;
				nue->asked[u] = nue->layers;
				if (reach(nue, row, root, u, hops))
					nue->queue[count++] = u;
			}
			if (i == end)
				break;
		}
		layer = end;
		node = layer < count ? nue->queue[layer++] : NONE;
	}
	return count;
}

/* ---- remaining nodes: a neighbour changes its path so that one of them can use it */

/* Returns whether a path uses the channel, or is about to, and it is the first of a turn there. */
static bool comes_by(const struct nue *nue, const uint32_t *row, uint32_t channel, uint32_t wanted)
{
	const struct routing_graph *n = nue->graph;
	uint32_t column = n->column[n->tail[channel]];
	return (channel == wanted || (column != NONE && row[column] == channel)) && turns_joins_switches(&nue->turns, channel);
}

/* Removes the turn after a channel, and the first turns from channels to it that paths use, or are about to use. */
static void remove_turns(struct nue *nue, const uint32_t *row, uint32_t channel, uint32_t wanted, uint32_t first)
{
	const struct routing_graph *n = nue->graph;
	uint32_t v = n->tail[channel], next;
	for (uint32_t k = n->first_in[v]; k < n->first_in[v] + first; k++)
		if (comes_by(nue, row, n->in[k], wanted))
			lane_order_remove(&nue->order, n->in[k], channel);
	if (turn_after(nue, row, channel, &next))
		lane_order_remove(&nue->order, channel, next);
}

/* Adds all of these turns, or none. Returns whether they were added. */
static bool add_turns(struct nue *nue, const uint32_t *row, uint32_t channel, uint32_t wanted)
{
	const struct routing_graph *n = nue->graph;
	uint32_t v = n->tail[channel], count = n->first_in[v + 1] - n->first_in[v], next;
	if (turn_after(nue, row, channel, &next) && !lane_order_add(&nue->order, channel, next))
		return false;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t in = n->in[n->first_in[v] + i];
		if (comes_by(nue, row, in, wanted) && !lane_order_add(&nue->order, in, channel)) {
			remove_turns(nue, row, channel, wanted, i);
			return false;
		}
	}
	return true;
}

/* Returns whether the node forwards and has a path that does not pass through another node. */
static bool is_apart(const struct nue *nue, const uint32_t *row, uint32_t root, uint32_t node, uint32_t other)
{
	const struct routing_graph *n = nue->graph;
	while (node != root && node != other && routing_is_switch(n, node) && row[n->column[node]] != NONE)
		node = n->fabric->head[row[n->column[node]]];
	return node == root;
}

/* Gives a node that has a path another one, which the channel to it can continue on. Returns whether there is one. */
static bool make_room(struct nue *nue, uint32_t *row, uint32_t root, uint32_t channel)
{
	const struct routing_graph *n = nue->graph;
	const struct fabric *fabric = n->fabric;
	uint32_t u = fabric->head[channel], *entry = &row[n->column[u]];
	for (uint32_t c = fabric->first_channel[u]; c < fabric->first_channel[u + 1]; c++) {
		if (c == *entry || !turns_joins_switches(&nue->turns, c) || !is_apart(nue, row, root, fabric->head[c], u) ||
			!add_turns(nue, row, c, channel))
			continue;
		if (turns_joins_switches(&nue->turns, *entry))
			remove_turns(nue, row, *entry, NONE, n->first_in[u + 1] - n->first_in[u]);
		*entry = c;
		nue->hops[u] = nue->hops[fabric->head[c]] + 1;
		return true;
	}
	return false;
}

/* Gives one of the remaining nodes a path. Returns that node, NONE if there is no path. */
static uint32_t help_one(struct nue *nue, uint32_t *row, const struct choices *choices)
{
	const struct routing_graph *n = nue->graph;
	const struct fabric *fabric = n->fabric;
	for (uint32_t i = 0; i < choices->count; i++) {
		uint32_t v = choices->order[i];
		if (row[n->column[v]] != NONE)
			continue;
		for (uint32_t c = fabric->first_channel[v]; c < fabric->first_channel[v + 1]; c++) {
			uint32_t u = fabric->head[c];
			if (u == choices->root || !turns_joins_switches(&nue->turns, c) || row[n->column[u]] == NONE ||
				!make_room(nue, row, choices->root, c))
				continue;
			row[n->column[v]] = c;
			nue->hops[v] = nue->hops[u] + 1;
			nue->length[v] = nue->length[u] + nue->weight[c];
			return v;
		}
	}
	return NONE;
}

/* Queues the nodes that have paths. */
static void queue_nodes(struct nue *nue, const uint32_t *row, uint32_t root)
{
	const struct routing_graph *n = nue->graph;
	uint32_t count = 0, v = root;
	for (uint32_t i = 0;; v = nue->queue[i++]) {
		for (uint32_t k = n->first_in[v]; k < n->first_in[v + 1]; k++) {
			uint32_t u = n->tail[n->in[k]];
			if (u != root && n->column[u] != NONE && row[n->column[u]] == n->in[k])
				nue->queue[count++] = u;
		}
		if (i == count)
			return;
	}
}

/* Routes by the search. Returns the number of nodes that have a path. */
static uint32_t search(struct nue *nue, uint32_t *row, const struct choices *choices)
{
	nue->hops[choices->root] = 0;
	nue->length[choices->root] = 0;
	uint32_t count = reach_from(nue, row, choices->root, choices->root, 0), helped;
	if (count == choices->count)
		return count;
	while (count < choices->count && (helped = help_one(nue, row, choices)) != NONE) {
		nue->queue[count] = helped;
		count = reach_from(nue, row, choices->root, helped, count + 1);
	}
	queue_nodes(nue, row, choices->root);
	return count;
}

/* Removes the paths of the first count nodes of the queue. */
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

/* choices: the shortest paths, which show the nodes that have a path at all. */
static void route_host(struct nue *nue, uint32_t group, uint32_t host, const struct choices *choices)
{
	const struct routing_graph *n = nue->graph;
	uint32_t root = choices->root, *row = routed_row(nue->routed, n, host), last = routing_last(n, group, host);
	uint32_t count = search(nue, row, choices);
	if (count < choices->count) {
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

/* Routes to the groups first..end-1, on one lane. */
static void route_lane(struct nue *nue, struct choices *choices, uint32_t first, uint32_t end, uint8_t lane)
{
	const struct routing_graph *n = nue->graph;
	nue->order.patience = PATIENCE;
	use_tree(nue);
	for (uint32_t g = first; g < end; g++) {
		choices_shortest(choices, n->root[g]);
		for (uint32_t i = n->first_member[g]; i < n->first_member[g + 1]; i++) {
			route_host(nue, g, n->member[i], choices);
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
		.asked = array_create(nodes, sizeof *nue.asked, error),
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
		snprintf(routed->note, sizeof routed->note, "destinations reached only by the spanning tree of their lane: %" PRIu32,
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
	free(nue.asked);
	return error->status ? -1 : 0;
}

const struct routing routing_nue = {
	.name = "nue",
	.summary = "short paths, deadlock-free on any given number of virtual lanes",
	.source = "after Domke, Hoefler, Matsuoka 2016",
	.needs = "any fabric with bidirectional cables; one lane suffices, more allow shorter paths",
	.route = nue_route,
};
