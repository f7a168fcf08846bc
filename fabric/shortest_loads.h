/*
 * The load of every channel if each host sends to each other one once, over all shortest paths evenly: an edge betweenness (Brandes: A
 * faster algorithm for betweenness centrality, Journal of Mathematical Sociology 25, 2001) over pairs of hosts, with capacities. A path
 * counts as many times as the product of the speeds of its channels, so that parallel channels share in proportion to their speeds. It
 * depends on the cables alone: what no routing can be blamed for.
 */
#ifndef FABRIC_SHORTEST_LOADS_H
#define FABRIC_SHORTEST_LOADS_H

#include "fabric/fabric.h"

#include <stdbool.h>

/*
 * Returns a new array [channels] of loads, in pairs. forwards: [hosts] whether paths may pass through the host; NULL: through none. Hosts
 * with a single cable, which leads to a switch, are combined with the others of that switch. NULL if out of memory. Time O(channels) per
 * switch with hosts.
 */
double *shortest_loads_make(const struct fabric *fabric, const bool *forwards, struct error *error);

#endif
