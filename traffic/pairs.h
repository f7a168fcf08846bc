/* The pairs of a pattern, or of a workload without an order, as traffic: to whom each rank sends. */
#ifndef TRAFFIC_PAIRS_H
#define TRAFFIC_PAIRS_H

#include "traffic/traffic.h"

/* Fills first and pair of the call: every message of the pattern's levels, or of the workload, once. Returns 0, or -1 with STATUS_USAGE (a
 * workload with an order, too many pairs), or STATUS_IO. Time O(pairs). */
int pairs_fill(struct traffic_call *call, const struct pattern_request *request, struct error *error);

#endif
