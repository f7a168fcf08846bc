/* Where the boxes stand. */
#ifndef TOOLS_DRAW_LAYOUT_H
#define TOOLS_DRAW_LAYOUT_H

#include "tools/draw/drawing.h"

enum layout {
	LAYOUT_AUTO,
	LAYOUT_LAYERS, /* ranks by distance from the hosts: trees */
	LAYOUT_GRID,   /* meshes, tori and hypercubes of up to three dimensions */
	LAYOUT_CIRCLE, /* rings and full meshes */
	LAYOUT_PLACES, /* where the graph says, or its topology */
	LAYOUT_FORCE,  /* by springs: everything else */
};

/* Names for LAYOUT_AUTO and on, ends with NULL. */
extern const char *const layout_names[];

/* Places all boxes of the drawing. Returns 0, or -1: a grid was asked for that is none, or places that are not in the graph, or Graphviz
 * failed. */
int layout(struct drawing *drawing, enum layout wanted, struct error *error);

/* ---- for the layouts */

/* How far a head and what hangs from it reach from the head's centre. */
struct reach {
	double left, right, up, down;
};

/* How hosts hang from their switch. */
enum hang {
	HANG_BELOW, /* a row */
	HANG_ABOVE,
	HANG_LEFT, /* a column */
	HANG_RIGHT,
	HANG_CORNER, /* a column to the right and below, clear of lines that leave the switch straight */
};

/* Places what hangs from a head relative to the head's centre. */
struct reach hang(struct drawing *drawing, uint32_t head, enum hang how);

/* Writes the heads to order [heads], sorted by their labels, numbers by value. */
void heads_by_label(const struct drawing *drawing, uint32_t *order);

/*
 * The five ways. Each places the heads, and relative to them what hangs from them. Returns 1, 0 where the fabric is not of its kind,
 * or -1. forced: the kind was asked for, anything goes.
 */
int layout_layers(struct drawing *drawing, const struct neighbours *neighbours, bool forced, struct error *error);
int layout_grid(struct drawing *drawing, const struct neighbours *neighbours, struct error *error);
int layout_circle(struct drawing *drawing, const struct neighbours *neighbours, bool forced, struct error *error);
int layout_places(struct drawing *drawing, bool forced, struct error *error);
int layout_force(struct drawing *drawing, const struct neighbours *neighbours, struct error *error);

#endif
