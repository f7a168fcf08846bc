#include "shapes/ideal_tree.h"

#include "base/disjoint.h"
#include "base/memory.h"
#include "shapes/shape.h"

#include <stdlib.h>
#include <string.h>

void ideal_tree_clear(struct ideal_tree *tree)
{
	for (uint32_t i = 0; i <= IDEAL_LEVELS; i++)
		free(tree->subtree[i]);
	*tree = (struct ideal_tree){0};
}

/* Adds a level whose subtrees all have width hosts, except possibly the last. */
static int add_regular(struct ideal_tree *tree, uint32_t level, uint64_t width, struct error *error)
{
	tree->subtree[level] = array_create(tree->hosts, sizeof **tree->subtree, error);
	for (uint32_t h = 0; tree->subtree[level] && h < tree->hosts; h++)
		tree->subtree[level][h] = (uint32_t)(h / width);
	tree->subtrees[level] = (uint32_t)((tree->hosts + width - 1) / width);
	tree->most[level] = (uint32_t)width;
	tree->alike[level] = tree->hosts % width == 0;
	tree->channels[level] = width;
	tree->speed[level] = 1;
	return tree->subtree[level] ? 0 : -1;
}

int ideal_tree_regular(struct ideal_tree *tree, uint32_t hosts, uint32_t levels, uint32_t leaf, struct error *error)
{
	*tree = (struct ideal_tree){.hosts = hosts, .levels = 1};
	for (uint64_t width = leaf; tree->levels < levels && tree->levels < IDEAL_LEVELS && leaf > 1 && width < hosts; width *= leaf)
		if (add_regular(tree, tree->levels++, width, error))
			return -1;
	tree->most[tree->levels] = hosts;
	tree->alike[tree->levels] = true;
	return 0;
}

/* ---- of a fabric */

/* A fabric whose switches have levels. */
struct levelled {
	const struct fabric *fabric;
	const struct shape *shape;
	uint32_t *parent;                 /* [nodes] union-find forest of connected switches */
	uint32_t *leaf;                   /* [hosts] the host's switch in the first plane */
	uint32_t *root[IDEAL_LEVELS + 1]; /* [hosts] per level: representative of the host's subtree */
	uint32_t *order;                  /* [hosts] hosts, sorted by subtree */
	uint32_t *count;                  /* [nodes] channels up */
	uint32_t levels;
};

static bool is_switch(const struct fabric *f, uint32_t v)
{
	return f->node_host[v] == NONE;
}

/* Joins switches that are connected by cables between different levels, all of them below the level. */
static void join_below(struct levelled *l, uint32_t level)
{
	const struct fabric *f = l->fabric;
	const uint32_t *at = l->shape->level;
	for (uint32_t v = 0; v < f->nodes; v++)
		for (uint32_t c = f->first_channel[v]; is_switch(f, v) && c < f->first_channel[v + 1]; c++) {
			uint32_t head = f->head[c];
			if (is_switch(f, head) && at[v] != at[head] && at[v] < level && at[head] < level)
				disjoint_join(l->parent, v, head);
		}
}

/* Finds each host's switch in the plane of the first host. Returns whether each host has exactly one. All levels must be joined. */
static bool find_leaves(struct levelled *l)
{
	const struct fabric *f = l->fabric;
	uint32_t plane = NONE;
	for (uint32_t h = 0; h < f->hosts; h++) {
		l->leaf[h] = NONE;
		for (uint32_t v = f->host_node[h], c = f->first_channel[v]; c < f->first_channel[v + 1]; c++) {
			uint32_t head = f->head[c];
			if (!is_switch(f, head))
				return false;
			plane = plane == NONE ? disjoint_root(l->parent, head) : plane;
			if (disjoint_root(l->parent, head) != plane || l->leaf[h] == head)
				continue;
			if (l->leaf[h] != NONE)
				return false;
			l->leaf[h] = head;
		}
		if (l->leaf[h] == NONE)
			return false;
	}
	return true;
}

/* Names each host's subtree of the level: a host on a switch above the level is a subtree of its own. */
static void name_subtrees(struct levelled *l, uint32_t level)
{
	for (uint32_t h = 0; h < l->fabric->hosts; h++)
		l->root[level][h] = l->shape->level[l->leaf[h]] < level ? disjoint_root(l->parent, l->leaf[h]) : l->fabric->host_node[h];
}

