/* Shapes with coordinates: a switch's are those of the nearest switches of lines through an origin. */
#ifndef SHAPES_SHAPE_GRID_H
#define SHAPES_SHAPE_GRID_H

#include "shapes/shape_place.h"

/*
 * Puts every switch to a place of a grid, the first dimension fastest: line holds the lines through the origin, one after the other, one
 * for each dimension, of so many switches. Each switch takes the coordinate of most of its neighbours that are nearer to the line. Switches
 * to which no cables lead from a line have no place. Returns 0, or -1. Time O(dimensions * links).
 */
int places_along(struct places *places, const uint32_t *line, const uint32_t *length, uint32_t dimensions, struct error *error);

#endif
