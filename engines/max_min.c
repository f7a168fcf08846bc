/*
 * Flows, and rates found as a whole: all channels fill alike; the one that is full first, where a flow of weight 1 gets least, decides for
 * its flows, and so on (progressive filling). Channels only become less wanted on the way, so it is enough to look at them again when they
 * come up: they stand in classes of levels, and those of the present class in a heap. Where little changes, max_min_parts.c finds what
 * does.
 */
#include "max_min_workspace.h"

#include <stdlib.h>
#include <string.h>

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
	m->filling = block_create(channels * sizeof *m->filling, error);
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
	for (uint32_t c = 0; m->others && c < m->channels; c++) {
		free(m->others[c].channel);
		free(m->others[c].times);
	}
	free(m->others);
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
	free(m->bag);
	free(m->wanting);
	free(m->filled);
	free(m->told);
	free(m->heap);
	free(m->work);
	free(m->channel);
	free(m->capped);
	free(m->moved);
	free(m->at);
	free(m->level);
	free(m->full);
	free(m->noted);
	free(m->place);
	free(m->doubtful);
	free(m->is_doubtful);
	free(m);
}

double max_min_part(const struct max_min *m, uint32_t flow, uint32_t channel)
{
	size_t place = m->flow[flow].start;
	if (!m->part)
		return 1;
	while (m->route[place] != channel)
		place++;
	return m->part[place];
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
	return array_grow(&m->flow, &m->flow_room, count, sizeof *m->flow, error) ||
	       array_grow(&m->told, &m->told_room, count, sizeof *m->told, error) ||
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

/* The flow, at that place of its route, is one of the channel's. */
static int join_channel(struct max_min *m, uint32_t channel, uint32_t flow, size_t place, struct error *error)
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
	if (m->known)
		m->at[place] = count;
	m->member[channel][m->members[channel]++] = flow;
	mark_dirty(m, channel);
	return 0;
}

uint32_t max_min_add(struct max_min *m, const uint32_t *channel, const double *part, uint32_t count, double weight, struct error *error)
{
	if ((part && want_array(&m->part, &m->part_room, m->route_used, error)) ||
		(weight != 1 && want_array(&m->weight, &m->weight_room, m->flows, error)))
		return NONE;
	uint32_t flow = take_number(m, error);
	size_t place = flow == NONE ? SIZE_MAX : take_place(m, count, error);
	if (place == SIZE_MAX ||
		(m->known && (array_grow(&m->at, &m->at_room, m->route_used, sizeof *m->at, error) ||
				     array_grow(&m->place, &m->place_room, m->flows, sizeof *m->place, error))) ||
		array_grow(&m->fresh, &m->fresh_room, m->freshes + 1, sizeof *m->fresh, error))
		return NONE;
	m->flow[flow] = (struct fair_flow){count ? 0 : INFINITY, place, count, NONE};
	if (m->weight)
		m->weight[flow] = weight;
	for (uint32_t i = 0; i < count; i++) {
		m->route[place + i] = channel[i];
		if (m->part)
			m->part[place + i] = part ? part[i] : 1;
		if (join_channel(m, channel[i], flow, place + i, error))
			return NONE;
	}
	m->fresh[m->freshes++] = flow;
	m->told[flow] = 0;
	m->active++;
	return flow;
}

/* ---- all flows at once */

/* What is known of a channel when all flows are there: how many use it, and by which one all of them go on; MANY: there is no such. */
struct passing {
	uint32_t count, next;
};

enum { AHEAD = 64, LINE = 64 / sizeof(uint32_t) };
#define MANY_NEXT (NONE - 1)

/* What all channels are passed by; NULL when the memory is not there. */
static struct passing *find_passing(
	const struct max_min *m, uint32_t flows, const size_t *start, const uint32_t *channel, struct error *error)
{
	struct passing *passing = block_create(m->channels * sizeof *passing, error);
	if (!passing)
		return NULL;
	memset(passing, 0, m->channels * sizeof *passing);
	for (uint32_t f = 0; f < flows; f++)
		for (size_t i = start[f]; i < start[f + 1]; i++) {
			struct passing *p = &passing[channel[i]];
			uint32_t next = i + 1 < start[f + 1] ? channel[i + 1] : MANY_NEXT;
			if (i + AHEAD < start[flows])
				__builtin_prefetch(&passing[channel[i + AHEAD]], 1);
			p->next = !p->count++ || p->next == next ? next : MANY_NEXT;
		}
	return passing;
}

