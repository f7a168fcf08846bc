#include "fabric/tree_routes.h"

#include "base/memory.h"
#include "fabric/routing_function.h"
#include "topologies/topology.h"

#include <stdlib.h>

/* Finds the numbers of ports of the nodes of each level. Returns whether all levels are even. */
static bool measure(const struct routing_function *c, const struct topology_structure *tree, uint32_t *ports)
{
	const struct topology *t = c->topology;
	bool all = routing_function_even(c, 0, t->hosts, &ports[0]);
	for (uint32_t l = 1; all && l <= tree->levels; l++)
		all = routing_function_even(
			c, t->hosts + tree->first[l - 1], t->hosts + (l < tree->levels ? tree->first[l] : t->switches), &ports[l]);
	return all;
}

static void fill(struct tree_routes *tree, const struct routing_function *c, const uint32_t *ports)
{
	const struct topology *t = c->topology;
	struct topology_climb climb[STRUCTURE_LEVELS_MAX + 1];
	for (uint32_t host = 0; host < t->hosts; host += tree->hosts.divisor) {
		struct tree_places *leaf = tree->leaf + (size_t)(host / tree->hosts.divisor) * tree->levels;
		t->kind->climb(t, host, climb);
		for (uint32_t l = 0; l < tree->levels; l++)
			leaf[l] = (struct tree_places){
				c->first[(l ? t->hosts : 0) + climb[l].own], c->first[t->hosts + climb[l + 1].own] + climb[l].down};
	}
	for (uint32_t host = 0; host < tree->period.divisor; host++) {
		struct tree_places *added = tree->added + (size_t)host * tree->levels;
		t->kind->climb(t, host, climb);
		for (uint32_t l = 0; l < tree->levels; l++)
			added[l] = (struct tree_places){
				ports[l] * climb[l].node + climb[l].up, ports[l + 1] * climb[l + 1].node + climb[l].cable};
	}
}

struct tree_routes *tree_routes_create(const struct routing_function *c, struct error *error)
{
	const struct topology *t = c->topology;
	struct topology_structure structure;
	struct topology_climb climb[STRUCTURE_LEVELS_MAX + 1];
	uint32_t ports[STRUCTURE_LEVELS_MAX + 1];
	if (!t->kind->climb)
		return NULL;
	topology_structure(t, &structure);
	if (!measure(c, &structure, ports))
		return NULL;
	struct tree_routes *tree = array_create(1, sizeof *tree, error);
	if (!tree)
		return NULL;
	*tree = (struct tree_routes){.levels = structure.levels,
		.first = ports[0],
		.hosts = reciprocal_of(structure.hosts),
		.period = reciprocal_of(t->kind->climb(t, t->hosts - 1, climb))};
	tree->last = structure.hosts > 1 ? climb[0].down / (structure.hosts - 1) : 0;
	tree->leaf = array_create((size_t)structure.blocks * tree->levels, sizeof *tree->leaf, error);
	tree->added = array_create((size_t)tree->period.divisor * tree->levels, sizeof *tree->added, error);
	if (!error->status) {
		fill(tree, c, ports);
		return tree;
	}
	tree_routes_free(tree);
	return NULL;
}

void tree_routes_free(struct tree_routes *tree)
{
	if (!tree)
		return;
	free(tree->leaf);
	free(tree->added);
	free(tree);
}

uint32_t tree_routes_places(const struct tree_routes *tree, uint32_t source, uint32_t destination, bool ends, uint32_t *places)
{
	const struct tree_places *from = tree_routes_leaf(tree, source), *to = tree_routes_leaf(tree, destination),
				 *added = tree_routes_added(tree, destination);
	uint32_t top = 1, length = 0;
	if (ends)
		places[length++] = from->up + added->up + remainder_of(source, tree->hosts) * tree->first;
	for (; top < tree->levels && from[top].up != to[top].up; top++)
		places[length++] = from[top].up + added[top].up;
	while (--top)
		places[length++] = to[top].down + added[top].down;
	if (ends)
		places[length++] = to->down + added->down + remainder_of(destination, tree->hosts) * tree->last;
	return length;
}
