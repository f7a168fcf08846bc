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
static void list_others(struct max_min *m, uint32_t channel, uint32_t flow)
{
	const struct fair_flow *own = &m->flow[flow];
	struct fair_channel *c = &m->channel[channel];
	for (size_t i = own->start, end = i + own->length; i < end; i++) {
		m->entry[i] = NONE;
		if (m->quiet[m->route[i]])
			c->alarm = smaller(c->alarm, m->limit[i]);
		else if (m->route[i] != channel)
			max_min_list(m, channel, flow, i);
	}
}

int max_min_make_others(struct max_min *m, uint32_t channel, uint32_t more, struct error *error)
{
	struct fair_channel *c = &m->channel[channel];
	struct fair_others *others = &m->others[channel];
	bool weighed = m->part || m->weight;
	size_t need = (size_t)c->others + more, room = others->room, places = room, times = others->times ? room : 0;
	bool new = weighed && !others->times;
	if (need <= room && !new)
		return 0;
	if (array_grow(&c->other, &room, need, sizeof *c->other, error) ||
		array_grow(&others->place, &places, room, sizeof *others->place, error) ||
		(weighed && array_grow(&others->times, &times, room, sizeof *others->times, error)))
		return -1;
	for (uint32_t i = 0; new &&i < c->others; i++)
		others->times[i] = 1;
	others->room = (uint32_t)room;
	return 0;
}

int max_min_bind(struct max_min *m, uint32_t channel, uint32_t flow, size_t place, struct error *error)
{
	struct fair_channel *c = &m->channel[channel];
	if (max_min_make_others(m, channel, m->flow[flow].length - 1, error))
		return -1;
	list_others(m, channel, flow);
	max_min_swap(m, channel, place, c->bound++);
	c->weight += weight_of(m, flow) * part_at(m, place);
	return 0;
}

void max_min_unbind(struct max_min *m, uint32_t channel, uint32_t flow, size_t place)
{
	struct fair_channel *c = &m->channel[channel];
	for (size_t i = m->flow[flow].start, end = i + m->flow[flow].length; i < end; i++)
		if (m->entry[i] != NONE)
			max_min_drop(m, channel, i);
	max_min_swap(m, channel, place, --c->bound);
	c->weight -= weight_of(m, flow) * part_at(m, place);
	if (c->bound)
		return;
	c->weight = 0;
	c->others = 0;
	c->alarm = INFINITY;
}

/* ---- sums */

void max_min_sum(struct max_min *m, uint32_t channel)
{
	struct fair_channel *c = &m->channel[channel];
	m->full[channel] = c->left = m->capacity[channel];
	c->least = (float)(CANCELS * c->left);
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
	struct fair_channel *c = &m->channel[channel];
	double capacity = m->full[channel] = m->capacity[channel];
	*c = (struct fair_channel){
		.left = capacity, .least = (float)(CANCELS * capacity), .alarm = INFINITY, .next = IDLE, .other = c->other};
	m->quiet[channel] = TOLD;
}

int max_min_grow(struct max_min *m, struct error *error)
{
	return array_grow(&m->at, &m->at_room, m->route_used, sizeof *m->at, error) ||
			       array_grow(&m->entry, &m->entry_room, m->route_used, sizeof *m->entry, error) ||
			       array_grow(&m->limit, &m->limit_room, m->route_used, sizeof *m->limit, error)
		       ? -1
		       : 0;
}
