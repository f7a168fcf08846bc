#include "shapes/tree_levels.h"

#include "shapes/fat_tree.h"

#include <stdlib.h>

/* Returns the channels between switches of the same level. */
static uint32_t count_within(const struct fabric *f, const uint32_t *level)
{
	uint32_t count = 0;
	for (uint32_t v = 0; v < f->nodes; v++)
		for (uint32_t c = f->first_channel[v]; c < f->first_channel[v + 1]; c++)
			count += f->node_host[v] == NONE && f->node_host[f->head[c]] == NONE && level[v] == level[f->head[c]];
	return count;
}

bool levels_are_layered(const struct fabric *fabric, const uint32_t *level)
{
	return !count_within(fabric, level);
}

uint32_t *tree_levels_make(const struct fabric *fabric, struct error *error)
{
	uint32_t *level = host_distances_make(fabric, error), *reverse = NULL, within = level ? count_within(fabric, level) : 0;
	struct fat_tree tree = {0};
	if (within && (reverse = fabric_reverse(fabric, error)) && !fat_tree_find(&tree, fabric, reverse, error) && tree.found &&
		count_within(fabric, tree.level) < within)
		for (uint32_t v = 0; v < fabric->nodes; v++)
			level[v] = fabric->node_host[v] != NONE ? LEVEL_HOST : tree.level[v] != NONE ? tree.level[v] : LEVEL_NONE;
	fat_tree_clear(&tree);
	free(reverse);
	if (!error->status)
		return level;
	free(level);
	return NULL;
}
