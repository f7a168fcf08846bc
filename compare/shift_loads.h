/* The largest loads of shifts: every host sends to the one so many places further on. */
#ifndef COMPARE_SHIFT_LOADS_H
#define COMPARE_SHIFT_LOADS_H

#include "fabric/forwarding.h"

enum { SHIFTS_MOST = 1024 };

/*
 * Returns the mean, over all shifts of the hosts in the order linear_bfs, of the largest number of routes on a channel: 1 is perfect. Of
 * more than SHIFTS_MOST shifts, so many at equal distances. Pairs without a route do not count. NAN with fewer than two hosts. Sets the
 * error if out of memory. Time O(shifts * hosts * hops).
 */
double shift_loads_mean(const struct fabric *fabric, const struct forwarding *forwarding, struct error *error);

#endif
