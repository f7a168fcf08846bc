/*
 * Up/down routing (Schroeder et al.: Autonet: A High-Speed, Self-Configuring Local Area Network Using Point-to-Point Links, IEEE Journal on
 * Selected Areas in Communications 9, 1991): every node has a height of its own, and a legal way goes up first, then down, so that no
 * channels can wait for one another in a circle.
 */
#ifndef ROUTINGS_UPDOWN_H
#define ROUTINGS_UPDOWN_H

#include "routings/routing.h"

struct updown {
	const struct routing_graph *graph;
	uint32_t *height;  /* [nodes] all switches differ; hosts are below them */
	uint32_t *falling; /* [columns] the nodes with a column, the highest first */
};

/* Returns 0, or -1 when the memory is not there. updown_clear() in every case. */
int updown_init(struct updown *updown, const struct routing_graph *graph, struct error *error);
void updown_clear(struct updown *updown);

/*
 * Heights by the distance from the roots, which are the highest. Switches that cannot reach one get roots of their own. Without roots
 * given: the switches farthest from the hosts, if that leaves a legal way to every pair of hosts that has any, else the first of them.
 * Returns 0, or -1. Time O(channels * switches with hosts).
 */
int updown_by_roots(struct updown *updown, const uint32_t *roots, uint32_t count, struct error *error);

/* Heights by the distance from the hosts, the farthest are the highest; of equals that nearer to the first farthest switch. Returns 0, or
 * -1. */
int updown_by_hosts(struct updown *updown, struct error *error);

/* Heights by the depths of the switches, [nodes], the least is the highest. Returns 0, or -1. */
int updown_by_depth(struct updown *updown, const uint32_t *depth, struct error *error);

/* Whether every host that has a way to a destination has a legal one. Time O(channels * switches with hosts). */
bool updown_reaches_all(const struct updown *updown, struct choices *choices);

/*
 * The legal ways to a root: the shortest of those that only go down, where there is one, as who comes from above must not go up again;
 * else the shortest. Time O(channels).
 */
void choices_legal(struct choices *choices, const struct updown *updown, uint32_t root);

#endif
