#include "tools/check/pair_statistics.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { FAR = UINT32_MAX };

/* State of the pass over all destinations. */
struct look {
	struct pair_statistics *statistics;
	struct destination_trees *trees;
	struct faults *faults;
	const struct fabric *fabric;
	const bool *passed;          /* [hosts] whether they forward packets of others */
	uint32_t *first_tail, *tail; /* tails of the channels into node v: tail[first_tail[v]..first_tail[v + 1] - 1] */
	uint32_t *root;              /* [hosts] the only switch before the host, or the host's own node */
	uint32_t *by_root;           /* [hosts] hosts, sorted by root */
	uint32_t *shortest;          /* [nodes] channels to the root of the last search */
	uint32_t *queue;
	bool *uneven;   /* [starts] its hosts may have different distances */
	uint64_t *sent; /* [starts] number of destinations that its hosts reach */
	bool *own;      /* [hosts] whether it is reached by its own start */
};

static int turn_round(struct look *l, struct error *error)
{
	const struct fabric *f = l->fabric;
	l->first_tail = array_create((size_t)f->nodes + 2, sizeof *l->first_tail, error);
	l->tail = array_create(f->channels, sizeof *l->tail, error);
	if (error->status)
		return -1;
	for (uint32_t c = 0; c < f->channels; c++)
		l->first_tail[f->head[c] + 2]++;
	for (uint32_t v = 0; v < f->nodes; v++)
		l->first_tail[v + 2] += l->first_tail[v + 1];
	for (uint32_t v = 0; v < f->nodes; v++)
		for (uint32_t c = f->first_channel[v]; c < f->first_channel[v + 1]; c++)
			l->tail[l->first_tail[f->head[c] + 1]++] = v;
	return 0;
}

/* Destinations one channel behind the same node have the same distances, so they are processed together. */
static int find_roots(struct look *l, struct error *error)
{
	const struct fabric *f = l->fabric;
	uint32_t *place = array_create((size_t)f->nodes + 1, sizeof *place, error);
	l->root = array_create(f->hosts, sizeof *l->root, error);
	l->by_root = array_create(f->hosts, sizeof *l->by_root, error);
	if (!error->status) {
		for (uint32_t h = 0; h < f->hosts; h++) {
			uint32_t v = f->host_node[h];
			bool single = l->first_tail[v + 1] - l->first_tail[v] == 1 && f->node_host[l->tail[l->first_tail[v]]] == NONE;
			l->root[h] = single ? l->tail[l->first_tail[v]] : v;
			place[l->root[h] + 1]++;
		}
		for (uint32_t v = 0; v < f->nodes; v++)
			place[v + 1] += place[v];
		for (uint32_t h = 0; h < f->hosts; h++)
			l->by_root[place[l->root[h]]++] = h;
	}
	free(place);
	return error->status ? -1 : 0;
}

static bool forwards(const struct look *l, uint32_t node)
{
	uint32_t host = l->fabric->node_host[node];
	return host == NONE || l->passed[host];
}

/* Computes the least number of channels from every node to the root. */
static void search(struct look *l, uint32_t root)
{
	uint32_t from = 0, to = 0;
	memset(l->shortest, 0xff, l->fabric->nodes * sizeof *l->shortest);
	l->queue[to++] = root;
	l->shortest[root] = 0;
	for (; from < to; from++) {
		uint32_t v = l->queue[from];
		for (uint32_t i = l->first_tail[v]; i < l->first_tail[v + 1] && (v == root || forwards(l, v)); i++)
			if (l->shortest[l->tail[i]] == FAR) {
				l->shortest[l->tail[i]] = l->shortest[v] + 1;
				l->queue[to++] = l->tail[i];
			}
	}
}

static int note(struct look *l, enum fault_kind kind, uint32_t source, uint32_t value, struct error *error)
{
	return faults_add(l->faults, kind, (struct fault){source, l->trees->destination, NONE, value}, error);
}

/*
 * Counts hosts that are alike: they reach the node over before channels, and their shortest paths to the destination have shortest
 * channels. Returns the kind of fault.
 */
