/*
 * The load of every channel if each of some hosts sends to each other one once: the number of ordered pairs whose route uses the channel.
 * Counted on the trees of the destinations, so in time O(hosts * switches) instead of O(hosts^2 * hops). If entries have several channels
 * and all count (destination_trees_take_all()), each takes its share of a pair.
 */
#ifndef FABRIC_PAIR_LOADS_H
#define FABRIC_PAIR_LOADS_H

#include "fabric/destination_trees.h"

struct pair_loads {
	uint64_t *load;       /* [channels] in units */
	double unit;          /* in pairs: 1, or a small part of a pair if pairs are split; sums of integers do not depend on their order */
	uint64_t unreachable; /* pairs without a route, which load no channel */

	/* While trees are added: */
	bool *member;      /* [hosts] whether the host takes part */
	uint32_t *senders; /* [starts] hosts of the start that take part */
	uint64_t *reached; /* [starts] destinations so far that the start reaches */
	bool *own;         /* [hosts] whether the host is one of those of its own start */
};

/* Returns the unit of split pairs for so many hosts: the sum of all their pairs fits. */
double pair_loads_unit(uint32_t hosts);

/* Begins without pairs, for some hosts of the fabric, each named once. Returns 0, or -1 if out of memory; pair_loads_clear() in either
 * case. */
int pair_loads_init(
	struct pair_loads *loads, const struct destination_trees *trees, const uint32_t *host, uint32_t hosts, struct error *error);
void pair_loads_clear(struct pair_loads *loads);

/* Adds all pairs whose destination is that of the current tree, if it takes part. Time O(nodes in order + starts). */
void pair_loads_add(struct pair_loads *loads, struct destination_trees *trees);

/* Adds the single links of the senders, after all trees. */
void pair_loads_end(struct pair_loads *loads, const struct destination_trees *trees);

/*
 * Returns a new array [channels]: the routes of all ordered pairs of hosts; if entries have several channels and the tables keep them
 * (DOT_ALTERNATIVES), their shares. *unreachable: pairs without a route, which may be NULL. NULL if out of memory. Time O(hosts *
 * switches).
 */
double *pair_loads_routes(const struct fabric *fabric, const struct forwarding *forwarding, uint64_t *unreachable, struct error *error);

#endif
