/* How the lines run. */
#ifndef TOOLS_DRAW_CURVES_H
#define TOOLS_DRAW_CURVES_H

#include "tools/draw/drawing.h"

/* The distance of lines side by side in points. */
#define LANE_WIDTH 7.0

/*
 * Gives every line its curve, once the boxes have their places: straight where no box is in the way, else bent around it. Returns 0, or
 * -1 without memory. Time: O(lines * boxes), more by a constant for those that must bend.
 */
int curves_draw(struct drawing *drawing, struct error *error);

/* The point of a curve at t, 0..1. */
struct point curve_at(const struct point curve[4], double t);

#endif
