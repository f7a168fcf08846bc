/*
 * Invariants between any two events of the packet engine, for builds with sanitizers: credits are neither lost nor created, and queues and
 * requests are consistent. Time O(packets + requests + lanes); checked as often as it costs no more than the events.
 */
#include "engines/packet/packet_regions.h"
#include "engines/packet/packet_parts.h"

#include <assert.h>
#include <stdlib.h>

/* Returns the lane whose buffer the packet is in, or will be. */
static uint32_t packet_lane(const struct packet_engine *e, const struct packet *packet)
{
	return (packet->head.channel << e->shift) + packet->head.lane;
}

/* Counts the bytes of packets in the buffer of each lane, or in transit to it. Returns the number of packets in transit anywhere. */
static uint64_t count_packets(const struct packet_engine *e, uint64_t *bytes)
{
	uint64_t travelling = 0;
	for (size_t p = 0; p < e->packets; p++) {
		const struct packet *packet = &e->packet[p];
		if (packet->head.channel == NONE)
			continue;
		bytes[packet_lane(e, packet)] += packet_space(e, packet);
		travelling++;
	}
	for (uint32_t p = e->free_packet; p != NONE; p = e->packet[p].next) {
		const struct packet *packet = &e->packet[p];
		if (packet->head.channel == NONE)
			continue;
		bytes[packet_lane(e, packet)] -= packet_space(e, packet);
		travelling--;
	}
	return travelling;
}

/* Returns what the tail of a lane can send, now or later, in the order of time. */
static uint64_t credit_of(const struct packet_engine *e, const struct credit *credit)
{
	uint64_t bytes = (uint64_t)credit->bytes + credit->refund, time = credit->time;
	for (uint32_t r = credit->last; credit->refund && r != NONE;) {
		r = e->refund[r].next;
		assert(e->refund[r].time >= time);
		time = e->refund[r].time;
		bytes += e->refund[r].bytes;
		r = r == credit->last ? NONE : r;
	}
	return bytes;
}

static void check_queue(const struct packet_engine *e, uint32_t queue)
{
	for (uint32_t p = e->queue[queue].first; p != NONE; p = e->packet[p].next) {
		assert(packet_lane(e, &e->packet[p]) == queue);
		assert(e->packet[p].next != NONE || e->queue[queue].last == p);
	}
}

static void check_output(const struct packet_engine *e, uint32_t channel)
{
	const struct packet_output *o = &e->output[channel];
	uint64_t bytes = 0;
	uint32_t previous = NONE, requests = 0;
	for (uint32_t r = o->first; r != NONE; previous = r, r = e->request[r].next) {
		assert(e->request[r].output == channel && e->request[r].previous == previous);
		bytes += e->packet[e->request[r].packet].size;
		requests++;
	}
	assert(o->last == previous && (!e->backlog || e->backlog[channel] == bytes));
	bool told = e->told && e->router->group[o->credit.tail] != e->router->group[o->head];
	assert(!told || packet_told_now(e, channel) == requests);
}

void packet_check(struct packet_engine *e)
{
	bool several = e->regions && packet_team_of(e); /* threads, which change the packets */
	if (++e->unchecked < e->packets + e->requests + e->queues || several)
		return;
	e->unchecked = 0;
	uint64_t *bytes = calloc(e->sources, sizeof *bytes);
	if (!bytes)
		return;
	uint64_t travelling = count_packets(e, bytes);
	assert(e->regions || travelling == e->travelling);
	for (uint32_t c = 0; c < e->channels; c++) {
		bool tail = packet_owns(e, e->output[c].credit.tail), head = packet_owns(e, e->output[c].head);
		if (tail)
			check_output(e, c);
		for (uint32_t lane = c << e->shift; lane < (c << e->shift) + e->lanes; lane++) {
			if (tail && head)
				assert(bytes[lane] + credit_of(e, packet_credit(e, lane)) == packet_buffer(e, c));
			if (head)
				check_queue(e, lane);
		}
	}
	free(bytes);
}
