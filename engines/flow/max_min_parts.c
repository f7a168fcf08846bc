/*
 * Updates the rates after flows are added or removed. Rates are max-min fair if every flow has the level of a channel, its bottleneck, that
 * is full and on which no flow has a higher level, and no channel is overfull. Changes make channels doubtful. Each doubtful channel gets
 * the level that is left for its own flows, takes over flows of other bottlenecks with higher levels, and makes the other channels of all
 * flows thus changed doubtful, until none is left. Lower levels are processed first: they do not depend on higher ones, so few channels are
 * processed twice. Any order ends with the same rates, as no others are fair (Charny, Clark, Jain: Congestion Control with Explicit Rate
 * Indication, ICC 1995, on why it terminates). If it takes too long, all rates are computed again.
 */
#include "base/memory.h"
#include "engines/flow/max_min_workspace.h"

#include <stdlib.h>
#include <string.h>

/* The number of flows between a prefetch and its use. */
enum { AHEAD = 8 };

/* Sums are computed again after this number of solutions, against rounding errors. */
enum { SUMS_HOLD = 1024 };

/*
 * Doubtful channels are in CLASSES classes of levels: those that agree in the exponent and the first bits of the mantissa. ABOVE of them
 * are for levels above all capacities, as only parts of flows may use a channel.
 */
enum { CLASSES = 1 << 16, ABOVE = 1 << 12, DROPPED = 42 };

/* Returns the bits of a level, which have the same order as the levels, as these are not negative. */
static uint64_t bits_of(double level)
{
	uint64_t bits;
	memcpy(&bits, &level, sizeof bits);
	return bits >> DROPPED;
}

/* ---- doubtful channels */

/* Puts the channel, which is not doubtful yet, into the class of that level. */
static void queue(struct max_min *m, uint32_t channel, double level)
{
	uint64_t bits = bits_of(level);
	size_t class = bits < m->lowest_class ? 0 : bits - m->lowest_class;
	class = class < CLASSES ? class : CLASSES - 1;
	m->channel[channel].next = m->doubtful[class];
	m->doubtful[class] = channel;
	m->is_doubtful[class / 64] |= (uint64_t)1 << class % 64;
	m->doubts++;
	if (class / 64 < m->doubt)
		m->doubt = class / 64;
}

/* Takes a channel of the lowest class, and prefetches the others of the next one. */
static uint32_t unqueue(struct max_min *m)
{
	while (!m->is_doubtful[m->doubt])
		m->doubt++;
	size_t class = m->doubt * 64 + (size_t)__builtin_ctzll(m->is_doubtful[m->doubt]);
	uint32_t channel = m->doubtful[class];
	m->doubtful[class] = m->channel[channel].next;
	if (m->doubtful[class] == NONE)
		m->is_doubtful[m->doubt] &= m->is_doubtful[m->doubt] - 1;
	m->channel[channel].next = IDLE;
	m->doubts--;
	if (m->is_doubtful[m->doubt]) {
		enum { LINE = 64, LINES = 3 };
		uint32_t after = m->doubtful[m->doubt * 64 + (size_t)__builtin_ctzll(m->is_doubtful[m->doubt])];
		uintptr_t next = (uintptr_t)m->channel[after].other; /* may not exist, or be shorter */
		for (int i = 0; i < LINES; i++)
			__builtin_prefetch((const void *)(next + (uintptr_t)(i * LINE)));
	}
	return channel;
}

/*
 * Notes a change at a channel. A channel that is not a bottleneck and seems overfull is examined after all its flows: usually some of them
 * have a lower rate by then.
 */
static inline void doubt(struct max_min *m, uint32_t channel)
{
	struct fair_channel *c = &m->channel[channel];
	if (c->next == IDLE && (c->bound || c->left < 0))
		queue(m, channel, c->bound ? c->level : c->top);
}

void max_min_doubt(struct max_min *m, uint32_t channel)
{
	doubt(m, channel);
}

/* Empties the list of channels whose level may have changed. */
static void forget_work(struct max_min *m)
{
	for (size_t i = 0; i < m->works; i++)
		m->noted[m->work[i]] = false;
	m->works = 0;
}

/* Notes that the channel has a new level. */
static void note_level(struct max_min *m, uint32_t channel, double level)
{
	if (!m->noted[channel]) {
		m->noted[channel] = true;
		m->work[m->works++] = channel;
	}
	m->level[channel] = m->channel[channel].level = level;
}

/* ---- moves */

