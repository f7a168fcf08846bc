/*
 * Rates found anew where flows have come or gone: the channels there fill as in max_min.c. The other flows keep their rates, but for two
 * reasons: their own bottleneck is full at another level now, then they are free, and what other channels they use is to be looked at; or a
 * channel is full below their rate, then they get that. Levels are dealt with from below, so whoever has less than the present level has
 * what it will have. Sums for each channel tell in no time a level below which it cannot be full; its flows are only looked at when that
 * comes up.
 */
#include "max_min_workspace.h"

#include <stdlib.h>
#include <string.h>

/* So many flows are between asking for one and its use. */
enum { AHEAD = 8 };

/* The sums of all channels, from the rates. Returns 0, or -1 when the memory is not there. */
static int know(struct max_min *m, struct error *error)
{
	if (m->known)
		return 0;
	if (!m->channel && !(m->channel = array_create(m->channels, sizeof *m->channel, error)))
		return -1;
	memset(m->channel, 0, m->channels * sizeof *m->channel);
	for (uint32_t f = 0; f < m->flows; f++)
		for (size_t i = m->flow[f].start; m->flow[f].length != NONE && i < m->flow[f].start + m->flow[f].length; i++) {
			struct fair_channel *c = &m->channel[m->route[i]];
			double part = part_at(m, i), rate = m->flow[f].rate * part;
			c->rate += rate;
			if (m->flow[f].bottleneck != m->route[i])
				continue;
			c->bound++;
			c->bound_rate += rate;
			c->bound_weight += weight_of(m, f) * part;
		}
	m->known = true;
	return array_grow(&m->heap, &m->heap_room, m->channels, sizeof *m->heap, error);
}

/* The flow's rate may change: notes what it was. */
static int touch(struct max_min *m, uint32_t flow, enum state state, struct error *error)
{
	if (m->flow[flow].state == STATE_OLD) {
		if (array_grow(&m->touched, &m->touched_room, m->touches + 1, sizeof *m->touched, error))
			return -1;
		m->touched[m->touches++] = flow;
		m->old[flow] = m->flow[flow].rate;
	}
	m->flow[flow].state = state;
	return 0;
}

/* The channel, ready for this solving. */
static struct fair_channel *look_at(struct max_min *m, uint32_t channel)
{
	struct fair_channel *c = &m->channel[channel];
	if (c->stamp != m->stamp) {
		c->stamp = m->stamp;
		c->free = 0;
		c->free_rate = c->free_weight = c->least = 0;
	}
	return c;
}

/*
 * Puts the channel into the heap where it belongs. It is not full below the level at which its free and bound flows use what the others
 * leave, if these have no less than now; the bound ones are to be looked at before their own level has passed. Without any it is none of
 * them, unless its flows use too much. Sums are not exact.
 */
static void offer(struct max_min *m, uint32_t channel)
{
	struct fair_channel *c = &m->channel[channel];
	const double rounding = 1e-9;
	if (!c->bound)
		c->bound_rate = c->bound_weight = 0;
	if (!c->free)
		c->free_rate = c->free_weight = 0;
	bool over = c->rate > m->capacity[channel] * (1 + 4 * MAX_MIN_SAME);
	if (!c->free && !c->bound && !over) {
		if (c->place)
			candidates_remove(m, c->place - 1);
		return;
	}
	double left = m->capacity[channel] * (1 - rounding) - c->rate + c->free_rate + c->bound_rate;
	double weight = c->free_weight + c->bound_weight, level = left > 0 && weight > 0 ? left / weight : 0;
	if (level < c->least)
		level = c->least;
	if (c->bound && level > c->bound_rate / c->bound_weight)
		level = c->bound_rate / c->bound_weight;
	struct candidate candidate = {level, channel};
	if (!c->place)
		candidates_rise(m, m->heap_count++, candidate);
	else if (level < m->heap[c->place - 1].level)
		candidates_rise(m, c->place - 1, candidate);
	else
		candidates_sink(m, c->place - 1, candidate);
}

/*
 * The level at which the channel is full: flows that have been found keep their rates, free and bound ones take the level, the others as
 * well where they have more. INFINITY: it is never full. NAN when the memory is not there. Makes its sums exact.
 */
