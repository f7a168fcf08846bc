#include "fabric/source_routes.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* ---- look-up */

bool source_routes_find(const struct source_routes *set, uint32_t source, uint32_t destination, uint64_t *from, uint64_t *to)
{
	if (set->demand)
		return set->demand->find(set->demand, source, destination, from, to);
	uint32_t group = set->group[source], wanted = set->group[destination];
	uint64_t low = set->row[group], high = set->row[group + 1];
	while (low < high) {
		uint64_t middle = low + (high - low) / 2;
		if (set->destination[middle] < wanted)
			low = middle + 1;
		else
			high = middle;
	}
	bool found = low < set->row[group + 1] && set->destination[low] == wanted;
	*from = found ? set->route[low] : 0;
	*to = found ? set->route[low + 1] : 0;
	return found;
}

uint32_t source_routes_channels(const struct source_routes *set, uint32_t source, uint32_t destination, uint64_t route, uint32_t *channels)
{
	uint32_t count = 0, middle = (uint32_t)(set->start[route + 1] - set->start[route]);
	if (set->first[source] != NONE)
		channels[count++] = set->first[source];
	if (middle)
		memcpy(channels + count, set->channel + set->start[route], middle * sizeof *channels);
	count += middle;
	if (set->last[destination] != NONE)
		channels[count++] = set->last[destination];
	return count;
}

struct source_routes *source_routes_copy(const struct source_routes *from, struct error *error)
{
	uint64_t pairs = from->row[from->groups], routes = from->route[pairs];
	struct source_routes *set = array_create(1, sizeof *set, error);
	if (!set)
		return NULL;
	set->hosts = from->hosts;
	set->groups = from->groups;
	set->group = array_copy(from->group, from->hosts, sizeof *set->group, error);
	set->first = array_copy(from->first, from->hosts, sizeof *set->first, error);
	set->last = array_copy(from->last, from->hosts, sizeof *set->last, error);
	set->row = array_copy(from->row, (size_t)from->groups + 1, sizeof *set->row, error);
	set->destination = array_copy(from->destination, pairs, sizeof *set->destination, error);
	set->route = array_copy(from->route, pairs + 1, sizeof *set->route, error);
	set->start = array_copy(from->start, routes + 1, sizeof *set->start, error);
	set->share = array_copy(from->share, routes, sizeof *set->share, error);
	set->channel = array_copy(from->channel, from->start[routes], sizeof *set->channel, error);
	if (!error->status)
		return set;
	source_routes_free(set);
	return NULL;
}

void source_routes_free(struct source_routes *set)
{
	if (set && set->demand)
		set->demand->free(set->demand);
	if (set && !set->shared) {
		free(set->group);
		free(set->first);
		free(set->last);
		free(set->row);
		free(set->destination);
		free(set->route);
		free(set->start);
		free(set->share);
		free(set->channel);
	}
	free(set);
}
