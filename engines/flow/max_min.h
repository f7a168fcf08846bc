/*
 * Max-min fair rates: the unique division of the channels' capacities in which the rate of a flow cannot increase unless that of a flow
 * with an equal or smaller rate decreases (Bertsekas, Gallager: Data Networks, 2nd edition 1992, section 6.5.2). Every flow then has a
 * bottleneck: a full channel on which no flow has a larger rate relative to its weight. Flows are added and removed; only rates that change
 * are computed again, unless those are most of them.
 */
#ifndef ENGINES_FLOW_MAX_MIN_H
#define ENGINES_FLOW_MAX_MIN_H

#include "fabric/fabric.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The relative difference up to which rates are equal. */
#define MAX_MIN_SAME 1e-12

/* The state of a channel while all rates are computed. */
struct filling {
	double left;   /* capacity not used by flows with a rate */
	uint32_t free; /* flows without a rate */
	uint32_t unused;
};

struct fair_flow {
	double rate;         /* bits/s of the whole flow; INFINITY without channels */
	size_t start;        /* index of its first channel in route */
	uint32_t length;     /* number of channels; NONE: the flow has been removed */
	uint32_t bottleneck; /* channel; NONE: no channels, or not solved yet */
};

/*
 * The state of a channel between solutions. The flows whose bottleneck it is, its own flows, stand first among its members, and all have
 * the same level: rate divided by weight.
 */
struct fair_channel {    /* a cache line */
	double left;     /* bits/s that the other flows leave; below 0: the channel is overfull; if it is quiet, what the limits leave */
	double top;      /* upper bound of the levels of the other flows */
	double weight;   /* sum over its own flows of weight times part */
	double level;    /* of its own flows, if it has some */
	double alarm;    /* at most the smallest limit of its own flows on other channels */
	uint32_t *other; /* [others] the other channels of its own flows, except quiet ones */
	uint32_t others;
	uint32_t bound; /* number of its own flows */
	uint32_t next;  /* next doubtful channel */
	float least;    /* what must be left, for differences to be exact enough */
};

/* More about the other channels of a channel's own flows. */
struct fair_others {
	size_t *place; /* their indices in route */
	double *times; /* the flows' weights times their parts there; NULL: all 1 */
	uint32_t room;
};

/* A flow that keeps its rate unless its channel is full before: rate and part of the channel, each divided by the weight. */
struct capped {
	double level, weight;
};

