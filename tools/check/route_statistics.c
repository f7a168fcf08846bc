#include "tools/check/route_statistics.h"

#include "base/memory.h"
#include "base/acyclic.h"

#include <stdlib.h>
#include <string.h>

enum { FAR = UINT32_MAX };

struct look {
	struct pair_statistics *statistics;
	const struct fabric *fabric;
	const struct source_routes *set;
	struct faults *faults;
	uint32_t *member, *first_member; /* [hosts] hosts, sorted by group; [groups + 1] */
	uint64_t *first_pair, *pair;     /* [groups + 1], [pairs] pairs that end in a group: pair[first_pair[g]] .. */
	uint32_t *source;                /* [pairs] source group */
	uint32_t *first_tail, *tail;     /* [nodes + 2], [channels] tails of the channels into a node */
	uint32_t *shortest;              /* [nodes] channels to the group's hosts without their last ones */
	uint32_t *queue;                 /* [nodes] */
	uint32_t *counted;               /* [channels] the group already counted among its destinations */
	bool *passed;                    /* [hosts] */
};

static uint32_t size_of(const struct look *l, uint32_t group)
{
	return l->first_member[group + 1] - l->first_member[group];
}

static uint32_t count_hosts(const struct look *l, uint32_t source, uint32_t destination)
{
	return size_of(l, source) * (size_of(l, destination) - (source == destination));
}

static void sort_members(struct look *l)
{
	const struct source_routes *s = l->set;
	for (uint32_t h = 0; h < s->hosts; h++)
		l->first_member[s->group[h] + 1]++;
	for (uint32_t g = 0; g < s->groups; g++)
		l->first_member[g + 1] += l->first_member[g];
	for (uint32_t h = s->hosts; h--;) /* the ends were decremented down to the beginnings */
		l->member[--l->first_member[s->group[h] + 1]] = h;
	memmove(l->first_member, l->first_member + 1, s->groups * sizeof *l->first_member);
	l->first_member[s->groups] = s->hosts;
}

/* Sorts the pairs by their destination groups. */
static void sort_pairs(struct look *l)
{
	const struct source_routes *s = l->set;
	uint64_t pairs = s->row[s->groups];
	for (uint64_t p = 0; p < pairs; p++)
		l->first_pair[s->destination[p] + 1]++;
	for (uint32_t g = 0; g < s->groups; g++)
		l->first_pair[g + 1] += l->first_pair[g];
	for (uint32_t g = s->groups; g--;)
		for (uint64_t p = s->row[g + 1]; p-- > s->row[g];) {
			uint64_t at = --l->first_pair[s->destination[p] + 1];
			l->pair[at] = p;
			l->source[at] = g;
		}
	memmove(l->first_pair, l->first_pair + 1, s->groups * sizeof *l->first_pair);
	l->first_pair[s->groups] = pairs;
}

static void turn_round(struct look *l)
{
	const struct fabric *f = l->fabric;
	for (uint32_t c = 0; c < f->channels; c++)
		l->first_tail[f->head[c] + 2]++;
	for (uint32_t v = 0; v < f->nodes; v++)
		l->first_tail[v + 2] += l->first_tail[v + 1];
	for (uint32_t v = 0; v < f->nodes; v++)
		for (uint32_t c = f->first_channel[v]; c < f->first_channel[v + 1]; c++)
			l->tail[l->first_tail[f->head[c] + 1]++] = v;
}

/* Finds the hosts that routes pass through: none whose first or last channels are known. */
static void find_passed(struct look *l)
{
	const struct source_routes *s = l->set;
	const struct fabric *f = l->fabric;
	for (uint64_t r = 0; r < s->route[s->row[s->groups]]; r++)
		for (uint64_t i = s->start[r]; i + 1 < s->start[r + 1]; i++) {
			uint32_t host = f->node_host[f->head[s->channel[i]]];
			if (host != NONE)
				l->passed[host] = true;
		}
}

/* Computes the distance of every node from the node where the routes of a group's hosts end, without their last channels. */
static void search(struct look *l, uint32_t root)
{
	const struct fabric *f = l->fabric;
	uint32_t count = 0;
	memset(l->shortest, 0xff, f->nodes * sizeof *l->shortest); /* FAR */
	l->shortest[root] = 0;
	l->queue[count++] = root;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t v = l->queue[i], host = f->node_host[v];
		for (uint32_t k = l->first_tail[v]; k < l->first_tail[v + 1] && (v == root || host == NONE || l->passed[host]); k++)
			if (l->shortest[l->tail[k]] == FAR) {
				l->shortest[l->tail[k]] = l->shortest[v] + 1;
				l->queue[count++] = l->tail[k];
			}
	}
}

