#include "fabric/destination_trees.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Returns the only channel by which a host sends, NONE if it has several. */
static uint32_t only_link(const struct destination_trees *t, uint32_t node)
{
	bool several = t->several && t->forwarding->alternatives->column[node] != NONE;
	return several ? NONE : forwarding_only(t->forwarding, node);
}

/* Assigns each host to its start. Hosts with a single link to the same node share one. */
static void find_starts(struct destination_trees *t, uint32_t *shared)
{
	t->starts = 0;
	memset(t->start, 0, t->fabric->hosts * sizeof *t->start);
	memset(shared, 0xff, t->fabric->nodes * sizeof *shared);
	for (uint32_t h = 0; h < t->fabric->hosts; h++) {
		uint32_t node = t->fabric->host_node[h];
		bool single = (t->link[h] = only_link(t, node)) != NONE;
		if (single)
			node = t->fabric->head[t->link[h]];
		if (!single || shared[node] == NONE) {
			t->start_of[h] = t->starts;
			if (single)
				shared[node] = t->starts;
			t->start[t->starts++] = (struct tree_start){node, single, 0};
		} else {
			t->start_of[h] = shared[node];
		}
		t->start[t->start_of[h]].hosts++;
	}
}

int destination_trees_init(
	struct destination_trees *trees, const struct fabric *fabric, const struct forwarding *forwarding, struct error *error)
{
	*trees = (struct destination_trees){
		.fabric = fabric,
		.forwarding = forwarding,
		.start = array_create(fabric->hosts, sizeof *trees->start, error),
		.start_of = array_create(fabric->hosts, sizeof *trees->start_of, error),
		.link = array_create(fabric->hosts, sizeof *trees->link, error),
		.distance = array_create(fabric->nodes, sizeof *trees->distance, error),
		.next = array_create(fabric->nodes, sizeof *trees->next, error),
		.order = array_create(fabric->nodes, sizeof *trees->order, error),
		.weight = array_create(fabric->nodes, sizeof *trees->weight, error),
		.passed = array_create(fabric->hosts, sizeof *trees->passed, error),
	};
	if (error->status)
		return -1;
	find_starts(trees, trees->distance);
	return 0;
}

int destination_trees_take_all(struct destination_trees *trees, struct error *error)
{
	uint32_t nodes = trees->fabric->nodes;
	if (!trees->forwarding->alternatives)
		return 0;
	trees->several = true;
	trees->mean = array_create(nodes, sizeof *trees->mean, error);
	trees->flow = array_create(nodes, sizeof *trees->flow, error);
	trees->forks = array_create(nodes, sizeof *trees->forks, error);
	trees->stack = array_create(nodes, sizeof *trees->stack, error);
	trees->branch = array_create(nodes, sizeof *trees->branch, error);
	find_starts(trees, trees->distance);
	return error->status ? -1 : 0;
}

void destination_trees_clear(struct destination_trees *trees)
{
	free(trees->start);
	free(trees->start_of);
	free(trees->link);
	free(trees->distance);
	free(trees->next);
	free(trees->order);
	free(trees->weight);
	free(trees->mean);
	free(trees->flow);
	free(trees->forks);
	free(trees->stack);
	free(trees->branch);
	free(trees->passed);
	*trees = (struct destination_trees){0};
}

/* Records that a route passes through the node: notes hosts, which then forward for others. */
static inline void note_passed(struct destination_trees *t, uint32_t node)
{
	uint32_t host = t->fabric->node_host[node];
	if (host == NONE || host == t->destination || t->passed[host])
		return;
	t->passed[host] = true;
	t->passes++;
}

/*
 * Follows the tables from the node to the first whose distance is known, then sets the distances on the way back. The path is stored in
 * `order` behind the tree's nodes, which fit there. is_host: no route passes through the node.
 */
static void follow(struct destination_trees *t, uint32_t node, bool is_host)
{
	const struct forwarding *f = t->forwarding;
	uint32_t *way = t->order + t->count, length = 0;
	while (t->distance[node] == TREE_UNKNOWN) {
		uint32_t channel = forwarding_next(f, node, f->column[node], t->destination);
		way[length++] = node;
		t->next[node] = channel;
		t->distance[node] = channel == NONE ? TREE_NO_ENTRY : TREE_ON_THE_WAY;
		if (channel != NONE)
			node = t->fabric->head[channel];
	}
	uint32_t distance = t->distance[node] == TREE_ON_THE_WAY ? TREE_LOOP : t->distance[node];
	if (distance >= TREE_DISTANCE_END) {
		while (length)
			t->distance[way[--length]] = distance;
		return;
	}
	if (length || !is_host)
		note_passed(t, node);
	for (uint32_t i = length; i; i--) {
		t->distance[way[i - 1]] = ++distance;
		if (i > 1 || !is_host)
			note_passed(t, way[i - 1]);
	}
	for (uint32_t i = 0; i < length / 2; i++) { /* reversed, to begin at the root */
		uint32_t swap = way[i];
		way[i] = way[length - 1 - i];
		way[length - 1 - i] = swap;
	}
	t->count += length;
}

