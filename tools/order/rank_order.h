/*
 * The order of ranks that loads channels least: simulated annealing (Kirkpatrick, Gelatt, Vecchi: Optimization by Simulated Annealing,
 * Science 220, 1983) that exchanges two ranks, or moves one to a free place. What is minimised is the sum, over the levels of the pattern,
 * of the largest load of a channel; the search sees the sum of the cubes of those loads that no order could avoid.
 */
#ifndef TOOLS_ORDER_RANK_ORDER_H
#define TOOLS_ORDER_RANK_ORDER_H

#include "tools/order/rank_messages.h"
#include "tools/order/slot_routes.h"

/* The places for ranks: slot s is on the host s / per_host of the routes. */
struct rank_slots {
	const struct slot_routes *routes;
	uint32_t slots, per_host;
};

struct rank_search {
	const struct rank_messages *messages;
	struct rank_slots slots;
	uint64_t seed;
	uint64_t passes;                               /* to do; 0: as many as the time allows */
	double seconds;                                /* without passes; 0: the default number of passes */
	double bound;                                  /* the search ends at this sum */
	void (*progress)(uint64_t passes, double sum); /* called after every cycle; NULL: not */

	/* The result: */
	uint32_t *slot;  /* [ranks] the best order that was found, the first one to begin with */
	double sum;      /* of that order */
	uint64_t done;   /* passes */
	uint32_t levels; /* that the search saw; the sums are those of all */
};

/* Returns the sum over all levels of the largest load. slot: [ranks]. Sets the error if out of memory. Time O(messages * hops). */
double rank_order_sum(const struct rank_messages *messages, const struct rank_slots *slots, const uint32_t *slot, struct error *error);

/*
 * Returns a bound that no order is below: of every level what one host sends or receives; and for all levels together what the ranks under
 * a leaf must send to others, whichever they are, on the channels of that leaf. used: [leaves] ranks under each leaf; NULL: not fixed.
 */
double rank_order_bound(const struct rank_messages *messages, const struct rank_slots *slots, const uint32_t *used, struct error *error);

/* Improves search->slot. Returns 0, or -1 if out of memory. */
int rank_order_search(struct rank_search *search, struct error *error);

#endif