static double find_level(struct max_min *m, uint32_t channel, struct error *error)
{
	struct fair_channel *c = &m->channel[channel];
	double left = m->capacity[channel], wanted = 0;
	size_t count = 0;
	if (array_grow(&m->capped, &m->capped_room, m->members[channel], sizeof *m->capped, error))
		return NAN;
	c->rate = 0;
	for (uint32_t k = 0; k < m->members[channel]; k++) {
		uint32_t f = m->member[channel][k];
		if (k + AHEAD < m->members[channel])
			__builtin_prefetch(&m->flow[m->member[channel][k + AHEAD]]);
		const struct fair_flow *flow = &m->flow[f];
		double part = m->part ? max_min_part(m, f, channel) : 1, weight = weight_of(m, f);
		c->rate += flow->rate * part;
		if (flow->state == STATE_FOUND)
			left -= flow->rate * part;
		else if (flow->state == STATE_OLD && flow->bottleneck != channel)
			m->capped[count++] = (struct capped){flow->rate / weight, weight * part};
		else
			wanted += weight * part;
	}
	for (;;) { /* at first all of these take the level; whoever has less keeps what it has, which leaves more for the others */
		double all = wanted;
		size_t kept = 0;
		for (size_t i = 0; i < count; i++)
			all += m->capped[i].weight;
		if (all == 0)
			return INFINITY;
		double level = left > 0 ? left / all : 0;
		for (size_t i = 0; i < count; i++) {
			if (m->capped[i].level <= level)
				left -= m->capped[i].level * m->capped[i].weight;
			else
				m->capped[kept++] = m->capped[i];
		}
		if (kept == count)
			return level;
		count = kept;
	}
}

/* Asks for the channels of the flow that comes so many after one of a channel's: for its place first, then for its route, then for them. */
static inline void ask_ahead(const struct max_min *m, uint32_t channel, uint32_t k)
{
	const uint32_t *member = m->member[channel];
	uint32_t count = m->members[channel];
	if (k + 2 * AHEAD < count)
		__builtin_prefetch(&m->route[m->flow[member[k + 2 * AHEAD]].start]);
	if (k + AHEAD >= count)
		return;
	const struct fair_flow *flow = &m->flow[member[k + AHEAD]];
	for (uint32_t i = 0; i < flow->length && i < AHEAD; i++)
		__builtin_prefetch(&m->channel[m->route[flow->start + i]], 1);
}

/* The flow is free: its channels may be full at other levels than they were thought to be. Returns 0, or -1. */
static int set_free(struct max_min *m, uint32_t flow, struct error *error)
{
	if (touch(m, flow, STATE_FREE, error))
		return -1;
	for (size_t i = m->flow[flow].start, end = i + m->flow[flow].length; i < end; i++) {
		struct fair_channel *c = look_at(m, m->route[i]);
		double part = part_at(m, i), rate = m->flow[flow].rate * part, weight = weight_of(m, flow) * part;
		if (m->flow[flow].bottleneck == m->route[i]) {
			c->bound--;
			c->bound_rate -= rate;
			c->bound_weight -= weight;
		}
		c->free++;
		c->free_rate += rate;
		c->free_weight += weight;
		c->least = 0;
		offer(m, m->route[i]);
	}
	return 0;
}

/* The channel's bound flows are free if it is full at another level now. Returns whether they are, or -1. */
static int free_bound(struct max_min *m, uint32_t channel, double level, struct error *error)
{
	const struct fair_channel *c = &m->channel[channel];
	if (!c->bound || same(level * c->bound_weight, c->bound_rate))
		return 0;
	for (uint32_t k = 0; k < m->members[channel]; k++) {
		uint32_t f = m->member[channel][k];
		ask_ahead(m, channel, k);
		if (m->flow[f].state == STATE_OLD && m->flow[f].bottleneck == channel && set_free(m, f, error))
			return -1;
	}
	return 1;
}

