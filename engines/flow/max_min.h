/*
 * Max-min fair rates: the one division of the channels' capacities in which no flow can have more unless one with less or as much has less
 * still (Bertsekas, Gallager: Data Networks, 2nd edition 1992, section 6.5.2). Every flow then has a bottleneck: a channel that is full, on
 * which no flow has more for its weight. Flows come and go; what changes thereby is solved again, and no more unless that is most of it.
 */
#ifndef ENGINES_FLOW_MAX_MIN_H
#define ENGINES_FLOW_MAX_MIN_H

#include "fabric/fabric.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Rates that differ by no more than this part of them are equal. */
#define MAX_MIN_SAME 1e-12

/* What is known of a channel while all rates are found. */
struct filling {
	double left;   /* capacity that flows with a rate leave */
	uint32_t free; /* flows without one */
	uint32_t unused;
};

struct fair_flow {
	double rate;         /* bits/s, of the whole flow; INFINITY without channels */
	size_t start;        /* its channels: route[start] .. */
	uint32_t length;     /* how many; NONE: it has gone */
	uint32_t bottleneck; /* channel; NONE: no channels, or not solved yet */
};

/* What is known of a channel from one solving to the next. The flows whose bottleneck it is, its own, stand first among its members, and
 * all have the same level: their rates by their weights. */
struct fair_channel {
	double left;    /* bits/s that the other flows leave; less than 0: too many */
	double top;     /* none of these has a higher level */
	double weight;  /* of its own flows, each times its part */
	uint32_t bound; /* how many these are */
	uint32_t next;  /* doubtful channel */
};

/* The other channels of a channel's own flows, one after the other, and the flows' weights times their parts there. Where a flow has left,
 * channels that are none. */
struct fair_others {
	uint32_t *channel;
	double *times; /* NULL: all 1 */
	uint32_t used, room, dead;
};

/* A flow that has its rate, unless its channel is full before: rate by weight, and its part of the channel by weight. */
struct capped {
	double level, weight;
};

/* A channel that may be the next to be full: when flows of weight 1 have this rate. */
struct candidate {
	double level;
	uint32_t channel;
};

/* Channels of a class of levels, and the next bag of the class. */
enum { BAG = 14 };
struct bag {
	uint32_t channel[BAG], count, next;
};

struct max_min {
	uint32_t channels;
	const double *capacity; /* [channels] bits/s, not owned; see max_min_touch() */

	/* flows; numbers of those that have gone are given again */
	uint32_t flows, active; /* numbers given; flows there are */
	struct fair_flow *flow; /* [flows] */
	double *weight;         /* [flows] NULL: all 1 */
	uint32_t *route;
	double *part; /* beside route, of the flow's rate on the channel; NULL: all 1 */
	size_t flow_room, weight_room, old_room, told_room;
	size_t route_used, route_room, part_room;
	size_t *spare; /* [spares] by length: place + 1 of a route that a flow has left, which holds that of the next; 0: none */
	size_t spares;
	uint32_t *gone; /* [gones] numbers to be given again, the last pending ones only after the next solving */
	size_t gones, pending, gone_room;

	/* channels */
	uint32_t **member; /* [channels] the flows on it, and until the next solving those that have gone */
	uint32_t *members; /* [channels] */
	uint32_t *room;    /* [channels] 0 with members: they stand in block */
	uint32_t *block;
	uint32_t *used; /* [useds] channels that have flows, or had some or were touched since all rates were found last */
	size_t useds;
	bool *is_used; /* [channels] */

	/* between solvings */
	uint32_t *dirty; /* [dirties] channels where something has changed */
	size_t dirties;
	bool *is_dirty;  /* [channels] */
	uint32_t *fresh; /* [freshes] new flows */
	size_t freshes, fresh_room;

	const volatile sig_atomic_t
		*stop; /* never set, unless from outside: solving ends when it is, and then nothing but freeing is left */
	bool terse;    /* set it from outside: rates, touched and old are not kept up, as moved and work are enough; see max_min_rate() */

	/* the last solving */
	uint32_t *touched; /* [touches] flows whose rates it may have changed */
	uint32_t *told;    /* [flows] the solving that touched it last */
	double *old;       /* [flows] of those: their rates before, 0 of new ones */
	size_t touches, touched_room;
	uint32_t *moved; /* [moves] flows that may have another bottleneck now, some twice */
	size_t moves, moved_room;
	uint32_t *work; /* [works] channels whose flows may have another level now */
	size_t works, work_room;

