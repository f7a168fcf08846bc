#include "routings/updown.h"

#include "base/memory.h"
#include "shapes/fat_tree.h"

#include <stdlib.h>
#include <string.h>

int updown_init(struct updown *updown, const struct routing_graph *graph, struct error *error)
{
	*updown = (struct updown){
		.graph = graph,
		.height = array_create(graph->fabric->nodes, sizeof *updown->height, error),
		.falling = array_create(graph->columns, sizeof *updown->falling, error),
	};
	return error->status ? -1 : 0;
}

void updown_clear(struct updown *updown)
{
	free(updown->height);
	free(updown->falling);
}

/* ---- legal paths */

/* Reaches the nodes from which a channel leads down to v; if v is the root and a host, also hosts directly before it, as all hosts have the
 * same height. */
static void extend_down(struct choices *choices, const uint32_t *height, uint32_t v)
{
	const struct routing_graph *n = choices->graph;
	for (uint32_t i = n->first_in[v]; i < n->first_in[v + 1]; i++) {
		uint32_t u = n->tail[n->in[i]];
		bool beside = v == choices->root && u != v && !routing_is_switch(n, v) && n->column[u] != NONE && !routing_is_switch(n, u);
		if ((height[u] > height[v] || beside) && choices->distance[u] == NONE)
			choices_reach(choices, u, choices->distance[v] + 1);
	}
}

/* Returns the length of the shortest path of a node by a channel up; NONE if there is none. */
static uint32_t shortest_up(const struct choices *choices, const uint32_t *height, uint32_t u)
{
	const struct fabric *fabric = choices->graph->fabric;
	uint32_t shortest = NONE;
	for (uint32_t c = fabric->first_channel[u]; c < fabric->first_channel[u + 1]; c++) {
		uint32_t v = fabric->head[c];
		if (height[v] > height[u] && choices_passes(choices, v) && choices->distance[v] < shortest)
			shortest = choices->distance[v] + 1;
	}
	return shortest;
}

/* Lists the choices of the nodes of the order from index `from` on: up, or down. */
static void list_choices(struct choices *choices, const uint32_t *height, uint32_t from, bool up)
{
	const struct fabric *fabric = choices->graph->fabric;
	uint32_t total = from ? choices->first[from] : 0;
	for (uint32_t i = from; i < choices->count; i++) {
		uint32_t u = choices->order[i], wanted = choices->distance[u] - 1;
		choices->first[i] = total;
		for (uint32_t c = fabric->first_channel[u]; c < fabric->first_channel[u + 1]; c++) {
			uint32_t v = fabric->head[c];
			if (choices->distance[v] == wanted && choices_passes(choices, v) && (height[v] > height[u]) == up)
				choices->channel[total++] = c;
		}
	}
	choices->first[choices->count] = total;
}

void choices_legal(struct choices *choices, const struct updown *updown, uint32_t root)
{
	const uint32_t *height = updown->height;
	choices_start(choices, root);
	extend_down(choices, height, root);
	for (uint32_t i = 0; i < choices->count; i++)
		if (choices_passes(choices, choices->order[i]))
			extend_down(choices, height, choices->order[i]);
	uint32_t downwards = choices->count;
	list_choices(choices, height, 0, false); /* before others have distances */
	for (uint32_t i = 0; i < choices->graph->columns; i++) {
		uint32_t u = updown->falling[i], distance = choices->distance[u] == NONE ? shortest_up(choices, height, u) : NONE;
		if (distance != NONE)
			choices_reach(choices, u, distance);
	}
	list_choices(choices, height, downwards, true);
}

/* ---- heights */

/* A node and the keys of its height. */
struct place {
	uint32_t first, second, node;
};

static int compare_places(const void *left, const void *right)
{
	const struct place *a = left, *b = right;
	if (a->first != b->first)
		return a->first < b->first ? -1 : 1;
	if (a->second != b->second)
		return a->second < b->second ? -1 : 1;
	return a->node < b->node ? -1 : a->node > b->node;
}

