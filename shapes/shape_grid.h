/* Shapes with coordinates: a switch has the coordinates of the nearest switches on lines through an origin. */
#ifndef SHAPES_SHAPE_GRID_H
#define SHAPES_SHAPE_GRID_H

#include "shapes/shape_place.h"

/*
 * Gives every switch a place of a grid, the first dimension fastest. line holds the lines through the origin, one per dimension, of length
 * switches each. Each switch takes the coordinate of most of its neighbours that are nearer to the line. Switches that no cables connect to
 * a line have no place. Returns 0, or -1. Time O(dimensions * links).
 */
int places_along(struct places *places, const uint32_t *line, const uint32_t *length, uint32_t dimensions, struct error *error);

#endif
