#include "fabric/paths.h"

#include "base/memory.h"
#include "fabric/routes.h"

#include <stdlib.h>
#include <string.h>

/* Fills first and start; a host with several links, or whose link leads to another host, is its own start. Returns 0, or -1. */
static int plan_starts(struct paths *paths, const struct fabric *fabric, const struct forwarding *forwarding, struct error *error)
{
	uint32_t *start_of = array_create(fabric->nodes, sizeof *start_of, error);
	if (!start_of)
		return -1;
	memset(start_of, 0xff, fabric->nodes * sizeof *start_of); /* NONE */
	for (uint32_t h = 0; h < fabric->hosts; h++) {
		uint32_t node = fabric->host_node[h], link = forwarding_only(forwarding, node);
		bool shared = link != NONE && fabric->node_host[fabric->head[link]] == NONE;
		uint32_t begin = shared ? fabric->head[link] : node;
		if (start_of[begin] == NONE) {
			start_of[begin] = paths->starts;
			paths->start_node[paths->starts++] = begin;
		}
		paths->start[h] = start_of[begin];
		paths->first[h] = shared ? link : fabric->channels + PATH_INNER_MAX;
	}
	free(start_of);
	return 0;
}

static void plan_ends(struct paths *paths, const struct fabric *fabric)
{
	const uint32_t blank = fabric->channels + PATH_INNER_MAX + 1;
	for (uint32_t h = 0; h < fabric->hosts; h++)
		paths->last[h] = NONE;
	paths->own_ends = true;
	for (uint32_t v = 0; v < fabric->nodes; v++)
		for (uint32_t c = fabric->first_channel[v]; c < fabric->first_channel[v + 1]; c++) {
			uint32_t h = fabric->node_host[fabric->head[c]];
			if (h == NONE)
				continue;
			paths->last[h] = paths->last[h] == NONE ? c : blank;
			paths->own_ends &= paths->first[h] < fabric->channels && fabric->head[paths->first[h]] == v;
		}
	for (uint32_t h = 0; h < fabric->hosts; h++) {
		if (paths->last[h] == NONE)
			paths->last[h] = blank;
		paths->own_ends &= paths->last[h] != blank;
	}
}

/*
 * Writes the channels between a start and a destination, at most room of them. Returns their number, ROUTE_NO_ENTRY, ROUTE_LOOP, or room +
 * 1.
 */
static int trace(const struct paths *paths, const struct fabric *fabric, const struct forwarding *forwarding, uint32_t from,
	uint32_t destination, uint32_t *channels, uint32_t room)
{
	const uint32_t *row = forwarding->next + (size_t)destination * forwarding->columns;
	uint32_t target = fabric->host_node[destination], last = paths->last[destination];
	struct hop at = {from, forwarding->column[from]};
	for (uint32_t length = 0; length < fabric->nodes; length++) {
		uint32_t channel = at.column == NONE ? forwarding_next(forwarding, at.node, NONE, destination) : row[at.column];
		if (channel == NONE)
			return ROUTE_NO_ENTRY;
		at = forwarding->hop[channel];
		bool arrived = at.node == target;
		if (arrived && channel == last)
			return (int)length;
		if (length == room)
			return (int)room + 1;
		channels[length] = channel;
		if (arrived)
			return (int)length + 1;
	}
	return ROUTE_LOOP;
}

/* Returns the length of the longest of some routes to a few destinations, without padding. */
static uint32_t longest(const struct paths *paths, const struct fabric *fabric, const struct forwarding *forwarding)
{
	enum { SAMPLES = 16, STARTS = 4096 };
	uint32_t channels[PATH_INNER_MAX], found = 1, step = paths->starts / STARTS + 1;
	for (uint32_t i = 0; i < SAMPLES && i < fabric->hosts; i++) {
		uint32_t destination = (uint32_t)((uint64_t)i * fabric->hosts / SAMPLES);
		for (uint32_t s = 0; s < paths->starts; s += step) {
			int length = trace(paths, fabric, forwarding, paths->start_node[s], destination, channels, PATH_INNER_MAX);
			if (length > (int)found && length <= PATH_INNER_MAX)
				found = (uint32_t)length;
		}
	}
	return found;
}

int paths_plan(struct paths *paths, const struct fabric *fabric, const struct forwarding *forwarding, struct error *error)
{
	*paths = (struct paths){.hosts = fabric->hosts};
	paths->start = array_create(fabric->hosts, sizeof *paths->start, error);
	paths->first = array_create(fabric->hosts, sizeof *paths->first, error);
	paths->last = array_create(fabric->hosts, sizeof *paths->last, error);
	paths->start_node = array_create(fabric->hosts, sizeof *paths->start_node, error);
	if (error->status || plan_starts(paths, fabric, forwarding, error))
		return -1;
	plan_ends(paths, fabric);
	paths->inner = (longest(paths, fabric, forwarding) + 3) / 4 * 4;
	return 0;
}

void paths_clear(struct paths *paths)
{
	free(paths->start);
	free(paths->first);
	free(paths->last);
	free(paths->start_node);
	*paths = (struct paths){0};
}

size_t paths_bytes(const struct paths *paths)
{
	return (size_t)paths->hosts * paths->starts * paths->inner * sizeof *paths->entry;
}

void paths_fill(struct paths *paths, const struct fabric *fabric, const struct forwarding *forwarding, uint32_t from, uint32_t to)
{
	for (uint32_t destination = from; destination < to; destination++) {
		uint32_t *entry = paths->entry + (size_t)destination * paths->starts * paths->inner;
		for (uint32_t s = 0; s < paths->starts; s++, entry += paths->inner) {
			int length = trace(paths, fabric, forwarding, paths->start_node[s], destination, entry, paths->inner);
			if (length < 0)
				entry[0] = PATH_NONE;
			else if (length > (int)paths->inner)
				entry[0] = PATH_LONG;
			else
				for (uint32_t i = (uint32_t)length; i < paths->inner; i++)
					entry[i] = fabric->channels + i;
		}
	}
}
