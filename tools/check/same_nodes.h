/* Which nodes of another fabric are those of this one. */
#ifndef TOOLS_CHECK_SAME_NODES_H
#define TOOLS_CHECK_SAME_NODES_H

#include "fabric/fabric.h"

/*
 * Finds the nodes of other that are nodes of the fabric: those with the same GUID, then, of the remaining ones, those of the
 * same name, then of the same description (and port, of hosts; a name serves as one where there is none), where only one of each fabric has
 * it; hosts are hosts, and switches switches. Both have labels. Returns a new array [other->nodes]: the node of the fabric, NONE; NULL if
 * out of memory. Time O(nodes log nodes).
 */
uint32_t *same_nodes(const struct fabric *fabric, const struct fabric *other, struct error *error);

#endif
