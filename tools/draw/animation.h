/* Queues over time in an SVG: lines change their colours, and a clock runs. */
#ifndef TOOLS_DRAW_ANIMATION_H
#define TOOLS_DRAW_ANIMATION_H

#include "tools/draw/drawing.h"

#include <stdio.h>

/* The attribute of Graphviz that names the edge of a line, which animate() finds by it. */
void animation_name(uint32_t line, FILE *file);

/*
 * Returns a copy of an SVG of Graphviz in which the lines have the colours of the drawing's frames, one after another, again and again,
 * with their times in the right upper corner; closes the original. NULL on errors. Time O(frames * cables + bytes).
 */
FILE *animate(FILE *picture, const struct drawing *drawing, struct error *error);

#endif
