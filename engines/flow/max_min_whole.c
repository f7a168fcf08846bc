/*
 * Computes all rates (progressive filling): all channels fill at the same pace; the first to be full, where a flow of weight 1 gets least,
 * determines the rate of its flows, and so on. The demand on a channel only decreases, so it suffices to examine channels again when their
 * turn comes: they are in classes of levels, and those of the current class in a heap. Most of the time is spent waiting for memory, so
 * data is prefetched.
 */
#include "base/memory.h"
#include "engines/flow/max_min_workspace.h"

#include <stdlib.h>
#include <string.h>

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

/* ---- all rates */

static void ask_for_route(const struct max_min *m, const struct fair_flow *flow)
{
	for (size_t i = flow->start, end = i + flow->length; i < end; i += LINE)
		__builtin_prefetch(&m->route[i]);
}

/* Gives the flow that level. */
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

/* Gives all flows of the channel without a rate their rate. Returns their number. */
static uint32_t fill_channel(struct max_min *m, uint32_t channel, double level)
{
	enum { ASKED = 16 }; /* flows prefetched together: first they, then their routes */
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

/* Returns the level at which the channel is full. */
static double level_at(const struct max_min *m, uint32_t channel)
{
	const struct filling *filling = &m->filling[channel];
	return filling->left > 0 ? filling->left / (m->wanting ? m->wanting[channel] : filling->free) : 0;
}

/* Sets the capacities that all channels have to share. Returns 0, or -1. */
static int empty_channels(struct max_min *m, struct error *error)
{
	if ((m->part || m->weight) && !m->wanting && !(m->wanting = array_create(m->channels, sizeof *m->wanting, error)))
		return -1;
	for (size_t u = 0; u < m->useds; u++) {
		uint32_t c = m->used[u];
		m->filling[c] = (struct filling){.left = m->capacity[c], .free = m->members[c]};
		if (m->wanting)
			m->wanting[c] = 0;
	}
	for (uint32_t f = 0; m->wanting && f < m->flows && !*m->stop; f++)
		for (size_t i = m->flow[f].start; m->flow[f].length != NONE && i < m->flow[f].start + m->flow[f].length; i++)
			m->wanting[m->route[i]] += weight_of(m, f) * part_at(m, i);
	return 0;
}

/* Removes channels without flows from the list of used ones. */
static void forget_unused(struct max_min *m)
{
	size_t kept = 0;
	for (size_t u = 0; u < m->useds; u++) {
		m->is_used[m->used[u]] = m->members[m->used[u]];
		m->used[kept] = m->used[u];
		kept += m->members[m->used[u]] > 0;
	}
	m->useds = kept;
}

/* Records all flows and channels as changed. Returns 0, or -1. */
static int tell_all(struct max_min *m, struct error *error)
{
	m->touches = m->moves = m->works = 0;
	if (m->once)
		return 0;
	if (array_grow(&m->touched, &m->touched_room, m->active, sizeof *m->touched, error) ||
		array_grow(&m->moved, &m->moved_room, m->active, sizeof *m->moved, error) ||
		array_grow(&m->work, &m->work_room, m->useds, sizeof *m->work, error))
		return -1;
	for (uint32_t f = 0; f < m->flows; f++) {
		if (m->flow[f].length == NONE)
			continue;
		m->old[f] = m->flow[f].rate;
		m->touched[m->touches++] = m->moved[m->moves++] = f;
	}
	memcpy(m->work, m->used, m->useds * sizeof *m->work);
	m->works = m->useds;
	return 0;
}

/* Resets all rates. Returns the number of flows that need one, or -1. */
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

/* Classes of levels: those that agree in the exponent and the first bits of the mantissa. */
struct classes {
	uint64_t lowest; /* except 0 */
	size_t count;
	uint32_t *first; /* [count] bags of channels of the class; NONE */
};

static size_t class_of(const struct classes *classes, double level)
{
	enum { DROPPED = 44 };
	uint64_t bits;
	memcpy(&bits, &level, sizeof bits);
	bits >>= DROPPED; /* has the order of the levels, as these are not negative */
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
	for (size_t u = 0; u < m->useds; u++) {
		double level = level_at(m, m->used[u]);
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
	for (size_t u = 0; u < m->useds; u++)
		if (join_class(m, classes, class_of(classes, level_at(m, m->used[u])), m->used[u], error))
			return -1;
	return 0;
}

/* Puts the channels of a class into the heap, except those whose level is now in another class. Returns 0, or -1. */
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

/* Prefetches the data of the next channels. */
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

/* Fills the channels of the class that are full first. Returns the number of flows that get a rate, or -1. */
static int64_t fill_class(struct max_min *m, struct classes *classes, size_t class, struct error *error)
{
	int64_t found = 0;
	if (heap_class(m, classes, class, error))
		return -1;
	while (m->heap_count) {
		if (*m->stop)
			return -1;
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

int max_min_solve_whole(struct max_min *m, struct error *error)
{
	struct classes classes = {0};
	m->known = false;
	m->solved_whole++;
	forget_unused(m);
	if (!tell_all(m, error) && !empty_channels(m, error) && !make_classes(m, &classes, error)) {
		int64_t wanting = free_flows(m, error), found = 0;
		for (size_t class = 0; wanting > 0 && found >= 0; class ++, wanting -= found)
			found = fill_class(m, &classes, class, error);
	}
	free(classes.first);
	return error->status ? -1 : 0;
}
