/* The levels of switches, of trees and of all other fabrics. */
#ifndef SHAPES_TREE_LEVELS_H
#define SHAPES_TREE_LEVELS_H

#include "fabric/host_distances.h"

/*
 * Returns a new array [nodes] of levels: distances from the hosts (host_distances_make()), unless cables join switches of equal distance
 * and the levels of a fat tree (fat_tree_find()) have fewer such cables, as where hosts are above its leaves: then these, LEVEL_NONE of
 * switches outside of it, LEVEL_HOST of hosts. NULL if out of memory. Time O(channels), or that of fat_tree_find().
 */
uint32_t *tree_levels_make(const struct fabric *fabric, struct error *error);

/* Returns whether no channel joins switches of the same level. Time O(channels). */
bool levels_are_layered(const struct fabric *fabric, const uint32_t *level);

#endif
