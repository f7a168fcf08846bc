/* Sizes that a mesh may have. */
#ifndef SHAPES_SHAPE_SIZES_H
#define SHAPES_SHAPE_SIZES_H

#include "shapes/shape_part.h"

struct sizes {
	uint32_t dimensions, length[3];
};

/*
 * The meshes of two and three dimensions, in any order of these, that have so many switches and cables, or nearly: writes up to most of
 * them, and returns how many. None of more than 4,096 switches, where the allowance is so large that there are too many. Time
 * O(switches^2).
 */
uint32_t mesh_sizes(const struct part *part, struct sizes *sizes, uint32_t most);

#endif
