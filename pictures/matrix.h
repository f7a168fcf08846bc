/*
 * Blocks as matrices: the left half shows the channels upwards, the right half those downwards; a row is a lower switch, a column an upper
 * one; a slice of a cell is a cable. Of a square block there is one half: a row sends, a column receives. Cells of the same class are
 * merged to rectangles. An unused channel is an outlined cell, a missing cable grey and crossed.
 */
#ifndef PICTURES_MATRIX_H
#define PICTURES_MATRIX_H

#include "pictures/scene.h"
#include "pictures/svg.h"

/* Where a block stands, seen from the origin (svg.x, svg.y): a page can find the cell under the mouse. */
struct matrix_place {
	bool drawn;
	double x[2], y; /* left upper corners of the halves: CABLE_UP, CABLE_DOWN; of a square block x[0] alone */
	double cell;    /* width and height of a cell */
};

enum { MATRIX_CELL_LEAST = 2, MATRIX_CELL_MOST = 16, MATRIX_LABEL_CELL = 8 };

/* Draws one half of a block, of a square one all of it, without words. Returns 0, or -1 if out of memory. */
int matrix_draw_half(struct svg *svg, const struct scene *scene, const struct block *block, double x, double y, double cell,
	enum cable_way way, struct error *error);

/*
 * Draws the blocks of a stage below its title, in rows of at most this width; larger cells in smaller fabrics. only: [blocks] of all
 * stages, whether to draw the block; NULL: all. note: what is said behind the title, "" for nothing. place: [blocks of the stage] is set.
 * Blocks whose cells would be smaller than MATRIX_CELL_LEAST are not drawn; a line says so.
 */
int matrices_draw(struct svg *svg, const struct scene *scene, uint32_t stage, double width, const bool *only, const char *note,
	struct matrix_place *place, struct error *error);

#endif
