/* The dimension, direction and position of each channel of a grid. */
#ifndef FABRIC_DIMENSIONS_H
#define FABRIC_DIMENSIONS_H

#include "fabric/fabric.h"

enum { GRID_DIMENSIONS_MAX = 16, NO_WAY = 255 };

/*
 * Meshes, tori, rings and HyperX, also of blocks: of networks of networks the outer grid. Ways are numbered: 2 d is down in dimension d, 2
 * d
 * + 1 is up. The position of a channel in its dimension is the coordinate of the block that it leaves.
 */
struct dimensions {
	unsigned count; /* 0: the fabric is no such grid */
	uint32_t width[GRID_DIMENSIONS_MAX];
	uint32_t blocks;
	uint32_t *block; /* [nodes] the coordinates of a block are its number in mixed radix, the first dimension fastest */
	uint8_t *way;    /* [channels] NO_WAY: of a host, or within a block */
};

/*
 * Finds them by the topology of the specification (NULL: none), if the fabric has its numbers of hosts and switches, in its order, and
 * every channel between blocks leads along one dimension. Returns 0, or -1 if out of memory; call dimensions_clear() in either case. Time
 * O(nodes + channels), plus creating the topology.
 */
int dimensions_make(struct dimensions *dimensions, const struct fabric *fabric, const char *spec, struct error *error);
void dimensions_clear(struct dimensions *dimensions);

/* Returns the coordinate of a block in a dimension. */
uint32_t dimensions_coordinate(const struct dimensions *dimensions, uint32_t block, unsigned dimension);

#endif
