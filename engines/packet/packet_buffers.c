/* Memory of packets, in slabs, and the room in buffers, which returns to senders as credits. */
#include "base/memory.h"
#include "engines/packet/packet_workspace.h"

#include <assert.h>
#include <stdlib.h>

uint32_t packet_new(struct packet_engine *e)
{
	uint32_t packet = e->free_packet;
	if (packet != NONE) {
		e->free_packet = e->packet[packet].next;
		if (e->failures)
			packet_failures_new(e, packet);
		return packet;
	}
	if ((e->packets == e->packet_room && block_grow(&e->packet, &e->packet_room, e->packets + 1, sizeof *e->packet, e->error)) ||
		(e->mixed && block_grow(&e->arrived, &e->arrived_room, e->packet_room, sizeof *e->arrived, e->error)) ||
		(e->mixed && e->messages && block_grow(&e->slow, &e->slow_room, e->packet_room, sizeof *e->slow, e->error)) ||
		(e->failures && packet_failures_grow(e))) {
		e->ending = RUN_FAILED;
		return NONE;
	}
	if (e->failures)
		packet_failures_new(e, (uint32_t)e->packets);
	return (uint32_t)e->packets++;
}

void packet_drop(struct packet_engine *e, uint32_t packet)
{
	e->packet[packet].next = e->free_packet;
	e->free_packet = packet;
}

void packet_settle_more(struct packet_engine *e, struct credit *credit)
{
	while (credit->refund && credit->time <= e->now) {
		uint32_t more = credit->more;
		credit->bytes += credit->refund;
		credit->refund = 0;
		if (more == NONE)
			break;
		struct refund *refund = &e->refund[more];
		credit->time = refund->time;
		credit->refund = refund->bytes;
		credit->more = refund->next;
		refund->next = e->free_refund;
		e->free_refund = more;
	}
	assert(e->setup.buffers || credit->bytes <= e->setup.buffer); /* by tier: packet_check() */
}

void packet_wake_at(struct packet_engine *e, uint32_t channel, uint64_t time)
{
	struct packet_output *o = &e->output[channel];
	if (time < o->wake) {
		o->wake = time;
		packet_events_add(&e->events, time, EVENT_WAKE, channel, 0);
	}
}

/* Inserts a refund among the others: those of packets that left by faster outputs can precede it. */
static void add_refund(struct packet_engine *e, struct credit *credit, uint64_t time, uint32_t bytes)
{
	uint32_t r = e->free_refund;
	if (r != NONE) {
		e->free_refund = e->refund[r].next;
	} else {
		if (!packet_room(e, &e->refund, e->refunds, &e->refund_room, sizeof *e->refund))
			return;
		r = (uint32_t)e->refunds++;
	}
	struct refund new = {time, bytes, NONE};
	if (time < credit->time) {
		new = (struct refund){credit->time, credit->refund, NONE};
		credit->time = time;
		credit->refund = bytes;
	}
	uint32_t *link = &credit->more;
	if (*link != NONE && e->refund[credit->more_end].time <= new.time)
		link = &e->refund[credit->more_end].next;
	while (*link != NONE && e->refund[*link].time <= new.time)
		link = &e->refund[*link].next;
	if (*link == NONE)
		credit->more_end = r;
	new.next = *link;
	e->refund[r] = new;
	*link = r;
}

void packet_refund(struct packet_engine *e, uint32_t lane, uint64_t time, uint32_t bytes)
{
	uint32_t channel = lane >> e->shift;
	if (!bytes) /* of a message of 0 bytes */
		return;
	if (!is_here(e, e->output[channel].tail)) {
		packet_parallel_refunds(e, lane, time, bytes);
		return;
	}
	struct credit *credit = &e->credit[lane];
	const struct packet_output *o = &e->output[channel];
	packet_settle(e, credit);
	if (credit->refund) {
		add_refund(e, credit, time, bytes);
	} else {
		credit->time = time;
		credit->refund = bytes;
	}
	if (o->first != NONE)
		packet_wake_at(e, channel, time > o->busy ? time : o->busy);
}