/* Flows by their first channels: those that have one in common have more in common. Returns them; NULL when the memory is not there. */
static uint32_t *order_flows(const struct max_min *m, uint32_t flows, const size_t *start, const uint32_t *channel, struct error *error)
{
	uint32_t *end = array_create((size_t)m->channels + 2, sizeof *end, error), *order = array_create(flows, sizeof *order, error);
	for (uint32_t f = 0; order && end && f < flows; f++)
		end[start[f] < start[f + 1] ? channel[start[f]] + 2 : 1]++;
	for (uint32_t c = 0; end && c <= m->channels; c++)
		end[c + 1] += end[c];
	for (uint32_t f = 0; order && end && f < flows; f++)
		order[end[start[f] < start[f + 1] ? channel[start[f]] + 1 : 0]++] = f;
	free(end);
	if (order && !error->status)
		return order;
	free(order);
	return NULL;
}

/* Channels that never are a bottleneck, as all of their flows go on by another one that is no faster: a bit for each that may be one.
 * Counts the flows of these. */
static uint64_t *find_bottlenecks(struct max_min *m, const struct passing *passing, size_t *places, struct error *error)
{
	uint64_t *may = array_create((size_t)m->channels / 64 + 1, sizeof *may, error);
	*places = 0;
	for (uint32_t c = 0; may && c < m->channels; c++) {
		uint32_t next = passing[c].next;
		if (!passing[c].count || (next != MANY_NEXT && m->capacity[next] <= m->capacity[c]))
			continue;
		may[c / 64] |= (uint64_t)1 << c % 64;
		*places += m->members[c] = passing[c].count;
	}
	return may;
}

/* The flows in that order, with those channels of their routes that may be a bottleneck. */
static void take_flows(
	struct max_min *m, uint32_t flows, const uint32_t *order, const uint64_t *may, const size_t *start, const uint32_t *channel)
{
	for (uint32_t k = 0; k < flows; k++) {
		uint32_t f = order[k];
		size_t first = m->route_used;
		if (k + AHEAD < flows)
			__builtin_prefetch(&start[order[k + AHEAD]]);
		if (k + AHEAD / 2 < flows) {
			const size_t *next = &start[order[k + AHEAD / 2]];
			for (size_t i = next[0]; i < next[1]; i += LINE)
				__builtin_prefetch(&channel[i]);
		}
		for (size_t i = start[f]; i < start[f + 1]; i++) {
			uint32_t c = channel[i];
			m->route[m->route_used] = c;
			m->route_used += may[c / 64] >> c % 64 & 1;
		}
		m->flow[k] = (struct fair_flow){start[f] < start[f + 1] ? 0 : INFINITY, first, (uint32_t)(m->route_used - first), NONE};
	}
}

/* Takes flows and routes. Returns 0, or -1. */
static int take_routes(struct max_min *m, uint32_t flows, const size_t *start, const uint32_t *channel, struct error *error)
{
	struct passing *passing = find_passing(m, flows, start, channel, error);
	uint64_t *may = passing ? find_bottlenecks(m, passing, &m->route_room, error) : NULL;
	free(passing);
	uint32_t *order = may ? order_flows(m, flows, start, channel, error) : NULL;
	m->route = order ? block_create((m->route_room + 1) * sizeof *m->route, error) : NULL; /* one more is written, in vain */
	m->flow = m->route ? block_create(flows * sizeof *m->flow, error) : NULL;
	if (m->flow)
		take_flows(m, flows, order, may, start, channel);
	free(order);
	free(may);
	return m->flow ? 0 : -1;
}

int max_min_take(struct max_min *m, uint32_t flows, size_t *start, uint32_t *channel, struct error *error)
{
	int taken = take_routes(m, flows, start, channel, error);
	free(start);
	free(channel);
	m->block = taken ? NULL : block_create(m->route_used * sizeof *m->block, error);
	if (!m->block)
		return -1;
	uint32_t *end = m->block;
	for (uint32_t c = 0; c < m->channels; c++) {
		m->member[c] = end;
		end += m->members[c];
	}
	for (uint32_t f = 0; f < flows; f++)
		for (size_t i = m->flow[f].start, last = i + m->flow[f].length; i < last; i++)
			*m->member[m->route[i]]++ = f;
	for (uint32_t c = 0; c < m->channels; c++)
		m->member[c] -= m->members[c];
	m->flows = m->active = flows;
	m->once = true;
	return 0;
}

