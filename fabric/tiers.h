/* How near to the hosts each cable of a fabric is. */
#ifndef FABRIC_TIERS_H
#define FABRIC_TIERS_H

#include "fabric/fabric.h"

/*
 * The tier of each channel, 0 of those of hosts, below TIERS_MAX: as the topology has them (topology_tier()) that the specification names,
 * if the fabric has its numbers of hosts and switches, in their order; else 1 of all that join switches. spec: NULL: none. Returns a new
 * array [channels], NULL when the memory is not there. Time O(nodes + channels), and that of making the topology.
 */
enum { TIERS_MAX = 8 };
uint8_t *tiers_make(const struct fabric *fabric, const char *spec, struct error *error);

#endif
