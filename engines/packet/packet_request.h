/* The requests of packets at outputs; for packet_switch.c. */
#ifndef ENGINES_PACKET_PACKET_REQUEST_H
#define ENGINES_PACKET_PACKET_REQUEST_H

#include "engines/packet/packet_parts.h"

enum { NO_RANK = UINT16_MAX - 1 };

/* Of these functions there are two of each: plain or not, see packet_is_plain(). The caller decides once. */
#define SPECIAL static inline __attribute__((always_inline))

static uint32_t new_request(struct packet_engine *e)
{
	uint32_t request = e->free_request;
	if (request != NONE) {
		e->free_request = e->request[request].next;
		return request;
	}
	if (!packet_room(e, &e->request, e->requests, &e->request_room, sizeof *e->request) ||
		(e->mixed && !packet_room(e, &e->ready, e->requests, &e->ready_room, sizeof *e->ready)))
		return NONE;
	return (uint32_t)e->requests++;
}

/* Marks the output for examination before the time advances: for a request of that rank, below NO_RANK, or for none. */
static void look_at(struct packet_engine *e, uint32_t channel, uint16_t rank)
{
	struct packet_output *o = &e->output[channel];
	if (o->marked) {
		o->marked = rank < o->marked ? rank + 1 : o->marked;
		return;
	}
	uint32_t node = o->credit.tail, *first = &e->first_look[node];
	if (*first == NONE) {
		if (!packet_room(e, &e->look, e->looks, &e->look_room, sizeof *e->look))
			return;
		e->look[e->looks++] = node;
	}
	o->marked = rank + 1;
	o->next_look = *first;
	*first = channel;
}

/* Returns the earliest time at which a request can be served. */
static inline uint64_t packet_ready(const struct packet_engine *e, uint32_t request)
{
	return e->mixed ? e->ready[request] : 0;
}

/*
 * Returns the earliest time at which the packet can be sent so that its tail is not overtaken: packets must not be sent faster than they
 * arrive.
 */
static uint64_t ready_time(const struct packet_engine *e, uint32_t packet, uint32_t output)
{
	const struct packet *p = &e->packet[packet];
	if (!e->mixed)
		return 0;
	bool from_host = p->head.channel == NONE;
	uint64_t in = transfer_time(from_host ? e->inject_rate : packet_speed(e, p->head.channel)->rate, p->size);
	uint64_t out = transfer_time(packet_speed(e, output)->rate, p->size);
	if (e->setup.store_forward) /* it has arrived completely; from the memory of the host only then */
		return e->arrived[packet] + (from_host ? in : 0);
	return e->arrived[packet] + (in > out ? in - out : 0);
}

SPECIAL void ask(struct packet_engine *e, uint32_t packet, uint32_t queue, const struct packet_candidate *way, const bool plain)
{
	uint32_t r = new_request(e);
	if (r == NONE)
		return;
	struct packet *p = &e->packet[packet];
	struct packet_output *o = &e->output[way->channel];
	uint32_t size = packet_space(e, p);
	e->request[r] = (struct packet_request){
		.packet = packet,
		.queue = queue,
		.output = way->channel,
		.next = NONE,
		.previous = o->last,
		.sibling = p->request,
		.size = (uint16_t)(size < UINT16_MAX ? size : UINT16_MAX),
		.lanes = way->lanes,
		.rank = way->rank,
		.bubble = way->bubble,
	};
	if (!plain && e->mixed)
		e->ready[r] = ready_time(e, packet, way->channel);
	p->request = r;
	*(o->last == NONE ? &o->first : &e->request[o->last].next) = r;
	o->last = r;
	if (e->backlog)
		e->backlog[way->channel] += p->size;
	if (!plain && e->told)
		packet_told_changes(e, way->channel, 1);
	look_at(e, way->channel, way->rank);
}

/* Removes all requests of the packet. */
SPECIAL void withdraw(struct packet_engine *e, struct packet *p, const bool plain)
{
	for (uint32_t r = p->request, next; r != NONE; r = next) {
		struct packet_request *q = &e->request[r];
		struct packet_output *o = &e->output[q->output];
		next = q->sibling;
		*(q->previous == NONE ? &o->first : &e->request[q->previous].next) = q->next;
		*(q->next == NONE ? &o->last : &e->request[q->next].previous) = q->previous;
		if (o->waited && o->first == NONE)
			o->waited = e->waited[q->output] = false;
		if (e->backlog)
			e->backlog[q->output] -= p->size;
		if (!plain && e->told)
			packet_told_changes(e, q->output, -1);
		q->next = e->free_request;
		e->free_request = r;
	}
	p->request = NONE;
}

#endif
