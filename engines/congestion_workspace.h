/*
 * The workspace of the congestion engine, and how its parts share the work: congestion.c takes the pairs of a level twice,
 * congestion_routes.c finds their routes, congestion_funnel.c deals with many senders to one receiver. For engines/congestion*.c.
 */
#ifndef ENGINES_CONGESTION_WORKSPACE_H
#define ENGINES_CONGESTION_WORKSPACE_H

#include "congestion.h"
#include "routes.h"

enum { BLOCK = 1024, LANES = 16, ROUTE_BUFFER = 1 << 24 };

/* A routed pair; its channels stand in the buffer one after another. */
struct record {
	struct pair pair;
	uint32_t length;
};

/* A block of pairs with one receiver. */
struct funnel {
	uint32_t *senders; /* [starts] how many of the block begin there; all 0 between blocks */
	uint32_t *weight;  /* [starts] the largest congestion behind the first channel */
	uint32_t *start;   /* [starts + 1] those that occur */
	uint32_t starts;
};

struct congestion {
	struct congestion_setup setup;
	uint32_t *count;   /* [channels + PATH_BLANKS] of the level, as the next two */
	uint64_t *run_sum; /* [channels] of the run */
	uint64_t *sum;     /* [channels] of all runs kept */
	uint32_t *route;   /* [route_capacity] channels */
	size_t route_used, route_capacity;
	struct record *record; /* [record_capacity] */
	size_t records, record_capacity;
	size_t second_part; /* records from here on are of part 1 */
	struct histogram weights;
	struct walk lane[LANES];
	uint32_t *lane_channels; /* [LANES][nodes] */
	struct pair pairs[BLOCK];
	struct weighed weighed[BLOCK];

	/* of the level being run */
	const uint32_t *host;
	const struct pair_taker *take;
	struct level *level;
	bool counting; /* first pass */
	bool spilled;  /* the routes are not kept: the pairs come a second time */
	bool alike;    /* all routes are entries of the table, of one length */
	enum congestion_result result;
	struct error *error;
	struct funnel funnel;
	const struct pair *bad_pair; /* of the block, the first without a route */
	uint32_t bad_source, bad_destination;
};

/* Appends the routes of a block of at most BLOCK pairs to route and record, and counts their channels in the first pass. What goes wrong is
 * in result. */
void route_block(struct congestion *engine, const struct pair *pairs, size_t count);

/* Deals with pairs of one receiver: counts their channels in the first pass, weighs them in the second. Returns false where it cannot, for
 * the table does not hold all their routes. */
bool funnel_take(struct congestion *engine, const struct pair *pairs, size_t count);

#endif
