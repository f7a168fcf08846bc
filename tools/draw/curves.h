/* The curves of the lines. */
#ifndef TOOLS_DRAW_CURVES_H
#define TOOLS_DRAW_CURVES_H

#include "tools/draw/drawing.h"

/* Distance between parallel lines in points. */
#define LANE_WIDTH 7.0

/*
 * Sets the curve of every line, after the boxes have their positions: straight if no box is in the way, otherwise bent around it. Returns
 * 0, or -1 if out of memory. Time: O(lines * boxes), times a constant for bent lines.
 */
int curves_draw(struct drawing *drawing, struct error *error);

/* Returns the point of a curve at t, 0..1. */
struct point curve_at(const struct point curve[4], double t);

#endif
