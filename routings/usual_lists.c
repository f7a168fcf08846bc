#include "routings/usual_lists.h"

#include "base/memory.h"

#include <stdlib.h>

/*
 * Sets the distance of each switch from the nearest of those in queue[0..back-1], NONE if no cable leads there; queue: [nodes]. Only
 * switches forward.
 */
static void measure(const struct fabric *fabric, uint32_t *distance, uint32_t *queue, uint32_t back)
{
	for (uint32_t v = 0; v < fabric->nodes; v++)
		distance[v] = NONE;
	for (uint32_t i = 0; i < back; i++)
		distance[queue[i]] = 0;
	for (uint32_t front = 0; front < back; front++)
		for (uint32_t c = fabric->first_channel[queue[front]]; c < fabric->first_channel[queue[front] + 1]; c++) {
			uint32_t head = fabric->head[c];
			if (fabric->node_host[head] != NONE || distance[head] != NONE)
				continue;
			distance[head] = distance[queue[front]] + 1;
			queue[back++] = head;
		}
}

/* Returns the switch of a host's first cable, NONE if it has none. */
static uint32_t leaf_of(const struct fabric *fabric, uint32_t host)
{
	uint32_t node = fabric->host_node[host], first = fabric->first_channel[node];
	return first < fabric->first_channel[node + 1] && fabric->node_host[fabric->head[first]] == NONE ? fabric->head[first] : NONE;
}

/* Adds the switches farthest from the hosts to root. */
static void add_farthest(const struct fabric *fabric, bool any, uint32_t *root, uint32_t *count, struct error *error)
{
	uint32_t *distance = array_create(fabric->nodes, sizeof *distance, error), most = 0, back = 0;
	uint32_t *queue = array_create(fabric->nodes, sizeof *queue, error);
	bool *leaf = array_create(fabric->nodes, sizeof *leaf, error);
	for (uint32_t h = 0; h < fabric->hosts && !error->status; h++) {
		uint32_t at = leaf_of(fabric, h);
		if (at != NONE && !leaf[at])
			queue[back++] = at;
		if (at != NONE)
			leaf[at] = true;
	}
	if (!error->status)
		measure(fabric, distance, queue, back);
	for (uint32_t v = 0; v < fabric->nodes && !error->status; v++)
		most = distance[v] != NONE && distance[v] > most ? distance[v] : most;
	for (uint32_t v = 0; v < fabric->nodes && !error->status; v++)
		if (most ? distance[v] == most : fabric->node_host[v] == NONE && !*count && any)
			root[(*count)++] = v;
	free(distance);
	free(queue);
	free(leaf);
}

uint32_t *roots_usual(const struct fabric *fabric, bool any, struct fat_tree *tree, uint32_t *count, struct error *error)
{
	uint32_t *reverse = fabric_reverse(fabric, error), *root = array_create(fabric->nodes, sizeof *root, error);
	*count = 0;
	if (!error->status && !fat_tree_find(tree, fabric, reverse, error)) {
		for (uint32_t i = 0; i < tree->roots; i++)
			root[(*count)++] = tree->root[i];
		if (!tree->roots)
			add_farthest(fabric, any, root, count, error);
	}
	free(reverse);
	if (!error->status)
		return root;
	free(root);
	return NULL;
}

uint32_t *compute_nodes_usual(const struct fabric *fabric, const uint32_t *root, uint32_t roots, uint32_t *count, struct error *error)
{
	uint32_t *distance = array_create(fabric->nodes, sizeof *distance, error), most = NONE;
	uint32_t *queue = array_create(fabric->nodes, sizeof *queue, error), *node = array_create(fabric->hosts, sizeof *node, error);
	uint32_t *hosts = array_create((size_t)fabric->nodes + 1, sizeof *hosts, error);
	*count = 0;
	for (uint32_t i = 0; i < roots && !error->status; i++)
		queue[i] = root[i];
	if (!error->status)
		measure(fabric, distance, queue, roots);
	for (uint32_t h = 0; h < fabric->hosts && !error->status; h++) {
		uint32_t leaf = leaf_of(fabric, h), at = leaf == NONE ? NONE : distance[leaf];
		if (at != NONE && ++hosts[at] > (most == NONE ? 0 : hosts[most]))
			most = at;
	}
	for (uint32_t h = 0; h < fabric->hosts && most != NONE && !error->status; h++) {
		uint32_t leaf = leaf_of(fabric, h);
		if (leaf != NONE && distance[leaf] == most)
			node[(*count)++] = fabric->host_node[h];
	}
	free(distance);
	free(queue);
	free(hosts);
	if (!error->status)
		return node;
	free(node);
	return NULL;
}
