/*
 * Where the load is, in one picture:
 *   tree        pods x planes: a row for each part that is left without the highest level, a column for each block of its cables to that
 *               level, before them the cables within the pod. A cell has two bars, upwards and downwards: shares of channels by class
 *   dragonfly, dragonfly+   groups x groups, and for each group its switches; a row sends, a column receives
 *   torus, mesh, HyperX    for each dimension a row for each of its lines, a column for each position: the channels forth and back
 * The two others have matrices of their own for all their cables, so that no blocks are needed.
 */
#ifndef PICTURES_OVERVIEW_H
#define PICTURES_OVERVIEW_H

#include "pictures/scene.h"
#include "pictures/svg.h"

enum overview { OVERVIEW_NONE, OVERVIEW_PODS, OVERVIEW_GROUPS, OVERVIEW_GRID };

/* Returns what suits the fabric. */
enum overview overview_kind(const struct scene *scene);

/* Draws it below its title, in at most this width if that is possible. Returns 0, or -1 if out of memory. */
int overview_draw(struct svg *svg, const struct scene *scene, double width, struct error *error);

#endif