/* Sets the heights: the node with the least `first`, then the least `second`, is the highest. NULL: all equal. Returns 0, or -1. */
static int set_heights(struct updown *updown, const uint32_t *first, const uint32_t *second, struct error *error)
{
	const struct routing_graph *n = updown->graph;
	struct place *place = array_create(n->columns, sizeof *place, error);
	if (!place)
		return -1;
	for (uint32_t i = 0; i < n->columns; i++) {
		uint32_t v = n->node[i];
		bool host = !routing_is_switch(n, v);
		place[i] = (struct place){host ? NONE : first[v], host || !second ? 0 : second[v], v};
	}
	qsort(place, n->columns, sizeof *place, compare_places);
	memset(updown->height, 0, n->fabric->nodes * sizeof *updown->height);
	for (uint32_t i = 0; i < n->columns; i++) {
		updown->falling[i] = place[i].node;
		if (routing_is_switch(n, place[i].node))
			updown->height[place[i].node] = n->columns - i;
	}
	free(place);
	return 0;
}

int updown_by_depth(struct updown *updown, const uint32_t *depth, struct error *error)
{
	return set_heights(updown, depth, NULL, error);
}

/* Returns whether a channel leads from u to v. */
static bool leads(const struct fabric *fabric, uint32_t u, uint32_t v)
{
	for (uint32_t c = fabric->first_channel[u]; c < fabric->first_channel[u + 1]; c++)
		if (fabric->head[c] == v)
			return true;
	return false;
}

/*
 * Extends distances by bidirectional cables (otherwise there might be a path up but none down) from the nodes queue[from..count-1], whose
 * distance is 0, to all other switches; NONE elsewhere. distance, queue: [nodes]. Returns the number of nodes in the queue.
 */
static uint32_t spread(const struct routing_graph *n, uint32_t *distance, uint32_t *queue, uint32_t from, uint32_t count)
{
	const struct fabric *fabric = n->fabric;
	for (uint32_t i = from; i < count; i++) {
		uint32_t v = queue[i];
		for (uint32_t c = fabric->first_channel[v]; c < fabric->first_channel[v + 1]; c++) {
			uint32_t u = fabric->head[c];
			if (distance[u] == NONE && routing_is_switch(n, u) && leads(fabric, u, v)) {
				distance[u] = distance[v] + 1;
				queue[count++] = u;
			}
		}
	}
	return count;
}

/* Sets the distances of the switches from the nearest host. */
static void from_hosts(const struct routing_graph *n, uint32_t *distance, uint32_t *queue)
{
	uint32_t hosts = n->fabric->hosts;
	memset(distance, 0xff, n->fabric->nodes * sizeof *distance); /* NONE */
	for (uint32_t h = 0; h < hosts; h++) {
		queue[h] = n->fabric->host_node[h];
		distance[queue[h]] = 0;
	}
	spread(n, distance, queue, 0, hosts);
}

/* Returns the switch without a rank that is farthest from the hosts, the first of several; NONE if all have a rank. */
static uint32_t farthest(const struct routing_graph *n, const uint32_t *distance, const uint32_t *rank)
{
	uint32_t best = NONE;
	for (uint32_t v = 0; v < n->fabric->nodes; v++)
		if (routing_is_switch(n, v) && rank[v] == NONE &&
			(best == NONE || distance[v] + 1 > distance[best] + 1)) /* NONE + 1 = 0: counts as nearest */
			best = v;
	return best;
}

/*
 * Ranks all switches that are connected to a host: the roots in the queue have rank 0, and so has one more switch of each part without a
 * root.
 */
static void rank_switches(const struct routing_graph *n, const uint32_t *distance, uint32_t *rank, uint32_t *queue, uint32_t count)
{
	memset(rank, 0xff, n->fabric->nodes * sizeof *rank); /* NONE */
	for (uint32_t i = 0; i < count; i++)
		rank[queue[i]] = 0;
	count = spread(n, rank, queue, 0, count);
	for (uint32_t root; (root = farthest(n, distance, rank)) != NONE;) {
		rank[root] = 0;
		queue[count] = root;
		count = spread(n, rank, queue, count, count + 1);
	}
}

bool updown_reaches_all(const struct updown *updown, struct choices *choices)
{
	const struct routing_graph *n = updown->graph;
	for (uint32_t g = 0; g < n->groups; g++) {
		uint64_t senders[2] = {0};
		for (int legal = 0; legal < 2; legal++) {
			if (legal)
				choices_legal(choices, updown, n->root[g]);
			else
				choices_shortest(choices, n->root[g]);
			for (uint32_t i = 0; i < choices->count; i++)
				senders[legal] += n->senders[choices->order[i]];
		}
		if (senders[0] != senders[1])
			return false;
	}
	return true;
}