static enum fault_kind count_pairs(struct look *l, uint32_t hosts, uint32_t node, uint32_t before, uint32_t shortest)
{
	struct pair_statistics *s = l->statistics;
	const struct destination_trees *t = l->trees;
	uint32_t distance = t->distance[node];
	s->pairs += hosts;
	if (distance < TREE_DISTANCE_END) {
		uint32_t length = distance + before;
		uint32_t extra = shortest < length ? length - shortest
						   : 0; /* a path through hosts not yet known to forward: see pair_statistics_make() */
		s->routable += hosts;
		s->hops[length - 1] += hosts;
		s->hops_sum += (t->several ? t->mean[node] + before - 1 : (double)(length - 1)) * hosts;
		s->forked += t->several && t->forks[node] ? hosts : 0;
		s->extra[extra] += hosts;
		s->minimal += extra ? 0 : hosts;
		s->longest = length - 1 > s->longest ? length - 1 : s->longest;
		return extra ? FAULT_LONGER : FAULT_KINDS;
	}
	if (shortest == FAR) {
		s->no_path += hosts;
		return FAULT_NO_PATH;
	}
	*(distance == TREE_LOOP ? &s->loop : &s->no_entry) += hosts;
	return distance == TREE_LOOP ? FAULT_LOOP : FAULT_NO_ENTRY;
}

/* Counts the pairs of a start's hosts and the destination; behind: channels from the root to the destination. */
static int look_at_start(struct look *l, uint32_t start, uint32_t behind, struct error *error)
{
	struct destination_trees *t = l->trees;
	const struct dependencies *d = &l->statistics->waits;
	uint32_t node = t->start[start].node, before = t->start[start].before, hosts = destination_trees_senders(t, start);
	uint32_t distance = t->distance[node], step = l->uneven[start] ? 1 : hosts;
	if (distance < TREE_DISTANCE_END && hosts) {
		l->sent[start]++;
		l->own[t->destination] |= start == t->start_of[t->destination];
	}
	enum fault_kind kind = FAULT_KINDS;
	uint32_t extra = 0;
	for (uint32_t i = d->first_member[start]; hosts && i < d->first_member[start + 1]; i++) {
		uint32_t source = d->member[i];
		if (source == t->destination)
			continue;
		if (step) { /* one by one, or all with the first */
			uint32_t shortest = l->uneven[start]           ? l->shortest[l->fabric->host_node[source]]
					    : l->shortest[node] == FAR ? FAR
								       : l->shortest[node] + before;
			shortest = shortest == FAR ? FAR : shortest + behind;
			kind = count_pairs(l, step, node, before, shortest);
			extra = kind == FAULT_LONGER ? distance + before - shortest : 0;
		}
		if (kind == FAULT_KINDS && !l->uneven[start])
			break;
		if (kind != FAULT_KINDS && note(l, kind, source, extra, error))
			return -1;
		step = l->uneven[start];
	}
	return 0;
}

/* Computes the loads if nodes have several outputs. */
static void count_shares(struct look *l)
{
	const struct destination_trees *t = l->trees;
	for (uint32_t i = 1; i < t->count; i++) {
		uint32_t node = t->order[i], only;
		const uint32_t *channel;
		const double *share;
		uint32_t ways = forwarding_ways(t->forwarding, node, t->destination, &channel, &share, &only);
		for (uint32_t k = 0; k < ways && t->flow[node] > 0; k++) {
			l->statistics->routes[channel[k]] += share[k] * t->flow[node];
			l->statistics->destinations[channel[k]]++;
		}
	}
}

static void count_loads(struct look *l)
{
	struct destination_trees *t = l->trees;
	if (t->several) {
		count_shares(l);
		return;
	}
	destination_trees_weigh(t);
	for (uint32_t i = 1; i < t->count; i++) {
		uint32_t node = t->order[i];
		l->statistics->routes[t->next[node]] += t->weight[node];
		l->statistics->destinations[t->next[node]]++;
	}
}

/* Counts the links of hosts before their starts. Packets forwarded by such a host are already counted, as are its destinations. */
static void count_first_links(struct look *l)
{
	for (uint32_t h = 0; h < l->fabric->hosts; h++) {
		uint32_t start = l->trees->start_of[h], link = l->trees->link[h];
		if (link == NONE)
			continue;
		l->statistics->routes[link] += (double)(l->sent[start] - l->own[h]);
		l->statistics->destinations[link] = (uint32_t)(l->sent[start] - l->own[h]);
	}
}

