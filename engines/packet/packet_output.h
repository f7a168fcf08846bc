/* Outputs: which request they can serve, and how they send the packet; for packet_switch.c. */
#ifndef ENGINES_PACKET_PACKET_OUTPUT_H
#define ENGINES_PACKET_PACKET_OUTPUT_H

#include "engines/packet/packet_arbiter.h"
#include "engines/packet/packet_regions.h"
#include "engines/packet/packet_request.h"

#include <assert.h>

/* Removes the packet from its queue; its last byte leaves at that time. */
SPECIAL void leave_queue(struct packet_engine *e, uint32_t packet, uint32_t queue, uint64_t until, uint64_t decided, const bool plain)
{
	if (queue >= e->sources) {
		packet_source_left(e, queue - e->sources, until);
		return;
	}
	uint32_t channel = queue >> e->shift;
	const struct packet *p = &e->packet[packet];
	if (!plain && e->setup.congestion)
		packet_control_leaves(e, packet);
	uint64_t back = packet_speed(e, channel)->latency + (plain ? e->credit_delay : packet_credit_delay(e, channel));
	packet_refund(e, queue, until + decided + back, packet_space(e, p));
	if (!plain && e->setup.voq)
		return;
	struct queue *q = &e->queue[queue];
	q->first = p->next;
	q->busy = until;
	if (q->first != NONE)
		packet_events_add(&e->events, until, EVENT_LANE, queue, 0);
}

/* Returns the place of the port that is free first. */
static uint64_t *port_place(const struct packet_engine *e, uint32_t port)
{
	uint64_t *place = &e->port[(size_t)port * e->setup.speedup], *best = place;
	for (unsigned i = 1; i < e->setup.speedup; i++)
		best = place[i] < *best ? &place[i] : best;
	return best;
}

/*
 * Returns the earliest known time at which the request can be served, at best now and when it is ready; NEVER: not before credits return.
 * *lane is the lane with most credits, the last ones after all others; NONE if credits are missing.
 */
SPECIAL uint64_t servable(struct packet_engine *e, const struct packet_request *r, uint64_t ready, uint32_t *lane)
{
	uint64_t time = ready;
	*lane = 0;
	if (e->port && r->queue < e->sources) {
		uint64_t free = *port_place(e, queue_port(e, r->queue));
		time = free > time ? free : time;
	}
	if (time > e->now)
		return time;
	uint32_t most = 0, size = request_size(e, r);
	time = NEVER;
	*lane = NONE;
	for (uint32_t lanes = r->lanes; lanes; lanes &= lanes - 1) {
		uint32_t i = (uint32_t)__builtin_ctz(lanes);
		struct credit *credit = packet_credit(e, (r->output << e->shift) + i);
		packet_settle(e, credit);
		uint32_t needed = r->bubble >> i & 1 ? packet_bubble(e) : size;
		if (credit->bytes >= needed && (time != e->now || credit->bytes > most)) {
			time = e->now;
			*lane = i;
			most = e->router->last >> i & 1 ? 0 : credit->bytes;
		} else if (time != e->now && credit->refund && credit->time < time) {
			time = credit->time;
		}
	}
	return time;
}

static void note_sent(struct packet_engine *e, uint32_t channel, uint32_t bytes, uint64_t time)
{
	packet_note_blocked(e, channel, false);
	uint64_t from = e->now > e->begin ? e->now : e->begin, to = e->now + time < e->until ? e->now + time : e->until;
	e->seen.busy[channel] += to > from ? to - from : 0;
	e->seen.sent[channel] += is_measured(e, e->now) ? bytes : 0;
	e->seen.left[channel] += is_measured(e, e->now);
}

/*
 * Returns the time at which the tail of a packet leaves its input, whose output sends it until then: with a faster switch earlier, but not
 * before it has come; the output holds what its link has not sent.
 */
static uint64_t leaves_input(const struct packet_engine *e, const struct packet_request *r, uint32_t bytes, uint64_t until)
{
	if (e->setup.internal_rate <= 1 || r->queue >= e->sources)
		return until;
	uint64_t left = e->now + (uint64_t)llround((double)(until - e->now) / e->setup.internal_rate);
	uint64_t tail =
		e->arrived[r->packet] + (e->setup.store_forward ? 0 : transfer_time(packet_speed(e, r->queue >> e->shift)->rate, bytes));
	return left > tail ? left : tail;
}