/* Gives the flow another bottleneck, with its level. Returns 0, or -1. */
static int move(struct max_min *m, uint32_t flow, uint32_t channel, struct error *error)
{
	struct fair_flow *own = &m->flow[flow];
	double weight = weight_of(m, flow), level = m->channel[channel].level, rate = level * weight, before = level_of(m, flow) * weight;
	if (array_grow(&m->moved, &m->moved_room, m->moves + 1, sizeof *m->moved, error))
		return -1;
	m->moved[m->moves++] = flow;
	if (own->bottleneck != NONE)
		max_min_unbind(m, own->bottleneck, flow, own->start + place_on(m, flow, own->bottleneck));
	for (size_t i = own->start, end = i + own->length; i < end; i++) {
		struct fair_channel *c = &m->channel[m->route[i]];
		double part = part_at(m, i);
		if (m->route[i] == channel) {
			if (max_min_bind(m, channel, flow, i, error))
				return -1;
			c->left += before * part;
			continue;
		}
		if (m->quiet[m->route[i]])
			continue;
		if (m->route[i] == own->bottleneck)
			c->left -= rate * part;
		else
			c->left -= (rate - before) * part;
		c->top = level > c->top ? level : c->top;
		doubt(m, m->route[i]);
	}
	own->bottleneck = channel;
	return max_min_raise(m, flow, level, error);
}

/* Allocates the state between solutions. Returns 0, or -1. */
static int make_room(struct max_min *m, struct error *error)
{
	double most = 0;
	if (max_min_grow(m, error) || array_grow(&m->work, &m->work_room, m->channels, sizeof *m->work, error) ||
		array_grow(&m->rest, &m->rest_room, m->channels, sizeof *m->rest, error))
		return -1;
	if (m->doubtful)
		return 0;
	m->channel = block_create((size_t)m->channels * sizeof *m->channel, error);
	if (m->channel)
		memset(m->channel, 0, (size_t)m->channels * sizeof *m->channel);
	m->others = array_create(m->channels, sizeof *m->others, error);
	m->level = array_create(m->channels, sizeof *m->level, error);
	m->full = array_create(m->channels, sizeof *m->full, error);
	m->quiet = array_create(m->channels, sizeof *m->quiet, error);
	m->cover = array_create(m->channels, sizeof *m->cover, error);
	m->noted = array_create(m->channels, sizeof *m->noted, error);
	m->doubtful = array_create(CLASSES, sizeof *m->doubtful, error);
	m->is_doubtful = array_create(CLASSES / 64, sizeof *m->is_doubtful, error);
	if (error->status)
		return -1;
	for (uint32_t c = 0; c < m->channels; c++)
		most = m->capacity[c] > most ? m->capacity[c] : most;
	uint64_t bits = bits_of(most) + ABOVE;
	m->lowest_class = bits > CLASSES ? bits - CLASSES : 0;
	memset(m->doubtful, 0xff, CLASSES * sizeof *m->doubtful); /* NONE */
	return 0;
}

/* Computes the state of all channels from the rates. Returns 0, or -1. */
static int know(struct max_min *m, struct error *error)
{
	if (m->known)
		return 0;
	if (make_room(m, error))
		return -1;
	for (size_t u = 0; u < m->useds; u++)
		max_min_reset(m, m->used[u]);
	for (size_t u = 0; u < m->useds && !*m->stop; u++) {
		uint32_t channel = m->used[u], *list = m->member[channel];
		for (uint32_t k = 0; k < m->members[channel]; k++) {
			uint32_t f = list[k], i = place_on(m, f, channel);
			size_t place = m->flow[f].start + i;
			m->at[place] = k;
			if (m->flow[f].bottleneck != channel)
				continue;
			m->level[channel] = m->channel[channel].level = m->flow[f].rate / weight_of(m, f);
			if (max_min_bind(m, channel, f, place, error))
				return -1;
		}
	}
	for (size_t u = 0; u < m->useds && !*m->stop; u++)
		max_min_sum(m, m->used[u]);
	if (*m->stop)
		return -1;
	m->known = true;
	m->sums_held = 0;
	memcpy(m->rest, m->used, m->useds * sizeof *m->rest);
	m->rests = m->useds;
	return 0;
}

/* ---- added and removed flows */

void max_min_leave(struct max_min *m, uint32_t flow)
{
	const struct fair_flow *own = &m->flow[flow];
	for (size_t i = own->start, end = i + own->length; i < end; i++) {
		uint32_t channel = m->route[i];
		struct fair_channel *c = &m->channel[channel];
		if (channel == own->bottleneck)
			max_min_unbind(m, channel, flow, i);
		else if (m->quiet[channel] != COVERED)
			c->left += (m->quiet[channel] ? m->limit[i] : level_of(m, flow)) * weight_of(m, flow) * part_at(m, i);
		max_min_swap(m, channel, i, --m->members[channel]);
		if (c->bound == m->members[channel])
			c->left = m->full[channel];
	}
}

