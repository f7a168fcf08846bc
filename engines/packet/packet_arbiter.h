/* Which of two packets an output prefers, and which of two outputs is served first; for packet_switch.c. */
#ifndef ENGINES_PACKET_PACKET_ARBITER_H
#define ENGINES_PACKET_PACKET_ARBITER_H

#include "engines/packet/packet_parts.h"

static inline uint64_t *stamp_of(const struct packet_engine *e, uint32_t output, uint32_t queue)
{
	return &e->stamp[crosspoint(e, output, queue) * e->port_lanes + queue_lane(e, queue)];
}

/* Returns whether the turn of a comes before that of b: by input port, then by lane. */
static inline bool has_turn(const struct packet_engine *e, uint32_t output, const struct packet_request *a, const struct packet_request *b)
{
	uint32_t next = e->output[output].turn + 1, one = queue_port(e, a->queue), other = queue_port(e, b->queue);
	if (one != other)
		return one - next < other - next;
	uint8_t lane = (uint8_t)(e->lane_turn[crosspoint(e, output, a->queue)] + 1);
	return (uint8_t)(queue_lane(e, a->queue) - lane) < (uint8_t)(queue_lane(e, b->queue) - lane);
}

/* Returns whether the arbiter prefers a to b. */
static inline bool goes_first(
	const struct packet_engine *e, uint32_t output, const struct packet_request *a, const struct packet_request *b)
{
	const struct packet *p = &e->packet[a->packet], *q = &e->packet[b->packet];
	switch (e->arbiter) {
	case ARBITER_ROUND_ROBIN: return has_turn(e, output, a, b);
	case ARBITER_MATRIX:
		if (*stamp_of(e, output, a->queue) != *stamp_of(e, output, b->queue))
			return *stamp_of(e, output, a->queue) < *stamp_of(e, output, b->queue);
		return a->queue < b->queue;
	case ARBITER_AGE:
		if (p->created != q->created)
			return p->created < q->created;
		return p->head.source != q->head.source ? p->head.source < q->head.source : p->head.number < q->head.number;
	case ARBITER_PRIORITY:
		if (e->run.graph && e->run.graph->priority && e->run.graph->priority[p->message] != e->run.graph->priority[q->message])
			return e->run.graph->priority[p->message] < e->run.graph->priority[q->message];
		return a->queue < b->queue;
	default: return a->queue - e->output[output].turn - 1 < b->queue - e->output[output].turn - 1;
	}
}

/* Returns 16 bits that favour no channel over time, followed by its number. */
static inline uint64_t mix_of(uint64_t now, uint32_t channel)
{
	uint64_t mix = (now ^ (uint64_t)channel << 32 ^ channel) * UINT64_C(0x9e3779b97f4a7c15);
	mix = (mix ^ mix >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
	return mix >> 48 << 32 | channel;
}

#endif
