/* Pictures of the load without boxes for switches: overview, histograms and matrices, one above the other (pictures/). */
#ifndef TOOLS_DRAW_SHEET_H
#define TOOLS_DRAW_SHEET_H

#include "pictures/scene.h"
#include "tools/draw/layout.h"
#include "tools/draw/picture.h"

struct sheet {
	const struct scene *scene;
	const char *title, *subtitle; /* subtitle: NULL for none */
	enum layout layout;           /* LAYOUT_BLOCKS, LAYOUT_GROUPS or LAYOUT_LINES */
};

/*
 * Returns the layout that suits a fabric: LAYOUT_BLOCKS for trees with more switches than boxes can show, LAYOUT_GROUPS for dragonflies,
 * LAYOUT_LINES for large tori, meshes and HyperX; LAYOUT_AUTO if boxes do.
 */
enum layout sheet_layout(const struct scene *scene);

/* Draws it. Returns a temporary file at its beginning, deleted when closed; NULL on errors: the layout does not suit, or no rsvg-convert.
 */
FILE *sheet_draw(const struct sheet *sheet, enum picture_format format, struct error *error);

#endif
