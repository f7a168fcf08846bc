/*
 * The capacity of a network for given demands: the maximum concurrent flow, the largest share of all demands that can be met at the same
 * time if every demand may be split over any paths. A flow gives the lower bound, a length function the upper bound (linear programming
 * duality): for any lengths l(e) > 0 of arcs with capacities c(e), the share is at most sum of c l / sum of demand * distance.
 */
#ifndef TOOLS_BOUND_COMMODITIES_H
#define TOOLS_BOUND_COMMODITIES_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A directed graph with arcs in the order of their tails. */
struct network {
	uint32_t nodes, arcs;
	uint32_t *first;  /* [nodes + 1] the arcs out of node v are first[v] .. first[v + 1] - 1 */
	uint32_t *head;   /* [arcs] */
	double *capacity; /* [arcs] > 0 */
	bool *closed;     /* [nodes] whether paths may begin and end at the node, but not pass through it */
};
void network_clear(struct network *network);

/* Demands by their sources, in any unit; no node has a demand to itself. */
struct demands {
	uint32_t sources;
	uint32_t *source; /* [sources] */
	size_t *first;    /* [sources + 1] */
	uint32_t *target; /* [first[sources]] */
	double *amount;   /* > 0 */
};
void demands_clear(struct demands *demands);

/* The share is between lower and upper. */
struct flow_bounds {
	double lower, upper;
	uint32_t phases; /* phases used */
};

struct flow_limits {
	double epsilon;  /* stop when upper <= (1 + epsilon) * lower */
	double known;    /* a share known to be possible; 0: none */
	double ceiling;  /* an upper limit of the share from outside the network; INFINITY: none */
	uint32_t phases; /* maximum number of phases */
};

/*
 * Narrows the bounds by multiplicative weights: Garg and Koenemann: Faster and simpler algorithms for multicommodity flow and other
 * fractional packing problems, SIAM J. Comput. 2007; by sources, as Fleischer: Approximating fractional multicommodity flow independent of
 * the number of commodities, SIAM J. Discrete Math. 2000. Both bounds hold whenever it stops. Without demands, or if all of them are within
 * nodes, both are the ceiling. Returns 0, or -1: STATUS_IO if out of memory, STATUS_FABRIC if a target cannot be reached. Time: a phase
 * runs Dijkstra's algorithm for each source, O(sources * arcs * log nodes).
 */
int flow_bounds_find(struct flow_bounds *bounds, const struct network *network, const struct demands *demands,
	const struct flow_limits *limits, struct error *error);

#endif
