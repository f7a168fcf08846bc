/* The shape of a fabric that says which topology it is. */
#ifndef SHAPES_SHAPE_NAMED_H
#define SHAPES_SHAPE_NAMED_H

#include "shapes/shape.h"

/*
 * A shape that was not recognised by its cabling, or of which hosts that forward are a part, gets the name of the topology, a specification
 * of orcs-topology (NULL: nothing happens), and the kind "topology" if the fabric is just that; else its name tells what differs. Returns
 * 0, or -1 when the memory is not there. Time that of making the topology, and O(sum of ports squared).
 */
int shape_name(struct shape *shape, const struct fabric *fabric, const char *topology, struct error *error);

#endif
