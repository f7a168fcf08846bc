/* The parts of overview.h. Each draws below what is drawn, and returns 0, or -1 if out of memory. */
#ifndef PICTURES_OVERVIEW_KINDS_H
#define PICTURES_OVERVIEW_KINDS_H

#include "pictures/scene.h"
#include "pictures/svg.h"

/* Draws two bars, upwards and downwards: the shares of the channels by class. */
void overview_bars(struct svg *svg, double x, double y, double width, const uint32_t count[2][LOAD_CLASSES]);

/* Dragonflies: groups x groups, then the switches of each group. */
int overview_groups(struct svg *svg, const struct scene *scene, double width, struct error *error);

/* Tori, meshes and HyperX: lines x positions of each dimension. */
int overview_grid(struct svg *svg, const struct scene *scene, double width, struct error *error);

/* Sets of switches: node[first[s]] .. node[first[s + 1] - 1]. */
struct switch_sets {
	uint32_t *first; /* [sets + 1] */
	uint32_t *node;
	uint32_t sets;
};

/* Draws a matrix for each set, with the channels between its switches, in rows of that width from a place on. */
int overview_sets(struct svg *svg, const struct scene *scene, const struct switch_sets *sets, double x, double y, double width, double cell,
	struct error *error);

#endif