/* Sends the packet by the request's output, on that lane. */
SPECIAL void send(struct packet_engine *e, uint32_t request, uint32_t lane, const bool plain)
{
	struct packet_request r = e->request[request];
	uint64_t ready = plain ? 0 : packet_ready(e, request);
	struct packet *p = &e->packet[r.packet];
	struct packet_output *o = &e->output[r.output];
	bool from_host = r.queue >= e->sources;
	const struct channel_speed *speed = packet_speed(e, r.output);
	uint64_t time = transfer_time(speed->rate, p->size), decided = from_host ? 0
								       : plain   ? e->arbitration
										 : packet_arbitration_delay(e, r.output);
	if (!plain && e->router->routing->taken)
		e->router->routing->taken(e->router, &p->head, o->credit.tail,
			&(struct packet_candidate){
				.channel = r.output, .lanes = packet_lanes_seen(e, r.output, (uint16_t)(1u << lane)), .rank = r.rank});
	withdraw(e, p, plain);
	o->busy = e->now + time;
	uint64_t leaves = plain ? o->busy : leaves_input(e, &r, p->size, o->busy);
	o->turn = e->arbiter == ARBITER_ROUND_ROBIN ? queue_port(e, r.queue) : r.queue;
	if (e->lane_turn)
		e->lane_turn[crosspoint(e, r.output, r.queue)] = (uint8_t)queue_lane(e, r.queue);
	packet_credit(e, (r.output << e->shift) + lane)->bytes -= packet_space(e, p);
	if (e->port && !from_host)
		*port_place(e, queue_port(e, r.queue)) = leaves;
	if (!plain && e->choice) {
		e->choice[queue_port(e, r.queue)] = NONE;
		e->served[queue_port(e, r.queue)] = r.output;
	}
	if (!plain && e->stamp)
		*stamp_of(e, r.output, r.queue) = e->moved + 1;
	uint64_t routed = from_host ? 0 : plain ? e->routing : packet_routing_delay(e, p->head.channel);
	if (!plain && e->mixed && ready > e->arrived[r.packet] + routed)
		p->zero_load += ready - e->arrived[r.packet] - routed;
	e->travelling += from_host;
	if (from_host)
		p->injected = e->now - p->zero_load; /* time that could not be avoided so far does not count as waiting */
	if (!plain && e->setup.congestion && !from_host)
		packet_control_marks(e, r.packet, (r.output << e->shift) + lane);
	leave_queue(e, r.packet, r.queue, leaves, decided, plain);
	p = &e->packet[r.packet]; /* the slab may have grown */
	p->head.channel = r.output;
	p->head.lane = (uint8_t)lane;
	p->head.hops += p->head.hops < UINT8_MAX;
	e->moved++;
	if (!plain && e->seen.lane_bytes && is_measured(e, e->now))
		e->seen.lane_bytes[(size_t)r.output * e->lanes + lane] += p->size;
	if (!plain && e->blocked_since)
		note_sent(e, r.output, p->size, time);
	bool last = o->head == e->fabric->host_node[p->head.destination];
	uint64_t routing = plain ? e->routing : packet_routing_delay(e, r.output);
	uint64_t step = decided + speed->latency + (last ? 0 : routing + (!plain && e->setup.store_forward ? time : 0));
	if (!plain && e->failures)
		packet_failures_sent(e, r.packet, e->now + decided + speed->latency + time);
	if (!plain && e->mixed)
		e->arrived[r.packet] = e->now + step - (last ? 0 : routing);
	if (!plain && e->mixed && e->run.graph && p->kind == PACKET_DATA && speed->rate > e->slowest[p->message])
		e->slowest[p->message] = speed->rate;
	if (!plain && e->slow && speed->rate > e->slow[r.packet])
		e->slow[r.packet] = speed->rate;
	p->zero_load += step;
	enum packet_event_kind kind = last ? EVENT_DELIVER : EVENT_HEAD;
	uint64_t comes = e->now + step + (last ? time : 0);
	if (e->regions && packet_is_divided(e, r.output))
		packet_crosses(e, r.packet, comes, kind);
	else
		packet_events_add(&e->events, comes, kind, r.output, r.packet);
}

/* The best requests of an output on each lane that is ready. */
struct lane_choice {
	uint32_t request[PACKET_LANES_MAX], ready;
};

/* Returns whether a goes before b, of the same lane. The queues that send on a lane take turns, whatever the other lanes send. */
static bool first_of_lane(
	struct packet_engine *e, uint32_t channel, uint32_t lane, const struct packet_request *a, const struct packet_request *b)
{
	uint32_t next = *packet_lanes_turn(e, channel, lane) + 1;
	if (e->arbiter == ARBITER_ROUND_ROBIN || e->arbiter == ARBITER_LANE)
		return a->queue - next < b->queue - next;
	return goes_first(e, channel, a, b);
}

/* Takes the request for the best of its lane if it is. */
static void offer(struct packet_engine *e, uint32_t channel, uint32_t request, uint32_t lane, struct lane_choice *choice)
{
	uint32_t *best = &choice->request[lane];
	if (!(choice->ready >> lane & 1) || first_of_lane(e, channel, lane, &e->request[request], &e->request[*best]))
		*best = request;
	choice->ready |= 1u << lane;
}

/* Sends the best request of the lane whose turn it is. */
static void send_by_lane(struct packet_engine *e, uint32_t channel, const struct lane_choice *choice)
{
	uint32_t lane = packet_lanes_choose(e, channel, choice->ready);
	assert(lane != NONE); /* each lane has a weight, see packet_qos_check() */
	uint32_t request = choice->request[lane], bytes = e->packet[e->request[request].packet].size;
	*packet_lanes_turn(e, channel, lane) = e->request[request].queue;
	send(e, request, lane, false);
	packet_lanes_sent(e, channel, bytes);
}

