/* Levels of switches by their distance from the hosts. */
#ifndef FABRIC_HOST_DISTANCES_H
#define FABRIC_HOST_DISTANCES_H

#include "fabric/fabric.h"

/* The levels of nodes that have none: hosts, and switches that are not connected to one. LEVEL_HOST + 1 is 0. */
enum { LEVEL_HOST = UINT32_MAX, LEVEL_NONE = UINT32_MAX - 1 };

/*
 * Returns a new array [nodes]: of switches with hosts 0, of others the distance from the nearest of these, over channels of either
 * direction; LEVEL_HOST of hosts, LEVEL_NONE of switches without a path to one. NULL if out of memory. Time O(channels).
 */
uint32_t *host_distances_make(const struct fabric *fabric, struct error *error);

#endif
