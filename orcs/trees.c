#include "trees.h"

#include <stdlib.h>
#include <string.h>

/* Puts each host to its start. Those with a single link to the same node share one. */
static void find_starts(struct trees *t, uint32_t *shared)
{
	memset(shared, 0xff, t->fabric->nodes * sizeof *shared);
	for (uint32_t h = 0; h < t->fabric->hosts; h++) {
		uint32_t node = t->fabric->host_node[h];
		bool single = (t->link[h] = forwarding_only(t->forwarding, node)) != NONE;
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

int trees_init(struct trees *trees, const struct fabric *fabric, const struct forwarding *forwarding, struct error *error)
{
	*trees = (struct trees){
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

void trees_clear(struct trees *trees)
{
	free(trees->start);
	free(trees->start_of);
	free(trees->link);
	free(trees->distance);
	free(trees->next);
	free(trees->order);
	free(trees->weight);
	free(trees->passed);
	*trees = (struct trees){0};
}

/* A route that arrives goes through the node: notes hosts, which forward for others then. */
static inline void note_passed(struct trees *t, uint32_t node)
{
	uint32_t host = t->fabric->node_host[node];
	if (host == NONE || host == t->destination || t->passed[host])
		return;
	t->passed[host] = true;
	t->passes++;
}

/*
 * Follows the tables from the node to the first whose distance is known, then goes back and tells the others theirs. The way stands in
 * order behind the tree's nodes, which become as many at most. is_host: nobody stands before the node.
 */
static void follow(struct trees *t, uint32_t node, bool is_host)
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
	for (uint32_t i = 0; i < length / 2; i++) { /* from the root on */
		uint32_t swap = way[i];
		way[i] = way[length - 1 - i];
		way[length - 1 - i] = swap;
	}
	t->count += length;
}

void trees_make(struct trees *trees, uint32_t destination)
{
	memset(trees->distance, 0xff, trees->fabric->nodes * sizeof *trees->distance);
	trees->destination = destination;
	trees->count = 1;
	trees->order[0] = trees->fabric->host_node[destination];
	trees->distance[trees->order[0]] = 0;
	for (uint32_t s = 0; s < trees->starts; s++)
		if (trees_senders(trees, s))
			follow(trees, trees->start[s].node, !trees->start[s].before);
}

void trees_weigh(struct trees *trees)
{
	for (uint32_t i = 0; i < trees->count; i++)
		trees->weight[trees->order[i]] = 0;
	for (uint32_t s = 0; s < trees->starts; s++)
		if (trees->distance[trees->start[s].node] < TREE_DISTANCE_END)
			trees->weight[trees->start[s].node] += trees_senders(trees, s);
	for (uint32_t i = trees->count; i-- > 1;) {
		uint32_t node = trees->order[i];
		trees->weight[trees->fabric->head[trees->next[node]]] += trees->weight[node];
	}
}
