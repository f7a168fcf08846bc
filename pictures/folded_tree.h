/*
 * A tree with its pods below and its highest switches above, folded to boxes; a line is all cables between two boxes. Readable up to
 * FOLDED_BUNDLES lines.
 */
#ifndef PICTURES_FOLDED_TREE_H
#define PICTURES_FOLDED_TREE_H

#include "pictures/scene.h"
#include "pictures/svg.h"

enum { FOLDED_BUNDLES = 64 };

/* Returns whether the fabric is a tree of at least two levels with at most FOLDED_BUNDLES lines. */
bool folded_tree_suits(const struct scene *scene);

/* Draws it below its title, in at most this width if that is possible. Returns 0, or -1 if out of memory. */
int folded_tree_draw(struct svg *svg, const struct scene *scene, double width, struct error *error);

#endif
