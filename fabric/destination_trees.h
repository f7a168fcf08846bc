/*
 * All routes to one destination at once. Every node has one next channel towards a destination, so the routes of all hosts form an in-tree
 * whose root is the destination, and counts along routes are accumulated from the leaves to the root: time O(switches) per destination
 * instead of O(hosts * hops). Hosts that send everything on their only link need no look-up of their own: those one channel before the same
 * node are combined in one start.
 *
 * If entries have several channels, and all of them count (destination_trees_take_all()), the paths to a destination form an acyclic graph,
 * not a tree: a node then has a distance if all of its paths arrive.
 */
#ifndef FABRIC_DESTINATION_TREES_H
#define FABRIC_DESTINATION_TREES_H

#include "fabric/fabric.h"
#include "fabric/forwarding.h"

#include <stdbool.h>
#include <stdint.h>

/* Special values of distances, larger than any distance in channels. */
enum {
	TREE_UNKNOWN = UINT32_MAX,          /* no route enters the node */
	TREE_ON_THE_WAY = TREE_UNKNOWN - 1, /* temporary, while a tree is made */
	TREE_NO_ENTRY = TREE_UNKNOWN - 2,   /* the path from here ends at a node without an entry for the destination */
	TREE_LOOP = TREE_UNKNOWN - 3,       /* the path from here enters a node twice */
	TREE_DISTANCE_END = TREE_LOOP,
};

/* A start: `hosts` hosts that are `before` channels (0: the host itself, or 1) before a node. */
struct tree_start {
	uint32_t node, before, hosts;
};

struct destination_trees {
	const struct fabric *fabric;
	const struct forwarding *forwarding;
	struct tree_start *start; /* [starts] */
	uint32_t starts;
	uint32_t *start_of; /* [hosts] */
	uint32_t *link;     /* [hosts] the channel before the start, NONE: the host is the start itself */

	/* The current tree: */
	uint32_t destination; /* host index */
	uint32_t *distance;   /* [nodes] channels to the destination, on the longest path */
	uint32_t *next;       /* [nodes] the channel by which the node forwards, if it has a distance and is not the destination */
	uint32_t *order;      /* [count] the nodes that have a distance: the destination first, each after the next node on its path */
	uint32_t count;
	uint32_t *weight; /* [nodes] see destination_trees_weigh() */

	/* In addition, if all channels of entries count: */
	bool several;
	double *mean;             /* [nodes] mean number of channels to the destination, weighted by the shares of the paths */
	double *flow;             /* [nodes] number of hosts whose packets leave the node, weighted by shares */
	bool *forks;              /* [nodes] several channels lead on from here */
	uint32_t *stack, *branch; /* [nodes] */

	/* Hosts that a route between two other hosts has passed through so far. */
	bool *passed; /* [hosts] */
	uint32_t passes;
};

/* Creates the workspace. Returns 0, or -1 if out of memory; call destination_trees_clear() in either case. Time O(nodes + hosts). */
int destination_trees_init(
	struct destination_trees *trees, const struct fabric *fabric, const struct forwarding *forwarding, struct error *error);
void destination_trees_clear(struct destination_trees *trees);

/* Makes all channels of entries count, if the tables have entries with several; next is one of them. Returns 0, or -1. */
int destination_trees_take_all(struct destination_trees *trees, struct error *error);

/* Finds the channels by which a node with a distance forwards to the destination of the current tree. Returns their number. Time O(1). */
static inline uint32_t destination_trees_ways(const struct destination_trees *trees, uint32_t node, const uint32_t **channel)
{
	const double *share;
	*channel = &trees->next[node];
	return trees->several ? forwarding_ways(trees->forwarding, node, trees->destination, channel, &share, &trees->next[node]) : 1;
}

/*
 * Makes the tree of a destination, a host index: of all nodes that the routes of the starts enter. Time O(nodes entered), or the number of
 * their channels, and O(nodes) for clearing memory.
 */
void destination_trees_make(struct destination_trees *trees, uint32_t destination);

/* Returns the number of hosts of the start that send to the destination: all, except the destination itself. */
static inline uint32_t destination_trees_senders(const struct destination_trees *trees, uint32_t start)
{
	return trees->start[start].hosts - (start == trees->start_of[trees->destination]);
}

/*
 * Sets weight[v] of every node in order to the number of hosts whose routes leave v by next[v]; of the destination, to the number of routes
 * that arrive. The single links of hosts before their start are not in the tree: each carries one route if its start has a distance. Time
 * O(nodes in order + starts).
 */
void destination_trees_weigh(struct destination_trees *trees);

#endif
