/*
 * The fat trees of ideal.h: which hosts share a leaf, a pod and so on, and how many channels lead up from each subtree.
 *
 * The tree of a fabric has its levels, leaves and pods as recognised by shapes/shape.h, but full bisection bandwidth: from each subtree
 * lead at least as many channels up as it has hosts, and at least as many as in the fabric.
 */
#ifndef SHAPES_IDEAL_TREE_H
#define SHAPES_IDEAL_TREE_H

#include "fabric/fabric.h"

#include <stdbool.h>
#include <stdint.h>

enum { IDEAL_LEVELS = 8 };

/* Subtrees of level 1 are leaves; the top level has one subtree. Hosts are numbered subtree by subtree, on all levels. */
struct ideal_tree {
	uint32_t hosts, levels;
	uint32_t most[IDEAL_LEVELS + 1];     /* hosts of the largest subtree of each level from 1 up; of the top, all hosts */
	bool alike[IDEAL_LEVELS + 1];        /* whether all subtrees of the level have equally many hosts */
	uint32_t *subtree[IDEAL_LEVELS + 1]; /* [hosts] per level below the top: the host's subtree, numbered from 0 */
	uint32_t subtrees[IDEAL_LEVELS + 1]; /* number of subtrees per level below the top */
	uint64_t channels[IDEAL_LEVELS + 1]; /* per level below the top: channels up from a subtree, a multiple of those below */
	double speed[IDEAL_LEVELS + 1];      /* speed of these channels relative to the slowest host link; at least 1 */
};

/*
 * Initialises a regular tree with this number of levels and of hosts per leaf; a switch has as many children as a leaf has hosts, the top
 * switch as many as needed. Levels that the hosts do not need are left out. Returns 0, or -1; call ideal_tree_clear() in either case.
 */
int ideal_tree_regular(struct ideal_tree *tree, uint32_t hosts, uint32_t levels, uint32_t leaf, struct error *error);

/*
 * Initialises the tree of a fabric. *known: whether the fabric is a tree; otherwise the result is empty. Returns 0, or -1 if out of memory;
 * call ideal_tree_clear() in either case. Time that of shape_find(), plus O(levels * channels).
 */
int ideal_tree_of(struct ideal_tree *tree, const struct fabric *fabric, bool *known, struct error *error);

void ideal_tree_clear(struct ideal_tree *tree);

#endif
