/* The scale: the seven classes with their colours, words, limits, and numbers of channels. */
#ifndef PICTURES_LEGEND_H
#define PICTURES_LEGEND_H

#include "fabric/fair_share.h"
#include "pictures/svg.h"

/* Draws the legend, in at most this width. */
void legend_draw(struct svg *svg, const struct fair_share *fair, double width);

#endif
