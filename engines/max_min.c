/*
 * Two ways to solve. Whole: all channels fill alike; the one that is full first, where a flow of weight 1 gets least, decides for its flows,
 * and so on (progressive filling). Channels only become less wanted on the way, so a heap whose entries are looked at again when they come up
 * is enough. In parts: the same, but only channels whose flows have changed fill, and the other flows stay as they are until their own
 * bottleneck, or a channel that is full below their rate, says otherwise.
 */
#include "max_min.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Where more than one in so many flows may change, all is solved: that is cheaper for each. */
enum { PART = 6, FEW = 64 };

enum state { STATE_OLD, STATE_FREE, STATE_FOUND };

struct max_min *max_min_create(uint32_t channels, const double *capacity, struct error *error)
{
	struct max_min *m = array_create(1, sizeof *m, error);
	if (!m)
		return NULL;
	m->channels = channels;
	m->capacity = capacity;
	m->member = array_create(channels, sizeof *m->member, error);
	m->members = array_create(channels, sizeof *m->members, error);
	m->room = array_create(channels, sizeof *m->room, error);
	m->dirty = array_create(channels, sizeof *m->dirty, error);
	m->is_dirty = array_create(channels, sizeof *m->is_dirty, error);
	m->filling = array_create(channels, sizeof *m->filling, error);
	m->waiting = array_create(channels, sizeof *m->waiting, error);
	if (!error->status)
		return m;
	max_min_free(m);
	return NULL;
}

void max_min_free(struct max_min *m)
{
	if (!m)
		return;
	for (uint32_t c = 0; m->member && m->room && c < m->channels; c++)
		if (m->room[c])
			free(m->member[c]);
	free(m->start);
	free(m->length);
	free(m->flow);
	free(m->weight);
	free(m->route);
	free(m->part);
	free(m->spare);
	free(m->gone);
	free(m->member);
	free(m->members);
	free(m->room);
	free(m->block);
	free(m->dirty);
	free(m->is_dirty);
	free(m->fresh);
	free(m->touched);
	free(m->old);
	free(m->filling);
	free(m->heap);
	free(m->work);
	free(m->waiting);
	free(m->capped);
	free(m);
}

static inline double weight_of(const struct max_min *m, uint32_t flow)
{
	return m->weight ? m->weight[flow] : 1;
}

static inline double part_at(const struct max_min *m, size_t place)
{
	return m->part ? m->part[place] : 1;
}

double max_min_part(const struct max_min *m, uint32_t flow, uint32_t channel)
{
	size_t place = m->start[flow];
	if (!m->part)
		return 1;
	while (m->route[place] != channel)
		place++;
	return m->part[place];
}

static bool same(double a, double b)
{
	return fabs(a - b) <= MAX_MIN_SAME * fabs(b);
}

/* ---- flows */

/* An array beside those of the channels, which all were 1 so far. */
static int want_array(double **array, size_t *room, size_t count, struct error *error)
{
	if (*array)
		return 0;
	if (array_grow(array, room, count ? count : 1, sizeof **array, error))
		return -1;
	for (size_t i = 0; i < count; i++)
		(*array)[i] = 1;
	return 0;
}

/* Room for a route. Returns its place, SIZE_MAX when the memory is not there. */
static size_t take_place(struct max_min *m, uint32_t count, struct error *error)
{
	enum { LINK = sizeof(size_t) / sizeof(uint32_t) }; /* shorter routes cannot hold one, and are not used again */
	if (count >= LINK && count < m->spares && m->spare[count]) {
		size_t place = m->spare[count] - 1;
		memcpy(&m->spare[count], m->route + place, sizeof m->spare[count]);
		return place;
	}
	size_t place = m->route_used;
	if (array_grow(&m->route, &m->route_room, place + count, sizeof *m->route, error) ||
		(m->part && array_grow(&m->part, &m->part_room, place + count, sizeof *m->part, error)))
		return SIZE_MAX;
	m->route_used += count;
	return place;
}

static void leave_place(struct max_min *m, size_t place, uint32_t count, struct error *error)
{
	enum { LINK = sizeof(size_t) / sizeof(uint32_t) };
	size_t room = m->spares;
	if (count < LINK)
		return;
	if (count >= m->spares) {
		if (array_grow(&m->spare, &room, (size_t)count + 1, sizeof *m->spare, error))
			return;
		memset(m->spare + m->spares, 0, (room - m->spares) * sizeof *m->spare);
		m->spares = room;
	}
	memcpy(m->route + place, &m->spare[count], sizeof m->spare[count]);
	m->spare[count] = place + 1;
}

