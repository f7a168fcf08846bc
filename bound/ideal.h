/*
 * The yardstick: what a random bisection gets in a fat tree with full bisection bandwidth, routed D-mod-K, of as many hosts and levels.
 *
 * The tree: h hosts on a leaf, and every switch but those at the top has h children and h ports up; the top has as many children as it
 * takes. A packet for host d leaves a switch of level i (leaves: 1) up by port (d div h^(i-1)) mod h, so all routes to d from below one
 * switch position meet, and every channel down carries one destination's routes: at most one in a bisection. So a pair (s, d) whose
 * lowest common switch is at level L shares only its channels up, and that of level i < L is used by those pairs (s', d') for which s' is
 * in the same subtree of height i as s, d' is not, and d' = d modulo h^i. With c(i) of them, itself included, the pair gets 1 / max c(i).
 *
 * Two levels: given the pair (s, d), c(1) - 1 counts how many of the h-1 other hosts of the leaf are matched with one of the n/h - 2 other
 * destinations, in the right direction. Three levels: c(1) and c(2) have the partners that both can see in common; see ideal.c for
 * their joint distribution. Both are sums of exact probabilities. More levels, and trees that are not full, are sampled.
 */
#ifndef BOUND_IDEAL_H
#define BOUND_IDEAL_H

#include "fabric.h"

#include <stdbool.h>
#include <stdint.h>

struct ideal {
	uint32_t levels, leaf; /* of the tree, no more than its hosts need; hosts on a leaf */
	bool exact;            /* else sampled in so many runs, with these standard errors */
	uint32_t runs;
	double bisect, bisect_fb_sym; /* mean bandwidth of a pair, as a share of the link's peak */
	double bisect_error, bisect_fb_sym_error;
};

/*
 * For a tree of so many hosts, levels, and hosts on a leaf. Returns 0, or -1 when the memory is not there. Time: exact ones O(leaf^4) and
 * more, so leaves are limited; sampled ones O(runs * hosts * levels).
 */
int ideal_find(struct ideal *ideal, uint32_t hosts, uint32_t levels, uint32_t leaf, struct error *error);

/* The levels of a fabric: how many switches lie between the switch farthest from all hosts and the nearest host, itself included. And the
 * hosts on a leaf, the mean over switches with hosts, rounded up. Returns 0, or -1. Time O(nodes + channels). */
int ideal_shape(const struct fabric *fabric, uint32_t *levels, uint32_t *leaf, struct error *error);

#endif