/* Returns whether the queue has exactly the roots of the tree. */
static bool same_roots(const struct fat_tree *tree, const uint32_t *queue, uint32_t count)
{
	bool same = count == tree->roots;
	for (uint32_t i = 0; i < tree->roots && same; i++)
		same = tree->root[i] == queue[i]; /* both by node */
	return same;
}

/*
 * Sets the heights by the roots of the fat tree that the fabric is meant to be, if there is one and its roots are others than those in the
 * queue. Returns whether that reaches all. rank, queue: [nodes]
 */
static bool try_tree(struct updown *updown, struct choices *choices, const uint32_t *distance, uint32_t *rank, uint32_t *queue,
	uint32_t count, struct error *error)
{
	const struct routing_graph *n = updown->graph;
	struct fat_tree tree = {0};
	uint32_t *reverse = fabric_reverse(n->fabric, error);
	bool fine = false;
	if (reverse && !fat_tree_find(&tree, n->fabric, reverse, error) && tree.roots && !same_roots(&tree, queue, count)) {
		memcpy(queue, tree.root, tree.roots * sizeof *queue);
		rank_switches(n, distance, rank, queue, tree.roots);
		fine = !set_heights(updown, rank, NULL, error) && updown_reaches_all(updown, choices);
	}
	fat_tree_clear(&tree);
	free(reverse);
	return fine;
}

/* Lists the switches farthest from the hosts, at least two cables away. Returns their number. */
static uint32_t list_farthest(const struct routing_graph *n, const uint32_t *distance, uint32_t *queue)
{
	uint32_t count = 0, most = 0;
	for (uint32_t v = 0; v < n->fabric->nodes; v++)
		if (routing_is_switch(n, v) && distance[v] != NONE && distance[v] > most)
			most = distance[v];
	for (uint32_t v = 0; v < n->fabric->nodes && most > 1; v++)
		if (routing_is_switch(n, v) && distance[v] == most)
			queue[count++] = v;
	return count;
}

/* Finds the roots. distance, rank, queue: [nodes]. Returns 0, or -1. */
static int find_roots(
	struct updown *updown, struct choices *choices, uint32_t *distance, uint32_t *rank, uint32_t *queue, struct error *error)
{
	const struct routing_graph *n = updown->graph;
	uint32_t count = list_farthest(n, distance, queue);
	if (try_tree(updown, choices, distance, rank, queue, count, error) || error->status)
		return error->status ? -1 : 0;
	count = list_farthest(n, distance, queue);
	rank_switches(n, distance, rank, queue, count);
	if (set_heights(updown, rank, NULL, error) || !count || updown_reaches_all(updown, choices))
		return error->status ? -1 : 0;
	rank_switches(n, distance, rank, queue, 0);
	return set_heights(updown, rank, NULL, error);
}

int updown_by_roots(struct updown *updown, const uint32_t *roots, uint32_t count, struct error *error)
{
	const struct routing_graph *n = updown->graph;
	uint32_t nodes = n->fabric->nodes, *distance = array_create(nodes, sizeof *distance, error);
	uint32_t *rank = array_create(nodes, sizeof *rank, error), *queue = array_create(nodes, sizeof *queue, error);
	struct choices choices;
	if (!choices_init(&choices, n, error)) {
		from_hosts(n, distance, queue);
		if (count) {
			memcpy(queue, roots, count * sizeof *queue);
			rank_switches(n, distance, rank, queue, count);
			set_heights(updown, rank, NULL, error);
		} else {
			find_roots(updown, &choices, distance, rank, queue, error);
		}
	}
	choices_clear(&choices);
	free(distance);
	free(rank);
	free(queue);
	return error->status ? -1 : 0;
}

int updown_by_hosts(struct updown *updown, struct error *error)
{
	const struct routing_graph *n = updown->graph;
	uint32_t nodes = n->fabric->nodes, *distance = array_create(nodes, sizeof *distance, error);
	uint32_t *rank = array_create(nodes, sizeof *rank, error), *queue = array_create(nodes, sizeof *queue, error);
	if (!error->status) {
		from_hosts(n, distance, queue);
		rank_switches(n, distance, rank, queue, 0);
		for (uint32_t v = 0; v < nodes; v++)
			distance[v] = distance[v] == NONE ? NONE : nodes - distance[v];
		set_heights(updown, distance, rank, error);
	}
	free(distance);
	free(rank);
	free(queue);
	return error->status ? -1 : 0;
}