/* ---- ends */

void max_min_remove(struct max_min *m, uint32_t flow, struct error *error)
{
	const uint32_t *route = m->route + m->flow[flow].start;
	if (array_grow(&m->gone, &m->gone_room, m->gones + 1, sizeof *m->gone, error))
		return;
	for (uint32_t i = 0; i < m->flow[flow].length; i++)
		mark_dirty(m, route[i]);
	if (m->known)
		max_min_leave(m, flow);
	leave_place(m, m->flow[flow].start, m->flow[flow].length, error);
	m->flow[flow].length = NONE;
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
	for (size_t i = 0; m->pending && !m->known && i < m->dirties; i++) {
		uint32_t c = m->dirty[i], kept = 0, *list = m->member[c];
		for (uint32_t k = 0; k < m->members[c]; k++)
			if (m->flow[list[k]].length != NONE)
				list[kept++] = list[k];
		m->members[c] = kept;
	}
	m->pending = 0;
}

/* ---- the heap of candidates */

static void sink(struct max_min *m, size_t i, struct candidate candidate)
{
	for (size_t child; (child = 2 * i + 1) < m->heap_count; i = child) {
		child += child + 1 < m->heap_count && m->heap[child + 1].level < m->heap[child].level;
		if (m->heap[child].level >= candidate.level)
			break;
		m->heap[i] = m->heap[child];
	}
	m->heap[i] = candidate;
}

static void remove_first(struct max_min *m)
{
	struct candidate last = m->heap[--m->heap_count];
	sink(m, 0, last);
}

/* ---- whole */

static void ask_for_route(const struct max_min *m, const struct fair_flow *flow)
{
	for (size_t i = flow->start, end = i + flow->length; i < end; i += LINE)
		__builtin_prefetch(&m->route[i]);
}

/* The flow has that level. */
static inline void fill_flow(struct max_min *m, uint32_t f, double level, uint32_t channel)
{
	struct fair_flow *flow = &m->flow[f];
	double weight = weight_of(m, f), rate = level * weight;
	flow->rate = rate;
	flow->bottleneck = channel;
	for (size_t i = flow->start, end = i + flow->length; i < end; i++) {
		struct filling *filling = &m->filling[m->route[i]];
		filling->left -= rate * part_at(m, i);
		filling->free--;
		if (m->wanting)
			m->wanting[m->route[i]] -= weight * part_at(m, i);
	}
}

/* All flows of the channel that have no rate yet get one. Returns how many. */
static uint32_t fill_channel(struct max_min *m, uint32_t channel, double level)
{
	enum { ASKED = 16 }; /* flows at a time: first for them, then for their routes */
	const uint32_t *member = m->member[channel];
	uint32_t free[ASKED], found = 0, count = m->members[channel];
	for (uint32_t k = 0; k < count;) {
		uint32_t frees = 0;
		for (; k < count && frees < ASKED; k++) {
			uint64_t *filled = &m->filled[member[k] / 64], bit = (uint64_t)1 << member[k] % 64;
			if (*filled & bit)
				continue;
			*filled |= bit;
			__builtin_prefetch(&m->flow[member[k]], 1);
			free[frees++] = member[k];
		}
		for (uint32_t i = 0; i < frees; i++)
			ask_for_route(m, &m->flow[free[i]]);
		for (uint32_t i = 0; i < frees; i++)
			fill_flow(m, free[i], level, channel);
		found += frees;
	}
	return found;
}

/* At what level the channel is full. */
static double level_at(const struct max_min *m, uint32_t channel)
{
	const struct filling *filling = &m->filling[channel];
	return filling->left > 0 ? filling->left / (m->wanting ? m->wanting[channel] : filling->free) : 0;
}

/* What all channels have to share. Returns 0, or -1. */
static int empty_channels(struct max_min *m, struct error *error)
{
	if ((m->part || m->weight) && !m->wanting && !(m->wanting = array_create(m->channels, sizeof *m->wanting, error)))
		return -1;
	for (uint32_t c = 0; c < m->channels; c++)
		if (m->members[c])
			m->filling[c] = (struct filling){.left = m->capacity[c], .free = m->members[c]};
	for (uint32_t c = 0; m->wanting && c < m->channels; c++)
		m->wanting[c] = 0;
	for (uint32_t f = 0; m->wanting && f < m->flows; f++)
		for (size_t i = m->flow[f].start; m->flow[f].length != NONE && i < m->flow[f].start + m->flow[f].length; i++)
			m->wanting[m->route[i]] += weight_of(m, f) * part_at(m, i);
	return 0;
}

