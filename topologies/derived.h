/* Topologies that are made of others. They have no routes of their own. Both take what they are made of, and free it also on errors. */
#ifndef TOPOLOGIES_DERIVED_H
#define TOPOLOGIES_DERIVED_H

#include "topologies/topology.h"

extern const struct topology_kind derived_parallel_kind, derived_nested_kind;

/* The same with so many cables in the place of each between two switches; of each at all, where no two switches are joined. */
struct topology *derived_parallel(struct topology *topology, uint32_t parallel, struct error *error);

/*
 * A network of networks (Jones, Engelmann 2011; HiNetSim): a copy of inner in the place of each host of outer. The ports of that host, P of
 * them, are shared out over the A switches of the copy, of trees those of the top level alone, or over its hosts where it has no switches:
 * port p goes to number floor(p A / P), and follows there the ports that it has in inner. Copies count by the hosts of outer, switches of
 * outer follow those of all copies. inner: NULL is an error that is set already.
 */
struct topology *derived_nested(struct topology *outer, struct topology *inner, struct error *error);

#endif