/* Room for flows up to that number. */
static int grow_flows(struct max_min *m, size_t count, struct error *error)
{
	return array_grow(&m->start, &m->start_room, count, sizeof *m->start, error) ||
	       array_grow(&m->length, &m->length_room, count, sizeof *m->length, error) ||
	       array_grow(&m->flow, &m->flow_room, count, sizeof *m->flow, error) ||
	       array_grow(&m->old, &m->old_room, count, sizeof *m->old, error) ||
	       (m->weight && array_grow(&m->weight, &m->weight_room, count, sizeof *m->weight, error));
}

/* A number for a new flow, NONE when the memory is not there. */
static uint32_t take_number(struct max_min *m, struct error *error)
{
	if (m->gones > m->pending) {
		size_t last = m->gones - m->pending - 1;
		uint32_t flow = m->gone[last];
		m->gone[last] = m->gone[--m->gones]; /* the pending ones stay behind the others */
		return flow;
	}
	return grow_flows(m, (size_t)m->flows + 1, error) ? NONE : m->flows++;
}

static void mark_dirty(struct max_min *m, uint32_t channel)
{
	if (m->is_dirty[channel])
		return;
	m->is_dirty[channel] = true;
	m->dirty[m->dirties++] = channel;
}

/* The flow is one of the channel's. */
static int join_channel(struct max_min *m, uint32_t channel, uint32_t flow, struct error *error)
{
	uint32_t count = m->members[channel];
	if (count >= m->room[channel]) {
		size_t room = m->room[channel], need = count ? (size_t)count + 1 : 4;
		uint32_t *list = room ? m->member[channel] : NULL;
		if (array_grow(&list, &room, need, sizeof *list, error))
			return -1;
		if (!m->room[channel] && count)
			memcpy(list, m->member[channel], count * sizeof *list);
		m->member[channel] = list;
		m->room[channel] = (uint32_t)room;
	}
	m->member[channel][m->members[channel]++] = flow;
	mark_dirty(m, channel);
	return 0;
}

uint32_t max_min_add(
	struct max_min *m, const uint32_t *channel, const double *part, uint32_t count, double weight, struct error *error)
{
	if ((part && want_array(&m->part, &m->part_room, m->route_used, error)) ||
		(weight != 1 && want_array(&m->weight, &m->weight_room, m->flows, error)))
		return NONE;
	uint32_t flow = take_number(m, error);
	size_t place = flow == NONE ? SIZE_MAX : take_place(m, count, error);
	if (place == SIZE_MAX || array_grow(&m->fresh, &m->fresh_room, m->freshes + 1, sizeof *m->fresh, error))
		return NONE;
	m->start[flow] = place;
	m->length[flow] = count;
	m->flow[flow] = (struct fair_flow){count ? 0 : INFINITY, NONE, STATE_OLD};
	if (m->weight)
		m->weight[flow] = weight;
	for (uint32_t i = 0; i < count; i++) {
		m->route[place + i] = channel[i];
		if (m->part)
			m->part[place + i] = part ? part[i] : 1;
		if (join_channel(m, channel[i], flow, error))
			return NONE;
	}
	m->fresh[m->freshes++] = flow;
	m->active++;
	return flow;
}

int max_min_take(struct max_min *m, uint32_t flows, size_t *start, uint32_t *channel, struct error *error)
{
	size_t places = start[flows];
	m->route = channel;
	m->route_used = m->route_room = places;
	m->block = array_create(places, sizeof *m->block, error);
	if (m->block && !grow_flows(m, flows, error) &&
		!array_grow(&m->fresh, &m->fresh_room, flows, sizeof *m->fresh, error)) {
		uint32_t *end = m->block;
		for (size_t i = 0; i < places; i++)
			m->members[channel[i]]++;
		for (uint32_t c = 0; c < m->channels; c++) {
			m->member[c] = end;
			end += m->members[c];
			if (m->members[c])
				mark_dirty(m, c);
			m->members[c] = 0;
		}
		for (uint32_t f = 0; f < flows; f++) {
			m->start[f] = start[f];
			m->length[f] = (uint32_t)(start[f + 1] - start[f]);
			m->flow[f] = (struct fair_flow){m->length[f] ? 0 : INFINITY, NONE, STATE_OLD};
			m->fresh[f] = f;
			for (size_t i = start[f]; i < start[f + 1]; i++)
				m->member[channel[i]][m->members[channel[i]]++] = f;
		}
		m->flows = m->active = flows;
		m->freshes = flows;
	}
	free(start);
	return error->status ? -1 : 0;
}