/* Notes that requests wait for the output. */
static inline void note_waiting(struct packet_engine *e, struct packet_output *o, uint32_t channel)
{
	if (!o->waited)
		o->waited = e->waited[channel] = true;
}

/* Serves the best request for the output; if inputs choose, only among their choices. Returns whether there was one. */
SPECIAL bool serve(struct packet_engine *e, uint32_t channel, bool chosen, const bool plain)
{
	struct packet_output *o = &e->output[channel];
	uint32_t best = NONE, lane = 0, best_lane = 0;
	uint64_t next = NEVER;
	bool full = false, ruled = !plain && e->lane_arbiter && packet_lanes_ruled(e, channel);
	struct lane_choice choice;
	choice.ready = 0;
	if (o->first == NONE)
		return false;
	if (o->busy > e->now) {
		note_waiting(e, o, channel);
		packet_wake_at(e, channel, o->busy);
		return false;
	}
	for (uint32_t r = o->first; r != NONE; r = e->request[r].next) {
		const struct packet_request *q = &e->request[r];
		if (!plain && chosen && e->choice[queue_port(e, q->queue)] != r)
			continue;
		uint64_t time = servable(e, q, plain ? 0 : packet_ready(e, r), &lane);
		if (time > e->now) {
			next = time < next ? time : next;
			full |= lane == NONE;
		} else if (ruled) {
			offer(e, channel, r, lane, &choice);
			best = r;
		} else if (best == NONE || goes_first(e, channel, q, &e->request[best])) {
			best = r;
			best_lane = lane;
		}
	}
	if (best == NONE) {
		note_waiting(e, o, channel);
		if (next != NEVER)
			packet_wake_at(e, channel, next);
		if (!plain && e->blocked_since && full)
			packet_note_blocked(e, channel, true);
		return false;
	}
	if (ruled)
		send_by_lane(e, channel, &choice);
	else
		send(e, best, best_lane, plain);
	if (o->first != NONE) {
		note_waiting(e, o, channel);
		packet_wake_at(e, channel, o->busy);
	}
	return true;
}

/* Lets every input choose one of its packets whose outputs are free, in turn; the outputs then choose among these. */
static bool serve_choices(struct packet_engine *e)
{
	bool any = false;
	uint32_t lane;
	for (size_t i = 0; i < e->orders; i++)
		for (uint32_t r = e->output[(uint32_t)e->order[i]].first; r != NONE; r = e->request[r].next) {
			const struct packet_request *q = &e->request[r];
			uint32_t port = queue_port(e, q->queue), *choice = &e->choice[port], served = e->served[port];
			if (e->output[q->output].busy > e->now || servable(e, q, packet_ready(e, r), &lane) > e->now)
				continue;
			if (*choice != NONE && q->output == e->request[*choice].output) {
				*choice = goes_first(e, q->output, q, &e->request[*choice]) ? r : *choice; /* by the rule of the output */
			} else if (*choice == NONE || q->output - served - 1 < e->request[*choice].output - served - 1) {
				*choice = r;
			}
		}
	for (size_t i = 0; i < e->orders; i++)
		any |= serve(e, (uint32_t)e->order[i], true, false);
	for (size_t i = 0; i < e->orders; i++)
		for (uint32_t r = e->output[(uint32_t)e->order[i]].first; r != NONE; r = e->request[r].next)
			e->choice[queue_port(e, e->request[r].queue)] = NONE;
	return any;
}

/*
 * Returns the sort key of an output of a node: outputs that packets prefer first, otherwise such that none is favoured; outputs without a
 * new request last.
 */
static uint64_t order_of(const struct packet_engine *e, uint32_t channel)
{
	return (uint64_t)(e->output[channel].marked - 1) << 48 | mix_of(e->now, channel);
}

/* Sorts the node's marked outputs. */
static void order_looks(struct packet_engine *e, uint32_t node)
{
	e->orders = 0;
	for (uint32_t c = e->first_look[node]; c != NONE; c = e->output[c].next_look) {
		if (!packet_room(e, &e->order, e->orders, &e->order_room, sizeof *e->order))
			return;
		uint64_t order = order_of(e, c);
		size_t i = e->orders++;
		for (; i && e->order[i - 1] > order; i--)
			e->order[i] = e->order[i - 1];
		e->order[i] = order;
	}
}

/* Lets the node's outputs send what they can. */
SPECIAL void arbitrate(struct packet_engine *e, uint32_t node, const bool plain)
{
	uint32_t first = e->first_look[node];
	if ((plain || !e->choice) && e->output[first].next_look == NONE) { /* the only one */
		e->first_look[node] = NONE;
		e->output[first].marked = 0;
		serve(e, first, false, plain);
		return;
	}
	order_looks(e, node);
	e->first_look[node] = NONE;
	while (!plain && e->choice && serve_choices(e))
		;
	for (size_t i = 0; i < e->orders; i++) {
		e->output[(uint32_t)e->order[i]].marked = 0;
		serve(e, (uint32_t)e->order[i], false, plain);
	}
}

#endif
