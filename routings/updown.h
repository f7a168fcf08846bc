/*
 * Up/down routing (Schroeder et al.: Autonet: A High-Speed, Self-Configuring Local Area Network Using Point-to-Point Links, IEEE Journal on
 * Selected Areas in Communications 9, 1991): every node has a unique height, and a legal path goes up first, then down, so the channels
 * cannot form a cyclic wait.
 */
#ifndef ROUTINGS_UPDOWN_H
#define ROUTINGS_UPDOWN_H

#include "routings/routing.h"

struct updown {
	const struct routing_graph *graph;
	uint32_t *height;  /* [nodes] different for all switches; hosts are below them */
	uint32_t *falling; /* [columns] the nodes with a column, the highest first */
};

/* Allocates. Returns 0, or -1 if out of memory. Call updown_clear() in either case. */
int updown_init(struct updown *updown, const struct routing_graph *graph, struct error *error);
void updown_clear(struct updown *updown);

/*
 * Sets the heights by the distance from the roots, which are the highest. Switches that cannot reach a root get roots of their own. Without
 * given roots: the roots of the fat tree that the fabric is meant to be (shapes/fat_tree.h), if there is one and every pair of hosts that
 * has a path then has a legal one; otherwise the switches farthest from the hosts, on the same condition; otherwise only the first of
 * these. Returns 0, or -1. Time O(channels * switches with hosts).
 */
int updown_by_roots(struct updown *updown, const uint32_t *roots, uint32_t count, struct error *error);

/*
 * Sets the heights by the distance from the hosts: the farthest switch is the highest; among equals, the one nearest to the first farthest
 * switch. Returns 0, or -1.
 */
int updown_by_hosts(struct updown *updown, struct error *error);

/* Sets the heights by the depths of the switches, [nodes]: the least depth is the highest. Returns 0, or -1. */
int updown_by_depth(struct updown *updown, const uint32_t *depth, struct error *error);

/* Returns whether every host that has a path to a destination has a legal one. Time O(channels * switches with hosts). */
bool updown_reaches_all(const struct updown *updown, struct choices *choices);

/*
 * Finds the legal paths to a root: the shortest of those that only go down if there is one, as packets that come from above must not go up
 * again; otherwise the shortest. Time O(channels).
 */
void choices_legal(struct choices *choices, const struct updown *updown, uint32_t root);

#endif
