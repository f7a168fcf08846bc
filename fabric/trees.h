/*
 * All routes to one destination at once. Every node has one next channel towards a destination, so the routes of all hosts are an in-tree
 * with the destination as its root, and whatever is to be counted along routes is carried from the leaves to the root: time O(switches) for
 * a destination instead of O(hosts * hops). Hosts that send everything up their only link need no look-up of their own: they stand one
 * channel before the same node, together, and are called one start.
 *
 * Where entries have several channels, and all of them are to count (trees_take_all), the ways to a destination are no tree but a graph
 * without cycles: a node then has a distance if each of its ways arrives.
 */
#ifndef FABRIC_TREES_H
#define FABRIC_TREES_H

#include "fabric/fabric.h"
#include "fabric/forwarding.h"

#include <stdbool.h>
#include <stdint.h>

/* Distances, in channels, that are none. All are larger than any that is. */
enum {
	TREE_UNKNOWN = UINT32_MAX,          /* no route enters the node */
	TREE_ON_THE_WAY = TREE_UNKNOWN - 1, /* only while a tree is made */
	TREE_NO_ENTRY = TREE_UNKNOWN - 2,   /* the way from here ends at a node without an entry for the destination */
	TREE_LOOP = TREE_UNKNOWN - 3,       /* the way from here enters a node twice */
	TREE_DISTANCE_END = TREE_LOOP,
};

/* Where hosts begin: so many of them stand so many channels (0: the host itself, 1) before a node. */
struct tree_start {
	uint32_t node, before, hosts;
};

struct trees {
	const struct fabric *fabric;
	const struct forwarding *forwarding;
	struct tree_start *start; /* [starts] */
	uint32_t starts;
	uint32_t *start_of; /* [hosts] */
	uint32_t *link;     /* [hosts] the channel before the start, NONE: the host is the start itself */

	/* The tree made last: */
	uint32_t destination; /* host index */
	uint32_t *distance;   /* [nodes] channels to the destination, by the longest way */
	uint32_t *next;       /* [nodes] the channel by which the node forwards, where there is a distance, but for the destination */
	uint32_t *order;      /* [count] the nodes that have a distance: the destination first, each after the next one on its way */
	uint32_t count;
	uint32_t *weight; /* [nodes] see trees_weigh */

	/* Also, where all channels of entries count: */
	bool several;
	double *mean;             /* [nodes] channels to the destination, by the shares of the ways */
	double *flow;             /* [nodes] hosts whose packets leave the node, by their shares */
	bool *forks;              /* [nodes] more than one way leads on from here */
	uint32_t *stack, *branch; /* [nodes] */

	/* Hosts through which a route from another host to another host has passed, so far. */
	bool *passed; /* [hosts] */
	uint32_t passes;
};

/* Returns 0, or -1 when the memory is not there. trees_clear() in every case. Time O(nodes + hosts). */
int trees_init(struct trees *trees, const struct fabric *fabric, const struct forwarding *forwarding, struct error *error);
void trees_clear(struct trees *trees);

/* From now on all channels of entries count, if the tables have any with several; next is one of them. Returns 0, or -1. */
int trees_take_all(struct trees *trees, struct error *error);

/* The channels by which a node with a distance forwards to the destination of the tree made last. Returns how many. Time O(1). */
static inline uint32_t trees_ways(const struct trees *trees, uint32_t node, const uint32_t **channel)
{
	const double *share;
	*channel = &trees->next[node];
	return trees->several ? forwarding_ways(trees->forwarding, node, trees->destination, channel, &share, &trees->next[node]) : 1;
}

/* Makes the tree of a destination, a host index: of all nodes that the routes of the starts enter. Time O(nodes entered), or the number of
 * their ways, and O(nodes) of clearing memory. */
void trees_make(struct trees *trees, uint32_t destination);

/* How many hosts of the start send to the destination: all, but not the destination to itself. */
static inline uint32_t trees_senders(const struct trees *trees, uint32_t start)
{
	return trees->start[start].hosts - (start == trees->start_of[trees->destination]);
}

/*
 * Sets weight[v] of every node in order to the number of hosts whose routes leave v by next[v]; of the destination to the number of routes
 * that arrive. The single links of hosts before their start are not in the tree: each carries one route if its start has a distance.
 * Time O(nodes in order + starts).
 */
void trees_weigh(struct trees *trees);

#endif
