/* A fat tree in words. */
#ifndef SHAPES_FAT_TREE_TEXT_H
#define SHAPES_FAT_TREE_TEXT_H

#include "shapes/fat_tree.h"

#include <stdio.h>

/*
 * Writes its levels, rails (if there are several) and switches, and the numbers of those that do not fit and of missing ones, such as "fat
 * tree of 2 levels: 36 and 18 switches; 1 leaf does not fit".
 */
void fat_tree_write(FILE *file, const struct fat_tree *tree, uint32_t rails);

#endif