static int look_at_all(struct look *l, struct error *error)
{
	struct destination_trees *t = l->trees;
	uint32_t searched = NONE;
	for (uint32_t i = 0; i < l->fabric->hosts; i++) {
		uint32_t destination = l->by_root[i];
		if (l->root[destination] != searched)
			search(l, searched = l->root[destination]);
		destination_trees_make(t, destination);
		for (uint32_t s = 0; s < t->starts; s++)
			if (look_at_start(l, s, searched != l->fabric->host_node[destination], error))
				return -1;
		count_loads(l);
		dependencies_add(&l->statistics->waits);
	}
	count_first_links(l);
	return 0;
}

/* Hosts of a start that have more links than the one they use, or that are before another host, may have shorter paths of their own. */
static void find_uneven(struct look *l)
{
	const struct fabric *f = l->fabric;
	for (uint32_t h = 0; h < f->hosts; h++) {
		uint32_t v = f->host_node[h], start = l->trees->start_of[h];
		l->uneven[start] |=
			f->first_channel[v + 1] - f->first_channel[v] != 1 || f->node_host[f->head[f->first_channel[v]]] != NONE;
	}
}

static int prepare(struct look *l, const struct virtual_lanes *lanes, int level, struct error *error)
{
	const struct fabric *f = l->fabric;
	struct pair_statistics *s = l->statistics;
	*s = (struct pair_statistics){
		.hops = array_create(f->nodes, sizeof *s->hops, error),
		.extra = array_create(f->nodes, sizeof *s->extra, error),
		.routes = array_create(f->channels, sizeof *s->routes, error),
		.destinations = array_create(f->channels, sizeof *s->destinations, error),
	};
	l->shortest = array_create(f->nodes, sizeof *l->shortest, error);
	l->queue = array_create(f->nodes, sizeof *l->queue, error);
	l->uneven = array_create(l->trees->starts, sizeof *l->uneven, error);
	l->sent = array_create(l->trees->starts, sizeof *l->sent, error);
	l->own = array_create(f->hosts, sizeof *l->own, error);
	if (error->status || turn_round(l, error) || find_roots(l, error))
		return -1;
	find_uneven(l);
	return dependencies_init(&s->waits, l->trees, lanes, level, l->passed, error);
}

static void clear(struct look *l)
{
	free(l->first_tail);
	free(l->tail);
	free(l->root);
	free(l->by_root);
	free(l->shortest);
	free(l->queue);
	free(l->uneven);
	free(l->sent);
	free(l->own);
}

/* Adds the hosts that forward in the trees so far. Returns how many are new. */
static uint32_t learn_passed(const struct destination_trees *trees, bool *passed)
{
	uint32_t more = 0;
	for (uint32_t h = 0; h < trees->fabric->hosts; h++) {
		more += trees->passed[h] && !passed[h];
		passed[h] |= trees->passed[h];
	}
	return more;
}

int pair_statistics_make(struct pair_statistics *statistics, struct destination_trees *trees, const struct virtual_lanes *lanes, int level,
	struct faults *faults, struct error *error)
{
	bool *passed = array_create(trees->fabric->hosts, sizeof *passed, error), again = passed;
	*statistics = (struct pair_statistics){0};
	while (again) { /* twice if hosts forward for others */
		struct look look = {.statistics = statistics, .trees = trees, .faults = faults, .fabric = trees->fabric, .passed = passed};
		pair_statistics_clear(statistics);
		faults_clear(faults);
		if (!prepare(&look, lanes, level, error))
			look_at_all(&look, error);
		clear(&look);
		again = !error->status && learn_passed(trees, passed);
	}
	free(passed);
	return error->status ? -1 : 0;
}

void pair_statistics_clear(struct pair_statistics *statistics)
{
	free(statistics->hops);
	free(statistics->extra);
	free(statistics->routes);
	free(statistics->destinations);
	dependencies_clear(&statistics->waits);
	*statistics = (struct pair_statistics){0};
}
