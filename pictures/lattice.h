/* The coordinates of the switches of tori, meshes and HyperX, so that names in their order have coordinates in their order. */
#ifndef PICTURES_LATTICE_H
#define PICTURES_LATTICE_H

#include "pictures/scene.h"

/*
 * A dimension: how the place in the shape gives the coordinate, place / stride % length; of a ring of four that is two dimensions of two
 * there, from both.
 */
struct axis {
	uint32_t length;
	uint32_t stride, second; /* second: stride of the other dimension of two; 0: there is none */
	bool ring;
	uint32_t *order; /* [length] the coordinate that is shown, by the one computed */
};

struct lattice {
	struct axis axis[SHAPE_VALUES];
	uint32_t axes;
	uint32_t origin; /* the switch all of whose coordinates are 0 */
	bool full;       /* all switches of a line are linked: HyperX */
	uint32_t *order; /* memory */
};

/* Finds them for a shape with a grid of one plane. Returns 0, or -1 if out of memory; call lattice_clear() in every case. */
int lattice_find(struct lattice *lattice, const struct scene *scene, struct error *error);
void lattice_clear(struct lattice *lattice);

/* Returns a coordinate of a switch. */
uint32_t lattice_coordinate(const struct lattice *lattice, const struct scene *scene, uint32_t node, uint32_t axis);

/* Returns the number of the line of an axis through a switch: by its other coordinates, the first axis fastest. */
uint32_t lattice_line(const struct lattice *lattice, const struct scene *scene, uint32_t node, uint32_t axis);

/* Returns the only axis in which two switches differ; NONE if they are the same or differ in several. */
uint32_t lattice_axis_between(const struct lattice *lattice, const struct scene *scene, uint32_t a, uint32_t b);

#endif
