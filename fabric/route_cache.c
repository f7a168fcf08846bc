#include "fabric/route_cache.h"

#include "base/memory.h"
#include "fabric/routing_function.h"
#include "fabric/walk.h"

#include <stdlib.h>
#include <string.h>

/* Fills first and start; a host with several links, or whose link leads to another host, is its own start. Returns 0, or -1. */
static int plan_starts(struct route_cache *cache, const struct fabric *fabric, const struct forwarding *forwarding, struct error *error)
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
			start_of[begin] = cache->starts;
			cache->start_node[cache->starts++] = begin;
		}
		cache->start[h] = start_of[begin];
		cache->first[h] = shared ? link : fabric->channels + ROUTE_CACHE_INNER_MAX;
	}
	free(start_of);
	return 0;
}

static void plan_ends(struct route_cache *cache, const struct fabric *fabric)
{
	const uint32_t blank = fabric->channels + ROUTE_CACHE_INNER_MAX + 1;
	for (uint32_t h = 0; h < fabric->hosts; h++)
		cache->last[h] = NONE;
	cache->own_ends = true;
	for (uint32_t v = 0; v < fabric->nodes; v++)
		for (uint32_t c = fabric->first_channel[v]; c < fabric->first_channel[v + 1]; c++) {
			uint32_t h = fabric->node_host[fabric->head[c]];
			if (h == NONE)
				continue;
			cache->last[h] = cache->last[h] == NONE ? c : blank;
			cache->own_ends &= cache->first[h] < fabric->channels && fabric->head[cache->first[h]] == v;
		}
	for (uint32_t h = 0; h < fabric->hosts; h++) {
		if (cache->last[h] == NONE)
			cache->last[h] = blank;
		cache->own_ends &= cache->last[h] != blank;
	}
}

/*
 * Writes the channels between a start and a destination, at most room of them. Returns their number, ROUTE_NO_ENTRY, ROUTE_LOOP, or room +
 * 1.
 */
static int trace(const struct route_cache *cache, const struct fabric *fabric, const struct forwarding *forwarding, uint32_t from,
	uint32_t destination, uint32_t *channels, uint32_t room)
{
	const uint32_t *row = forwarding->next + (size_t)destination * forwarding->columns;
	uint32_t target = fabric->host_node[destination], last = cache->last[destination];
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
static uint32_t longest(const struct route_cache *cache, const struct fabric *fabric, const struct forwarding *forwarding)
{
	enum { SAMPLES = 16, STARTS = 4096 };
	uint32_t channels[ROUTE_CACHE_INNER_MAX], found = 1, step = cache->starts / STARTS + 1;
	for (uint32_t i = 0; i < SAMPLES && i < fabric->hosts; i++) {
		uint32_t destination = (uint32_t)((uint64_t)i * fabric->hosts / SAMPLES);
		for (uint32_t s = 0; s < cache->starts; s += step) {
			int length = trace(cache, fabric, forwarding, cache->start_node[s], destination, channels, ROUTE_CACHE_INNER_MAX);
			if (length > (int)found && length <= ROUTE_CACHE_INNER_MAX)
				found = (uint32_t)length;
		}
	}
	return found;
}

int route_cache_plan(struct route_cache *cache, const struct fabric *fabric, const struct forwarding *forwarding, struct error *error)
{
	*cache = (struct route_cache){.hosts = fabric->hosts};
	cache->start = array_create(fabric->hosts, sizeof *cache->start, error);
	cache->first = array_create(fabric->hosts, sizeof *cache->first, error);
	cache->last = array_create(fabric->hosts, sizeof *cache->last, error);
	cache->start_node = array_create(fabric->hosts, sizeof *cache->start_node, error);
	if (error->status || plan_starts(cache, fabric, forwarding, error))
		return -1;
	plan_ends(cache, fabric);
	cache->blank = fabric->channels;
	const struct routing_function *function = forwarding->function;
	if (function && function->tree && !function->channel && cache->own_ends && 2 * function->tree->levels <= ROUTE_CACHE_CHANNELS_MAX) {
		cache->tree = function->tree;
		cache->inner = 2 * cache->tree->levels - 2;
	} else {
		cache->inner = (longest(cache, fabric, forwarding) + 3) / 4 * 4;
	}
	return 0;
}

void route_cache_clear(struct route_cache *cache)
{
	free(cache->start);
	free(cache->first);
	free(cache->last);
	free(cache->start_node);
	*cache = (struct route_cache){0};
}

size_t route_cache_bytes(const struct route_cache *cache)
{
	return cache->tree ? 0 : (size_t)cache->hosts * cache->starts * cache->inner * sizeof *cache->entry;
}

void route_cache_fill(
	struct route_cache *cache, const struct fabric *fabric, const struct forwarding *forwarding, uint32_t from, uint32_t to)
{
	for (uint32_t destination = from; destination < to; destination++) {
		uint32_t *entry = cache->entry + (size_t)destination * cache->starts * cache->inner;
		for (uint32_t s = 0; s < cache->starts; s++, entry += cache->inner) {
			int length = trace(cache, fabric, forwarding, cache->start_node[s], destination, entry, cache->inner);
			if (length < 0)
				entry[0] = ROUTE_CACHE_NONE;
			else if (length > (int)cache->inner)
				entry[0] = ROUTE_CACHE_LONG;
			else
				for (uint32_t i = (uint32_t)length; i < cache->inner; i++)
					entry[i] = cache->blank + i;
		}
	}
}

void route_cache_row(const struct route_cache *cache, uint32_t destination, uint32_t *entry)
{
	const struct tree_routes *tree = cache->tree;
	const struct tree_places *to = tree_routes_leaf(tree, destination), *added = tree_routes_added(tree, destination),
				 *from = tree->leaf;
	for (uint32_t s = 0; s < cache->starts; s++, from += tree->levels, entry += cache->inner)
		tree_routes_inner(from, to, added, tree->levels, cache->blank, entry);
}
