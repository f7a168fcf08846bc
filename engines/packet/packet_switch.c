/*
 * The switch: queues at its inputs, requests at its outputs, credits. A packet has a request at every candidate output; a free output
 * serves one for which the next buffer has room. Outputs are examined only after a change: when a request arrives, and when they, an input
 * or room in the next buffer become free.
 */
#include "engines/packet/packet_ways.h"

#include <stdlib.h>

void packet_leave_output(struct packet_engine *e, uint32_t channel)
{
	while (e->output[channel].first != NONE) {
		const struct packet_request *r = &e->request[e->output[channel].first];
		uint32_t packet = r->packet, queue = r->queue;
		withdraw(e, &e->packet[packet], false);
		packet_route(e, packet, queue);
	}
}

SPECIAL void head_comes(struct packet_engine *e, uint32_t packet, const bool plain)
{
	struct packet *p = &e->packet[packet];
	uint32_t queue = (p->head.channel << e->shift) + p->head.lane;
	struct queue *q = &e->queue[queue];
	p->next = p->request = NONE;
	if (!plain && e->failures && !packet_failures_came(e, packet)) {
		packet_is_lost(e, packet);
		return;
	}
	if (!plain && e->setup.congestion)
		packet_control_comes(e, packet);
	if (!plain && e->setup.voq) {
		packet_route(e, packet, queue);
	} else if (q->first != NONE) {
		e->packet[q->last].next = packet;
		q->last = packet;
	} else {
		q->first = q->last = packet;
		if (q->busy > e->now)
			packet_events_add(&e->events, q->busy, EVENT_LANE, queue, 0);
		else
			packet_route(e, packet, queue);
	}
}

void packet_head_comes(struct packet_engine *e, uint32_t packet)
{
	if (e->plain)
		head_comes(e, packet, true);
	else
		head_comes(e, packet, false);
}

void packet_lane_moves(struct packet_engine *e, uint32_t queue)
{
	packet_route(e, e->queue[queue].first, queue);
}

void packet_note_blocked(struct packet_engine *e, uint32_t channel, bool blocked)
{
	uint64_t *since = &e->blocked_since[channel];
	if (!blocked && *since != NEVER) {
		uint64_t from = *since > e->begin ? *since : e->begin, to = e->now < e->until ? e->now : e->until;
		e->seen.blocked[channel] += to > from ? to - from : 0;
		*since = NEVER;
	} else if (blocked && *since == NEVER) {
		*since = e->now;
	}
}

/* ---- decisions */

void packet_comes(struct packet_engine *e, uint32_t packet)
{
	if (packet_room(e, &e->comer, e->comers, &e->comer_room, sizeof *e->comer))
		e->comer[e->comers++] = (struct routee){e->packet[packet].head.channel, packet};
}

void packet_source_due(struct packet_engine *e, uint32_t place, uint32_t ticket, uint32_t pair)
{
	if (packet_room(e, &e->due, e->dues, &e->due_room, sizeof *e->due))
		e->due[e->dues++] = (struct packet_due){place, ticket, pair};
}

static int compare_dues(const void *left, const void *right)
{
	const struct packet_due *a = left, *b = right;
	if (a->place != b->place)
		return a->place > b->place ? 1 : -1;
	return (a->ticket > b->ticket) - (a->ticket < b->ticket);
}

/* Prefetches the data of the nodes that will be examined after this one: first the outputs, then requests, then what these need. */
static void fetch_ahead(const struct packet_engine *e, size_t i)
{
	enum { OUTPUTS = 12, REQUESTS = 8, PORTS = 4 };
	if (i + OUTPUTS < e->looks) {
		__builtin_prefetch(&e->output[e->first_look[e->look[i + OUTPUTS]]]);
	}
	if (i + REQUESTS < e->looks) {
		uint32_t request = e->output[e->first_look[e->look[i + REQUESTS]]].first;
		if (request != NONE)
			__builtin_prefetch(&e->request[request]);
	}
	if (i + PORTS < e->looks) {
		uint32_t request = e->output[e->first_look[e->look[i + PORTS]]].first;
		if (request == NONE)
			return;
		const struct packet_request *r = &e->request[request];
		__builtin_prefetch(&e->packet[r->packet]);
		if (e->port && r->queue < e->sources)
			__builtin_prefetch(&e->port[(size_t)queue_port(e, r->queue) * e->setup.speedup]);
		if (r->queue < e->sources) {
			__builtin_prefetch(&e->queue[r->queue]);
			__builtin_prefetch(&e->output[r->queue >> e->shift]);
		}
	}
}

/* Delivers the packets that have come, in the order of channels. */
static void deliver_all(struct packet_engine *e)
{
	packet_sort(e, e->comer, e->comers);
	for (size_t i = 0; i < e->comers; i++)
		packet_delivered(e, e->comer[i].packet);
	e->comers = 0;
}

/* Lets pairs join their send queues, and these make their packets, in the order of the queues. */
static void send_all(struct packet_engine *e)
{
	if (e->dues > 1)
		qsort(e->due, e->dues, sizeof *e->due, compare_dues);
	for (size_t i = 0; i < e->dues; i++)
		if (e->due[i].pair != NONE)
			packet_pair_joins(e, e->due[i].pair);
		else
			packet_source_sends(e, e->due[i].place);
	e->dues = 0;
}

/* While outputs are served, data of events is prefetched that are so many places ahead. */
enum { LATER = 40 };

SPECIAL void decide(struct packet_engine *e, const bool plain)
{
	route_all(e, plain);
	while (e->looks) {
		for (size_t i = 0; i < e->looks; i++) {
			fetch_ahead(e, i);
			if (e->many)
				packet_fetch(e, packet_events_unseen(&e->events, LATER));
			arbitrate(e, e->look[i], plain);
		}
		e->looks = 0;
		if (e->trials)
			ask_more(e);
	}
}

static void decide_plain(struct packet_engine *e)
{
	decide(e, true);
}

static void decide_any(struct packet_engine *e)
{
	decide(e, false);
}

void packet_decide(struct packet_engine *e)
{
	if (e->comers) { /* what follows from that at this time comes first */
		deliver_all(e);
		return;
	}
	if (e->dues)
		send_all(e);
	if (e->plain)
		decide_plain(e);
	else
		decide_any(e);
}

void packet_wakes(struct packet_engine *e, uint32_t channel)
{
	if (e->output[channel].wake != e->now)
		return; /* it was woken before */
	e->output[channel].wake = NEVER;
	look_at(e, channel, NO_RANK);
}
