/* Possible sizes of a mesh. */
#ifndef SHAPES_SHAPE_SIZES_H
#define SHAPES_SHAPE_SIZES_H

#include "shapes/shape_part.h"

struct sizes {
	uint32_t dimensions, length[3];
};

/*
 * Lists the meshes of two and three dimensions, their lengths in any order, that have exactly or nearly as many switches and cables as the
 * part: writes up to most of them and returns their number. None for more than 4,096 switches, where the tolerance admits too many. Time
 * O(switches^2).
 */
uint32_t mesh_sizes(const struct part *part, struct sizes *sizes, uint32_t most);

#endif