void max_min_remove(struct max_min *m, uint32_t flow, struct error *error)
{
	const uint32_t *route = m->route + m->start[flow];
	if (array_grow(&m->gone, &m->gone_room, m->gones + 1, sizeof *m->gone, error))
		return;
	for (uint32_t i = 0; i < m->length[flow]; i++)
		mark_dirty(m, route[i]);
	leave_place(m, m->start[flow], m->length[flow], error);
	m->length[flow] = NONE;
	m->gone[m->gones++] = flow;
	m->pending++;
	m->active--;
}

void max_min_touch(struct max_min *m, uint32_t channel)
{
	mark_dirty(m, channel);
}

/* Those who have gone leave the lists of their channels, and their numbers are free. */
static void forget_gone(struct max_min *m)
{
	for (size_t i = 0; m->pending && i < m->dirties; i++) {
		uint32_t c = m->dirty[i], kept = 0, *list = m->member[c];
		for (uint32_t k = 0; k < m->members[c]; k++)
			if (m->length[list[k]] != NONE)
				list[kept++] = list[k];
		m->members[c] = kept;
	}
	m->pending = 0;
}

/* ---- the heap of candidates */

static int heap_push(struct max_min *m, double level, uint32_t channel, struct error *error)
{
	if (array_grow(&m->heap, &m->heap_room, m->heap_count + 1, sizeof *m->heap, error))
		return -1;
	size_t i = m->heap_count++;
	for (; i && m->heap[(i - 1) / 2].level > level; i = (i - 1) / 2)
		m->heap[i] = m->heap[(i - 1) / 2];
	m->heap[i] = (struct candidate){level, channel};
	return 0;
}

/* Puts the candidate where it belongs, at i or below. */
static void heap_sink(struct max_min *m, size_t i, struct candidate candidate)
{
	for (size_t child; (child = 2 * i + 1) < m->heap_count; i = child) {
		child += child + 1 < m->heap_count && m->heap[child + 1].level < m->heap[child].level;
		if (m->heap[child].level >= candidate.level)
			break;
		m->heap[i] = m->heap[child];
	}
	m->heap[i] = candidate;
}

static void heap_pop(struct max_min *m)
{
	struct candidate last = m->heap[--m->heap_count];
	if (m->heap_count)
		heap_sink(m, 0, last);
}

/* ---- whole */

/* The flow has its rate now; one that is the old but for rounding stays. */
static void set_rate(struct max_min *m, uint32_t flow, double level, uint32_t channel)
{
	double rate = level * weight_of(m, flow);
	m->flow[flow].rate = same(rate, m->old[flow]) ? m->old[flow] : rate;
	m->flow[flow].bottleneck = channel;
}

/* All flows of the channel that have no rate yet get one. Returns how many. */
static uint32_t fill_channel(struct max_min *m, uint32_t channel, double level)
{
	uint32_t found = 0;
	for (uint32_t k = 0; k < m->members[channel]; k++) {
		uint32_t f = m->member[channel][k];
		if (m->flow[f].state != STATE_FREE)
			continue;
		double weight = weight_of(m, f), rate = level * weight;
		m->flow[f].state = STATE_OLD;
		set_rate(m, f, level, channel);
		found++;
		for (size_t i = m->start[f], end = i + m->length[f]; i < end; i++) {
			struct filling *filling = &m->filling[m->route[i]];
			filling->left -= rate * part_at(m, i);
			filling->weight -= weight * part_at(m, i);
			filling->free--;
		}
	}
	return found;
}

static double level_of(const struct filling *filling)
{
	return filling->left > 0 ? filling->left / filling->weight : 0;
}