/* Adds a fault for all pairs of hosts of two groups. */
static int note(struct look *l, enum fault_kind kind, uint32_t source, uint32_t destination, uint32_t value, struct error *error)
{
	for (uint32_t i = l->first_member[source]; i < l->first_member[source + 1]; i++)
		for (uint32_t k = l->first_member[destination]; k < l->first_member[destination + 1]; k++)
			if (i != k && faults_add(l->faults, kind, (struct fault){l->member[i], l->member[k], NONE, value}, error))
				return -1;
	return 0;
}

static void count_load(struct look *l, uint32_t channel, double load, uint32_t destination, uint32_t hosts)
{
	l->statistics->routes[channel] += load;
	if (l->counted[channel] != destination)
		l->statistics->destinations[channel] += hosts;
	l->counted[channel] = destination;
}

/* Adds the loads and dependencies of a route, which is shared by all pairs of hosts of its groups. */
static void follow(struct look *l, uint32_t source, uint32_t destination, uint64_t route)
{
	const struct source_routes *s = l->set;
	const uint32_t *channel = s->channel + s->start[route];
	uint32_t count = (uint32_t)(s->start[route + 1] - s->start[route]), pairs = count_hosts(l, source, destination);
	double load = s->share[route] * pairs;
	for (uint32_t i = 0; i < count; i++) {
		count_load(l, channel[i], load, destination, size_of(l, destination));
		if (i)
			dependencies_join(&l->statistics->waits, channel[i - 1], channel[i]);
	}
}

/* Adds the loads of the first and last channels of all pairs of hosts of two groups. */
static void count_ends(struct look *l, uint32_t source, uint32_t destination)
{
	const struct source_routes *s = l->set;
	uint32_t same = source == destination, sources = size_of(l, source) - same, destinations = size_of(l, destination) - same;
	for (uint32_t i = l->first_member[source]; i < l->first_member[source + 1]; i++)
		if (s->first[l->member[i]] != NONE)
			count_load(l, s->first[l->member[i]], destinations, destination, destinations);
	for (uint32_t i = l->first_member[destination]; i < l->first_member[destination + 1]; i++)
		if (s->last[l->member[i]] != NONE)
			count_load(l, s->last[l->member[i]], sources, destination, 1);
}

static int look_at_pair(struct look *l, uint32_t source, uint32_t destination, uint64_t pair, struct error *error)
{
	const struct source_routes *set = l->set;
	struct pair_statistics *s = l->statistics;
	uint32_t hosts = count_hosts(l, source, destination), most = 0;
	uint32_t begin = l->member[l->first_member[source]], end = l->member[l->first_member[destination]];
	uint32_t first = set->first[begin], ends = (first != NONE) + (set->last[end] != NONE);
	uint32_t shortest = l->shortest[first == NONE ? l->fabric->host_node[begin] : l->fabric->head[first]];
	for (uint64_t r = set->route[pair]; r < set->route[pair + 1]; r++) {
		uint32_t middle = (uint32_t)(set->start[r + 1] - set->start[r]), hops = middle + ends - 1;
		uint32_t extra = middle > shortest ? middle - shortest : 0;
		s->hops[hops] += hosts;
		s->hops_sum += set->share[r] * hops * hosts;
		s->extra[extra] += hosts;
		s->longest = hops > s->longest ? hops : s->longest;
		most = extra > most ? extra : most;
		follow(l, source, destination, r);
	}
	count_ends(l, source, destination);
	s->routable += hosts;
	s->alternatives += hosts * (set->route[pair + 1] - set->route[pair]);
	s->minimal += most ? 0 : hosts;
	return most ? note(l, FAULT_LONGER, source, destination, most, error) : 0;
}

