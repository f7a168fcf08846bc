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
#ifndef ORCS_LOADS_H
#define ORCS_LOADS_H

#include "fabric/source_groups.h"
#include "parallel/comm.h"

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
 * Counts, with all processes; collective. All of them have the result. Returns 0, or -1 in all: STATUS_FABRIC for more hosts than
 * LOADS_HOSTS_MAX, STATUS_IO if out of memory. loads_clear() in every case. Time O(starts * hosts * hops + hosts * switches).
 */
int loads_count(
	struct loads *loads, struct comm *comm, const struct fabric *fabric, const struct forwarding *forwarding, struct error *error);
void loads_clear(struct loads *loads);

/* The patterns with exact moments under random mappings, and their names, ending with NULL. */
enum random_traffic { TRAFFIC_BISECT, TRAFFIC_BISECT_FB_SYM, TRAFFIC_RAND, RANDOM_TRAFFICS };
extern const char *const random_traffic_names[];

/* Computes mean and variance of a channel's load, in routes, when all hosts take part and every mapping is equally likely. n > 1. */
double load_mean(const struct load *load, uint32_t hosts, enum random_traffic traffic);
double load_variance(const struct load *load, uint32_t hosts, enum random_traffic traffic);

#endif
