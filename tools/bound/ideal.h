/*
 * The yardstick: what a random bisection gets in a fat tree with full bisection bandwidth, routed D-mod-K.
 *
 * From each subtree at least as many channels lead up as it has hosts (ideal_tree.h), and they have one part each of the destinations
 * outside of it, all parts alike: in a full tree of h hosts on a leaf and h children and ports up of all switches but the top, a packet for
 * host d leaves a switch of level i (leaves: 1) up by port (d div h^(i-1)) mod h. All routes to d from below one switch position meet, and
 * every channel down carries one destination's routes: at most one in a bisection. So a pair (s, d) whose lowest common switch is at level
 * L shares only its channels up, and that of level i < L is used by those pairs (s', d') for which s' is in the same subtree of height i as
 * s, d' is not, and has the same part as d. With c(i) of them, itself included, the pair gets 1 / max c(i).
 *
 * Why it is an upper mark of forwarding tables in a fabric that is a tree: it is the mean over all mappings of a tree with all channels
 * that the fabric has from each subtree, in which no channel down is ever shared. Of a leaf the 1 / c(1) of all pairs that leave it add up
 * to its channels in use; where a channel has part of the destinations, the expected number in use is largest if all parts are alike. That
 * is a proof for two levels; for more, tests/bound/ideal.py compares. A single mapping may get more, and so may routes that differ by
 * source.
 *
 * Two levels: given the pair (s, d), c(1) - 1 counts how many of the h-1 other hosts of the leaf are matched with one of the n/h - 2 other
 * destinations, in the right direction. Three levels: c(1) and c(2) have the partners that both can see in common; see ideal.c for
 * their joint distribution. Both are sums of exact probabilities. More levels, and trees that are not full, are sampled.
 */
#ifndef TOOLS_BOUND_IDEAL_H
#define TOOLS_BOUND_IDEAL_H

#include "tools/bound/ideal_tree.h"

/* Which tree it is: that of the fabric, the user's, or one to compare a fabric with that is none. */
enum ideal_kind { IDEAL_OWN, IDEAL_GIVEN, IDEAL_OTHER };

struct ideal {
	enum ideal_kind kind;            /* the caller's */
	uint32_t levels;                 /* of the tree */
	uint32_t most[IDEAL_LEVELS + 1]; /* as in the tree */
	uint64_t channels[IDEAL_LEVELS + 1];
	bool exact; /* else sampled in so many runs, with these standard errors */
	uint32_t runs;
	double bisect, bisect_fb_sym; /* mean bandwidth of a pair, as a share of the link's peak */
	double bisect_error, bisect_fb_sym_error;
};

/*
 * Returns 0, or -1 if out of memory. Time: exact ones O(leaf^4) and more, so leaves are limited; sampled ones O(runs * hosts *
 * levels).
 */
int ideal_find(struct ideal *ideal, const struct ideal_tree *tree, struct error *error);

/* The levels of a fabric: how many switches lie between the switch farthest from all hosts and the nearest host, itself included. And the
 * hosts on a leaf, the mean over switches with hosts, rounded up. Returns 0, or -1. Time O(nodes + channels). */
int ideal_shape(const struct fabric *fabric, uint32_t *levels, uint32_t *leaf, struct error *error);

#endif