/* Wakes all quiet channels on the flow's route. Returns 0, or -1. */
static int wake_route(struct max_min *m, uint32_t flow, struct error *error)
{
	for (size_t i = m->flow[flow].start, end = i + m->flow[flow].length; i < end; i++)
		if (max_min_wake(m, m->route[i], error))
			return -1;
	return 0;
}

/* Prepares the channels of a new flow: one of them at least is told, so that it can be the bottleneck. Returns 0, or -1. */
static int enter(struct max_min *m, uint32_t flow, struct error *error)
{
	bool told = false;
	uint32_t fullest = NONE;
	for (size_t i = m->flow[flow].start, end = i + m->flow[flow].length; i < end; i++) {
		uint32_t channel = m->route[i];
		if (m->quiet[channel] == COVERED && !passes(m, flow, m->cover[channel]) && max_min_wake(m, channel, error))
			return -1;
		m->limit[i] = m->quiet[channel] == COVERED ? INFINITY : 0;
		told |= !m->quiet[channel];
		if (m->quiet[channel] == SPARE && (fullest == NONE || m->channel[channel].left < m->channel[fullest].left))
			fullest = channel;
	}
	return told ? 0 : max_min_wake(m, fullest, error);
}

/* Binds a new flow to the channel that seems to have the smallest rate for it. Returns 0, or -1. */
static int begin(struct max_min *m, uint32_t flow, struct error *error)
{
	double least = INFINITY, weight = weight_of(m, flow);
	uint32_t lowest = NONE;
	if (enter(m, flow, error))
		return -1;
	for (size_t i = m->flow[flow].start, end = i + m->flow[flow].length; i < end; i++) {
		const struct fair_channel *c = &m->channel[m->route[i]];
		double level = c->left > 0 ? c->left / (c->weight + weight * part_at(m, i)) : 0;
		if (!m->quiet[m->route[i]] && level < least) {
			least = level;
			lowest = m->route[i];
		}
	}
	if (!m->channel[lowest].bound)
		note_level(m, lowest, least);
	return move(m, flow, lowest, error);
}

/* ---- levels */

/* Adds to what flows of other bottlenecks use of the channel, and to the bound of their levels. */
static inline void use(struct max_min *m, uint32_t channel, double more, double level)
{
	struct fair_channel *c = &m->channel[channel];
	c->left -= more;
	c->top = level > c->top ? level : c->top;
	doubt(m, channel);
}

/* Sets the level at which the channel is full, which is that of its flows. Returns 0, or -1. */
static int set_level(struct max_min *m, uint32_t channel, double level, struct error *error)
{
	const struct fair_channel *c = &m->channel[channel];
	const double *times = m->part || m->weight ? m->others[channel].times : NULL;
	double more = level - c->level;
	if (same(level, c->level))
		return 0;
	note_level(m, channel, level);
	if (times)
		for (uint32_t i = 0; i < c->others; i++)
			use(m, c->other[i], more * times[i], level);
	else
		for (uint32_t i = 0; i < c->others; i++)
			use(m, c->other[i], more, level);
	m->visits += c->bound;
	return level > c->alarm ? max_min_ring(m, channel, level, error) : 0;
}

/*
 * Returns the level at which the channel is full if its own flows and those with higher levels take it. INFINITY: it is never full. NAN if
 * out of memory.
 */
