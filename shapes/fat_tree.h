/*
 * The fat tree that a real fabric is meant to be: damaged, extended, built of directors, with several rails. Unlike a shape (shape.h) it
 * need not be regular. Switches have levels, leaves are level 0; between two levels, groups of upper switches are each joined to all of a
 * group of lower switches by trunks of equally many cables. Such a pair of groups is a block; blocks differ in size and width, and a lower
 * switch can be in several. What most switches of a block have in common is expected of all; other cables are missing or surplus.
 */
#ifndef SHAPES_FAT_TREE_H
#define SHAPES_FAT_TREE_H

#include "fabric/fabric.h"

#include <stdbool.h>

enum { FAT_TREE_LEVELS = 8 };

/* Lower and upper switches that are all joined: fat_tree.member[first] .., the lower ones first. */
struct fat_block {
	uint32_t level; /* of the lower switches */
	uint32_t first, lowers, uppers;
	uint32_t least, most; /* cables between two of them; they differ if there is no usual number */
	uint32_t missing;     /* number of upper switches that seem to be missing */
};

/* A cable that is missing between two switches of a block (channel is NONE), or surplus (channel is one of its directions). */
struct fat_cable {
	uint32_t lower, upper; /* nodes; of a surplus cable its tail and head */
	uint32_t channel;
	uint32_t block; /* of a missing cable */
	uint32_t cause; /* the end that does not fit; NONE if both fit */
};

/* A switch that does not fit: more than half as many of its cables deviate as the tree expects, or it is above the leaves with no switch
 * below it. */
struct fat_misfit {
	uint32_t node;
	uint32_t expected, missing, surplus; /* cables; deviations that another misfit causes do not count */
};

struct fat_tree {
	bool found;
	uint32_t levels;                /* number of levels of switches */
	uint32_t *level;                /* [nodes] NONE: a host, or a switch outside of all trees */
	uint32_t size[FAT_TREE_LEVELS]; /* switches of each level that fit */
	struct fat_block *block;        /* [blocks] */
	uint32_t *member;
	struct fat_misfit *misfit; /* [misfits] by level, those outside of all trees last; then by node */
	struct fat_cable
		*cable; /* [missing + surplus] missing ones first; those of a misfit in the order of the misfits, then the others */
	uint32_t *root; /* [roots] the top of the tree: see fat_tree_find() */
	uint32_t blocks, misfits, missing, surplus, roots;
	uint32_t missing_switches;                                        /* their cables are not in the list */
	size_t members, block_room, member_room, misfit_room, cable_room; /* internal */
};

/*
 * Finds the fat tree. Parts of the switches that no cable joins are trees of their own; levels count from the leaves in all of them. It is
 * found if its blocks explain at least three quarters of the cables between switches, and no more than a third of the switches does not
 * fit. Hosts do not matter, except that leaves have most of them.
 * Levels are those with which most cables join adjacent levels, beginning with the distances from the leaves. The top is the lowest level
 * with a switch that sees nine tenths of the leaves which any switch sees, going down only; the roots are the switches of the top that see
 * at least half as many. Whatever is above hangs below the top, such as switches for management at the cores. reverse: the result of
 * fabric_reverse(). Returns 0, or -1 if out of memory; call fat_tree_clear() in either case. Time little more than O(channels * levels),
 * plus O(switches * misfits).
 */
int fat_tree_find(struct fat_tree *tree, const struct fabric *fabric, const uint32_t *reverse, struct error *error);
void fat_tree_clear(struct fat_tree *tree);

/*
 * Returns the port at a missing cable's end (its lower or upper node) by which most other switches of the block are cabled to the other
 * end, if it is not in use; 0: unknown. nth: which of several missing cables between the same switches, from 0. The fabric must have
 * labels.
 */
uint32_t fat_tree_port(const struct fat_tree *tree, const struct fabric *fabric, const struct fat_cable *cable, bool upper, uint32_t nth);

#endif
