#include "fabric/pair_loads.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

double pair_loads_unit(uint32_t hosts)
{
	double unit = 0x1p-62;
	for (uint64_t n = 1; n < hosts; n *= 2)
		unit *= 4;
	return unit > 0x1p-40 ? unit : 0x1p-40;
}

int pair_loads_init(
	struct pair_loads *loads, const struct destination_trees *trees, const uint32_t *host, uint32_t hosts, struct error *error)
{
	*loads = (struct pair_loads){
		.load = array_create(trees->fabric->channels, sizeof *loads->load, error),
		.unit = trees->several ? pair_loads_unit(hosts) : 1,
		.member = array_create(trees->fabric->hosts, sizeof *loads->member, error),
		.senders = array_create(trees->starts, sizeof *loads->senders, error),
		.reached = array_create(trees->starts, sizeof *loads->reached, error),
		.own = array_create(trees->fabric->hosts, sizeof *loads->own, error),
	};
	for (uint32_t i = 0; i < hosts && !error->status; i++) {
		loads->member[host[i]] = true;
		loads->senders[trees->start_of[host[i]]]++;
	}
	return error->status ? -1 : 0;
}

void pair_loads_clear(struct pair_loads *loads)
{
	free(loads->load);
	free(loads->member);
	free(loads->senders);
	free(loads->reached);
	free(loads->own);
	*loads = (struct pair_loads){0};
}

/* Adds the pairs of a tree with one channel per node. */
static void add_tree(struct pair_loads *loads, struct destination_trees *t)
{
	for (uint32_t i = t->count; i-- > 1;) {
		uint32_t node = t->order[i], channel = t->next[node];
		loads->load[channel] += t->weight[node];
		t->weight[t->fabric->head[channel]] += t->weight[node];
	}
}

/* The same with several channels per node, each of which takes its share. */
static void add_shares(struct pair_loads *loads, struct destination_trees *t)
{
	for (uint32_t i = t->count; i-- > 1;) {
		uint32_t node = t->order[i], only;
		const uint32_t *channel;
		const double *share;
		uint32_t ways = forwarding_ways(t->forwarding, node, t->destination, &channel, &share, &only);
		for (uint32_t k = 0; k < ways; k++) {
			double flow = share[k] * t->flow[node];
			loads->load[channel[k]] += (uint64_t)(flow / loads->unit + 0.5);
			t->flow[t->fabric->head[channel[k]]] += flow;
		}
	}
}

void pair_loads_add(struct pair_loads *loads, struct destination_trees *t)
{
	uint32_t destination = t->destination, own = t->start_of[destination];
	if (!loads->member[destination])
		return;
	for (uint32_t i = 0; i < t->count; i++)
		if (t->several)
			t->flow[t->order[i]] = 0;
		else
			t->weight[t->order[i]] = 0;
	for (uint32_t s = 0; s < t->starts; s++) {
		uint32_t node = t->start[s].node, senders = loads->senders[s] - (s == own);
		if (!senders)
			continue;
		if (t->distance[node] >= TREE_DISTANCE_END) {
			loads->unreachable += senders;
			continue;
		}
		loads->reached[s]++;
		loads->own[destination] |= s == own;
		if (t->several)
			t->flow[node] += senders;
		else
			t->weight[node] += senders;
	}
	if (t->several)
		add_shares(loads, t);
	else
		add_tree(loads, t);
}

void pair_loads_end(struct pair_loads *loads, const struct destination_trees *trees)
{
	uint64_t pair = (uint64_t)(1 / loads->unit);
	for (uint32_t h = 0; h < trees->fabric->hosts; h++)
		if (loads->member[h] && trees->link[h] != NONE)
			loads->load[trees->link[h]] += pair * (loads->reached[trees->start_of[h]] - loads->own[h]);
}

double *pair_loads_routes(const struct fabric *fabric, const struct forwarding *forwarding, uint64_t *unreachable, struct error *error)
{
	struct destination_trees trees;
	struct pair_loads loads = {0};
	double *routes = array_create(fabric->channels, sizeof *routes, error);
	if (routes && !destination_trees_init(&trees, fabric, forwarding, error) && !destination_trees_take_all(&trees, error)) {
		uint32_t *host = array_create(fabric->hosts, sizeof *host, error);
		for (uint32_t h = 0; h < fabric->hosts && host; h++)
			host[h] = h;
		if (host && !pair_loads_init(&loads, &trees, host, fabric->hosts, error)) {
			for (uint32_t h = 0; h < fabric->hosts; h++) {
				destination_trees_make(&trees, h);
				pair_loads_add(&loads, &trees);
			}
			pair_loads_end(&loads, &trees);
			for (uint32_t c = 0; c < fabric->channels; c++)
				routes[c] = (double)loads.load[c] * loads.unit;
			if (unreachable)
				*unreachable = loads.unreachable;
		}
		free(host);
	}
	if (routes)
		destination_trees_clear(&trees);
	pair_loads_clear(&loads);
	if (!error->status)
		return routes;
	free(routes);
	return NULL;
}