/* Gathers all flows and their channels, and what these have to share. Returns how many flows want a rate, or -1. */
static int64_t gather(struct max_min *m, struct error *error)
{
	int64_t wanting = 0;
	m->touches = m->works = 0;
	m->stamp++;
	if (array_grow(&m->touched, &m->touched_room, m->active, sizeof *m->touched, error))
		return -1;
	for (uint32_t f = 0; f < m->flows; f++) {
		if (m->length[f] == NONE)
			continue;
		m->touched[m->touches++] = f;
		m->old[f] = m->flow[f].rate;
		m->flow[f].state = m->length[f] ? STATE_FREE : STATE_OLD;
		wanting += m->length[f] > 0;
		double weight = weight_of(m, f);
		for (size_t i = m->start[f], end = i + m->length[f]; i < end; i++) {
			uint32_t c = m->route[i];
			struct filling *filling = &m->filling[c];
			if (filling->stamp != m->stamp) {
				*filling = (struct filling){m->capacity[c], 0, 0, m->stamp};
				if (array_grow(&m->work, &m->work_room, m->works + 1, sizeof *m->work, error))
					return -1;
				m->work[m->works++] = c;
			}
			filling->weight += weight * part_at(m, i);
			filling->free++;
		}
	}
	return wanting;
}

static int solve_whole(struct max_min *m, struct error *error)
{
	int64_t wanting = gather(m, error);
	if (wanting < 0 || array_grow(&m->heap, &m->heap_room, m->works, sizeof *m->heap, error))
		return -1;
	m->solved_whole++;
	m->heap_count = m->works;
	for (size_t i = 0; i < m->works; i++)
		m->heap[i] = (struct candidate){level_of(&m->filling[m->work[i]]), m->work[i]};
	for (size_t i = m->works / 2; i-- > 0;)
		heap_sink(m, i, m->heap[i]);
	while (wanting) {
		struct candidate next = m->heap[0];
		const struct filling *filling = &m->filling[next.channel];
		double level = filling->free ? level_of(filling) : 0;
		if (!filling->free) {
			heap_pop(m);
		} else if (level > next.level * (1 + MAX_MIN_SAME / 4)) {
			heap_sink(m, 0, (struct candidate){level, next.channel});
		} else {
			heap_pop(m);
			wanting -= fill_channel(m, next.channel, level);
		}
	}
	return 0;
}

/* ---- in parts */

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

/* The channel is to be looked at. There is room for every channel. */
static void ask_for(struct max_min *m, uint32_t channel)
{
	if (m->waiting[channel])
		return;
	m->waiting[channel] = true;
	m->work[m->works++] = channel;
}

/*
 * The level at which the channel is full: flows that have been found keep their rates, free ones and those whose bottleneck it was take the
 * level, the others as well where they have more. INFINITY: it is never full. NAN when the memory is not there.
 */
