/* Layouts: the positions of the boxes. */
#ifndef TOOLS_DRAW_LAYOUT_H
#define TOOLS_DRAW_LAYOUT_H

#include "tools/draw/drawing.h"

enum layout {
	LAYOUT_AUTO,
	LAYOUT_LAYERS, /* ranks by distance from the hosts: trees */
	LAYOUT_GRID,   /* meshes, tori and hypercubes of up to three dimensions */
	LAYOUT_CIRCLE, /* rings and full meshes */
	LAYOUT_PLACES, /* positions of the graph, or of its topology */
	LAYOUT_FORCE,  /* springs: everything else */
	LAYOUT_BLOCKS, /* these three of the load alone (sheet.h): matrices of the blocks between levels */
	LAYOUT_GROUPS, /* dragonflies */
	LAYOUT_LINES,  /* tori, meshes, HyperX */
};

/* Names of layouts, in that order; ends with NULL. */
extern const char *const layout_names[];

/* Places all boxes of the drawing. Returns 0, or -1: the requested grid does not exist, the graph has no positions, or Graphviz failed. */
int layout(struct drawing *drawing, enum layout wanted, struct error *error);

/* ---- for the layouts */

/* The extent of a head and its attached boxes from the head's centre. */
struct reach {
	double left, right, up, down;
};

/* Placement of hosts at their switch. */
enum hang {
	HANG_BELOW, /* a row */
	HANG_ABOVE,
	HANG_LEFT, /* a column */
	HANG_RIGHT,
	HANG_CORNER, /* a column to the right and below, away from lines that leave the switch straight */
};

/* Places the boxes attached to a head relative to the head's centre. */
struct reach hang(struct drawing *drawing, uint32_t head, enum hang how);

/* Writes the heads to order [heads], sorted by their labels, numbers by value. */
void heads_by_label(const struct drawing *drawing, uint32_t *order);

/*
 * The five layouts. Each places the heads, and the attached boxes relative to them. Returns 1, 0 if the fabric does not suit the layout, or
 * -1. forced: the layout was requested, so any fabric suits it.
 */
int layout_layers(struct drawing *drawing, const struct neighbours *neighbours, bool forced, struct error *error);
int layout_grid(struct drawing *drawing, const struct neighbours *neighbours, struct error *error);
int layout_circle(struct drawing *drawing, const struct neighbours *neighbours, bool forced, struct error *error);
int layout_places(struct drawing *drawing, bool forced, struct error *error);
int layout_force(struct drawing *drawing, const struct neighbours *neighbours, struct error *error);

#endif
