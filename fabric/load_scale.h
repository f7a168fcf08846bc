/*
 * The one scale of loads: of R routes that use a channel under uniform traffic, in a plane (fabric/planes.h) of n hosts, the load is
 * R / (n - 1) * u / v, where v is the channel's speed and u the commonest one of the hosts' own cables in the plane (of equally common ones
 * the highest). 1 is as busy as a host's own cable.
 */
#ifndef FABRIC_LOAD_SCALE_H
#define FABRIC_LOAD_SCALE_H

#include "fabric/fabric.h"
#include "fabric/planes.h"

/* Sets u of each plane: usual [planes]. Returns 0, or -1 if out of memory. Time O(channels log channels). */
int load_scale_speeds(const struct fabric *fabric, const struct planes *planes, double *usual, struct error *error);

/* Returns n - 1, the pairs of one host; 1 for a plane of one, which has no routes. */
double load_scale_pairs(const struct planes *planes, uint32_t plane);

/* Returns a new array [channels], the load of one route on each; 0 in parts without hosts. speeds: false: u / v is 1. NULL if out of
 * memory. */
double *load_scale_make(const struct fabric *fabric, bool speeds, struct error *error);

#endif
