#include "shapes/tree_levels.h"

#include "shapes/fat_tree.h"

#include <stdlib.h>

/* Returns whether all channels between switches join different levels. */
static bool is_layered(const struct fabric *f, const uint32_t *level)
{
	for (uint32_t v = 0; v < f->nodes; v++)
		for (uint32_t c = f->first_channel[v]; c < f->first_channel[v + 1]; c++)
			if (f->node_host[v] == NONE && level[v] == level[f->head[c]])
				return false;
	return true;
}

uint32_t *tree_levels_make(const struct fabric *fabric, struct error *error)
{
	uint32_t *level = host_distances_make(fabric, error), *reverse = NULL;
	struct fat_tree tree = {0};
	if (level && !is_layered(fabric, level) && (reverse = fabric_reverse(fabric, error)) &&
		!fat_tree_find(&tree, fabric, reverse, error) && tree.found)
		for (uint32_t v = 0; v < fabric->nodes; v++)
			level[v] = fabric->node_host[v] != NONE ? LEVEL_HOST : tree.level[v] != NONE ? tree.level[v] : LEVEL_NONE;
	fat_tree_clear(&tree);
	free(reverse);
	if (!error->status)
		return level;
	free(level);
	return NULL;
}