/* Tells of all flows and channels. Returns 0, or -1. */
static int tell_all(struct max_min *m, struct error *error)
{
	m->touches = m->moves = m->works = 0;
	if (m->once)
		return 0;
	if (array_grow(&m->touched, &m->touched_room, m->active, sizeof *m->touched, error) ||
		array_grow(&m->moved, &m->moved_room, m->active, sizeof *m->moved, error) ||
		array_grow(&m->work, &m->work_room, m->channels, sizeof *m->work, error))
		return -1;
	for (uint32_t f = 0; f < m->flows; f++) {
		if (m->flow[f].length == NONE)
			continue;
		m->old[f] = m->flow[f].rate;
		m->touched[m->touches++] = m->moved[m->moves++] = f;
	}
	for (uint32_t c = 0; c < m->channels; c++)
		if (m->members[c])
			m->work[m->works++] = c;
	return 0;
}

/* No flow has a rate. Returns how many want one, or -1. */
static int64_t free_flows(struct max_min *m, struct error *error)
{
	int64_t wanting = 0;
	size_t words = (size_t)m->flows / 64 + 1;
	if (array_grow(&m->filled, &m->filled_room, words, sizeof *m->filled, error))
		return -1;
	memset(m->filled, 0, words * sizeof *m->filled);
	for (uint32_t f = 0; f < m->flows; f++)
		wanting += m->flow[f].length && m->flow[f].length != NONE;
	return wanting;
}

/* Levels come in classes: those that agree in the exponent and the first bits of the mantissa. */
struct classes {
	uint64_t lowest; /* of all but 0 */
	size_t count;
	uint32_t *first; /* [count] bags of channels of the class; NONE */
};

static size_t class_of(const struct classes *classes, double level)
{
	enum { DROPPED = 44 };
	uint64_t bits;
	memcpy(&bits, &level, sizeof bits);
	bits >>= DROPPED; /* in the order of the levels, as these are not negative */
	size_t class = bits < classes->lowest ? 0 : bits - classes->lowest;
	return class < classes->count ? class : classes->count - 1;
}

/* Puts the channel into the class. Returns 0, or -1. */
static int join_class(struct max_min *m, struct classes *classes, size_t class, uint32_t channel, struct error *error)
{
	uint32_t *first = &classes->first[class], bag = *first;
	if (bag == NONE || m->bag[bag].count == BAG) {
		bag = m->spare_bag;
		if (bag != NONE)
			m->spare_bag = m->bag[bag].next;
		else if (array_grow(&m->bag, &m->bag_room, m->bags + 1, sizeof *m->bag, error))
			return -1;
		else
			bag = (uint32_t)m->bags++;
		m->bag[bag].count = 0;
		m->bag[bag].next = *first;
		*first = bag;
	}
	m->bag[bag].channel[m->bag[bag].count++] = channel;
	return 0;
}

/* Puts all channels into their classes. Returns 0, or -1. */
static int make_classes(struct max_min *m, struct classes *classes, struct error *error)
{
	double low = INFINITY, high = 0;
	for (uint32_t c = 0; c < m->channels; c++) {
		double level = m->members[c] ? level_at(m, c) : 0;
		low = level > 0 && level < low ? level : low;
		high = level > high ? level : high;
	}
	*classes = (struct classes){.count = SIZE_MAX};
	if (high > 0) {
		classes->lowest = class_of(classes, low);
		classes->count = class_of(classes, high) + 1;
	} else {
		classes->count = 1;
	}
	m->bags = 0;
	m->spare_bag = NONE;
	classes->first = array_create(classes->count, sizeof *classes->first, error);
	if (!classes->first)
		return -1;
	memset(classes->first, 0xff, classes->count * sizeof *classes->first); /* NONE */
	for (uint32_t c = 0; c < m->channels; c++)
		if (m->members[c] && join_class(m, classes, class_of(classes, level_at(m, c)), c, error))
			return -1;
	return 0;
}

