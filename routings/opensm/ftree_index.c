/* Every switch gets a place: its rank, then a number for each level by which it differs from the others of that rank. */
#include "base/memory.h"
#include "routings/opensm/ftree.h"

#include <stdlib.h>
#include <string.h>

#define NO_PLACE UINT64_MAX

/* The places that are taken: a hash table. */
struct taken {
	uint64_t *slot; /* [mask + 1], NO_PLACE: free */
	size_t mask;
};

static int taken_init(struct taken *taken, uint32_t count, struct error *error)
{
	taken->mask = 1;
	while (taken->mask < 2 * (size_t)count)
		taken->mask = 2 * taken->mask + 1;
	taken->slot = array_create(taken->mask + 1, sizeof *taken->slot, error);
	if (taken->slot)
		memset(taken->slot, 0xff, (taken->mask + 1) * sizeof *taken->slot); /* NO_PLACE */
	return taken->slot ? 0 : -1;
}

/* Returns whether the place was free. */
static bool take(struct taken *taken, uint64_t place)
{
	size_t i = (size_t)(place * UINT64_C(0x9e3779b97f4a7c15) >> 32) & taken->mask;
	while (taken->slot[i] != NO_PLACE && taken->slot[i] != place)
		i = (i + 1) & taken->mask;
	if (taken->slot[i] == place)
		return false;
	taken->slot[i] = place;
	return true;
}

static uint64_t with_byte(uint64_t place, uint32_t position, uint64_t value)
{
	unsigned shift = 56 - 8 * position;
	return (place & ~(UINT64_C(255) << shift)) | value << shift;
}

/* Switches above or below that have no place yet get the one at hand, with the rank and the first free number at that level. */
static void name(struct ftree *tree, struct taken *taken, uint32_t s, int d, uint32_t *queue, uint32_t *count)
{
	const uint32_t *first = &tree->first[s * FTREE_DIRECTIONS + (uint32_t)d];
	uint32_t level = d == FTREE_DOWN ? tree->rank[s] + 1 : tree->rank[s];
	for (uint32_t i = first[0]; i < first[1]; i++) {
		uint32_t to = tree->group[tree->sorted[i]].to;
		if (tree->place[to] != NO_PLACE)
			continue;
		uint64_t place = with_byte(tree->place[s], 0, tree->rank[to]), number = 0;
		while (number < 255 && !take(taken, with_byte(place, level, number)))
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
	struct taken taken = {0};
	uint32_t count = 0, start = 0, *queue = array_create(tree->fabric->switches, sizeof *queue, error);
	if (queue && !taken_init(&taken, tree->fabric->switches, error)) {
		memset(tree->place, 0xff, tree->fabric->switches * sizeof *tree->place); /* NO_PLACE */
		while (!tree->compute[start])                                            /* which only leaves have */
			start++;
		tree->place[start] = with_byte(0, 0, tree->leaf_rank);
		take(&taken, tree->place[start]);
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
	free(taken.slot);
	return error->status ? -1 : 0;
}