/* ---- with several channels per entry */

/* Appends the node, all of whose paths arrive, behind those that they lead to. */
static void append(struct destination_trees *t, uint32_t node, uint32_t ways, const uint32_t *channel, const double *share)
{
	t->distance[node] = 0;
	t->mean[node] = 1;
	t->flow[node] = 0;
	t->forks[node] = ways > 1;
	t->next[node] = channel[0];
	for (uint32_t i = 0; i < ways; i++) {
		uint32_t head = t->fabric->head[channel[i]];
		if (t->distance[head] >= t->distance[node])
			t->distance[node] = t->distance[head] + 1;
		t->mean[node] += share[i] * t->mean[head];
		t->forks[node] |= t->forks[head];
	}
	t->order[t->count++] = node;
}

/* Follows all paths from the node, depth first, until one is known not to arrive; the cause then becomes the node's distance. */
static void follow_all(struct destination_trees *t, uint32_t node)
{
	uint32_t depth = 0;
	t->stack[0] = node;
	if (t->distance[node] == TREE_UNKNOWN)
		t->branch[depth++] = 0;
	while (depth) {
		uint32_t v = t->stack[depth - 1], only;
		const uint32_t *channel;
		const double *share;
		uint32_t ways = forwarding_ways(t->forwarding, v, t->destination, &channel, &share, &only);
		t->distance[v] = ways ? TREE_ON_THE_WAY : TREE_NO_ENTRY;
		if (!ways || t->branch[depth - 1] == ways) {
			if (ways)
				append(t, v, ways, channel, share);
			depth--;
			continue;
		}
		uint32_t head = t->fabric->head[channel[t->branch[depth - 1]]];
		if (t->distance[head] == TREE_UNKNOWN) {
			t->stack[depth] = head;
			t->branch[depth++] = 0;
		} else if (t->distance[head] < TREE_DISTANCE_END) {
			t->branch[depth - 1]++;
		} else {
			t->distance[v] = t->distance[head] == TREE_ON_THE_WAY ? TREE_LOOP : t->distance[head];
			depth--;
		}
	}
}

/* Computes the flow out of each node, beginning at the starts; notes hosts that forward. */
static void let_flow(struct destination_trees *t)
{
	for (uint32_t s = 0; s < t->starts; s++) {
		uint32_t node = t->start[s].node;
		if (t->distance[node] >= TREE_DISTANCE_END || !destination_trees_senders(t, s))
			continue;
		t->flow[node] += destination_trees_senders(t, s);
		if (t->start[s].before)
			note_passed(t, node);
	}
	for (uint32_t i = t->count; i-- > 1;) {
		uint32_t node = t->order[i], only;
		const uint32_t *channel;
		const double *share;
		uint32_t ways = forwarding_ways(t->forwarding, node, t->destination, &channel, &share, &only);
		for (uint32_t k = 0; k < ways && t->flow[node] > 0; k++) {
			t->flow[t->fabric->head[channel[k]]] += share[k] * t->flow[node];
			note_passed(t, t->fabric->head[channel[k]]);
		}
	}
}

void destination_trees_make(struct destination_trees *trees, uint32_t destination)
{
	memset(trees->distance, 0xff, trees->fabric->nodes * sizeof *trees->distance);
	trees->destination = destination;
	trees->count = 1;
	trees->order[0] = trees->fabric->host_node[destination];
	trees->distance[trees->order[0]] = 0;
	if (trees->several) {
		trees->mean[trees->order[0]] = trees->flow[trees->order[0]] = 0;
		trees->forks[trees->order[0]] = false;
	}
	for (uint32_t s = 0; s < trees->starts; s++)
		if (destination_trees_senders(trees, s) && trees->several)
			follow_all(trees, trees->start[s].node);
		else if (destination_trees_senders(trees, s))
			follow(trees, trees->start[s].node, !trees->start[s].before);
	if (trees->several)
		let_flow(trees);
}

void destination_trees_weigh(struct destination_trees *trees)
{
	for (uint32_t i = 0; i < trees->count; i++)
		trees->weight[trees->order[i]] = 0;
	for (uint32_t s = 0; s < trees->starts; s++)
		if (trees->distance[trees->start[s].node] < TREE_DISTANCE_END)
			trees->weight[trees->start[s].node] += destination_trees_senders(trees, s);
	for (uint32_t i = trees->count; i-- > 1;) {
		uint32_t node = trees->order[i];
		trees->weight[trees->fabric->head[trees->next[node]]] += trees->weight[node];
	}
}
