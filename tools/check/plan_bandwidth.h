/*
 * What differences from a plan cost in bandwidth: the mean bandwidth of random bisections, routed by OpenSM's minhop, of the fabric as
 * planned, as found, and as planned but for one difference. All have the same pairs of hosts, of one plane each; a pair without a route has
 * no bandwidth.
 */
#ifndef TOOLS_CHECK_PLAN_BANDWIDTH_H
#define TOOLS_CHECK_PLAN_BANDWIDTH_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

enum { PLAN_RUNS = 100 };

struct cable_plan;
struct cabled_fabric;

/* A share of the bandwidth as planned, with its 95% confidence interval. */
struct plan_share {
	double mean, low, high; /* NAN: not measured */
};

struct plan_bandwidth {
	double planned, found;  /* NAN: not measured */
	struct plan_share lost; /* by all differences together */
	char reason[300];       /* why nothing is measured; "": it is, or there is nothing to measure */
};

/*
 * Measures the bandwidths, and what each of the first `most` differences costs alone. Cables of hosts that nobody planned are part
 * of all, and not measured. hosts: [plan->nodes]. Returns 0, or -1 if out of memory. Time O(most * (tables of minhop + hosts *
 * runs)).
 */
int plan_bandwidth_find(struct cable_plan *plan, const struct cabled_fabric *found, const bool *hosts, uint64_t most, struct error *error);

#endif
