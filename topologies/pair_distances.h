/*
 * How many pairs of hosts are how far apart: exact for all pairs, without making the route of each where the topology is regular. The
 * latency of a message that shares nothing follows from its channels (Jones, Engelmann 2011, section III).
 */
#ifndef TOPOLOGIES_PAIR_DISTANCES_H
#define TOPOLOGIES_PAIR_DISTANCES_H

#include "topologies/topology.h"

enum { DISTANCE_TIERS_MAX = 36 };

/* Ordered pairs of different hosts whose routes have these numbers of channels of each tier. */
struct pair_distance {
	uint16_t channels[DISTANCE_TIERS_MAX];
	uint64_t pairs;
};

struct pair_distances {
	struct pair_distance *list; /* [count] by the number of channels, then by those of the first tier that differs; owned */
	size_t count, capacity;
};

/*
 * Finds the distances of all pairs by the topology's own routes. Time: rings, meshes and tori O(dimensions · longest^2); HyperX and trees
 * O(hosts); networks of networks O(pairs of hosts of each outer one) besides their parts; others O(pairs). Returns 0, or -1: STATUS_USAGE
 * without routes, with more tiers than that, or with too many pairs that are not regular. Call pair_distances_clear() in either case.
 */
int pair_distances_find(const struct topology *topology, struct pair_distances *distances, struct error *error);
void pair_distances_clear(struct pair_distances *distances);

/* For networks of networks: adds the channels of the route of inner between two nodes, of which the first is not left if they are the same.
 */
struct topology_node {
	bool host;
	uint32_t node;
};
void nested_cross(const struct topology *topology, struct topology_node from, struct topology_node to, struct pair_distance *distance);

#endif
