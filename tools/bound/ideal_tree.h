/*
 * The fat trees of ideal.h: which hosts are on one leaf, in one pod and so on, and how many channels lead up from there.
 *
 * The tree of a fabric has its levels, leaves and pods as shapes/shape.h recognises them, but full bisection bandwidth: from each subtree
 * at least as many channels lead up as it has hosts, and as many as in the fabric if these are more.
 */
#ifndef TOOLS_BOUND_IDEAL_TREE_H
#define TOOLS_BOUND_IDEAL_TREE_H

#include "fabric/fabric.h"

#include <stdbool.h>
#include <stdint.h>

enum { IDEAL_LEVELS = 8 };

/* Subtrees of level 1 are leaves; the top is the only one of its level. Hosts are numbered subtree by subtree, on all levels. */
struct ideal_tree {
	uint32_t hosts, levels;
	uint32_t most[IDEAL_LEVELS + 1];     /* hosts of the largest subtree of each level from 1 on; of the top all */
	bool alike[IDEAL_LEVELS + 1];        /* all subtrees of the level have as many */
	uint32_t *subtree[IDEAL_LEVELS + 1]; /* [hosts] of each level below the top: its number, from 0 */
	uint32_t subtrees[IDEAL_LEVELS + 1]; /* below the top: how many */
	uint64_t channels[IDEAL_LEVELS + 1]; /* below the top: up from a subtree; a multiple of those of the level below */
	double speed[IDEAL_LEVELS + 1];      /* of these channels, in that of the slowest host link; at least 1 */
};

/* So many levels, and hosts on a leaf; a switch has as many children as a leaf, one at the top as many as it takes. Levels that the hosts
 * do not need are left out. Returns 0, or -1; ideal_tree_clear() in every case. */
int ideal_tree_regular(struct ideal_tree *tree, uint32_t hosts, uint32_t levels, uint32_t leaf, struct error *error);

/* The tree that a fabric is. *known: whether it is one; else the tree is empty. Returns 0, or -1 if out of memory;
 * ideal_tree_clear() in every case. Time that of shape_find(), and O(levels * channels). */
int ideal_tree_of(struct ideal_tree *tree, const struct fabric *fabric, bool *known, struct error *error);

void ideal_tree_clear(struct ideal_tree *tree);

#endif
