/* Memory of packets, in slabs, and the room in buffers, which returns to senders as credits. */
#include "base/memory.h"
#include "engines/packet/packet_regions.h"
#include "engines/packet/packet_parts.h"

#include <assert.h>
#include <stdlib.h>

bool packet_more_room(struct packet_engine *e, void *array, size_t count, size_t *room, size_t size)
{
	if (!block_grow(array, room, count + 1, size, e->error))
		return true;
	e->ending = RUN_FAILED;
	return false;
}

int packet_grow(struct packet_engine *e, size_t packets)
{
	if (packets >= NONE)
		return error_set(e->error, STATUS_IO, "out of memory: too many packets");
	return block_grow(&e->packet, &e->packet_room, packets, sizeof *e->packet, e->error) ||
			       (e->mixed && block_grow(&e->arrived, &e->arrived_room, e->packet_room, sizeof *e->arrived, e->error)) ||
			       (e->mixed && e->messages &&
				       block_grow(&e->slow, &e->slow_room, e->packet_room, sizeof *e->slow, e->error)) ||
			       (e->failures && packet_failures_grow(e))
		       ? -1
		       : 0;
}

/* Makes room for more packets of this thread. Returns 0, or -1. */
static int more_packets(struct packet_engine *e)
{
	if (e->regions && packet_team_of(e))
		return packet_team_packets(e);
	if (packet_grow(e, (size_t)e->packets + 1))
		return -1;
	e->packets_end = e->packet_room < NONE ? (uint32_t)e->packet_room : NONE;
	return 0;
}

uint32_t packet_new(struct packet_engine *e)
{
	uint32_t packet = e->free_packet;
	if (packet != NONE) {
		e->free_packet = e->packet[packet].next;
		e->free_packets--;
		if (e->failures)
			packet_failures_new(e, packet);
		return packet;
	}
	if (e->packets == e->packets_end && more_packets(e)) {
		e->ending = RUN_FAILED;
		return NONE;
	}
	if (e->failures)
		packet_failures_new(e, e->packets);
	return e->packets++;
}

void packet_drop(struct packet_engine *e, uint32_t packet)
{
	e->packet[packet].next = e->free_packet;
	e->free_packet = packet;
	e->free_packets++;
}

void packet_settle_more(struct packet_engine *e, struct credit *credit)
{
	while (credit->refund && credit->time <= e->now) {
		credit->bytes += credit->refund;
		credit->refund = 0;
		if (credit->last == NONE)
			break;
		uint32_t first = e->refund[credit->last].next;
		struct refund *refund = &e->refund[first];
		credit->time = refund->time;
		credit->refund = refund->bytes;
		if (first == credit->last)
			credit->last = NONE;
		else
			e->refund[credit->last].next = refund->next;
		refund->next = e->free_refund;
		e->free_refund = first;
	}
	assert(e->setup.buffers || credit->bytes <= e->setup.buffer); /* by tier: packet_check() */
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
	struct refund new = {time, bytes, r};
	if (time < credit->time) {
		new = (struct refund){credit->time, credit->refund, r};
		credit->time = time;
		credit->refund = bytes;
	}
	uint32_t before = credit->last;
	bool last = before == NONE || e->refund[before].time <= new.time;
	while (!last && e->refund[e->refund[before].next].time <= new.time)
		before = e->refund[before].next;
	if (before != NONE) {
		new.next = e->refund[before].next;
		e->refund[before].next = r;
	}
	e->refund[r] = new;
	credit->last = last ? r : credit->last;
}

void packet_refund(struct packet_engine *e, uint32_t lane, uint64_t time, uint32_t bytes)
{
	if (!bytes) /* of a message of 0 bytes */
		return;
	if (e->regions && packet_is_divided(e, lane >> e->shift))
		packet_refund_crosses(e, lane, time, bytes);
	else
		packet_refund_here(e, lane, time, bytes);
}

void packet_refund_here(struct packet_engine *e, uint32_t lane, uint64_t time, uint32_t bytes)
{
	uint32_t channel = lane >> e->shift;
	const struct packet_output *o = &e->output[channel];
	struct credit *credit = packet_credit(e, lane);
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
