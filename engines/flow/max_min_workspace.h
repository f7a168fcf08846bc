/*
 * The workspace of max_min, for engines/flow/max_min*.c: max_min.c manages the flows, max_min_take.c adds many together, max_min_whole.c
 * computes all rates, max_min_parts.c computes those that change; max_min_others.c and max_min_quiet.c keep who is told of changes.
 */
#ifndef ENGINES_FLOW_MAX_MIN_WORKSPACE_H
#define ENGINES_FLOW_MAX_MIN_WORKSPACE_H

#include "base/memory.h"
#include "engines/flow/max_min.h"

#include <math.h>

enum { LINE = 64 / sizeof(uint32_t) }; /* channels or flows per cache line */

/*
 * All rates are computed, which is cheaper per flow, if more than FEW flows, and more than one in PART, are new; also if an update visits
 * more than MANY times the number of flows.
 */
enum { PART = 2, FEW = 64, MANY = 8 };

static inline double weight_of(const struct max_min *m, uint32_t flow)
{
	return m->weight ? m->weight[flow] : 1;
}

static inline double part_at(const struct max_min *m, size_t place)
{
	return m->part ? m->part[place] : 1;
}

/* Returns whether two rates are equal, except for rounding. */
static inline bool same(double a, double b)
{
	return fabs(a - b) <= MAX_MIN_SAME * fabs(b);
}

/*
 * Allocates an array with undefined content, in large pages if the C library gives it pages of its own in any case; smaller ones would
 * leave gaps between runs. NULL if out of memory.
 */
static inline void *large_create(size_t count, size_t size, struct error *error)
{
	const size_t large = (size_t)32 << 20; /* the C library's largest threshold for that */
	void *array = NULL;
	size_t room = 0;
	if (count > large / size)
		return block_create(count * size, error);
	return array_grow(&array, &room, count ? count : 1, size, error) ? NULL : array;
}

/* ---- max_min_others.c */

/* Whether a channel is told of all changes of its flows; otherwise why not. */
enum quiet { TOLD, SPARE, COVERED };

/* The next link of a channel that is not doubtful. */
#define IDLE (NONE - 1)

static inline double smaller(double a, double b)
{
	return a < b ? a : b;
}

/* Returns the index of the channel in the flow's route. */
static inline uint32_t place_on(const struct max_min *m, uint32_t flow, uint32_t channel)
{
	size_t start = m->flow[flow].start, i = start;
	while (m->route[i] != channel)
		i++;
	return (uint32_t)(i - start);
}

/* Whether the flow passes the channel. */
static inline bool passes(const struct max_min *m, uint32_t flow, uint32_t channel)
{
	size_t i = m->flow[flow].start, end = i + m->flow[flow].length;
	while (i < end && m->route[i] != channel)
		i++;
	return i < end;
}

/* Returns the level of the flow's bottleneck; 0: a new flow. */
static inline double level_of(const struct max_min *m, uint32_t flow)
{
	return m->flow[flow].bottleneck == NONE ? 0 : m->level[m->flow[flow].bottleneck];
}

/* Makes room for the state of all routes between solutions. Returns 0, or -1. */
int max_min_grow(struct max_min *m, struct error *error);

/* Resets the state of a channel without flows. */
void max_min_reset(struct max_min *m, uint32_t channel);

/* Moves the flow, in whose route the channel has index at, to index to of the channel's list, and swaps it with the flow there. */
void max_min_swap(struct max_min *m, uint32_t channel, size_t place, uint32_t to);

/* If flows leave less than this part of a channel, the difference is not exact enough. */
#define CANCELS 1e-3

/* Makes room for more others of a channel. Returns 0, or -1. */
int max_min_make_others(struct max_min *m, uint32_t channel, uint32_t more, struct error *error);

/*
 * Makes the flow, in whose route the channel has that index, one of the channel's own. The caller updates the use by own and other flows.
 */
int max_min_bind(struct max_min *m, uint32_t channel, uint32_t flow, size_t place, struct error *error);

/* Makes it one of the others again. */
void max_min_unbind(struct max_min *m, uint32_t channel, uint32_t flow, size_t place);

/* Computes the capacity that the flows of other bottlenecks leave. */
void max_min_sum(struct max_min *m, uint32_t channel);

/* Adds the channel at this index of the flow's route to the others of the flow's bottleneck, where there is room. */
static inline void max_min_list(struct max_min *m, uint32_t bottleneck, uint32_t flow, size_t place)
{
	struct fair_channel *c = &m->channel[bottleneck];
	struct fair_others *others = &m->others[bottleneck];
	if (others->times)
		others->times[c->others] = weight_of(m, flow) * part_at(m, place);
	m->entry[place] = c->others;
	others->place[c->others] = place;
	c->other[c->others++] = m->route[place];
}

/* Removes it; the last one takes its index. */
static inline void max_min_drop(struct max_min *m, uint32_t bottleneck, size_t place)
{
	struct fair_channel *c = &m->channel[bottleneck];
	struct fair_others *others = &m->others[bottleneck];
	uint32_t i = m->entry[place], last = --c->others;
	c->other[i] = c->other[last];
	others->place[i] = others->place[last];
	if (others->times)
		others->times[i] = others->times[last];
	m->entry[others->place[i]] = i;
	m->entry[place] = NONE;
}

/* ---- max_min_quiet.c */

/* Makes a quiet channel one that is told of all changes. Returns 0, or -1. */
int max_min_wake(struct max_min *m, uint32_t channel, struct error *error);

/* Lets the flow have that level on all quiet channels of its route, or wakes these. Returns 0, or -1. */
int max_min_raise(struct max_min *m, uint32_t flow, double level, struct error *error);

/* Raises the limits of the channel's own flows to their level. Returns 0, or -1. */
int max_min_ring(struct max_min *m, uint32_t channel, double level, struct error *error);

/* After a solution: channels with changes, and those that were woken, may be quiet. */
void max_min_quieten(struct max_min *m);

/* ---- max_min_parts.c */

/* Notes a change at a channel, which is told of changes. */
void max_min_doubt(struct max_min *m, uint32_t channel);

/* Removes the flow from its channels, if these are known. */
void max_min_leave(struct max_min *m, uint32_t flow);

/* Updates the rates that change. Returns 1, 0 if that would be too much work, or -1. */
int max_min_solve_part(struct max_min *m, struct error *error);

/* ---- max_min_whole.c */

/* Computes all rates. Returns 0, or -1. Time O(channels of all flows), times log for classes of many channels. */
int max_min_solve_whole(struct max_min *m, struct error *error);

#endif