/* Puts the channels of a class into the heap, but for those that have left it, as their level is another by now. Returns 0, or -1. */
static int heap_class(struct max_min *m, struct classes *classes, size_t class, struct error *error)
{
	m->heap_count = 0;
	while (classes->first[class] != NONE) {
		uint32_t number = classes->first[class];
		struct bag bag = m->bag[number];
		classes->first[class] = bag.next;
		m->bag[number].next = m->spare_bag;
		m->spare_bag = number;
		for (uint32_t i = 0; i < bag.count; i++)
			__builtin_prefetch(&m->filling[bag.channel[i]]);
		if (array_grow(&m->heap, &m->heap_room, m->heap_count + bag.count, sizeof *m->heap, error))
			return -1;
		for (uint32_t i = 0; i < bag.count; i++) {
			uint32_t c = bag.channel[i];
			if (!m->filling[c].free)
				continue;
			double level = level_at(m, c);
			size_t now = class_of(classes, level);
			if (now <= class)
				m->heap[m->heap_count++] = (struct candidate){level, c};
			else if (join_class(m, classes, now, c, error))
				return -1;
		}
	}
	for (size_t i = m->heap_count / 2; i-- > 0;)
		sink(m, i, m->heap[i]);
	return 0;
}

/* Asks for what will be wanted of the channels that come next. */
static void ask_for_next(const struct max_min *m)
{
	for (size_t i = 0; i < 3 && i < m->heap_count; i++) {
		__builtin_prefetch(&m->member[m->heap[i].channel]);
		__builtin_prefetch(&m->members[m->heap[i].channel]);
		__builtin_prefetch(&m->filling[m->heap[i].channel]);
	}
	if (m->heap_count)
		__builtin_prefetch(m->member[m->heap[0].channel]);
}

/* Fills the channels of the class that are full first. Returns how many flows get a rate, or -1. */
static int64_t fill_class(struct max_min *m, struct classes *classes, size_t class, struct error *error)
{
	int64_t found = 0;
	if (heap_class(m, classes, class, error))
		return -1;
	while (m->heap_count) {
		struct candidate next = m->heap[0];
		bool free = m->filling[next.channel].free;
		double level = free ? level_at(m, next.channel) : 0;
		size_t now = class_of(classes, level);
		if (free && now <= class && level > next.level * (1 + MAX_MIN_SAME / 4)) {
			sink(m, 0, (struct candidate){level, next.channel});
			continue;
		}
		remove_first(m);
		ask_for_next(m);
		if (free && now <= class)
			found += fill_channel(m, next.channel, level);
		else if (free && join_class(m, classes, now, next.channel, error))
			return -1;
	}
	return found;
}

static int solve_whole(struct max_min *m, struct error *error)
{
	struct classes classes = {0};
	m->known = false;
	m->solved_whole++;
	if (!tell_all(m, error) && !empty_channels(m, error) && !make_classes(m, &classes, error)) {
		int64_t wanting = free_flows(m, error), found = 0;
		for (size_t class = 0; wanting > 0 && found >= 0; class ++, wanting -= found)
			found = fill_class(m, &classes, class, error);
	}
	free(classes.first);
	return error->status ? -1 : 0;
}

int max_min_solve(struct max_min *m, struct error *error)
{
	int solved = 0;
	forget_gone(m);
	if (!m->once && (m->freshes <= FEW || m->freshes <= m->active / PART))
		solved = max_min_solve_part(m, error);
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
		for (size_t i = m->flow[f].start; m->flow[f].length != NONE && i < m->flow[f].start + m->flow[f].length; i++) {
			uint32_t c = m->route[i];
			load[c] += max_min_rate(m, f) * part_at(m, i);
			most[c] = fmax(most[c], max_min_rate(m, f) / weight_of(m, f));
		}
	for (uint32_t c = 0; holds && c < m->channels; c++)
		holds = load[c] <= m->capacity[c] * (1 + slack);
	for (uint32_t f = 0; holds && f < m->flows; f++) {
		if (m->flow[f].length == NONE || !m->flow[f].length)
			continue;
		uint32_t c = m->flow[f].bottleneck;
		holds = c != NONE && load[c] >= m->capacity[c] * (1 - slack) &&
			max_min_rate(m, f) / weight_of(m, f) >= most[c] * (1 - slack);
	}
	free(load);
	free(most);
	return holds;
}
