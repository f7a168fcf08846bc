/*
 * The workspace of the congestion engine, for engines/congestion*.c: congestion.c takes the pairs of a level twice, congestion_routes.c
 * finds their routes, congestion_incast.c handles many senders to one receiver, congestion_split.c handles loads that are split.
 */
#ifndef ENGINES_CONGESTION_CONGESTION_WORKSPACE_H
#define ENGINES_CONGESTION_CONGESTION_WORKSPACE_H

#include "fabric/walk.h"
#include "engines/congestion/congestion.h"

/* The number of channels between the prefetch of a counter and its use, if the counters do not fit into a cache of the second level. */
enum { CHANNELS_AHEAD = 128, COUNTERS_NEAR = 1 << 18 };

enum { BLOCK = 1024, LANES = 16, ROUTE_BUFFER = 1 << 24 };

/* Sums of split loads are counted in this part of a route. */
#define SPLIT_PARTS 0x1p24

/* Many senders to one receiver, block after block. Data by rank is valid for the mapping of the level. */
struct incast {
	uint32_t *start; /* [ranks] in the table of routes */
	uint32_t *first; /* [ranks] first channel */
	uint32_t *sent;  /* [ranks] first pass: pairs not yet counted at the first channel; second pass: the count of that channel */
	size_t start_capacity, first_capacity, sent_capacity;
	uint32_t *row;     /* [starts][inner] of the last receiver, if there is no table */
	uint32_t *senders; /* [starts] first pass: pairs to the receiver not yet counted beyond the first channel */
	uint32_t *weight;  /* [starts] second pass: the largest congestion beyond the first channel */
	uint32_t ranks;    /* 0: no data by rank is valid in this pass */
	uint32_t receiver; /* rank of the last receiver; NONE */
	bool held;         /* the table has all routes to the receiver */
};

struct congestion {
	struct congestion_setup setup;
	void *count;       /* [channels + ROUTE_CACHE_BLANKS] of the level, of 16 or 32 bits, see count_of() */
	uint64_t *run_sum; /* [channels] of the run */
	uint64_t *sum;     /* [channels] of all kept runs */
	uint32_t *route;   /* [route_capacity] channels, one route after another */
	size_t route_used, route_capacity;
	size_t routes;      /* number in the buffer */
	size_t second_part; /* index of the first route of part 1 */
	uint32_t *length;   /* [length_capacity] of each route, unless all have the same length */
	size_t length_capacity;
	struct pair *pair; /* [pair_capacity] of each route, if there is a taker */
	size_t pair_capacity;
	struct histogram weights, rates;
	double *load; /* [channels] of the level, if loads are split */
	struct walk lane[LANES];
	uint32_t *lane_channels; /* [LANES][nodes] */
	struct pair pairs[BLOCK];
	struct weighed weighed[BLOCK];

	/* of the level being run */
	const uint32_t *host;
	uint32_t ranks;
	const struct pair_taker *take;
	struct level *level;
	bool counting; /* first pass */
	bool spilled;  /* the routes are not kept: the pairs are generated a second time */
	bool far;      /* counters fill more than the caches of one processor */
	bool narrow;   /* counters have 16 bits: twice as many fit into a cache */
	bool wide;     /* 16 bits were too few: remains set */
	bool funnels;  /* many pairs may share one receiver */
	size_t incast_least;
	bool ends;      /* routes from the table need their first and last channels; otherwise each of these is used by one pair alone */
	uint32_t alike; /* length of all routes of the buffer, which are entries of the table; 0: lengths differ */
	enum run_status result;
	struct error *error;
	struct incast incast;
	const struct pair *bad_pair; /* the first pair of the block without a route; NULL: none */
	uint32_t bad_source, bad_destination;
};

/*
 * Appends the routes of a block of at most BLOCK pairs to the buffer, and counts their channels in the first pass. Errors are stored in
 * result.
 */
void route_block(struct congestion *engine, const struct pair *pairs, size_t count);

/* Ends the level after a block with a pair without a route. The first such pair is reported, however the routes are found. */
void refuse_bad_pair(struct congestion *engine);

/* Runs the rest of a level in which the load of each pair is split among its routes, and finds its result. */
void split_level(struct congestion *engine, const struct pattern_call *call);

/* Returns a counter of routes; narrow is e->narrow, which the compiler may know. */
static inline uint32_t count_of(const struct congestion *e, bool narrow, uint32_t channel)
{
	return narrow ? ((const uint16_t *)e->count)[channel] : ((const uint32_t *)e->count)[channel];
}

/* Adds to a counter. Returns whether it has overflowed. */
static inline bool count_add(struct congestion *e, bool narrow, uint32_t channel, uint32_t add)
{
	uint32_t before = count_of(e, narrow, channel), now = before + add;
	if (narrow)
		((uint16_t *)e->count)[channel] = (uint16_t)now;
	else
		((uint32_t *)e->count)[channel] = now;
	return narrow && now > UINT16_MAX;
}

/* Prefetches a counter. */
static inline void count_prefetch(const struct congestion *e, uint32_t channel)
{
	__builtin_prefetch((const char *)e->count + channel * (e->narrow ? sizeof(uint16_t) : sizeof(uint32_t)), 1);
}

/*
 * Returns the weight of a pair with the largest congestion load, relative to speeds, whose slower host link has the speed own; adds its
 * rate. Rounded, as the order of divisions must not make weights differ.
 */
double weigh_rate(struct congestion *engine, double load, double own);

/*
 * Processes pairs with one receiver: counts their channels in the first pass, weighs them in the second. Returns false if the table does
 * not hold all their routes. The counts are complete only after incast_end().
 */
bool incast_take(struct congestion *engine, const struct pair *pairs, size_t count);

/* Ends a pass. */
void incast_end(struct congestion *engine);

#endif
