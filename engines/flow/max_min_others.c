/*
 * The flows of channels between solutions: which of them are a channel's own, as it is their bottleneck, and the other channels of these,
 * which are told when the level of the channel changes.
 */
#include "base/memory.h"
#include "engines/flow/max_min_workspace.h"

#include <stdlib.h>
#include <string.h>

void max_min_swap(struct max_min *m, uint32_t channel, size_t place, uint32_t to)
{
	uint32_t *list = m->member[channel], from = m->at[place], other = list[to];
	list[to] = list[from];
	list[from] = other;
	m->at[m->flow[other].start + place_on(m, other, channel)] = from;
	m->at[place] = to;
}

/* Lists the other channels of one of the channel's own flows. */
static void list_others(struct max_min *m, struct fair_others *others, uint32_t channel, uint32_t flow)
{
	const struct fair_flow *own = &m->flow[flow];
	for (size_t i = own->start, end = i + own->length; i < end; i++) {
		uint32_t other = m->route[i];
		m->entry[i] = NONE;
		if (other == channel)
			continue;
		if (m->quiet[other]) {
			m->alarm[channel] = smaller(m->alarm[channel], m->limit[i]);
			continue;
		}
		if (others->times)
			others->times[others->used] = weight_of(m, flow) * part_at(m, i);
		m->entry[i] = others->used;
		others->channel[others->used++] = other;
	}
}

void max_min_list(struct max_min *m, uint32_t channel)
{
	struct fair_others *others = &m->others[channel];
	others->used = others->dead = 0;
	m->alarm[channel] = INFINITY;
	for (uint32_t k = 0; k < m->channel[channel].bound; k++)
		list_others(m, others, channel, m->member[channel][k]);
}

/* Returns how many there are, without those that have left. */
static uint32_t count_others(const struct max_min *m, uint32_t channel)
{
	uint32_t count = 0;
	for (uint32_t k = 0; k < m->channel[channel].bound; k++) {
		const struct fair_flow *own = &m->flow[m->member[channel][k]];
		for (size_t i = own->start, end = i + own->length; i < end; i++)
			count += !m->quiet[m->route[i]];
	}
	return count;
}

int max_min_make_others(struct max_min *m, uint32_t channel, uint32_t more, struct error *error)
{
	struct fair_others *others = &m->others[channel];
	bool times = m->part || m->weight;
	if (others->used + more <= others->room && (others->times || !times))
		return 0;
	struct fair_others new = {.room = 2 * (count_others(m, channel) + more)};
	new.channel = array_create(new.room, sizeof *new.channel, error);
	if (times)
		new.times = array_create(new.room, sizeof *new.times, error);
	free(others->channel);
	free(others->times);
	*others = new;
	if (!error->status)
		max_min_list(m, channel);
	return error->status ? -1 : 0;
}

int max_min_bind(struct max_min *m, uint32_t channel, uint32_t flow, size_t place, struct error *error)
{
	struct fair_channel *c = &m->channel[channel];
	if (max_min_make_others(m, channel, m->flow[flow].length - 1, error))
		return -1;
	list_others(m, &m->others[channel], channel, flow);
	max_min_swap(m, channel, place, c->bound++);
	c->weight += weight_of(m, flow) * part_at(m, place);
	return 0;
}

void max_min_unbind(struct max_min *m, uint32_t channel, uint32_t flow, size_t place)
{
	struct fair_channel *c = &m->channel[channel];
	struct fair_others *others = &m->others[channel];
	for (size_t i = m->flow[flow].start, end = i + m->flow[flow].length; i < end; i++)
		if (m->entry[i] != NONE)
			max_min_drop(m, others, i);
	max_min_swap(m, channel, place, --c->bound);
	c->weight -= weight_of(m, flow) * part_at(m, place);
	if (c->bound)
		return;
	c->weight = 0;
	others->used = others->dead = 0;
	m->alarm[channel] = INFINITY;
}

/* ---- sums */

void max_min_sum(struct max_min *m, uint32_t channel)
{
	struct fair_channel *c = &m->channel[channel];
	m->full[channel] = c->left = m->capacity[channel];
	c->top = 0;
	for (uint32_t k = c->bound; k < m->members[channel]; k++) {
		uint32_t f = m->member[channel][k];
		double level = level_of(m, f);
		c->left -= level * weight_of(m, f) * max_min_part(m, f, channel);
		c->top = level > c->top ? level : c->top;
	}
}

void max_min_reset(struct max_min *m, uint32_t channel)
{
	m->channel[channel] = (struct fair_channel){.left = m->capacity[channel], .next = IDLE};
	m->full[channel] = m->capacity[channel];
	m->others[channel].used = m->others[channel].dead = 0;
	m->quiet[channel] = TOLD;
	m->alarm[channel] = INFINITY;
}

int max_min_grow(struct max_min *m, struct error *error)
{
	return array_grow(&m->at, &m->at_room, m->route_used, sizeof *m->at, error) ||
			       array_grow(&m->entry, &m->entry_room, m->route_used, sizeof *m->entry, error) ||
			       array_grow(&m->limit, &m->limit_room, m->route_used, sizeof *m->limit, error)
		       ? -1
		       : 0;
}
