/*
 * The structure of a topology, for routings and traffic: they look for a grid or for groups, never for the name of a kind, and therefore
 * accept any kind with the required structure. tests/unit/test_structure.c checks the structure of all kinds against their cables.
 */
#ifndef TOPOLOGIES_STRUCTURE_H
#define TOPOLOGIES_STRUCTURE_H

#include <stdbool.h>
#include <stdint.h>

enum { STRUCTURE_DIMENSIONS_MAX = 31, STRUCTURE_LEVELS_MAX = 32 };

/*
 * Channels lead from block to block, and in trees from switch to switch, only as the form states. Parallel cables (parallel=N) count as
 * one.
 */
enum structure_form {
	STRUCTURE_NONE,   /* none of these */
	STRUCTURE_GRID,   /* neighbours in each dimension are joined: meshes, tori; a routing function uses dimension order */
	STRUCTURE_FULL,   /* all blocks of a row are joined, in each dimension: HyperX; a routing function uses dimension order */
	STRUCTURE_GROUPS, /* all switches of a block are joined, and all blocks: dragonflies; a routing function uses at most one channel
			     between blocks, and at most one within a block before it, and after it */
	STRUCTURE_TREE,   /* switches on levels, cables from one level to the next */
};

/* A dimension of a grid. The coordinate of block b is b / (the product of the widths before) mod width. */
struct structure_dimension {
	uint32_t width;
	bool wraps;   /* the first block follows the last; for width 1 and 2 this adds no cable */
	bool one_way; /* channels lead to the next block only */
};

/*
 * A block is a switch with its hosts, or a host that forwards; in GROUPS a group; in TREE the hosts attached to the same switches, with
 * these switches; in a network of networks a copy of the inner one. Hosts are numbered block by block, and so are switches, those of all
 * blocks first. The hosts of a block have one cable each, and are distributed evenly over its switches in order; but in a TREE each host
 * has cables to every switch of its block, and in a network of networks the inner one decides.
 */
struct topology_structure {
	enum structure_form form;
	bool nested;              /* blocks are networks of their own */
	uint32_t blocks;          /* 0: unknown */
	uint32_t hosts, switches; /* of each block; no switches: hosts forward */
	/* In GRID and FULL, the first dimension varies fastest. */
	uint32_t dimensions;
	struct structure_dimension dimension[STRUCTURE_DIMENSIONS_MAX];
	uint32_t between; /* in GROUPS: cables between two of them */
	/* In TREE, the lowest level, that of the switches of blocks, is number 0. */
	uint32_t levels;
	uint32_t first[STRUCTURE_LEVELS_MAX]; /* [levels] the first switch of each level */
};

/* Returns whether there is a wrap-around cable in addition to those between neighbours; in a one-way dimension: a channel. */
static inline bool structure_goes_round(const struct structure_dimension *dimension)
{
	return dimension->wraps && dimension->width > (dimension->one_way ? 1 : 2);
}

#endif
