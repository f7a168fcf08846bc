/* The shape of a fabric that states its topology. */
#ifndef TOOLS_CHECK_SHAPE_NAMED_H
#define TOOLS_CHECK_SHAPE_NAMED_H

#include "shapes/shape.h"

/*
 * Gives a shape that its cabling did not reveal, or in which hosts forward, the name of the topology, a specification of orcs-topology
 * (NULL: nothing happens). The kind becomes "topology" if the fabric is exactly that; otherwise the name states the difference. Returns 0,
 * or -1 if out of memory. Time: that of creating the topology, and O(sum of ports squared).
 */
int shape_name(struct shape *shape, const struct fabric *fabric, const char *topology, struct error *error);

#endif