static double find_level(struct max_min *m, uint32_t channel, struct error *error)
{
	const struct fair_channel *c = &m->channel[channel];
	double left = m->capacity[channel], wanted = c->weight;
	size_t count = 0;
	if (array_grow(&m->capped, &m->capped_room, m->members[channel], sizeof *m->capped, error))
		return NAN;
	for (uint32_t k = c->bound; k < m->members[channel]; k++) {
		uint32_t f = m->member[channel][k];
		double weight = weight_of(m, f);
		if (k + AHEAD < m->members[channel])
			__builtin_prefetch(&m->flow[m->member[channel][k + AHEAD]]);
		m->capped[count++] = (struct capped){level_of(m, f), weight * (m->part ? max_min_part(m, f, channel) : 1)};
	}
	for (;;) { /* at first all of these take the level; a flow that is capped below it keeps its rate, which leaves more for the others
		    */
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

/* Takes over the flows of other bottlenecks whose level is above the channel's. Returns 0, or -1. */
static int take(struct max_min *m, uint32_t channel, struct error *error)
{
	struct fair_channel *c = &m->channel[channel];
	double level = find_level(m, channel, error);
	m->visits += m->members[channel];
	max_min_sum(m, channel);
	if (isnan(level))
		return -1;
	if (isinf(level))
		return 0;
	if (!c->bound)
		note_level(m, channel, level);
	else if (set_level(m, channel, level, error))
		return -1;
	c->top = 0;
	for (uint32_t k = m->members[channel]; k-- > c->bound;) {
		uint32_t f = m->member[channel][k];
		double own = level_of(m, f);
		if (own <= level * (1 + MAX_MIN_SAME)) {
			c->top = own > c->top ? own : c->top;
			continue;
		}
		if (move(m, f, channel, error))
			return -1;
		k++; /* another flow has taken its index */
	}
	return 0;
}

/* Gives the channel the level that is left for its own flows, and takes over others with higher levels. Returns 0, or -1. */
static int settle(struct max_min *m, uint32_t channel, struct error *error)
{
	struct fair_channel *c = &m->channel[channel];
	if (!c->bound)
		return c->left >= -4 * MAX_MIN_SAME / CANCELS * c->least ? 0 : take(m, channel, error);
	if (c->left < c->least || c->least == 0)
		max_min_sum(m, channel);
	double level = c->left > 0 ? c->left / c->weight : 0;
	if (level < c->top * (1 - MAX_MIN_SAME))
		return take(m, channel, error);
	return set_level(m, channel, level, error);
}

/* ---- the solution */

/* Computes all sums again. */
static void sum_again(struct max_min *m)
{
	for (size_t u = 0; u < m->useds && !*m->stop; u++) {
		if (m->quiet[m->used[u]])
			continue;
		max_min_sum(m, m->used[u]);
		doubt(m, m->used[u]);
	}
	m->sums_held = 0;
}

/* Ends an update that takes too much work: discards the state between solutions. */
static void give_up(struct max_min *m)
{
	while (m->doubts)
		unqueue(m);
	forget_work(m);
	m->known = false;
}

/* Records, once, that the flow's rate may have changed. Returns 0, or -1. */
static int tell(struct max_min *m, uint32_t flow, struct error *error)
{
	if (m->reached[flow] == m->stamp)
		return 0;
	if (array_grow(&m->touched, &m->touched_room, m->touches + 1, sizeof *m->touched, error))
		return -1;
	m->reached[flow] = m->stamp;
	m->touched[m->touches++] = flow;
	m->old[flow] = m->flow[flow].rate;
	m->flow[flow].rate = level_of(m, flow) * weight_of(m, flow);
	return 0;
}

/* Records all flows whose bottleneck, or its level, has changed. Returns 0, or -1. */
static int tell_all(struct max_min *m, struct error *error)
{
	for (size_t i = 0; i < m->moves; i++)
		if (tell(m, m->moved[i], error))
			return -1;
	for (size_t i = 0; i < m->works; i++)
		for (uint32_t k = 0; k < m->channel[m->work[i]].bound; k++)
			if (tell(m, m->member[m->work[i]][k], error))
				return -1;
	return 0;
}

/* Takes over other capacities, and wakes the quiet channels that these concern. Returns 0, or -1. */
static int take_changes(struct max_min *m, struct error *error)
{
	for (size_t i = 0; i < m->dirties; i++) {
		uint32_t channel = m->dirty[i];
		if (m->capacity[channel] == m->full[channel])
			continue;
		for (uint32_t k = 0; k < m->members[channel]; k++) /* it, and channels that it covers */
			if (wake_route(m, m->member[channel][k], error))
				return -1;
		max_min_sum(m, channel);
	}
	return 0;
}

int max_min_solve_part(struct max_min *m, struct error *error)
{
	if (know(m, error))
		return -1;
	forget_work(m);
	m->touches = m->moves = m->visits = 0;
	m->stamp++;
	m->doubt = CLASSES / 64 - 1;
	if (take_changes(m, error))
		return -1;
	for (size_t i = 0; i < m->freshes && !*m->stop; i++)
		if (m->flow[m->fresh[i]].length != NONE && m->flow[m->fresh[i]].length && begin(m, m->fresh[i], error))
			return -1;
	for (size_t i = 0; i < m->dirties; i++)
		if (!m->quiet[m->dirty[i]])
			doubt(m, m->dirty[i]);
	if (m->sums_held++ >= SUMS_HOLD)
		sum_again(m);
	while (m->doubts && m->visits <= FEW + MANY * m->active)
		if (*m->stop || settle(m, unqueue(m), error))
			return -1;
	if (m->doubts) {
		give_up(m);
		return 0;
	}
	m->solved_parts++;
	max_min_quieten(m);
	return m->terse || !tell_all(m, error) ? 1 : -1;
}
