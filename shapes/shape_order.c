/*
 * A canonical numbering (bliss: Junttila, Kaski: Conflict propagation and component recursion for canonical labeling, 2011): the same graph
 * comes of it in whatever order its switches were, so that what the recognisers take first, or vote for, depends on the cabling alone.
 * Switches with the same neighbours, such as the leaves of a pod, or the switches of a full mesh, are one vertex whose colour has their
 * number: they may take one another's numbers, and searching for that is slow. A link with other than the usual number of cables is a
 * vertex whose colour has that number.
 */
#include "shapes/shape_part.h"

#include <bliss/bliss_C.h>
#include <stdlib.h>
#include <string.h>

struct order {
	const struct part *part;
	uint32_t usual;    /* cables of most links */
	uint64_t *hash;    /* [switches] of the neighbours */
	uint32_t *list;    /* [switches] in the order of hosts and hash */
	uint32_t *twin;    /* [switches] the one that stands for those with the same neighbours */
	uint64_t *look;    /* [switches] what the colour stands for; of those that stand for themselves only */
	uint64_t *looks;   /* [switches + links] all that there are, ascending */
	uint32_t *vertex;  /* [switches] of those that stand for themselves */
	uint32_t *place;   /* [switches] in the canonical order: of these */
	size_t look_count; /* of looks */
};

static uint64_t mix(uint64_t x)
{
	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return x ^ x >> 31;
}

static uint64_t hash_end(uint32_t to, uint32_t cables)
{
	return mix(((uint64_t)to << 32 | cables) + UINT64_C(0x9e3779b97f4a7c15));
}

static int compare_hashes(const void *left, const void *right, void *order)
{
	const struct order *o = order;
	const uint32_t *x = left, *y = right, *hosts = o->part->hosts;
	if (hosts[*x] != hosts[*y])
		return hosts[*x] < hosts[*y] ? -1 : 1;
	if (o->hash[*x] != o->hash[*y])
		return o->hash[*x] < o->hash[*y] ? -1 : 1;
	return *x < *y ? -1 : *x > *y;
}

static int compare_looks(const void *left, const void *right)
{
	const uint64_t *x = left, *y = right;
	return *x < *y ? -1 : *x > *y;
}

static int compare_places(const void *left, const void *right, void *order)
{
	const struct order *o = order;
	const uint32_t *x = left, *y = right;
	uint32_t a = o->place[o->twin[*x]], b = o->place[o->twin[*y]];
	if (a != b)
		return a < b ? -1 : 1;
	return *x < *y ? -1 : *x > *y;
}

/* The first of those with equal hashes stands for all; of those joined to one another if each counts itself as a neighbour. */
static void join_twins(struct order *o, bool joined)
{
	const struct part *part = o->part;
	for (uint32_t v = 0; v < part->switches; v++) {
		o->list[v] = v;
		o->hash[v] = joined ? hash_end(v, o->usual) : 0;
		for (uint32_t i = part->first[v]; i < part->first[v + 1]; i++)
			o->hash[v] += hash_end(part->neighbour[i].to, part->neighbour[i].cables);
	}
	qsort_r(o->list, part->switches, sizeof *o->list, compare_hashes, o);
	for (uint32_t i = 0, first = 0; i < part->switches; i++) {
		uint32_t v = o->list[i], u = o->list[first];
		if (part->hosts[v] != part->hosts[u] || o->hash[v] != o->hash[u] || !part_degree(part, v))
			first = i;
		else if (i > first && (part_cables(part, u, v) > 0) == joined)
			o->twin[v] = u;
	}
}

/* By what a vertex looks like: how many it stands for, whether they are joined, and their hosts. */
static void find_looks(struct order *o)
{
	const struct part *part = o->part;
	for (uint32_t v = 0; v < part->switches; v++)
		o->twin[v] = v;
	join_twins(o, false);
	join_twins(o, true);
	for (uint32_t v = 0; v < part->switches; v++) {
		uint64_t joined = part_cables(part, v, o->twin[v]) > 0;
		o->look[o->twin[v]] = (o->look[o->twin[v]] | part->hosts[v] | joined << 62) + (UINT64_C(1) << 32);
	}
}

static bool stands(const struct order *o, uint32_t v)
{
	return o->twin[v] == v;
}

