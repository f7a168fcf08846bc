/*
 * For one destination every node has one next channel, so the routes of all sources are one forest. A node's distance is found once, by
 * following the tables to the first node whose distance is known, and then going back. Hosts that send everything up their only link
 * need no look-up of their own: they stand one channel before a node, together.
 */
#include "reach.h"

#include <stdlib.h>
#include <string.h>

/* Distances, in channels; these are none. */
enum { UNKNOWN = UINT32_MAX, ON_THE_WAY = UINT32_MAX - 1, NEVER = UINT32_MAX - 2 };

/* Where hosts begin: how many of them stand so many channels before a node. */
struct start {
	uint32_t node, before, hosts;
};

struct search {
	const struct fabric *fabric;
	const struct forwarding *forwarding;
	struct start *start; /* [starts] */
	uint32_t starts;
	uint32_t *start_of; /* [hosts] */
	uint32_t *distance; /* [nodes] to the destination */
	uint32_t *way;      /* [nodes] */
};

static int search_init(struct search *s, const struct fabric *fabric, const struct forwarding *forwarding, struct error *error)
{
	*s = (struct search){
		.fabric = fabric,
		.forwarding = forwarding,
		.start = array_create(fabric->hosts, sizeof *s->start, error),
		.start_of = array_create(fabric->hosts, sizeof *s->start_of, error),
		.distance = array_create(fabric->nodes, sizeof *s->distance, error),
		.way = array_create(fabric->nodes, sizeof *s->way, error),
	};
	if (error->status)
		return -1;
	uint32_t *shared = s->distance; /* for now: node -> the start of the hosts one channel before it */
	memset(shared, 0xff, fabric->nodes * sizeof *shared);
	for (uint32_t h = 0; h < fabric->hosts; h++) {
		uint32_t node = fabric->host_node[h];
		bool single = forwarding->column[node] == NONE && forwarding->fallback[node] != NONE;
		if (single)
			node = forwarding->hop[forwarding->fallback[node]].node;
		if (!single || shared[node] == NONE) {
			s->start_of[h] = s->starts;
			if (single)
				shared[node] = s->starts;
			s->start[s->starts++] = (struct start){node, single, 0};
		} else {
			s->start_of[h] = shared[node];
		}
		s->start[s->start_of[h]].hosts++;
	}
	return 0;
}

static void search_clear(struct search *s)
{
	free(s->start);
	free(s->start_of);
	free(s->distance);
	free(s->way);
}

/* The distance of a node from the destination, NEVER if there is no way. */
static uint32_t distance_of(struct search *s, uint32_t node, uint32_t destination)
{
	const struct forwarding *f = s->forwarding;
	uint32_t length = 0;
	while (s->distance[node] == UNKNOWN) {
		uint32_t channel = forwarding_next(f, node, f->column[node], destination);
		s->way[length++] = node;
		s->distance[node] = channel == NONE ? NEVER : ON_THE_WAY;
		if (channel != NONE)
			node = f->hop[channel].node;
	}
	uint32_t distance = s->distance[node] == ON_THE_WAY ? NEVER : s->distance[node];
	while (length)
		s->distance[s->way[--length]] = distance == NEVER ? NEVER : ++distance;
	return distance;
}

static void count_destination(struct search *s, struct reach *reach, uint32_t destination)
{
	memset(s->distance, 0xff, s->fabric->nodes * sizeof *s->distance);
	s->distance[s->fabric->host_node[destination]] = 0;
	for (uint32_t i = 0; i < s->starts; i++) {
		uint32_t hosts = s->start[i].hosts - (i == s->start_of[destination]); /* nobody sends to itself */
		if (!hosts)
			continue;
		uint32_t distance = distance_of(s, s->start[i].node, destination);
		if (distance == NEVER) {
			reach->unreachable += hosts;
			continue;
		}
		uint64_t hops = distance + s->start[i].before - 1;
		reach->reached += hosts;
		reach->hops += hosts * hops;
		if (hops > reach->max_hops)
			reach->max_hops = hops;
	}
}

int reach_count(struct reach *reach, const struct fabric *fabric, const struct forwarding *forwarding, uint32_t first, uint32_t step,
	struct error *error)
{
	struct search search;
	if (!search_init(&search, fabric, forwarding, error))
		for (uint64_t d = first; d < fabric->hosts; d += step)
			count_destination(&search, reach, (uint32_t)d);
	search_clear(&search);
	return error->status ? -1 : 0;
}
