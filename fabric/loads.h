/*
 * The exact load of every channel under random mappings, from counts of the routes R(e) that use it.
 *
 * Take n hosts, and for a channel e
 *   R    the ordered pairs of hosts (s, d) whose route uses e: as many as routes leave its tail by it in the trees of all destinations
 *   b(h) the number of them with source h, a(h) with destination h
 *   V    those whose reversed pair is also among them
 * X, the load of e in one run, is the sum over the routes of 1 where the pair is drawn, so E[X] = R p for the probability p that a given
 * pair is drawn, and E[X^2] is the sum over all ordered pairs of routes of the probability that both are drawn.
 *
 * bisect: m = n div 2 disjoint pairs (s, d). p = m / (n (n-1)). Two routes are both drawn only if they are the same, or if their four ends
 * are distinct, and then with the probability q = m (m-1) / (n (n-1) (n-2) (n-3)). Let Q count the ordered pairs of routes with four
 * distinct ends. Of all R^2, those leave out that share the source (the sum of b^2), share the destination (of a^2), or have the source
 * of one as the destination of the other (of a b, twice, once per direction). Of these properties only two together are possible: same
 * source and same destination (the same route, R of them), and both crossed (the reversed route, V). So by inclusion and exclusion Q = R^2
 * - sum over h of (a + b)^2 + R + V,   Var[X] = R p + Q q - (R p)^2. bisect_fb_sym: the same pairs, in both directions. p and q are 2 and 4
 * times as large, and a route is drawn whenever its reverse is: Var[X] = (R + V) 2p + Q 4q - (R 2p)^2. rand: a random permutation. p = 1/n;
 * two routes with different sources and different destinations are drawn together with the probability 1 / (n (n-1)), whether or not an end
 * of one is the other end of the other, and there are R^2 - sum of b^2 - sum of a^2 + R: Var[X] = R/n + (R^2 - sum b^2 - sum a^2 + R) / (n
 * (n-1)) - R^2/n^2.
 */
#ifndef FABRIC_LOADS_H
#define FABRIC_LOADS_H

#include "fabric/source_groups.h"

#include <stdbool.h>
#include <stdint.h>

/* Counts of the routes over one channel; sums over hosts h. */
struct load {
	uint64_t routes;              /* R, all-to-all's load */
	uint64_t source_squares;      /* b^2 */
	uint64_t destination_squares; /* a^2 */
	uint64_t products;            /* a b */
	uint64_t reversed;            /* V */
	uint64_t sources;             /* hosts with b > 0 */
	uint64_t destinations;        /* with a > 0 */
	uint64_t both;                /* with both */
};

struct loads {
	uint32_t hosts, channels;
	struct load *load;    /* [channels] */
	uint64_t unreachable; /* ordered pairs without a route; not counted elsewhere */
	bool split;           /* the argument of source_groups_init() for this fabric */
};

enum { LOADS_HOSTS_MAX = 200000 }; /* so that the variances fit 128 bits */

/*
 * Counts. Returns 0, or -1: STATUS_FABRIC for more hosts than LOADS_HOSTS_MAX, STATUS_IO if out of memory. loads_clear() in every case.
 * Time O(starts * hosts * hops + hosts * switches). With several processes: orcs/loads_shared.h.
 */
int loads_count(struct loads *loads, const struct fabric *fabric, const struct forwarding *forwarding, struct error *error);
void loads_clear(struct loads *loads);

/* The patterns with exact moments under random mappings, and their names, ending with NULL. */
enum random_traffic { TRAFFIC_BISECT, TRAFFIC_BISECT_FB_SYM, TRAFFIC_RAND, RANDOM_TRAFFICS };
extern const char *const random_traffic_names[];

/* Computes mean and variance of a channel's load, in routes, when all hosts take part and every mapping is equally likely. n > 1. */
double load_mean(const struct load *load, uint32_t hosts, enum random_traffic traffic);
double load_variance(const struct load *load, uint32_t hosts, enum random_traffic traffic);

/*
 * The rivals on channels: the other routes that a route meets there under a random bisection, in the mean over routes. With the number X of
 * routes, that is E[X (X - 1)] / E[X], and of several channels the sums of these. Speeds do not matter.
 */
struct rivals {
	double routes, met; /* sums of E[X], E[X (X - 1)] */
};
void rivals_add(struct rivals *rivals, const struct load *load, uint32_t hosts);

/* Returns the rivals of what was added; NAN if no route uses the channels. */
double rivals_mean(const struct rivals *rivals);

/* ---- the steps of loads_count(), for processes that share them */

enum { LOADS_BLOCK = 32 };

struct loads_counting {
	struct loads *loads;
	struct source_groups groups;
	uint32_t *count;               /* [LOADS_BLOCK][channels] routes of a start to all destinations */
	uint32_t *together;            /* [channels][LOADS_BLOCK] the same while they are counted */
	uint32_t reached[LOADS_BLOCK]; /* destinations that the start reaches */
	uint32_t *own;                 /* [nodes] the route from a host's start back to it */
};

/* Creates the array of loads. Returns 0, or -1 like loads_count(). */
int loads_init(struct loads *loads, const struct fabric *fabric, struct error *error);

/* Begins to count, with all 0. Returns 0, or -1 if out of memory; loads_counting_clear() in either case. */
int loads_counting_init(struct loads_counting *counting, struct loads *loads, const struct fabric *fabric,
	const struct forwarding *forwarding, bool split, struct error *error);
void loads_counting_clear(struct loads_counting *counting);

/*
 * Counts all but the reversed routes of the starts from first up to groups.trees.starts, at most LOADS_BLOCK. If groups.trees.passes then
 * is not 0 and the groups are not split, they must be, and all be counted again.
 */
void loads_count_starts(struct loads_counting *counting, uint32_t first);

/*
 * Counts the reversed routes, once all else is counted: those of every channel whose index among the candidates is part, modulo parts.
 * Returns 0, or -1 if out of memory.
 */
int loads_count_reversed(struct loads_counting *counting, uint32_t part, uint32_t parts, struct error *error);

#endif