/* The flow has found its rate at that channel. */
static void found(struct max_min *m, uint32_t flow, double level, uint32_t channel)
{
	double before = m->flow[flow].rate, weight = weight_of(m, flow);
	uint32_t bottleneck = m->flow[flow].bottleneck;
	bool was_free = m->flow[flow].state == STATE_FREE;
	m->flow[flow].state = STATE_FOUND;
	max_min_set_rate(m, flow, level, channel);
	double more = m->flow[flow].rate - before;
	for (size_t i = m->flow[flow].start, end = i + m->flow[flow].length; i < end; i++) {
		struct fair_channel *c = &m->channel[m->route[i]];
		double part = part_at(m, i);
		if (!was_free && c->stamp != m->stamp && c->bound)
			look_at(m, m->route[i]);
		c->rate += more * part;
		if (was_free) {
			c->free--;
			c->free_rate -= before * part;
			c->free_weight -= weight * part;
		} else if (bottleneck == m->route[i]) {
			c->bound--;
			c->bound_rate -= before * part;
			c->bound_weight -= weight * part;
		}
		if (c->stamp == m->stamp && m->route[i] != channel)
			offer(m, m->route[i]);
	}
}

/* The channel is full at that level: its free flows, and those that have more, have their rates. Returns 0, or -1. */
static int end_channel(struct max_min *m, uint32_t channel, double level, struct error *error)
{
	for (uint32_t k = 0; k < m->members[channel]; k++) {
		uint32_t f = m->member[channel][k];
		const struct fair_flow *flow = &m->flow[f];
		ask_ahead(m, channel, k);
		bool lowered = flow->state == STATE_OLD && flow->bottleneck != channel &&
			       flow->rate > level * weight_of(m, f) * (1 + MAX_MIN_SAME);
		if (lowered && touch(m, f, STATE_OLD, error))
			return -1;
		if (lowered || flow->state == STATE_FREE)
			found(m, f, level, channel);
	}
	return 0;
}

/* Whether too many flows change for this to pay. */
static bool too_many(const struct max_min *m)
{
	return m->touches > FEW && m->touches > m->active / PART;
}

/* Those that were touched are as all others again; or, where it was too much, as before. */
static void end_part(struct max_min *m, bool whole)
{
	while (m->heap_count)
		candidates_remove(m, m->heap_count - 1);
	for (size_t i = 0; i < m->touches; i++) {
		uint32_t f = m->touched[i];
		m->flow[f].state = STATE_OLD;
		if (whole)
			m->flow[f].rate = m->old[f];
		for (size_t k = m->flow[f].start; !whole && k < m->flow[f].start + m->flow[f].length; k++) {
			struct fair_channel *c = &m->channel[m->route[k]];
			if (m->flow[f].bottleneck != m->route[k])
				continue;
			c->bound++;
			c->bound_rate += m->flow[f].rate * part_at(m, k);
			c->bound_weight += weight_of(m, f) * part_at(m, k);
		}
	}
	m->known = !whole;
}

int max_min_solve_part(struct max_min *m, struct error *error)
{
	if (know(m, error))
		return -1;
	m->touches = m->heap_count = 0;
	m->stamp++;
	for (size_t i = 0; i < m->freshes; i++) {
		uint32_t f = m->fresh[i];
		if (m->flow[f].length != NONE && m->flow[f].length && set_free(m, f, error))
			return -1;
	}
	for (size_t i = 0; i < m->dirties; i++) {
		look_at(m, m->dirty[i]);
		offer(m, m->dirty[i]);
	}
	while (m->heap_count && !too_many(m)) {
		struct candidate next = m->heap[0];
		struct fair_channel *c = &m->channel[next.channel];
		double level = find_level(m, next.channel, error);
		int freed = isnan(level) ? -1 : free_bound(m, next.channel, level, error);
		if (freed < 0)
			return -1;
		c->least = level;
		if (freed || ((c->free || !c->bound) && level > next.level * (1 + 2 * MAX_MIN_SAME))) {
			if (isfinite(level))
				offer(m, next.channel);
			else
				candidates_remove(m, c->place - 1);
			continue;
		}
		candidates_remove(m, c->place - 1);
		if (isfinite(level) && end_channel(m, next.channel, level, error))
			return -1;
	}
	bool whole = too_many(m);
	end_part(m, whole);
	m->solved_parts += !whole;
	return !whole;
}
