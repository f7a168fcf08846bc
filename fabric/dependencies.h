/*
 * The channel dependency graph (Dally, Seitz: Deadlock-free message routing in multiprocessor interconnection networks, IEEE Transactions
 * on Computers 1987): its vertices are the virtual lanes of channels, with an edge if some route continues from one to the other. A packet
 * on the first may wait there for buffer space on the second. Routes can deadlock if and, as any packets may meet, only if the graph has a
 * cycle. Channels into hosts that do not forward are left out, as no packet waits behind them.
 */
#ifndef FABRIC_DEPENDENCIES_H
#define FABRIC_DEPENDENCIES_H

#include "base/digraph.h"
#include "fabric/virtual_lanes.h"
#include "fabric/destination_trees.h"

/* Service levels of packets other than a number. */
enum { EVERY_LEVEL = -1 /* packets of every level */, LEVEL_TOLD = -2 /* the level that the fabric specifies for each pair */ };

struct dependencies {
	const struct destination_trees *trees;
	const struct virtual_lanes *lanes; /* NULL: one virtual lane */
	int level;                         /* service level of all packets, EVERY_LEVEL, or LEVEL_TOLD */
	unsigned lane_count;
	uint64_t *base;                              /* [channels + 1] start of a channel's row of the matrix, in pairs of channels */
	uint64_t *bits;                              /* the matrix: [pair of channels][lane in][lane out] */
	uint64_t *turns;                             /* [channels + 1] start of a channel's row of discarded */
	uint64_t *discarded;                         /* [pair of channels] whether packets are mapped to LANE_DISCARD */
	uint16_t *mask;                              /* [channels] lanes of the packets on the channel */
	uint16_t (*start_mask)[SERVICE_LEVELS_MOST]; /* [channels] lanes of a start's packets that leave by the channel, 0: not found yet */
	uint16_t *levels;                            /* [starts] service levels of its packets to the destination, one bit per level */
	bool *alike;                                 /* [starts] whether all its hosts send on the same levels to any destination */
	uint32_t *member;                            /* [hosts] hosts, sorted by start */
	uint32_t *first_member;                      /* [starts + 1] */
	uint32_t *by_port; /* [hosts] the members of each start, sorted by the port at which their packets arrive */
	uint32_t *others;  /* [hosts] index in by_port at which the next port begins */
	bool *passed;      /* [hosts] whether they forward packets of others */
};

/*
 * Initialises an empty graph for routes along these trees, or for other routes if the trees have no starts. LEVEL_TOLD needs virtual lanes
 * with levels. passed: [hosts] see struct destination_trees, as far as known; copied. Returns 0, or -1; call dependencies_clear() in either
 * case. Memory: one bit per pair of channels that meet at a switch and pair of lanes.
 */
int dependencies_init(struct dependencies *dependencies, const struct destination_trees *trees, const struct virtual_lanes *lanes,
	int level, const bool *passed, struct error *error);
void dependencies_clear(struct dependencies *dependencies);

/* Returns whether routes may pass through the node: a switch, or a host that forwards for others. */
bool dependencies_forwards(const struct dependencies *dependencies, uint32_t node);

/*
 * dependencies_counts() returns whether a dependency of two consecutive channels of a route counts: no packet waits before a host that does
 * not forward, nor behind one. Time O(log nodes). The second function adds it if it counts, regardless of lanes.
 */
bool dependencies_counts(const struct dependencies *dependencies, uint32_t in, uint32_t out);
void dependencies_join(struct dependencies *dependencies, uint32_t in, uint32_t out);

/* Adds the dependencies of the current tree. Time O(tree), times the number of service levels of its packets. */
void dependencies_add(struct dependencies *dependencies);

/* Builds the graph; vertices are channel * lane_count + lane. Returns 0, or -1. Time O(bits). */
int dependencies_graph(const struct dependencies *dependencies, struct digraph *graph, struct error *error);

/* Sets whether that graph has a cycle. Returns 0, or -1. Time O(bits). */
int dependencies_cyclic(const struct dependencies *dependencies, bool *cyclic, struct error *error);

#endif
