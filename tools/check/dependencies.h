/*
 * The channel dependency graph (Dally, Seitz: Deadlock-free message routing in multiprocessor interconnection networks, IEEE Transactions
 * on Computers 1987): its vertices are the lanes of channels, with an edge where some route goes on from one to the other. A packet on the
 * first may wait there for room on the second. Routes can deadlock if, and, as any packets may meet, only if it has a cycle. Channels into
 * hosts that forward nothing are left out: nothing waits behind them.
 */
#ifndef TOOLS_CHECK_DEPENDENCIES_H
#define TOOLS_CHECK_DEPENDENCIES_H

#include "base/digraph.h"
#include "fabric/virtual_lanes.h"
#include "fabric/destination_trees.h"

/* Service levels of packets that are none. */
enum { EVERY_LEVEL = -1 /* packets of each */, LEVEL_TOLD = -2 /* what the fabric tells for each pair */ };

struct dependencies {
	const struct destination_trees *trees;
	const struct virtual_lanes *lanes; /* NULL: one lane */
	int level;                         /* service level of all packets, EVERY_LEVEL, or LEVEL_TOLD */
	unsigned lane_count;
	uint64_t *base;                              /* [channels + 1] where a channel's row of the matrix begins, in pairs of channels */
	uint64_t *bits;                              /* the matrix: [pair of channels][lane in][lane out] */
	uint64_t *turns;                             /* [channels + 1] where a channel's row of discarded begins */
	uint64_t *discarded;                         /* [pair of channels] packets are mapped to LANE_DISCARD */
	uint16_t *mask;                              /* [channels] lanes on which packets take it */
	uint16_t (*start_mask)[SERVICE_LEVELS_MOST]; /* [channels] lanes of the packets of a start that leave by it, 0: not found yet */
	uint16_t *levels;                            /* [starts] service levels on which it sends to the destination, a bit for each */
	bool *alike;                                 /* [starts] all its hosts send on the same to anybody */
	uint32_t *member;                            /* [hosts] those of one start after those of the one before */
	uint32_t *first_member;                      /* [starts + 1] */
	uint32_t *by_port;                           /* [hosts] the members of each start by the port at which what they send comes in */
	uint32_t *others;                            /* [hosts] where in by_port the next port begins */
	bool *passed;                                /* [hosts] forward packets for others */
};

/* An empty graph for routes that are trees of these, or for others where these have no starts. LEVEL_TOLD needs lanes with levels. passed:
 * [hosts] see struct destination_trees, as far as known; copied. Returns 0, or -1; dependencies_clear() in every case. Memory: a bit for
 * each pair of channels that meet at a switch and each pair of lanes. */
int dependencies_init(struct dependencies *dependencies, const struct destination_trees *trees, const struct virtual_lanes *lanes,
	int level, const bool *passed, struct error *error);
void dependencies_clear(struct dependencies *dependencies);

/* Whether routes may go through the node: a switch, or a host that forwards for others. */
bool dependencies_forwards(const struct dependencies *dependencies, uint32_t node);

/* Whether a dependency of two channels that a route takes one after the other counts: nothing waits before a host that forwards nothing,
 * nor behind one. Time O(log nodes). And adds it if it does, without regard to lanes. */
bool dependencies_counts(const struct dependencies *dependencies, uint32_t in, uint32_t out);
void dependencies_join(struct dependencies *dependencies, uint32_t in, uint32_t out);

/* Adds those of the tree made last. Time O(tree), times the number of service levels of its packets. */
void dependencies_add(struct dependencies *dependencies);

/* Makes the graph; vertex channel * lane_count + lane. Returns 0, or -1. Time O(bits). */
int dependencies_graph(const struct dependencies *dependencies, struct digraph *graph, struct error *error);

#endif
