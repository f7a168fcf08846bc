#include "routings/routed_entries.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

enum { CACHE_LINE = 64 };

/* Larger weights are scaled down, as readers use 32 bits. */
#define WEIGHT_MOST 2147483647.0

int routed_entries_init(struct routed_entries *entries, const struct routed *routed, const struct routing_graph *graph, struct error *error)
{
	*entries = (struct routed_entries){
		.routed = routed,
		.graph = graph,
		.node = NONE,
		.unit = array_create(graph->groups, sizeof *entries->unit, error),
		.weighed = array_create(graph->fabric->hosts, sizeof *entries->weighed, error),
	};
	return error->status ? -1 : 0;
}

void routed_entries_clear(struct routed_entries *entries)
{
	free(entries->unit);
	free(entries->weighed);
}

/* Returns whether the channel leads to the only host of a group, or nearer to the group's switch. */
static bool leads_nearer(const struct routed_entries *e, uint32_t channel, uint32_t group)
{
	const struct routing_graph *n = e->graph;
	const uint32_t *distance = e->routed->distance + (size_t)group * n->columns;
	uint32_t head = n->fabric->head[channel], column = n->column[n->tail[channel]];
	uint32_t far = head == n->root[group] ? 0 : routing_is_switch(n, head) ? distance[n->column[head]] : NONE;
	return far != NONE && distance[column] == far + 1;
}

uint32_t routed_next_listed(const struct routed_entries *e, uint32_t channel, uint32_t group, uint32_t from)
{
	const struct routing_graph *n = e->graph;
	uint32_t end = n->first_member[group + 1];
	if (n->tail[channel] != n->root[group])
		return leads_nearer(e, channel, group) ? from : end;
	while (from < end && routing_last(n, group, n->member[from]) != channel)
		from++;
	return from;
}

/* Returns the number of shortest paths through a channel to a group. */
static double paths_behind(const struct routed_entries *e, uint32_t channel, uint32_t group)
{
	const struct routing_graph *n = e->graph;
	uint32_t head = n->fabric->head[channel];
	return head == n->root[group] ? 1 : e->routed->paths[(size_t)group * n->columns + n->column[head]];
}

/*
 * Finds, for each group, the greatest common divisor of the weights of a node's channels, or the divisor that scales the largest weight to
 * the limit.
 */
static void find_units(struct routed_entries *e, uint32_t node)
{
	const struct routing_graph *n = e->graph;
	for (uint32_t g = 0; g < n->groups; g++) {
		double unit = 0, most = 0;
		for (uint32_t c = n->fabric->first_channel[node]; c < n->fabric->first_channel[node + 1]; c++) {
			if (node == n->root[g] || !leads_nearer(e, c, g))
				continue;
			double paths = paths_behind(e, c, g);
			most = fmax(most, paths);
			for (double rest = paths; rest > 0;) {
				double next = fmod(unit, rest);
				unit = rest;
				rest = next;
			}
		}
		e->unit[g] = fmax(unit, most / WEIGHT_MOST);
	}
	e->node = node;
}

static int compare_weighed(const void *left, const void *right)
{
	const struct routed_weight *a = left, *b = right;
	if (a->weight != b->weight)
		return a->weight < b->weight ? -1 : 1;
	return a->host < b->host ? -1 : a->host > b->host;
}

uint32_t routed_weigh(struct routed_entries *e, uint32_t channel)
{
	const struct routing_graph *n = e->graph;
	uint32_t node = n->tail[channel], count = 0;
	if (!e->routed->paths || n->column[node] == NONE)
		return 0;
	if (e->node != node)
		find_units(e, node);
	for (uint32_t g = 0; g < n->groups; g++) {
		if (node == n->root[g] || !leads_nearer(e, channel, g))
			continue;
		double weight = floor(paths_behind(e, channel, g) / e->unit[g] + 0.5);
		for (uint32_t i = n->first_member[g]; weight > 1 && i < n->first_member[g + 1]; i++)
			e->weighed[count++] = (struct routed_weight){(uint32_t)weight, n->member[i]};
	}
	qsort(e->weighed, count, sizeof *e->weighed, compare_weighed);
	return count;
}

int routed_columns_init(
	struct routed_columns *columns, const struct routed *routed, const struct routing_graph *graph, bool levels, struct error *error)
{
	*columns = (struct routed_columns){.routed = routed, .graph = graph, .block = NONE};
	size_t hosts = graph->fabric->hosts;
	if (levels)
		columns->level = array_create(CACHE_LINE * hosts, 1, error);
	else
		columns->channel = array_create(CACHE_LINE / sizeof *columns->channel * hosts, sizeof *columns->channel, error);
	return error->status ? -1 : 0;
}

void routed_columns_clear(struct routed_columns *columns)
{
	free(columns->channel);
	free(columns->level);
}

/* Reads the columns in the same cache lines. Returns the index of the column's first value. */
static size_t find_column(struct routed_columns *c, uint32_t column)
{
	const struct routing_graph *n = c->graph;
	uint32_t *channel = c->channel;
	uint8_t *level = c->level;
	uint32_t block = level ? CACHE_LINE : CACHE_LINE / sizeof *channel, first = column / block * block;
	uint32_t columns = n->columns - first < block ? n->columns - first : block;
	size_t hosts = n->fabric->hosts;
	for (uint32_t h = 0; h < hosts && c->block != first; h++)
		for (uint32_t i = 0; i < columns; i++)
			if (level)
				level[i * hosts + h] = routed_levels(c->routed, n, h)[first + i];
			else
				channel[i * hosts + h] = routed_row(c->routed, n, h)[first + i];
	c->block = first;
	return (column - first) * hosts;
}

const uint32_t *routed_channels_from(struct routed_columns *columns, uint32_t column)
{
	size_t at = find_column(columns, column);
	return columns->channel + at;
}

const uint8_t *routed_levels_from(struct routed_columns *columns, uint32_t column)
{
	size_t at = find_column(columns, column);
	return columns->level + at;
}
