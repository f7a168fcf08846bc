/*
 * The cables between the switches of a small fabric, each as a line between the ports of two boxes, level above level. The half of a line
 * at a switch is the channel that leaves it.
 */
#ifndef PICTURES_WIRING_H
#define PICTURES_WIRING_H

#include "pictures/scene.h"
#include "pictures/svg.h"

/*
 * Returns whether the boxes of each level fit in the width beside one another, with room for their ports, and cables join neighbouring
 * levels, or switches of the lowest. Time O(nodes + channels).
 */
bool wiring_suits(const struct scene *scene, double width);

/* Draws it below its title; call it only if it suits. Returns 0, or -1 if out of memory. Time O(cables log cables). */
int wiring_draw(struct svg *svg, const struct scene *scene, double width, struct error *error);

#endif
