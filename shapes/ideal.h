/*
 * The baseline: the bandwidth of a random bisection in a fat tree with full bisection bandwidth, routed D-mod-K.
 *
 * From each subtree lead at least as many channels up as it has hosts (ideal_tree.h), and each channel carries an equal part of the
 * destinations outside the subtree: in a full tree with h hosts per leaf, and h children and ports up on all switches below the top, a
 * packet for host d leaves a switch of level i (leaves: 1) up by port (d div h^(i-1)) mod h. All routes to d from below one switch position
 * meet, and every channel down carries one destination's routes: at most one in a bisection. So a pair (s, d) whose lowest common switch is
 * at level L shares only its channels up. It shares that of level i < L with the pairs (s', d') for which s' is in the same subtree of
 * height i as s, d' is not, and d' is in the same part as d. With c(i) such pairs, including itself, the pair gets 1 / max c(i).
 *
 * Why it is an upper bound for forwarding tables in a fabric that is a tree: it is the mean over all mappings in a tree with all channels
 * that the fabric has from each subtree, in which no channel down is ever shared. For a leaf, the 1 / c(1) of all pairs that leave it add
 * up to its number of channels in use; if each channel has a part of the destinations, the expected number in use is largest if all parts
 * are equal. That is a proof for two levels; for more, tests/bound/ideal.py compares. A single mapping may get more, as may routes that
 * depend on the source.
 *
 * Two levels: given the pair (s, d), c(1) - 1 is the number of the h-1 other hosts of the leaf that are matched with one of the n/h - 2
 * other destinations, in the right direction. Three levels: c(1) and c(2) can count the same partners; see ideal.c for their joint
 * distribution. Both are sums of exact probabilities. More levels, and trees that are not full, are sampled.
 */
#ifndef SHAPES_IDEAL_H
#define SHAPES_IDEAL_H

#include "shapes/ideal_tree.h"

/* The tree: that of the fabric, one given by the user, or, for fabrics that are not trees, one for comparison. */
enum ideal_kind { IDEAL_OWN, IDEAL_GIVEN, IDEAL_OTHER };

struct ideal {
	enum ideal_kind kind;            /* set by ideal_of_fabric(), or by the caller */
	uint32_t levels;                 /* levels of the tree */
	uint32_t most[IDEAL_LEVELS + 1]; /* as in struct ideal_tree */
	uint64_t channels[IDEAL_LEVELS + 1];
	bool exact; /* whether the values are exact; otherwise sampled in this number of runs, with these standard errors */
	uint32_t runs;
	double bisect, bisect_fb_sym; /* mean bandwidth of a pair, as a share of the link's peak */
	double bisect_error, bisect_fb_sym_error;
};

/*
 * Computes the bandwidths. Returns 0, or -1 if out of memory. Time: exact values O(leaf^4) or more, so leaves are limited; sampled values
 * O(runs * hosts * levels).
 */
int ideal_find(struct ideal *ideal, const struct ideal_tree *tree, struct error *error);

/*
 * Computes those of the tree with this number of levels; 0: of the fabric's own tree or, if it is none, of a regular tree with as many
 * levels and hosts per leaf. Returns 0, or -1 if out of memory. Time that of ideal_find() and shape_find().
 */
int ideal_of_fabric(struct ideal *ideal, const struct fabric *fabric, uint32_t levels, struct error *error);

/*
 * Computes the levels of a fabric: the number of switches between the switch farthest from all hosts and the nearest host, including
 * itself; and the hosts per leaf, the mean over switches with hosts, rounded up. Returns 0, or -1. Time O(nodes + channels).
 */
int ideal_shape(const struct fabric *fabric, uint32_t *levels, uint32_t *leaf, struct error *error);

#endif
