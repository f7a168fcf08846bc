#include "fabric/layers.h"

#include "base/memory.h"
#include "base/acyclic.h"

#include <stdlib.h>

struct layers {
	struct dependencies *dependencies;
	struct destination_trees *trees;
	struct acyclic lane; /* dependencies on the current lane */
	uint8_t *placed;     /* one bit per [host][start]: whether the routes from the start to it have a lane */
	uint32_t *left;      /* [hosts] number of starts whose routes to it have no lane yet */
	bool *needed, *fits; /* [nodes] of the tree: routes without a lane pass through it; the rest of these routes fits on this lane */
};

static inline bool is_placed(const struct layers *l, uint32_t host, uint32_t start)
{
	uint64_t bit = (uint64_t)host * l->trees->starts + start;
	return l->placed[bit / 8] >> bit % 8 & 1;
}

static void place(struct layers *l, uint32_t host, uint32_t start)
{
	uint64_t bit = (uint64_t)host * l->trees->starts + start;
	l->placed[bit / 8] = (uint8_t)(l->placed[bit / 8] | 1U << bit % 8);
}

/* Adds the dependencies of packets that arrive at the node by a channel. Returns false if one closed a cycle. */
static bool depend(struct layers *l, uint32_t in, uint32_t node)
{
	const struct destination_trees *t = l->trees;
	const uint32_t *out;
	bool fits = true;
	for (uint32_t k = node == t->order[0] ? 0 : destination_trees_ways(t, node, &out); k-- && fits;)
		fits = !dependencies_forwards(l->dependencies, t->fabric->head[out[k]]) || acyclic_add(&l->lane, in, out[k]);
	return fits;
}

/* Returns whether all outputs of the node fit on the lane. */
static bool ways_fit(struct layers *l, uint32_t node)
{
	const uint32_t *out, *head = l->trees->fabric->head;
	bool fits = true;
	for (uint32_t k = destination_trees_ways(l->trees, node, &out); k-- && fits;)
		fits = l->fits[head[out[k]]] && (!dependencies_forwards(l->dependencies, node) || depend(l, out[k], head[out[k]]));
	return fits;
}

/* The same for hosts of the start that forward for others: forwarded packets may wait for their links. */
static bool depend_links(struct layers *l, uint32_t start)
{
	const struct destination_trees *t = l->trees;
	const struct dependencies *d = l->dependencies;
	bool fits = true;
	for (uint32_t i = d->first_member[start]; t->passes && i < d->first_member[start + 1] && fits; i++) {
		uint32_t host = d->member[i];
		if (d->passed[host] && host != t->destination && t->link[host] != NONE)
			fits = depend(l, t->link[host], t->start[start].node);
	}
	return fits;
}

/* Returns whether there are routes from the start to the destination that have no lane yet. */
static bool waits(const struct layers *l, uint32_t start)
{
	const struct destination_trees *t = l->trees;
	return destination_trees_senders(t, start) && t->distance[t->start[start].node] < TREE_DISTANCE_END &&
	       !is_placed(l, t->destination, start);
}

/* Finds the nodes of the tree through which routes without a lane pass. */
static void find_needed(struct layers *l)
{
	const struct destination_trees *t = l->trees;
	for (uint32_t i = 0; i < t->count; i++)
		l->needed[t->order[i]] = false;
	for (uint32_t s = 0; s < t->starts; s++)
		if (waits(l, s))
			l->needed[t->start[s].node] = true;
	for (uint32_t i = t->count; i-- > 1;) {
		const uint32_t *out;
		for (uint32_t k = l->needed[t->order[i]] ? destination_trees_ways(t, t->order[i], &out) : 0; k--;)
			l->needed[t->fabric->head[out[k]]] = true;
	}
}

/*
 * Puts the routes to the destination that fit on the lane, from the destination outwards: what does not fit near it does not fit farther
 * away.
 */
static void fill_from(struct layers *l, uint32_t destination)
{
	struct destination_trees *t = l->trees;
	destination_trees_make(t, destination);
	find_needed(l);
	l->fits[t->order[0]] = true;
	for (uint32_t i = 1; i < t->count; i++) {
		uint32_t node = t->order[i];
		l->fits[node] = l->needed[node] && ways_fit(l, node);
	}
	l->left[destination] = 0;
	for (uint32_t s = 0; s < t->starts; s++) {
		if (!waits(l, s))
			continue;
		if (l->fits[t->start[s].node] && depend_links(l, s))
			place(l, destination, s);
		else
			l->left[destination]++;
	}
}

uint32_t layers_count(struct dependencies *dependencies, struct destination_trees *trees, const struct digraph *graph, struct error *error)
{
	uint32_t hosts = trees->fabric->hosts, lanes = 0;
	struct layers l = {
		.dependencies = dependencies,
		.trees = trees,
		.placed = array_create((size_t)hosts * trees->starts / 8 + 1, sizeof *l.placed, error),
		.left = array_create(hosts, sizeof *l.left, error),
		.needed = array_create(trees->fabric->nodes, sizeof *l.needed, error),
		.fits = array_create(trees->fabric->nodes, sizeof *l.fits, error),
	};
	if (!error->status && !acyclic_init(&l.lane, graph, error))
		for (bool again = true; again; lanes++) {
			again = false;
			acyclic_empty(&l.lane);
			for (uint32_t h = 0; h < hosts; h++) {
				if (!lanes || l.left[h])
					fill_from(&l, h);
				again |= l.left[h] > 0;
			}
		}
	acyclic_clear(&l.lane);
	free(l.placed);
	free(l.left);
	free(l.needed);
	free(l.fits);
	return error->status ? 0 : lanes;
}