/* Whether the link, seen from its lower end, is a vertex; and what that looks like. */
static bool is_vertex(const struct order *o, uint32_t v, const struct neighbour *n)
{
	return n->to > v && stands(o, n->to) && n->cables != o->usual;
}

static uint64_t link_look(const struct neighbour *n)
{
	return UINT64_C(1) << 63 | n->cables;
}

static void list_looks(struct order *o)
{
	const struct part *part = o->part;
	size_t count = 0, kept = 0;
	for (uint32_t v = 0; v < part->switches; v++) {
		if (!stands(o, v))
			continue;
		o->looks[count++] = o->look[v];
		for (uint32_t i = part->first[v]; i < part->first[v + 1]; i++)
			if (is_vertex(o, v, &part->neighbour[i]))
				o->looks[count++] = link_look(&part->neighbour[i]);
	}
	qsort(o->looks, count, sizeof *o->looks, compare_looks);
	for (size_t i = 0; i < count; i++)
		if (!i || o->looks[i] != o->looks[i - 1])
			o->looks[kept++] = o->looks[i];
	o->look_count = kept;
}

static uint32_t colour(const struct order *o, uint64_t look)
{
	const uint64_t *at = bsearch(&look, o->looks, o->look_count, sizeof look, compare_looks);
	return (uint32_t)(at - o->looks);
}

static void add_links(const struct order *o, BlissGraph *graph, uint32_t v)
{
	const struct part *part = o->part;
	for (uint32_t i = part->first[v]; i < part->first[v + 1]; i++) {
		const struct neighbour *n = &part->neighbour[i];
		if (is_vertex(o, v, n)) {
			uint32_t link = bliss_add_vertex(graph, colour(o, link_look(n)));
			bliss_add_edge(graph, o->vertex[v], link);
			bliss_add_edge(graph, link, o->vertex[n->to]);
		} else if (n->to > v && stands(o, n->to)) {
			bliss_add_edge(graph, o->vertex[v], o->vertex[n->to]);
		}
	}
}

static int find_order(struct order *o, uint32_t *order)
{
	uint32_t n = o->part->switches;
	BlissGraph *graph = bliss_new(0);
	BlissStats stats;
	find_looks(o);
	list_looks(o);
	for (uint32_t v = 0; v < n; v++)
		if (stands(o, v))
			o->vertex[v] = bliss_add_vertex(graph, colour(o, o->look[v]));
	for (uint32_t v = 0; v < n; v++)
		if (stands(o, v))
			add_links(o, graph, v);
	const unsigned *label = bliss_find_canonical_labeling(graph, NULL, NULL, &stats);
	for (uint32_t v = 0; v < n; v++) {
		order[v] = v;
		if (stands(o, v))
			o->place[v] = label[o->vertex[v]];
	}
	bliss_release(graph);
	qsort_r(order, n, sizeof *order, compare_places, o);
	return 0;
}

/* Returns whether bliss, which ends the program where there is no memory, will find some. */
static bool have_room(const struct part *part, struct error *error)
{
	size_t vertices = (size_t)part->switches + part->links;
	void *room = array_create(vertices, 200, error);
	free(room);
	return !error->status;
}

int part_order(const struct part *part, uint32_t *order, struct error *error)
{
	size_t n = part->switches, ends = part->first[n];
	struct order o = {
		.part = part,
		.hash = array_create(n, sizeof *o.hash, error),
		.list = array_create(n, sizeof *o.list, error),
		.twin = array_create(n, sizeof *o.twin, error),
		.look = array_create(n, sizeof *o.look, error),
		.looks = array_create(n + part->links, sizeof *o.looks, error),
		.vertex = array_create(n, sizeof *o.vertex, error),
		.place = array_create(n, sizeof *o.place, error),
	};
	uint32_t *cables = array_create(ends, sizeof *cables, error);
	for (size_t i = 0; i < ends && !error->status; i++)
		cables[i] = part->neighbour[i].cables;
	o.usual = error->status ? 0 : most_common(cables, ends);
	free(cables);
	if (!error->status && have_room(part, error))
		find_order(&o, order);
	free(o.hash);
	free(o.list);
	free(o.twin);
	free(o.look);
	free(o.looks);
	free(o.vertex);
	free(o.place);
	return error->status ? -1 : 0;
}
