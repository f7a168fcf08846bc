#include "base/memory.h"
#include "shapes/fat_tree_part.h"

#include <stdlib.h>
#include <string.h>

enum { SAMPLE_WORDS = 4, SAMPLES = 64 * SAMPLE_WORDS, PASSES = 100, LEVELS_SEARCHED = 2 * FAT_TREE_LEVELS };

int tree_part_init(struct tree_part *tree, const struct part *part, struct error *error)
{
	size_t n = part->switches, ends = part->first[n];
	*tree = (struct tree_part){
		.part = part,
		.leaf = array_create(n, sizeof *tree->leaf, error),
		.level = array_create(n, sizeof *tree->level, error),
		.root = array_create(n, sizeof *tree->root, error),
		.below = array_create(n, sizeof *tree->below, error),
		.uppers = array_create(n, sizeof *tree->uppers, error),
		.lowers = array_create(n, sizeof *tree->lowers, error),
		.lacking = array_create(n, sizeof *tree->lacking, error),
		.block = array_create(ends, sizeof *tree->block, error),
		.blocks = array_create(n, sizeof *tree->blocks, error),
		.expected = array_create(n, sizeof *tree->expected, error),
		.order = array_create(n, sizeof *tree->order, error),
		.tally = array_create(n, sizeof *tree->tally, error),
		.values = array_create(n + ends, sizeof *tree->values, error),
	};
	return error->status ? -1 : 0;
}

void tree_part_clear(struct tree_part *tree)
{
	free(tree->leaf);
	free(tree->level);
	free(tree->root);
	free(tree->below);
	free(tree->uppers);
	free(tree->lowers);
	free(tree->lacking);
	free(tree->block);
	free(tree->blocks);
	free(tree->expected);
	free(tree->order);
	free(tree->tally);
	free(tree->values);
	*tree = (struct tree_part){0};
}

/* ---- leaves */

/* Returns whether v has more than half of its neighbours in common with a leaf, and the leaf with v; hosts or not. */
static bool is_like_leaf(struct tree_part *t, uint32_t v)
{
	const struct part *part = t->part;
	bool alike = false;
	for (int count = 1; count >= 0; count--) /* first pass counts, second resets */
		for (uint32_t i = part->first[v]; i < part->first[v + 1]; i++)
			for (uint32_t u = part->neighbour[i].to, k = part->first[u]; k < part->first[u + 1]; k++) {
				uint32_t other = part->neighbour[k].to;
				t->tally[other] = count ? t->tally[other] + 1 : 0;
				alike |= t->leaf[other] && 2 * t->tally[other] > part_degree(part, v) &&
					 2 * t->tally[other] > part_degree(part, other);
			}
	return alike;
}

/*
 * Marks the leaves: switches with at least half as many hosts as most switches with hosts have, and switches that are cabled like one of
 * them. A switch beside several leaves is above them.
 */
static void find_leaves(struct tree_part *t)
{
	const struct part *part = t->part;
	uint32_t count = 0, found = 0;
	for (uint32_t v = 0; v < part->switches; v++)
		if (part->hosts[v])
			t->values[count++] = part->hosts[v];
	uint32_t usual = most_common(t->values, count);
	for (uint32_t v = 0; v < part->switches; v++)
		t->leaf[v] = part->hosts[v] && 2 * (uint64_t)part->hosts[v] >= usual;
	for (uint32_t v = 0; v < part->switches; v++) {
		uint32_t beside = 0;
		for (uint32_t i = part->first[v]; i < part->first[v + 1]; i++)
			beside += t->leaf[part->neighbour[i].to];
		if (!t->leaf[v] && beside < 2 && is_like_leaf(t, v))
			t->values[found++] = v;
	}
	while (found)
		t->leaf[t->values[--found]] = true;
}

/* ---- levels */

/* Sets the levels by the distance from the leaves. Returns whether all switches are connected to one. */
static bool measure_levels(struct tree_part *t)
{
	const struct part *part = t->part;
	uint32_t from = 0, to = 0;
	for (uint32_t v = 0; v < part->switches; v++) {
		t->level[v] = t->leaf[v] ? 0 : NONE;
		if (t->leaf[v])
			t->order[to++] = v;
	}
	for (; from < to; from++)
		for (uint32_t v = t->order[from], i = part->first[v]; i < part->first[v + 1]; i++) {
			uint32_t u = part->neighbour[i].to;
			if (t->level[u] == NONE) {
				t->level[u] = t->level[v] + 1;
				if (t->level[u] >= FAT_TREE_LEVELS)
					return false;
				t->order[to++] = u;
			}
		}
	return to == part->switches;
}

/* Returns how many more cables of v would join adjacent levels if it had another level, *best; 0: none. Of several, the lowest level of a
 * leaf, the highest of others, which are not level 0. */