static double find_level(struct max_min *m, uint32_t channel, struct error *error)
{
	double left = m->capacity[channel], wanted = 0;
	size_t count = 0;
	if (array_grow(&m->capped, &m->capped_room, m->members[channel], sizeof *m->capped, error))
		return NAN;
	for (uint32_t k = 0; k < m->members[channel]; k++) {
		uint32_t f = m->member[channel][k];
		const struct fair_flow *flow = &m->flow[f];
		double part = m->part ? max_min_part(m, f, channel) : 1, weight = weight_of(m, f);
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

/* The channel may be full at that level. Flows whose bottleneck it was at another are free; their channels are to be looked at. */
static int offer(struct max_min *m, uint32_t channel, double level, struct error *error)
{
	if (isnan(level) || (isfinite(level) && heap_push(m, level, channel, error)))
		return -1;
	m->filling[channel].stamp = m->stamp;
	for (uint32_t k = 0; k < m->members[channel]; k++) {
		uint32_t f = m->member[channel][k];
		const struct fair_flow *flow = &m->flow[f];
		if (flow->state != STATE_OLD || flow->bottleneck != channel || same(level * weight_of(m, f), flow->rate))
			continue;
		if (touch(m, f, STATE_FREE, error))
			return -1;
		for (size_t i = m->start[f], end = i + m->length[f]; i < end; i++)
			if (m->route[i] != channel)
				ask_for(m, m->route[i]);
	}
	return 0;
}

/* Whether too many flows change for this to pay. */
static bool too_many(const struct max_min *m)
{
	return m->touches > FEW && m->touches > m->active / PART;
}

/* Looks at all channels that are waiting for it. Returns 0, or -1. */
static int look_at_all(struct max_min *m, struct error *error)
{
	while (m->works && !too_many(m)) {
		uint32_t channel = m->work[--m->works];
		m->waiting[channel] = false;
		if (offer(m, channel, find_level(m, channel, error), error))
			return -1;
	}
	return 0;
}

/*
 * The channel is full at that level: its free flows, and those that have more, have their rates. Other channels that are on offer are looked
 * at again when they come up: they can only be full later than they were thought to be.
 */
static int end_channel(struct max_min *m, uint32_t channel, double level, struct error *error)
{
	for (uint32_t k = 0; k < m->members[channel]; k++) {
		uint32_t f = m->member[channel][k];
		const struct fair_flow *flow = &m->flow[f];
		bool lowered = flow->state == STATE_OLD && flow->bottleneck != channel &&
			       flow->rate > level * weight_of(m, f) * (1 + MAX_MIN_SAME);
		if ((flow->state != STATE_FREE && !lowered) || touch(m, f, STATE_FOUND, error))
			continue;
		set_rate(m, f, level, channel);
		for (size_t i = m->start[f], end = i + m->length[f]; lowered && i < end; i++)
			if (m->filling[m->route[i]].stamp != m->stamp)
				ask_for(m, m->route[i]);
	}
	return error->status ? -1 : 0;
}

/* Solves what has changed. Returns 1, 0 where that would be too much, or -1. */
static int solve_part(struct max_min *m, struct error *error)
{
	m->touches = m->works = m->heap_count = 0;
	m->stamp++;
	if (array_grow(&m->work, &m->work_room, m->channels, sizeof *m->work, error))
		return -1;
	for (size_t i = 0; i < m->freshes; i++)
		if (m->length[m->fresh[i]] != NONE && m->length[m->fresh[i]] && touch(m, m->fresh[i], STATE_FREE, error))
			return -1;
	for (size_t i = 0; i < m->dirties; i++)
		ask_for(m, m->dirty[i]);
	if (look_at_all(m, error))
		return -1;
	while (m->heap_count && !too_many(m)) {
		struct candidate next = m->heap[0];
		double level = find_level(m, next.channel, error);
		heap_pop(m);
		bool later = !(level <= next.level * (1 + MAX_MIN_SAME / 4));
		if ((later ? offer(m, next.channel, level, error) : end_channel(m, next.channel, level, error)) || look_at_all(m, error))
			return -1;
	}
	while (m->works)
		m->waiting[m->work[--m->works]] = false;
	bool whole = too_many(m);
	for (size_t i = 0; i < m->touches; i++) {
		m->flow[m->touched[i]].state = STATE_OLD;
		if (whole)
			m->flow[m->touched[i]].rate = m->old[m->touched[i]];
	}
	m->solved_parts += !whole;
	return !whole;
}

int max_min_solve(struct max_min *m, struct error *error)
{
	int solved = 0;
	forget_gone(m);
	if (m->freshes <= FEW || m->freshes <= m->active / PART)
		solved = solve_part(m, error);
	if (!solved)
		solve_whole(m, error);
	for (size_t i = 0; i < m->dirties; i++)
		m->is_dirty[m->dirty[i]] = false;
	m->dirties = m->freshes = 0;
	return error->status ? -1 : 0;
}

/* ---- whether it is right */

bool max_min_holds(const struct max_min *m)
{
	const double slack = 1e-9;
	double *load = calloc(m->channels + 1, sizeof *load), *most = calloc(m->channels + 1, sizeof *most);
	bool holds = load && most;
	for (uint32_t f = 0; holds && f < m->flows; f++)
		for (size_t i = m->start[f]; m->length[f] != NONE && i < m->start[f] + m->length[f]; i++) {
			uint32_t c = m->route[i];
			load[c] += m->flow[f].rate * part_at(m, i);
			most[c] = fmax(most[c], m->flow[f].rate / weight_of(m, f));
		}
	for (uint32_t c = 0; holds && c < m->channels; c++)
		holds = load[c] <= m->capacity[c] * (1 + slack);
	for (uint32_t f = 0; holds && f < m->flows; f++) {
		if (m->length[f] == NONE || !m->length[f])
			continue;
		uint32_t c = m->flow[f].bottleneck;
		holds = c != NONE && load[c] >= m->capacity[c] * (1 - slack) && m->flow[f].rate / weight_of(m, f) >= most[c] * (1 - slack);
	}
	free(load);
	free(most);
	return holds;
}
