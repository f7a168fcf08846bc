/* Fills the result of a routing engine, and follows it. */
#include "base/memory.h"
#include "routings/routing.h"

#include <stdlib.h>
#include <string.h>

void routed_clear(struct routed *routed)
{
	source_routes_free(routed->routes);
	whole_fabric_free(routed->whole);
	free(routed->next);
	free(routed->distance);
	free(routed->paths);
	free(routed->level);
	free(routed->lane_bit);
}

int routed_make_tables(struct routed *routed, const struct routing_graph *graph, struct error *error)
{
	size_t entries = (size_t)graph->fabric->hosts * graph->columns;
	if (!routed->next && (routed->next = array_create(entries, sizeof *routed->next, error)))
		memset(routed->next, 0xff, entries * sizeof *routed->next); /* NONE */
	return error->status ? -1 : 0;
}

int routed_add_levels(struct routed *routed, const struct routing_graph *graph, struct error *error)
{
	routed->level = array_create((size_t)graph->fabric->hosts * graph->columns, sizeof *routed->level, error);
	return routed->level ? 0 : -1;
}

void routed_least_used(struct routed *routed, const struct choices *choices, uint32_t group, uint32_t host, uint32_t *usage)
{
	const struct routing_graph *n = choices->graph;
	uint32_t *row = routed_row(routed, n, host), last = routing_last(n, group, host);
	if (last != NONE)
		row[n->column[n->root[group]]] = last;
	for (uint32_t i = 0; i < choices->count; i++) {
		uint32_t best = choices->channel[choices->first[i]];
		for (uint32_t k = choices->first[i] + 1; k < choices->first[i + 1]; k++)
			if (usage[choices->channel[k]] < usage[best])
				best = choices->channel[k];
		usage[best]++;
		row[n->column[choices->order[i]]] = best;
	}
}

void routed_copy_group(struct routed *routed, const struct routing_graph *graph, uint32_t group)
{
	uint32_t first = graph->first_member[group], from = graph->member[first];
	for (uint32_t i = first; i < graph->first_member[group + 1]; i++) {
		uint32_t host = graph->member[i], *row = routed_row(routed, graph, host), last = routing_last(graph, group, host);
		if (host != from) {
			memcpy(row, routed_row(routed, graph, from), graph->columns * sizeof *row);
			if (routed->level)
				memcpy(routed_levels(routed, graph, host), routed_levels(routed, graph, from), graph->columns);
		}
		if (last != NONE)
			row[graph->column[graph->root[group]]] = last;
	}
}

/* State of the search for a node's path to the destination. */
enum way { WAY_UNKNOWN, WAY_TRIED, WAY_THERE, WAY_NONE };

/* Follows the path from a node until its state is known, and marks all nodes on it. path: [nodes] */
static enum way follow(const struct routing_graph *n, const uint32_t *row, uint8_t *way, uint32_t *path, uint32_t node)
{
	const struct fabric *fabric = n->fabric;
	uint32_t length = 0;
	while (way[node] == WAY_UNKNOWN) {
		bool any = fabric->first_channel[node] < fabric->first_channel[node + 1];
		uint32_t channel = n->column[node] != NONE ? row[n->column[node]] : any ? fabric->first_channel[node] : NONE;
		way[node] = WAY_TRIED;
		path[length++] = node;
		if (channel == NONE)
			break;
		node = fabric->head[channel];
	}
	enum way found = way[node] == WAY_THERE ? WAY_THERE : WAY_NONE;
	while (length)
		way[path[--length]] = (uint8_t)found;
	return found;
}

/* Finds missing pairs in a set of source routes. */
static void find_missing(const struct source_routes *set, uint64_t most, routed_told *tell, void *data, uint64_t *missing)
{
	uint64_t from, to;
	for (uint32_t d = 0; d < set->hosts; d++)
		for (uint32_t s = 0; s < set->hosts; s++)
			if (s != d && !source_routes_find(set, s, d, &from, &to) && ++*missing <= most)
				tell(data, s, d);
}

int routed_missing(const struct routed *routed, const struct routing_graph *graph, uint64_t most, routed_told *tell, void *data,
	uint64_t *missing, struct error *error)
{
	const struct fabric *fabric = graph->fabric;
	uint8_t *way = array_create(fabric->nodes, sizeof *way, error);
	uint32_t *path = array_create(fabric->nodes, sizeof *path, error);
	*missing = 0;
	if (routed->routes)
		find_missing(routed->routes, most, tell, data, missing);
	for (uint32_t d = 0; d < fabric->hosts && !routed->routes && !error->status; d++) {
		memset(way, WAY_UNKNOWN, fabric->nodes);
		way[fabric->host_node[d]] = WAY_THERE;
		for (uint32_t s = 0; s < fabric->hosts; s++)
			if (follow(graph, routed_row(routed, graph, d), way, path, fabric->host_node[s]) == WAY_NONE && ++*missing <= most)
				tell(data, s, d);
	}
	free(way);
	free(path);
	return error->status ? -1 : 0;
}
