#include "compare/reach.h"

#include "fabric/destination_trees.h"

static void count_destination(struct destination_trees *trees, struct compared_reach *reach, uint32_t destination)
{
	destination_trees_make(trees, destination);
	for (uint32_t s = 0; s < trees->starts; s++) {
		uint32_t hosts = destination_trees_senders(trees, s), distance = trees->distance[trees->start[s].node];
		if (!hosts)
			continue;
		if (distance >= TREE_DISTANCE_END) {
			reach->unreachable += hosts;
			continue;
		}
		uint64_t hops = distance + trees->start[s].before - 1;
		reach->reached += hosts;
		reach->hops += hosts * hops;
		if (hops > reach->max_hops)
			reach->max_hops = hops;
	}
}

int reach_count(struct compared_reach *reach, struct pair_loads *loads, const struct fabric *fabric, const struct forwarding *forwarding,
	const struct placement *placement, uint32_t first, uint32_t step, struct error *error)
{
	struct destination_trees trees;
	if (!destination_trees_init(&trees, fabric, forwarding, error) &&
		(!loads || !pair_loads_init(loads, &trees, placement->host, placement->ranks, error))) {
		for (uint64_t d = first; d < fabric->hosts; d += step) {
			count_destination(&trees, reach, (uint32_t)d);
			if (loads)
				pair_loads_add(loads, &trees);
		}
		if (loads)
			pair_loads_end(loads, &trees);
	}
	destination_trees_clear(&trees);
	return error->status ? -1 : 0;
}

void reach_count_set(struct compared_reach *reach, const struct source_routes *routes, uint32_t first, uint32_t step)
{
	uint64_t from, to;
	for (uint64_t d = first; d < routes->hosts; d += step)
		for (uint32_t s = 0; s < routes->hosts; s++)
			if (s != d) {
				bool found = source_routes_find(routes, s, (uint32_t)d, &from, &to);
				reach->reached += found;
				reach->unreachable += !found;
			}
}
