/*
 * Topologies derived from others. Those with parallel cables have no routes. Both functions take ownership of the topologies they use, also
 * on errors.
 */
#ifndef TOPOLOGIES_DERIVED_H
#define TOPOLOGIES_DERIVED_H

#include "topologies/topology.h"

extern const struct topology_kind derived_parallel_kind, derived_nested_kind;

/*
 * Makes the same topology with parallel cables in place of each cable between two switches; if no two switches are joined, in place of
 * every cable.
 */
struct topology *derived_parallel(struct topology *topology, uint32_t parallel, struct error *error);

/*
 * Makes a network of networks (Jones, Engelmann 2011; HiNetSim): a copy of inner replaces each host of outer. The P ports of that host are
 * distributed over the A switches of the copy (in trees, only those of the top level), or over its hosts if it has no switches: port p goes
 * to number floor(p A / P), after the ports that it has in inner. Copies are numbered as the hosts of outer; switches of outer follow those
 * of all copies. inner: NULL if an error has been set already.
 */
struct topology *derived_nested(struct topology *outer, struct topology *inner, struct error *error);

#endif
