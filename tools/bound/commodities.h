/*
 * What a network could carry: the maximum concurrent flow, the largest share of all demands that can be met at once when every demand may
 * be split over any paths. From below by a flow, from above by a length function (linear programming duality): for any lengths l(e) > 0 of
 * arcs with capacities c(e), the share is at most sum of c l / sum of demand * distance.
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
	bool *closed;     /* [nodes] a path may begin and end here, but not go through */
};
void network_clear(struct network *network);

/* Demands by their sources, in any unit; no node demands of itself. */
struct demands {
	uint32_t sources;
	uint32_t *source; /* [sources] */
	size_t *first;    /* [sources + 1] */
	uint32_t *target; /* [first[sources]] */
	double *amount;   /* > 0 */
};
void demands_clear(struct demands *demands);

/* The share lies in lower .. upper. */
struct flow_bounds {
	double lower, upper;
	uint32_t phases; /* that it took */
};

struct flow_limits {
	double epsilon;  /* stop when upper <= (1 + epsilon) * lower */
	double known;    /* a share that is known to be possible; 0: none */
	double ceiling;  /* a share that something outside the network does not let it pass; INFINITY: nothing */
	uint32_t phases; /* stop after so many in any case */
};

/*
 * Narrows the bounds down, by multiplicative weights: Garg and Koenemann: Faster and simpler algorithms for multicommodity flow and other
 * fractional packing problems, SIAM J. Comput. 2007; by sources, as Fleischer: Approximating fractional multicommodity flow independent of
 * the number of commodities, SIAM J. Discrete Math. 2000. Both bounds hold whenever it stops. Without a demand, or where all of it is
 * within the nodes, both are the ceiling. Returns 0, or -1: STATUS_IO if out of memory, STATUS_FABRIC when a target cannot be
 * reached. Time: a phase is a search by Dijkstra for each source, O(sources * arcs * log nodes).
 */
int flow_bounds_find(struct flow_bounds *bounds, const struct network *network, const struct demands *demands,
	const struct flow_limits *limits, struct error *error);

#endif
