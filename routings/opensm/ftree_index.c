/* Every switch gets a place: its rank, then a number for each level by which it differs from the others of that rank. */
#include "base/memory.h"
#include "base/number_table.h"
#include "routings/opensm/ftree.h"

#include <stdlib.h>
#include <string.h>

#define NO_PLACE UINT64_MAX

static uint64_t with_byte(uint64_t place, uint32_t position, uint64_t value)
{
	unsigned shift = 56 - 8 * position;
	return (place & ~(UINT64_C(255) << shift)) | value << shift;
}

/* Switches above or below that have no place yet get the one at hand, with the rank and the first free number at that level. */
static void name(struct ftree *tree, struct number_table *taken, uint32_t s, int d, uint32_t *queue, uint32_t *count)
{
	const uint32_t *first = &tree->first[s * FTREE_DIRECTIONS + (uint32_t)d];
	uint32_t level = d == FTREE_DOWN ? tree->rank[s] + 1 : tree->rank[s];
	for (uint32_t i = first[0]; i < first[1]; i++) {
		uint32_t to = tree->group[tree->sorted[i]].to;
		if (tree->place[to] != NO_PLACE)
			continue;
		uint64_t place = with_byte(tree->place[s], 0, tree->rank[to]), number = 0;
		while (number < 255 && !number_table_add(taken, with_byte(place, level, number), 1))
			number++;
		tree->place[to] = with_byte(place, level, number);
		queue[(*count)++] = to;
	}
}

/* By the places of the neighbours, stable. */
static void sort(struct ftree *tree, uint32_t s, int d)
{
	const uint32_t *first = &tree->first[s * FTREE_DIRECTIONS + (uint32_t)d];
	for (uint32_t i = first[0]; i < first[1]; i++) {
		uint32_t group = tree->sorted[i], at = i;
		for (; at > first[0] && tree->place[tree->group[tree->sorted[at - 1]].to] > tree->place[tree->group[group].to]; at--)
			tree->sorted[at] = tree->sorted[at - 1];
		tree->sorted[at] = group;
	}
}

static int by_place(const void *left, const void *right, void *tree)
{
	const uint64_t *place = ((const struct ftree *)tree)->place;
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	return place[a] != place[b] ? (place[a] > place[b]) - (place[a] < place[b]) : (a > b) - (a < b);
}

/* Those on the leaves' rank, from the first with compute nodes to the last. */
static void list_leaves(struct ftree *tree)
{
	uint32_t count = 0, begin = 0;
	for (uint32_t s = 0; s < tree->fabric->switches; s++)
		if (tree->rank[s] == tree->leaf_rank)
			tree->leaf[count++] = s;
	qsort_r(tree->leaf, count, sizeof *tree->leaf, by_place, tree);
	while (begin < count && !tree->compute[tree->leaf[begin]])
		begin++;
	while (count > begin && !tree->compute[tree->leaf[count - 1]])
		count--;
	tree->leaves = count - begin;
	memmove(tree->leaf, tree->leaf + begin, tree->leaves * sizeof *tree->leaf);
}

int ftree_index(struct ftree *tree, struct error *error)
{
	struct number_table taken = {0};
	uint32_t count = 0, start = 0, *queue = array_create(tree->fabric->switches, sizeof *queue, error);
	if (queue && !number_table_init(&taken, tree->fabric->switches, error)) {
		memset(tree->place, 0xff, tree->fabric->switches * sizeof *tree->place); /* NO_PLACE */
		while (!tree->compute[start])                                            /* which only leaves have */
			start++;
		tree->place[start] = with_byte(0, 0, tree->leaf_rank);
		number_table_add(&taken, tree->place[start], 1);
		queue[count++] = start;
		for (uint32_t i = 0; i < count; i++) {
			uint32_t s = queue[i];
			if (tree->rank[s] < tree->leaf_rank) {
				name(tree, &taken, s, FTREE_DOWN, queue, &count);
				sort(tree, s, FTREE_DOWN);
			}
			if (tree->rank[s]) {
				name(tree, &taken, s, FTREE_UP, queue, &count);
				sort(tree, s, FTREE_UP);
			}
		}
		list_leaves(tree);
	}
	free(queue);
	number_table_clear(&taken);
	return error->status ? -1 : 0;
}
