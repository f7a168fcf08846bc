/*
 * The loads of each tier as a histogram: the number of channels on a logarithmic axis, by load; the colours are the classes of their
 * excess, the dashed line is the load of a host's own cable.
 */
#ifndef PICTURES_LOAD_HISTOGRAM_H
#define PICTURES_LOAD_HISTOGRAM_H

#include "pictures/scene.h"
#include "pictures/svg.h"

/* Draws all tiers but those of the hosts' cables, side by side in rows of at most this width. Returns 0, or -1 if out of memory. */
int histograms_draw(struct svg *svg, const struct scene *scene, double width, struct error *error);

#endif
