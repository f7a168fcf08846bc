/* The lists that OpenSM's updn and ftree take from files: root switches, and the compute nodes below them. */
#ifndef ROUTINGS_USUAL_LISTS_H
#define ROUTINGS_USUAL_LISTS_H

#include "shapes/fat_tree.h"

/*
 * Returns a new array [*count] of root switches: the top of the fat tree; without one the switches farthest from the hosts; where all have
 * hosts the first if `any`, otherwise none. tree: receives the tree, which the caller clears in every case. NULL if out of memory. Time
 * that of fat_tree_find().
 */
uint32_t *roots_usual(const struct fabric *fabric, bool any, struct fat_tree *tree, uint32_t *count, struct error *error);

/*
 * Returns a new array [*count] of the hosts (nodes) at the distance from the roots where most are: ftree wants its compute nodes at one.
 * NULL if out of memory. Time O(channels).
 */
uint32_t *compute_nodes_usual(const struct fabric *fabric, const uint32_t *root, uint32_t roots, uint32_t *count, struct error *error);

#endif
