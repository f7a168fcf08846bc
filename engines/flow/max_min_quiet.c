/*
 * Quiet channels: most channels are nobody's bottleneck, and need not be told of every change of their flows. A quiet channel has capacity
 * to spare, half of which its flows may take up to limits of their levels, and the other half to raise these and for new flows; or all its
 * flows also pass another channel that is no faster, which covers it. This pays where channels have many flows.
 */
#include "base/memory.h"
#include "engines/flow/max_min_workspace.h"

#include <stdlib.h>
#include <string.h>

/* The part of its capacity that a quiet channel must have to spare, unless it is covered; fewer flows do not pay. */
#define SPARE_PART 0.02
enum { QUIET_FLOWS = 8 };

int max_min_wake(struct max_min *m, uint32_t channel, struct error *error)
{
	if (m->quiet[channel] == TOLD)
		return 0;
	if (array_grow(&m->rest, &m->rest_room, m->rests + 1, sizeof *m->rest, error))
		return -1;
	m->rest[m->rests++] = channel;
	m->quiet[channel] = TOLD;
	for (uint32_t k = 0; k < m->members[channel]; k++) {
		uint32_t f = m->member[channel][k], bottleneck = m->flow[f].bottleneck;
		size_t i = m->flow[f].start + place_on(m, f, channel);
		if (bottleneck == NONE)
			continue;
		if (max_min_make_others(m, bottleneck, 1, error))
			return -1;
		max_min_list(m, bottleneck, f, i);
	}
	max_min_sum(m, channel);
	max_min_doubt(m, channel);
	return 0;
}

/* Raises the limit of a flow on a quiet channel to the level, and half of what is left then. Returns whether that much is left. */
static inline bool grant(struct max_min *m, uint32_t flow, size_t place, double level)
{
	struct fair_channel *c = &m->channel[m->route[place]];
	double use = weight_of(m, flow) * part_at(m, place), need = (level - m->limit[place]) * use;
	if (!(need <= c->left))
		return false;
	double more = need + (c->left - need) / 2;
	m->limit[place] += more / use;
	c->left -= more;
	return true;
}

/* Whether the channel, whose sums are up to date, has enough to spare to be quiet. */
static bool has_spare(const struct max_min *m, uint32_t channel)
{
	return m->channel[channel].left > 0 && m->channel[channel].left >= SPARE_PART * m->full[channel];
}

/* Divides half of what a channel has to spare between its flows; if it is covered, they have no limits. */
static void divide(struct max_min *m, uint32_t channel)
{
	struct fair_channel *c = &m->channel[channel];
	double weight = 0, more = INFINITY;
	for (uint32_t k = 0; k < m->members[channel]; k++)
		weight += weight_of(m, m->member[channel][k]) * max_min_part(m, m->member[channel][k], channel);
	c->left /= 2;
	if (m->quiet[channel] == SPARE)
		more = c->left / weight;
	for (uint32_t k = 0; k < m->members[channel]; k++) {
		uint32_t f = m->member[channel][k];
		size_t i = m->flow[f].start + place_on(m, f, channel);
		m->limit[i] = level_of(m, f) + more;
		if (m->flow[f].bottleneck != NONE) {
			struct fair_channel *bottleneck = &m->channel[m->flow[f].bottleneck];
			bottleneck->alarm = smaller(bottleneck->alarm, m->limit[i]);
		}
	}
}

/* Lets the flow have that level on a quiet channel, or wakes this. Returns 0, or -1. */
static int raise_limit(struct max_min *m, uint32_t flow, size_t place, double level, struct error *error)
{
	uint32_t channel = m->route[place];
	if (grant(m, flow, place, level))
		return 0;
	max_min_sum(m, channel);
	if (!has_spare(m, channel))
		return max_min_wake(m, channel, error);
	divide(m, channel);
	return 0;
}

int max_min_raise(struct max_min *m, uint32_t flow, double level, struct error *error)
{
	for (size_t i = m->flow[flow].start, end = i + m->flow[flow].length; i < end; i++)
		if (m->quiet[m->route[i]] == SPARE && level > m->limit[i] && raise_limit(m, flow, i, level, error))
			return -1;
	return 0;
}

int max_min_ring(struct max_min *m, uint32_t channel, double level, struct error *error)
{
	double alarm = INFINITY;
	for (uint32_t k = 0; k < m->channel[channel].bound; k++) {
		uint32_t f = m->member[channel][k];
		if (max_min_raise(m, f, level, error))
			return -1;
		for (size_t i = m->flow[f].start, end = i + m->flow[f].length; i < end; i++)
			if (m->quiet[m->route[i]])
				alarm = smaller(alarm, m->limit[i]);
	}
	m->visits += m->channel[channel].bound;
	m->channel[channel].alarm = alarm;
	return 0;
}

/* Whether all flows of the channel pass the other one. */
static bool all_pass(const struct max_min *m, uint32_t channel, uint32_t other)
{
	for (uint32_t k = 0; k < m->members[channel]; k++)
		if (!passes(m, m->member[channel][k], other))
			return false;
	return true;
}

/*
 * Whether the other channel is no faster, and all flows of the channel pass it. Of channels with the same flows and capacity one covers the
 * others.
 */
static bool covers(const struct max_min *m, uint32_t other, uint32_t channel)
{
	if (m->quiet[other] == COVERED || m->full[other] > m->full[channel] || m->members[other] < m->members[channel])
		return false;
	return (m->full[other] < m->full[channel] || m->members[other] > m->members[channel] || other < channel) &&
	       all_pass(m, channel, other);
}

/* Finds a channel that covers it, which is beside it on the routes. */
static bool find_cover(struct max_min *m, uint32_t channel)
{
	uint32_t f = m->member[channel][0];
	size_t start = m->flow[f].start, at = start + place_on(m, f, channel), end = start + m->flow[f].length;
	if (m->part)
		return false;
	for (int side = -1; side <= 1; side += 2) {
		size_t i = at + (size_t)side; /* wraps before the first */
		if (i >= start && i < end && covers(m, m->route[i], channel)) {
			m->cover[channel] = m->route[i];
			return true;
		}
	}
	return false;
}

/* Makes a channel quiet that can be, between solutions. */
static void quieten(struct max_min *m, uint32_t channel)
{
	if (m->quiet[channel] != TOLD || m->channel[channel].bound || m->members[channel] < QUIET_FLOWS)
		return;
	if (has_spare(m, channel))
		max_min_sum(m, channel);
	if (has_spare(m, channel))
		m->quiet[channel] = SPARE;
	else if (find_cover(m, channel))
		m->quiet[channel] = COVERED;
	else
		return;
	divide(m, channel);
	for (uint32_t k = 0; k < m->members[channel]; k++) {
		uint32_t f = m->member[channel][k];
		max_min_drop(m, m->flow[f].bottleneck, m->flow[f].start + place_on(m, f, channel));
	}
}

void max_min_quieten(struct max_min *m)
{
	for (size_t i = 0; i < m->dirties; i++)
		quieten(m, m->dirty[i]);
	for (size_t i = 0; i < m->rests; i++)
		quieten(m, m->rest[i]);
	m->rests = 0;
}
