/*
 * Flows that are added and removed, and their channels. The rates are computed as a whole (max_min_whole.c), or updated if little changes
 * (max_min_parts.c).
 */
#include "base/memory.h"
#include "engines/flow/max_min_workspace.h"

#include <stdlib.h>
#include <string.h>

/* The stop flag used if there is no other. */
static const volatile sig_atomic_t never_stop;

struct max_min *max_min_create(uint32_t channels, const double *capacity, struct error *error)
{
	struct max_min *m = array_create(1, sizeof *m, error);
	if (!m)
		return NULL;
	m->channels = channels;
	m->capacity = capacity;
	m->stop = &never_stop;
	m->member = array_create(channels, sizeof *m->member, error);
	m->members = array_create(channels, sizeof *m->members, error);
	m->room = array_create(channels, sizeof *m->room, error);
	m->dirty = array_create(channels, sizeof *m->dirty, error);
	m->is_dirty = array_create(channels, sizeof *m->is_dirty, error);
	m->used = array_create(channels, sizeof *m->used, error);
	m->is_used = array_create(channels, sizeof *m->is_used, error);
	m->filling = large_create(channels, sizeof *m->filling, error);
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
	for (uint32_t c = 0; m->channel && m->others && c < m->channels; c++) {
		free(m->channel[c].other);
		free(m->others[c].place);
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
	free(m->used);
	free(m->is_used);
	free(m->fresh);
	free(m->touched);
	free(m->old);
	free(m->filling);
	free(m->bag);
	free(m->wanting);
	free(m->filled);
	free(m->reached);
	free(m->heap);
	free(m->work);
	free(m->channel);
	free(m->capped);
	free(m->moved);
	free(m->at);
	free(m->level);
	free(m->full);
	free(m->noted);
	free(m->entry);
	free(m->limit);
	free(m->quiet);
	free(m->cover);
	free(m->rest);
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

/* Allocates an array parallel to those of the channels, so far all 1. */
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

/* Makes room for a route. Returns its index, SIZE_MAX if out of memory. */
static size_t take_place(struct max_min *m, uint32_t count, struct error *error)
{
	enum { LINK = sizeof(size_t) / sizeof(uint32_t) }; /* shorter stretches cannot hold an index, and are not reused */
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

/* Makes room for flows up to that number. */
static int grow_flows(struct max_min *m, size_t count, struct error *error)
{
	return array_grow(&m->flow, &m->flow_room, count, sizeof *m->flow, error) ||
	       array_grow(&m->reached, &m->reached_room, count, sizeof *m->reached, error) ||
	       array_grow(&m->old, &m->old_room, count, sizeof *m->old, error) ||
	       (m->weight && array_grow(&m->weight, &m->weight_room, count, sizeof *m->weight, error));
}

/* Returns a number for a new flow, NONE if out of memory. */
static uint32_t take_number(struct max_min *m, struct error *error)
{
	if (m->gones > m->pending) {
		size_t last = m->gones - m->pending - 1;
		uint32_t flow = m->gone[last];
		m->gone[last] = m->gone[--m->gones]; /* the pending ones stay after the others */
		return flow;
	}
	return grow_flows(m, (size_t)m->flows + 1, error) ? NONE : m->flows++;
}

static void mark_dirty(struct max_min *m, uint32_t channel)
{
	if (!m->is_used[channel]) {
		m->is_used[channel] = true;
		m->used[m->useds++] = channel;
		if (m->known)
			max_min_reset(m, channel);
	}
	if (m->is_dirty[channel])
		return;
	m->is_dirty[channel] = true;
	m->dirty[m->dirties++] = channel;
}

/* Adds the flow, with this index in its route, to the channel's members. */
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
	if (place == SIZE_MAX || (m->known && max_min_grow(m, error)) ||
		array_grow(&m->fresh, &m->fresh_room, m->freshes + 1, sizeof *m->fresh, error))
		return NONE;
	m->flow[flow] = (struct fair_flow){count ? 0 : INFINITY, place, count, NONE};
	if (m->weight)
		m->weight[flow] = weight;
	for (uint32_t i = 0; i < count; i++) {
		m->route[place + i] = channel[i];
		if (m->part)
			m->part[place + i] = part ? part[i] : 1;
		if (m->known) {
			m->entry[place + i] = NONE;
			m->limit[place + i] = 0;
		}
		if (join_channel(m, channel[i], flow, place + i, error))
			return NONE;
	}
	m->fresh[m->freshes++] = flow;
	m->reached[flow] = 0;
	m->active++;
	return flow;
}

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

/* Removes deleted flows from the lists of their channels, and frees their numbers. */
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

/* ---- rates */

int max_min_solve(struct max_min *m, struct error *error)
{
	int solved = 0;
	forget_gone(m);
	if (!m->once && (m->freshes <= FEW || m->freshes <= m->active / PART))
		solved = max_min_solve_part(m, error);
	if (!solved)
		max_min_solve_whole(m, error);
	for (size_t i = 0; i < m->dirties; i++)
		m->is_dirty[m->dirty[i]] = false;
	m->dirties = m->freshes = 0;
	return error->status || *m->stop ? -1 : 0;
}

/* ---- the check */

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
