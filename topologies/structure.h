/*
 * The structure of a topology, for those who route it or send through it: they look for a grid or for groups, never for the name of a kind,
 * and so take any kind that states the structure they need. tests/unit/test_structure.c checks the statements of all kinds against their
 * cables.
 */
#ifndef TOPOLOGIES_STRUCTURE_H
#define TOPOLOGIES_STRUCTURE_H

#include <stdbool.h>
#include <stdint.h>

enum { STRUCTURE_DIMENSIONS_MAX = 31, STRUCTURE_LEVELS_MAX = 32 };

/* Channels lead from block to block, and of trees from switch to switch, only where the form says so. Parallel cables (parallel=N) count as
 * one. */
enum structure_form {
	STRUCTURE_NONE,   /* none of these */
	STRUCTURE_GRID,   /* neighbours in each dimension are joined: meshes, tori; a routing function goes in dimension order */
	STRUCTURE_FULL,   /* all blocks of a row are joined, in each dimension: HyperX; a routing function goes in dimension order */
	STRUCTURE_GROUPS, /* all switches of a block are joined, and all blocks: dragonflies; a routing function uses at most one channel
			     between blocks, and at most one within a block before it, and behind it */
	STRUCTURE_TREE,   /* switches on levels, cables from one level to the next */
};

/* A dimension of a grid. The coordinate of block b is b / (the product of the widths before) mod width. */
struct structure_dimension {
	uint32_t width;
	bool wraps;   /* behind the last block comes the first; of width 1 and 2 this adds no cable */
	bool one_way; /* channels lead to the next block only */
};

/*
 * A block is a switch with its hosts, or a host that forwards; of GROUPS a group; of TREE the hosts that hang on the same switches, with
 * these switches; of a network of networks a copy of the inner one. Hosts count block by block. So do switches, those of all blocks first.
 * The hosts of a block have one cable each, and are shared out evenly over its switches in their order; but in a TREE each host has cables
 * to every switch of its block, and in a network of networks the inner one says.
 */
struct topology_structure {
	enum structure_form form;
	bool nested;              /* blocks are networks of their own */
	uint32_t blocks;          /* 0: the topology does not say */
	uint32_t hosts, switches; /* of each block; no switches: hosts forward */
	/* Of GRID and FULL, the first dimension fastest. */
	uint32_t dimensions;
	struct structure_dimension dimension[STRUCTURE_DIMENSIONS_MAX];
	uint32_t between; /* of GROUPS: cables between two of them */
	/* Of TREE; the lowest level, of the switches of blocks, is number 0. */
	uint32_t levels;
	uint32_t first[STRUCTURE_LEVELS_MAX]; /* [levels] the first switch of each level */
};

/* Whether there is a cable round, beside those between neighbours; of a dimension that is one way: a channel. */
static inline bool structure_goes_round(const struct structure_dimension *dimension)
{
	return dimension->wraps && dimension->width > (dimension->one_way ? 1 : 2);
}

#endif