static int look_at_all(struct look *l, struct error *error)
{
	const struct source_routes *set = l->set;
	struct pair_statistics *s = l->statistics;
	for (uint32_t d = 0; d < set->groups; d++) {
		uint32_t end = l->member[l->first_member[d]];
		search(l, set->last[end] == NONE ? l->fabric->host_node[end] : fabric_tail(l->fabric, set->last[end]));
		uint64_t at = l->first_pair[d];
		for (uint32_t g = 0; g < set->groups; g++) {
			uint32_t hosts = count_hosts(l, g, d), begin = l->member[l->first_member[g]];
			s->pairs += hosts;
			if (!hosts)
				continue;
			if (at < l->first_pair[d + 1] && l->source[at] == g) {
				if (look_at_pair(l, g, d, l->pair[at++], error))
					return -1;
				continue;
			}
			uint32_t from = set->first[begin] == NONE ? l->fabric->host_node[begin] : l->fabric->head[set->first[begin]];
			bool none = l->shortest[from] == FAR;
			*(none ? &s->no_path : &s->no_entry) += hosts;
			if (note(l, none ? FAULT_NO_PATH : FAULT_NO_ENTRY, g, d, 0, error))
				return -1;
		}
	}
	return 0;
}

int route_statistics_make(struct pair_statistics *statistics, const struct destination_trees *trees, const struct source_routes *set,
	struct faults *faults, struct error *error)
{
	const struct fabric *f = trees->fabric;
	uint64_t pairs = set->row[set->groups];
	struct look l = {
		.statistics = statistics,
		.fabric = f,
		.set = set,
		.faults = faults,
		.member = array_create(set->hosts, sizeof *l.member, error),
		.first_member = array_create((size_t)set->groups + 1, sizeof *l.first_member, error),
		.first_pair = array_create((size_t)set->groups + 1, sizeof *l.first_pair, error),
		.pair = array_create(pairs, sizeof *l.pair, error),
		.source = array_create(pairs, sizeof *l.source, error),
		.first_tail = array_create((size_t)f->nodes + 2, sizeof *l.first_tail, error),
		.tail = array_create(f->channels, sizeof *l.tail, error),
		.shortest = array_create(f->nodes, sizeof *l.shortest, error),
		.queue = array_create(f->nodes, sizeof *l.queue, error),
		.counted = array_create(f->channels, sizeof *l.counted, error),
		.passed = array_create(f->hosts, sizeof *l.passed, error),
	};
	*statistics = (struct pair_statistics){
		.hops = array_create(f->nodes, sizeof *statistics->hops, error),
		.extra = array_create(f->nodes, sizeof *statistics->extra, error),
		.routes = array_create(f->channels, sizeof *statistics->routes, error),
		.destinations = array_create(f->channels, sizeof *statistics->destinations, error),
	};
	if (!error->status) {
		memset(l.counted, 0xff, f->channels * sizeof *l.counted); /* NONE */
		sort_members(&l);
		sort_pairs(&l);
		turn_round(&l);
		find_passed(&l);
		if (!dependencies_init(&statistics->waits, trees, NULL, 0, l.passed, error))
			look_at_all(&l, error);
	}
	free(l.member);
	free(l.first_member);
	free(l.first_pair);
	free(l.pair);
	free(l.source);
	free(l.first_tail);
	free(l.tail);
	free(l.shortest);
	free(l.queue);
	free(l.counted);
	free(l.passed);
	return error->status ? -1 : 0;
}

/* ---- virtual lanes */

/* Returns whether the dependencies of a route close no cycle on the lane; those found to close none stay there. */
static bool fits(const struct dependencies *d, const struct source_routes *set, struct acyclic *lane, uint64_t route)
{
	for (uint64_t i = set->start[route]; i + 1 < set->start[route + 1]; i++)
		if (dependencies_counts(d, set->channel[i], set->channel[i + 1]) &&
			!acyclic_add(lane, set->channel[i], set->channel[i + 1]))
			return false;
	return true;
}

uint32_t route_statistics_lanes(
	const struct dependencies *dependencies, const struct source_routes *set, const struct digraph *graph, struct error *error)
{
	uint64_t routes = set->route[set->row[set->groups]], left = routes;
	bool *placed = array_create(routes, sizeof *placed, error);
	struct acyclic lane = {0};
	uint32_t lanes = 0;
	if (placed && !acyclic_init(&lane, graph, error))
		for (; left; lanes++) {
			acyclic_empty(&lane);
			for (uint64_t r = 0; r < routes; r++)
				if (!placed[r] && fits(dependencies, set, &lane, r)) {
					placed[r] = true;
					left--;
				}
		}
	acyclic_clear(&lane);
	free(placed);
	return error->status ? 0 : lanes;
}