static uint32_t gain_of_move(const struct tree_part *t, uint32_t v, uint32_t *best)
{
	const struct part *part = t->part;
	uint32_t cables[LEVELS_SEARCHED + 2] = {0}, *at = cables + 1, most; /* at[l]: to neighbours of level l - 1 */
	for (uint32_t i = part->first[v]; i < part->first[v + 1]; i++)
		at[t->level[part->neighbour[i].to] + 1] += part->neighbour[i].cables;
	uint32_t own = at[t->level[v]] + at[t->level[v] + 2];
	most = own;
	for (uint32_t l = t->leaf[v] ? 0 : 1; l < FAT_TREE_LEVELS; l++) {
		uint32_t joined = at[l] + at[l + 2];
		if (joined > most || (joined == most && most > own && !t->leaf[v])) {
			most = joined;
			*best = l;
		}
	}
	return most - own;
}

/* Moves switches to other levels, those first that gain most. */
static void improve_levels(struct tree_part *t)
{
	uint32_t best = 0;
	for (int pass = 0; pass < PASSES; pass++) {
		uint32_t most = 0;
		for (uint32_t v = 0; v < t->part->switches; v++) {
			uint32_t gain = gain_of_move(t, v, &best);
			most = gain > most ? gain : most;
		}
		if (!most)
			return;
		for (uint32_t v = 0; v < t->part->switches; v++)
			if (gain_of_move(t, v, &best) >= most)
				t->level[v] = best;
	}
}

/* ---- the top */

/* Sorts the switches by level into t->order. */
static void order_by_level(struct tree_part *t)
{
	uint32_t count = 0;
	for (uint32_t l = 0; l < FAT_TREE_LEVELS; l++)
		for (uint32_t v = 0; v < t->part->switches; v++)
			if (t->level[v] == l)
				t->order[count++] = v;
}

/* Computes how many of a sample of leaves each switch sees, going down only. seen: [switches] */
static int count_seen(struct tree_part *t, uint32_t *seen, struct error *error)
{
	const struct part *part = t->part;
	uint64_t(*mask)[SAMPLE_WORDS] = array_create(part->switches, sizeof *mask, error);
	uint32_t leaves = 0, leaf = 0;
	for (uint32_t v = 0; v < part->switches && mask; v++)
		leaves += t->leaf[v] && part->hosts[v];
	for (uint32_t i = 0; i < part->switches && mask; i++) {
		uint32_t v = t->order[i];
		if (t->leaf[v] && part->hosts[v]) {
			uint64_t sample = leaves <= SAMPLES ? leaf : (uint64_t)leaf * SAMPLES / leaves;
			bool first = leaves <= SAMPLES || !leaf || (uint64_t)(leaf - 1) * SAMPLES / leaves < sample;
			if (first)
				mask[v][sample / 64] |= UINT64_C(1) << sample % 64;
			leaf++;
		}
		for (uint32_t k = part->first[v]; k < part->first[v + 1]; k++)
			for (int w = 0; w < SAMPLE_WORDS && t->level[part->neighbour[k].to] < t->level[v]; w++)
				mask[v][w] |= mask[part->neighbour[k].to][w];
		for (int w = 0; w < SAMPLE_WORDS; w++)
			seen[v] += (uint32_t)__builtin_popcountll(mask[v][w]);
	}
	free(mask);
	return error->status ? -1 : 0;
}

/* Finds the top and the roots, and hangs whatever is above below the top. */
static void find_top(struct tree_part *t, const uint32_t *seen)
{
	uint32_t n = t->part->switches, most = 0, best[FAT_TREE_LEVELS] = {0};
	for (uint32_t v = 0; v < n; v++) {
		most = seen[v] > most ? seen[v] : most;
		best[t->level[v]] = seen[v] > best[t->level[v]] ? seen[v] : best[t->level[v]];
	}
	while (t->top < FAT_TREE_LEVELS - 1 && 10 * best[t->top] < 9 * most)
		t->top++;
	for (uint32_t v = 0; v < n && t->top; v++) {
		t->root[v] = t->level[v] == t->top && 2 * seen[v] >= best[t->top];
		if (t->level[v] > t->top)
			t->level[v] = t->top - 1;
	}
}

int tree_levels_find(struct tree_part *tree, struct error *error)
{
	uint32_t *seen = array_create(tree->part->switches, sizeof *seen, error);
	if (seen) {
		find_leaves(tree);
		if (measure_levels(tree)) {
			improve_levels(tree);
			order_by_level(tree);
			if (!count_seen(tree, seen, error))
				find_top(tree, seen);
		}
	}
	free(seen);
	return error->status ? -1 : 0;
}