/* A channel that may be the next to be full: the rate of flows of weight 1 at which that happens. */
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
	const double *capacity; /* [channels] bits/s, borrowed; see max_min_touch() */

	/* flows; the numbers of removed flows are reused */
	uint32_t flows, active; /* numbers in use; current flows */
	struct fair_flow *flow; /* [flows] */
	double *weight;         /* [flows] NULL: all 1 */
	uint32_t *route;
	double *part; /* parallel to route: part of the flow's rate on the channel; NULL: all 1 */
	size_t flow_room, weight_room, old_room, reached_room;
	size_t route_used, route_room, part_room;
	size_t *spare; /* [spares] by length: index + 1 of an unused stretch of route, which holds that of the next; 0: none */
	size_t spares;
	uint32_t *gone; /* [gones] numbers to reuse, the last pending ones only after the next solution */
	size_t gones, pending, gone_room;

	/* channels */
	uint32_t **member; /* [channels] flows on it and, until the next solution, removed flows */
	uint32_t *members; /* [channels] */
	uint32_t *room;    /* [channels] 0 with members: these are stored in block */
	uint32_t *block;
	uint32_t *used; /* [useds] channels that have flows, or had some or were touched since all rates were last computed */
	size_t useds;
	bool *is_used; /* [channels] */

	/* between solutions */
	uint32_t *dirty; /* [dirties] channels with changes */
	size_t dirties;
	bool *is_dirty;  /* [channels] */
	uint32_t *fresh; /* [freshes] new flows */
	size_t freshes, fresh_room;

	const volatile sig_atomic_t *stop; /* set from outside only: solving then ends, and afterwards the structure can only be freed */
	bool terse; /* set by the owner: rates, touched and old are not updated, as moved and work suffice; see max_min_rate() */

	/* the last solution */
	uint32_t *touched; /* [touches] flows whose rates may have changed */
	uint32_t *reached; /* [flows] number of the solution that last touched it */
	double *old;       /* [flows] of touched flows: previous rate, 0 for new ones */
	size_t touches, touched_room;
	uint32_t *moved; /* [moves] flows whose bottleneck may have changed, some listed twice */
	size_t moves, moved_room;
	uint32_t *work; /* [works] channels whose flows' level may have changed */
	size_t works, work_room;

	/* during a solution */
	struct filling *filling; /* [channels] */
	double *wanting;         /* [channels] sum of part * weight over its flows without a rate; NULL: all 1 */
	struct candidate *heap;
	size_t heap_count, heap_room;
	uint64_t *filled; /* a bit per flow: it has its rate */
	size_t filled_room;
	struct bag *bag; /* [bags] channels of classes of levels */
	size_t bags, bag_room;
	uint32_t spare_bag; /* the first empty bag; NONE */
	bool once;          /* solved only once: previous rates are not recorded */
	uint32_t stamp;
	bool known;                   /* the members below agree with the rates */
	struct fair_channel *channel; /* [channels] NULL: nothing has been solved in parts yet */
	double *level;                /* [channels] the same as in channel, for access from flows */
	double *full;                 /* [channels] capacity at the last solution */
	bool *noted;                  /* [channels] whether it is in work */
	struct fair_others *others;   /* [channels] */
	uint32_t *at;                 /* parallel to route: index of the flow in the list of that channel */
	uint32_t *entry;              /* parallel to route: index of the channel in the others of the flow's bottleneck; NONE */
	double *limit;                /* parallel to route, of quiet channels with capacity to spare: the level that the flow may have */
	size_t at_room, entry_room, limit_room;
	uint8_t *quiet;  /* [channels] enum quiet */
	uint32_t *cover; /* [channels] that are covered: by this one */
	uint32_t *rest;  /* [rests] channels that may become quiet after the solution */
	size_t rests, rest_room;
	uint32_t *doubtful;    /* channels to examine, by classes of levels: the first of each class; NONE */
	uint64_t *is_doubtful; /* a bit per class that is not empty */
	size_t doubts, doubt;  /* number of doubtful channels; no bit is set before this word */
	uint64_t lowest_class; /* the lowest class, which includes all lower levels */
	uint64_t visits;       /* number of visits to flows */
	uint32_t sums_held;    /* solutions since the sums were computed */
	struct capped *capped; /* of one channel */
	size_t capped_room;
	uint64_t solved_whole, solved_parts; /* statistics: number of solutions */
};

/* Returns channels with these capacities, borrowed, without flows. NULL if out of memory. */
struct max_min *max_min_create(uint32_t channels, const double *capacity, struct error *error);
void max_min_free(struct max_min *m);

/*
 * Adds a flow over these channels, each at most once; part: [count] the part of its rate on each channel, NULL: all 1; weight > 0: its
 * share of a bottleneck is proportional. Returns its number, NONE if out of memory. Time O(count).
 */
uint32_t max_min_add(struct max_min *m, const uint32_t *channel, const double *part, uint32_t count, double weight, struct error *error);

/*
 * Adds all flows together, to an empty structure that will be solved once: flows of weight 1, each over channel[start[f]] to
 * channel[start[f + 1] - 1]. Takes ownership of both arrays (malloc), also on errors. Numbers the flows by their first channels. Returns 0,
 * or -1 if out of memory, or without an error if *stop is set. Time O(channels of all flows).
 */
int max_min_take(struct max_min *m, uint32_t flows, size_t *start, uint32_t *channel, struct error *error);

/* Removes a flow. Time O(length). */
void max_min_remove(struct max_min *m, uint32_t flow, struct error *error);

/* Notes that the capacity of a channel has changed. */
void max_min_touch(struct max_min *m, uint32_t channel);

/*
 * Computes the rates; touched and old, moved and work list those that may have changed. Returns 0, or -1 if out of memory, or without an
 * error if *stop is set. Time O(channels of the flows whose rates change), with few exceptions, and at most O(channels of all flows * log).
 */
int max_min_solve(struct max_min *m, struct error *error);

/* Returns whether the rates are max-min fair, except for rounding; for tests and builds with all checks. Time O(channels of all flows). */
bool max_min_holds(const struct max_min *m);

/* Returns the part of the flow's rate on one of its channels. */
double max_min_part(const struct max_min *m, uint32_t flow, uint32_t channel);

/* Returns the flow's rate in the last solution, also if terse. */
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
