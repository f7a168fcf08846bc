/*
 * What a topology is made like, in the words of those who route it or send through it: they ask for a grid or for groups, never for a kind
 * by its name, so that they take any kind that states the structure they need. tests/unit/test_structure.c holds what each kind states
 * against its cables.
 */
#ifndef TOPOLOGIES_STRUCTURE_H
#define TOPOLOGIES_STRUCTURE_H

#include <stdbool.h>
#include <stdint.h>

enum { STRUCTURE_DIMENSIONS_MAX = 31, STRUCTURE_LEVELS_MAX = 32 };

/* A channel leads from block to block, or from switch to switch, only where this says so. Parallel cables (parallel=N) count as one. */
enum structure_form {
	STRUCTURE_NONE,   /* none of these */
	STRUCTURE_GRID,   /* neighbours in each dimension are joined: meshes, tori. A routing function goes in dimension order. */
	STRUCTURE_FULL,   /* all blocks of a row are joined, in each dimension: HyperX. Likewise. */
	STRUCTURE_GROUPS, /* the switches of each block are all joined, and so is every block to every other: dragonflies. A routing
			     function takes one channel between blocks, and within a block goes straight. */
	STRUCTURE_TREE,   /* switches on levels, cables from one level to the next */
};

/* One of a grid: the number of coordinates, which are a block's number modulo width, the rest of which is divided by it. */
struct structure_dimension {
	uint32_t width;
	bool wraps;   /* the last block has the first as its next one; of width 1 and 2 that is no more cable */
	bool one_way; /* only the channels from each block to the next */
};

/*
 * Blocks: a switch with its hosts, or a host that forwards; of GROUPS a group; of TREE the hosts that hang on the same switches, with
 * these; of networks of networks a copy of the inner one. Hosts count block by block, the switches of all blocks come first and count
 * likewise. Every switch of a block has as many of its hosts, each of these has one cable; but of TREE a host has cables to every switch of
 * its block, and of nested ones it is up to the inner network.
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
	/* Of TREE, the lowest, whose switches are those of the blocks, first. */
	uint32_t levels;
	uint32_t first[STRUCTURE_LEVELS_MAX]; /* [levels] switch of each level */
};

/* Whether there is a cable round, beside those between neighbours; of a dimension that is one way: a channel. */
static inline bool structure_goes_round(const struct structure_dimension *dimension)
{
	return dimension->wraps && dimension->width > (dimension->one_way ? 1 : 2);
}

#endif
