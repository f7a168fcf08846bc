#include "fabric/shortest_loads.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A channel of a path towards the root of a search. */
struct arc {
	uint32_t tail, channel;
};

struct search {
	const struct fabric *fabric;
	const bool *forwards;
	uint32_t *first;    /* [nodes + 1] the arcs into node v are arc[first[v]] .. */
	struct arc *arc;    /* [channels] by head */
	uint32_t *root;     /* [hosts] the node where the routes of the host begin and end: itself, or the switch before it */
	double *hosts;      /* [nodes] hosts whose root is the node */
	uint32_t *distance; /* [nodes] channels to the root of the search, NONE: no path */
	double *paths;      /* [nodes] number of shortest paths, with speeds; those of equal distance have a common factor */
	double *flow;       /* [nodes] */
	uint32_t *order;    /* [count] */
	uint32_t count;
	double *load; /* [channels] */
};

static void turn_round(struct search *s)
{
	const struct fabric *f = s->fabric;
	for (uint32_t c = 0; c < f->channels; c++)
		s->first[f->head[c] + 2]++;
	for (uint32_t v = 0; v < f->nodes; v++)
		s->first[v + 2] += s->first[v + 1];
	for (uint32_t v = 0; v < f->nodes; v++)
		for (uint32_t c = f->first_channel[v]; c < f->first_channel[v + 1]; c++)
			s->arc[s->first[f->head[c] + 1]++] = (struct arc){v, c};
}

/* Finds the roots of the hosts, and adds the pairs of hosts with a single cable to their own channels. */
static void find_roots(struct search *s)
{
	const struct fabric *f = s->fabric;
	for (uint32_t h = 0; h < f->hosts; h++) {
		uint32_t v = f->host_node[h], in = s->first[v];
		bool single = f->first_channel[v + 1] - f->first_channel[v] == 1 && s->first[v + 1] - in == 1 &&
			      f->head[f->first_channel[v]] == s->arc[in].tail && f->node_host[s->arc[in].tail] == NONE;
		s->root[h] = single ? s->arc[in].tail : v;
		s->hosts[s->root[h]]++;
	}
}

static bool enters(const struct search *s, uint32_t node)
{
	uint32_t host = s->fabric->node_host[node];
	return host == NONE || (s->forwards && s->forwards[host]);
}

/* Numbers of paths of one distance, order[from..to-1], are divided by a common factor before they grow too large. */
static void scale(struct search *s, uint32_t from, uint32_t to)
{
	double most = 0;
	for (uint32_t i = from; i < to; i++)
		most = fmax(most, s->paths[s->order[i]]);
	for (uint32_t i = from; i < to && most > 1e60; i++)
		s->paths[s->order[i]] /= most;
}

/* Finds the nodes by their distance to the root, and their numbers of shortest paths. */
static void find_paths(struct search *s, uint32_t root)
{
	memset(s->distance, 0xff, s->fabric->nodes * sizeof *s->distance);
	s->order[0] = root;
	s->count = 1;
	s->distance[root] = 0;
	s->paths[root] = 1;
	for (uint32_t from = 0, to; from < s->count; from = to) {
		to = s->count;
		for (uint32_t i = from; i < to; i++) {
			uint32_t v = s->order[i];
			if (v != root && !enters(s, v))
				continue;
			for (uint32_t k = s->first[v]; k < s->first[v + 1]; k++) {
				uint32_t u = s->arc[k].tail;
				if (s->distance[u] == NONE) {
					s->distance[u] = s->distance[v] + 1;
					s->paths[u] = 0;
					s->order[s->count++] = u;
				}
				if (s->distance[u] == s->distance[v] + 1)
					s->paths[u] += s->paths[v] * s->fabric->speed[s->arc[k].channel];
			}
		}
		scale(s, to, s->count);
	}
}

/* Adds the pairs whose destinations are the hosts of the root. */
static void add_pairs(struct search *s, uint32_t root)
{
	const struct fabric *f = s->fabric;
	for (uint32_t i = 0; i < s->count; i++)
		s->flow[s->order[i]] = s->hosts[s->order[i]] * s->hosts[root];
	for (uint32_t i = s->count; i-- > 1;) {
		uint32_t v = s->order[i];
		double whole = 0;
		if (s->flow[v] <= 0)
			continue;
		for (int add = 0; add < 2; add++)
			for (uint32_t c = f->first_channel[v]; c < f->first_channel[v + 1]; c++) {
				uint32_t u = f->head[c];
				if (s->distance[u] == NONE || s->distance[u] + 1 != s->distance[v] || (u != root && !enters(s, u)))
					continue;
				double part = s->paths[u] * f->speed[c];
				if (!add) {
					whole += part;
					continue;
				}
				s->load[c] += s->flow[v] * (part / whole);
				s->flow[u] += s->flow[v] * (part / whole);
			}
	}
}

/* Adds the own channels of hosts that are combined: their pairs with all hosts that paths connect in both directions. */
static void add_single(struct search *s, uint32_t root)
{
	const struct fabric *f = s->fabric;
	double reached = -1; /* not the host itself */
	for (uint32_t i = 0; i < s->count; i++)
		reached += s->hosts[s->order[i]];
	for (uint32_t c = f->first_channel[root]; c < f->first_channel[root + 1]; c++) {
		uint32_t host = f->node_host[f->head[c]];
		if (host == NONE || s->root[host] != root || f->head[c] == root)
			continue;
		s->load[c] = reached;
		s->load[f->first_channel[f->head[c]]] = reached;
	}
}

double *shortest_loads_make(const struct fabric *fabric, const bool *forwards, struct error *error)
{
	const struct fabric *f = fabric;
	struct search s = {
		.fabric = f,
		.forwards = forwards,
		.first = array_create((size_t)f->nodes + 2, sizeof *s.first, error),
		.arc = array_create(f->channels, sizeof *s.arc, error),
		.root = array_create(f->hosts, sizeof *s.root, error),
		.hosts = array_create(f->nodes, sizeof *s.hosts, error),
		.distance = array_create(f->nodes, sizeof *s.distance, error),
		.paths = array_create(f->nodes, sizeof *s.paths, error),
		.flow = array_create(f->nodes, sizeof *s.flow, error),
		.order = array_create(f->nodes, sizeof *s.order, error),
		.load = array_create(f->channels, sizeof *s.load, error),
	};
	if (!error->status) {
		turn_round(&s);
		find_roots(&s);
		for (uint32_t root = 0; root < f->nodes; root++) {
			if (s.hosts[root] <= 0)
				continue;
			find_paths(&s, root);
			add_pairs(&s, root);
			add_single(&s, root);
		}
	}
	free(s.first);
	free(s.arc);
	free(s.root);
	free(s.hosts);
	free(s.distance);
	free(s.paths);
	free(s.flow);
	free(s.order);
	if (!error->status)
		return s.load;
	free(s.load);
	return NULL;
}