/* Finds the most channels up from a subtree of the level, over all planes, and the fastest. */
static void count_channels(struct levelled *l, uint32_t level, struct ideal_tree *tree)
{
	const struct fabric *f = l->fabric;
	const uint32_t *at = l->shape->level;
	uint32_t most = 0;
	memset(l->count, 0, f->nodes * sizeof *l->count);
	tree->speed[level] = 1;
	for (uint32_t v = 0; v < f->nodes; v++)
		for (uint32_t c = f->first_channel[v]; is_switch(f, v) && c < f->first_channel[v + 1]; c++) {
			if (!is_switch(f, f->head[c]) || at[v] >= level || at[f->head[c]] < level)
				continue;
			uint32_t *count = &l->count[disjoint_root(l->parent, v)];
			most = ++*count > most ? *count : most;
			tree->speed[level] = f->speed[c] > tree->speed[level] ? f->speed[c] : tree->speed[level];
		}
	tree->channels[level] = (uint64_t)most * l->shape->planes;
}

static int compare_places(const void *left, const void *right, void *data)
{
	const struct levelled *l = data;
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	for (uint32_t level = l->levels; --level;)
		if (l->root[level][a] != l->root[level][b])
			return l->root[level][a] < l->root[level][b] ? -1 : 1;
	return a < b ? -1 : a > b;
}

/* Numbers the subtrees of the level, and counts their hosts. */
static int number_subtrees(struct levelled *l, uint32_t level, struct ideal_tree *tree, struct error *error)
{
	uint32_t *subtree = tree->subtree[level] = array_create(tree->hosts, sizeof *subtree, error), size = 0, least = tree->hosts;
	for (uint32_t i = 0, number = 0; subtree && i < tree->hosts; i++) {
		bool next = i && l->root[level][l->order[i]] != l->root[level][l->order[i - 1]];
		least = next && size < least ? size : least;
		size = next ? 1 : size + 1;
		subtree[i] = number += next;
		tree->subtrees[level] = number + 1;
		tree->most[level] = size > tree->most[level] ? size : tree->most[level];
	}
	tree->alike[level] = (size < least ? size : least) == tree->most[level];
	return subtree ? 0 : -1;
}

/* Adds full bisection bandwidth. A level with a subtree of all hosts is the top. */
static void fill_up(struct ideal_tree *tree)
{
	uint64_t below = 1;
	uint32_t level = 1;
	for (; level < tree->levels && tree->most[level] < tree->hosts; level++) {
		uint64_t wanted = tree->channels[level] > tree->most[level] ? tree->channels[level] : tree->most[level];
		below = tree->channels[level] = (wanted + below - 1) / below * below;
	}
	tree->levels = level;
	tree->most[level] = tree->hosts;
	tree->alike[level] = true;
}

static int make_tree(struct levelled *l, struct ideal_tree *tree, struct error *error)
{
	disjoint_init(l->parent, l->fabric->nodes);
	for (uint32_t level = 1; level < l->levels; level++) {
		join_below(l, level);
		name_subtrees(l, level);
		count_channels(l, level, tree);
	}
	for (uint32_t h = 0; h < tree->hosts; h++)
		l->order[h] = h;
	qsort_r(l->order, tree->hosts, sizeof *l->order, compare_places, l);
	for (uint32_t level = 1; level < l->levels; level++)
		if (number_subtrees(l, level, tree, error))
			return -1;
	tree->levels = l->levels;
	fill_up(tree);
	return 0;
}

/* Returns whether the fabric is a tree with a level for each switch, and sets these levels. */
static bool find_levels(struct levelled *l)
{
	const struct fabric *f = l->fabric;
	for (uint32_t v = 0; l->shape->level && v < f->nodes; v++) {
		l->parent[v] = v;
		if (is_switch(f, v) && l->shape->level[v] >= l->levels)
			l->levels = l->shape->level[v] + 1;
	}
	if (!l->shape->level || l->levels > IDEAL_LEVELS)
		return false;
	join_below(l, l->levels);
	return find_leaves(l);
}

int ideal_tree_of(struct ideal_tree *tree, const struct fabric *fabric, bool *known, struct error *error)
{
	struct shape shape = {0};
	struct levelled l = {.fabric = fabric, .shape = &shape};
	uint32_t *reverse = fabric_reverse(fabric, error);
	*tree = (struct ideal_tree){.hosts = fabric->hosts};
	*known = false;
	l.parent = array_create(fabric->nodes, sizeof *l.parent, error);
	l.count = array_create(fabric->nodes, sizeof *l.count, error);
	l.leaf = array_create(fabric->hosts, sizeof *l.leaf, error);
	l.order = array_create(fabric->hosts, sizeof *l.order, error);
	if (!error->status && !shape_find(&shape, fabric, reverse, error) && find_levels(&l)) {
		for (uint32_t level = 1; level < l.levels; level++)
			l.root[level] = array_create(fabric->hosts, sizeof **l.root, error);
		*known = !error->status && !make_tree(&l, tree, error);
	}
	shape_clear(&shape);
	free(reverse);
	free(l.parent);
	free(l.count);
	free(l.leaf);
	free(l.order);
	for (uint32_t level = 0; level <= IDEAL_LEVELS; level++)
		free(l.root[level]);
	return error->status ? -1 : 0;
}