	/* while solving */
	struct filling *filling; /* [channels] */
	double *wanting;         /* [channels] part * weight of each of its flows without a rate; NULL: all 1 */
	struct candidate *heap;
	size_t heap_count, heap_room;
	uint64_t *filled; /* a bit for each flow: it has its rate */
	size_t filled_room;
	struct bag *bag; /* [bags] channels of classes of levels */
	size_t bags, bag_room;
	uint32_t spare_bag; /* the first of those that are empty; NONE */
	bool once;          /* it is solved but once: nothing is told of what was before */
	uint32_t stamp;
	bool known;                   /* what follows is as the rates are */
	struct fair_channel *channel; /* [channels] NULL: nothing was solved in parts yet */
	double *level;                /* [channels] of its own flows, where it has some */
	double *full;                 /* [channels] capacity as of the last solving */
	uint32_t *noted;              /* [channels] the solving that gave it its level */
	struct fair_others *others;   /* [channels] */
	uint32_t *place;              /* [flows] of their other channels among those */
	size_t place_room;
	uint32_t *at; /* beside route: where the flow stands in the list of that channel */
	size_t at_room;
	uint32_t *doubtful;    /* channels to be looked at, by classes of levels: the first of each; NONE */
	uint64_t *is_doubtful; /* a bit for each class that has some */
	size_t doubts, doubt;  /* how many; none before that word of bits */
	uint64_t lowest_class; /* levels in the first class, and below */
	uint64_t visits;       /* to flows */
	uint32_t sums_held;    /* solvings since sums were made */
	struct capped *capped; /* of one channel */
	size_t capped_room;
	uint64_t solved_whole, solved_parts; /* how often, for those who measure */
};

/* For channels of these capacities, borrowed; without flows. NULL if out of memory. */
struct max_min *max_min_create(uint32_t channels, const double *capacity, struct error *error);
void max_min_free(struct max_min *m);

/*
 * A new flow over these channels, each at most once; part: [count] of its rate on each, NULL: all 1; weight > 0: what it gets of a
 * bottleneck is in proportion. Returns its number, NONE if out of memory. Time O(count).
 */
uint32_t max_min_add(struct max_min *m, const uint32_t *channel, const double *part, uint32_t count, double weight, struct error *error);

/*
 * Instead of adding them one by one, to an empty one that will be solved once: takes flows of weight 1, each over channel[start[f]] ..
 * channel[start[f + 1] - 1]; both arrays, by malloc, go over to it, also on errors. Numbers the flows by their first channels. Returns 0,
 * or -1 if out of memory, or without an error when *stop is set. Time O(channels of all).
 */
int max_min_take(struct max_min *m, uint32_t flows, size_t *start, uint32_t *channel, struct error *error);

/* The flow has ended. Time O(length). */
void max_min_remove(struct max_min *m, uint32_t flow, struct error *error);

/* The capacity of a channel has changed. */
void max_min_touch(struct max_min *m, uint32_t channel);

/*
 * Finds the rates; touched and old, moved and work tell which may have changed. Returns 0, or -1 if out of memory, or without
 * an error when *stop is set. Time: O(channels of the flows whose rates change), with few exceptions, and at most O(channels of all flows *
 * log).
 */
int max_min_solve(struct max_min *m, struct error *error);

/* Whether the rates are max-min fair, but for rounding; for tests and builds that check everything. Time O(channels of all flows). */
bool max_min_holds(const struct max_min *m);

/* What part of the flow's rate is on one of its channels. */
double max_min_part(const struct max_min *m, uint32_t flow, uint32_t channel);

/* The flow's rate by the last solving, also where they are terse. */
static inline double max_min_rate(const struct max_min *m, uint32_t flow)
{
	const struct fair_flow *own = &m->flow[flow];
	return m->known && own->bottleneck != NONE ? m->level[own->bottleneck] * (m->weight ? m->weight[flow] : 1) : own->rate;
}

static inline bool max_min_is(const struct max_min *m, uint32_t flow)
{
	return flow < m->flows && m->flow[flow].length != NONE;
}

#endif
