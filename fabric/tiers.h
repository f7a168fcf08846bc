/* The tier of each cable: its distance from the hosts. */
#ifndef FABRIC_TIERS_H
#define FABRIC_TIERS_H

#include "fabric/fabric.h"

/*
 * Returns a new array [channels] with the tier of each channel, 0 for those of hosts, less than TIERS_MAX. The tiers are those of the
 * topology of the specification (topology_tier()) if the fabric has its numbers of hosts and switches, in its order; otherwise 1 for all
 * channels between switches. spec: NULL: none. NULL if out of memory. Time O(nodes + channels), plus creating the topology.
 */
enum { TIERS_MAX = 8 };
uint8_t *tiers_make(const struct fabric *fabric, const char *spec, struct error *error);

#endif
