/*
 * The switch: queues at its inputs, requests at its outputs, credits. A packet has a request at every candidate output; a free output
 * serves one for which the next buffer has room. Outputs are examined only after a change: when a request arrives, and when they, an input
 * or room in the next buffer become free.
 */
#include "engines/packet/packet_arbiter.h"
#include "engines/packet/packet_regions.h"
#include "engines/packet/packet_workspace.h"

#include <assert.h>
#include <stdlib.h>

enum { NO_RANK = UINT16_MAX - 1 };

/* Of these functions there are two of each: plain or not, see packet_is_plain(). The caller decides once. */
#define SPECIAL static inline __attribute__((always_inline))

/* ---- requests */

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

/* ---- queues */

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

void packet_leave_output(struct packet_engine *e, uint32_t channel)
{
	while (e->output[channel].first != NONE) {
		const struct packet_request *r = &e->request[e->output[channel].first];
		uint32_t packet = r->packet, queue = r->queue;
		withdraw(e, &e->packet[packet], false);
		packet_route(e, packet, queue);
	}
}

/* Drops a packet without a candidate. */
static void go_nowhere(struct packet_engine *e, const struct routee *r)
{
	packet_lost(e, r->packet);
	leave_queue(e, r->packet, r->queue, e->now, e->arbitration, false);
	packet_drop(e, r->packet);
}

void packet_head_comes(struct packet_engine *e, uint32_t packet)
{
	struct packet *p = &e->packet[packet];
	uint32_t queue = (p->head.channel << e->shift) + p->head.lane;
	struct queue *q = &e->queue[queue];
	p->next = p->request = NONE;
	if (e->failures && !packet_failures_came(e, packet)) {
		packet_is_lost(e, packet);
		return;
	}
	if (e->setup.congestion)
		packet_control_comes(e, packet);
	if (e->setup.voq) {
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

void packet_lane_moves(struct packet_engine *e, uint32_t queue)
{
	packet_route(e, e->queue[queue].first, queue);
}

/* ---- outputs */

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

/* Returns 16 bits that favour no channel over time, followed by its number. */
static inline uint64_t mix_of(uint64_t now, uint32_t channel)
{
	uint64_t mix = (now ^ (uint64_t)channel << 32 ^ channel) * UINT64_C(0x9e3779b97f4a7c15);
	mix = (mix ^ mix >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
	return mix >> 48 << 32 | channel;
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

/* ---- routing */

/* Finds the candidates of the packet. Returns their number. */
static unsigned find_ways(struct packet_engine *e, uint32_t packet, struct packet_candidate *way)
{
	struct packet_head *head = &e->packet[packet].head;
	e->router->view.left = NULL;
	uint32_t node = head->channel == NONE ? e->fabric->host_node[head->source] : e->fabric->head[head->channel];
	unsigned count = packet_candidates(e, head, node, way);
	return e->failures ? packet_failures_leave(e, way, count) : count;
}

/* Writes the candidates that the routing has left to the engine. */
static void write_ways(struct packet_engine *e, struct packet_candidate *way, unsigned count)
{
	if (e->router->view.left)
		e->router->view.rank_all(e, e->router->view.left, count, 1, way);
}

/* Requests all candidates except one. */
static void ask_all(struct packet_engine *e, const struct routee *r, const struct packet_candidate *way, unsigned count, uint32_t but)
{
	for (unsigned w = 0; w < count; w++) {
		assert(way[w].lanes && way[w].lanes < 1u << e->lanes);
		if (way[w].channel != but)
			ask(e, r->packet, r->queue, &way[w], false);
	}
}

/* Returns whether the candidate can be served at once. */
static bool is_servable(struct packet_engine *e, const struct routee *r, const struct packet_candidate *way)
{
	uint32_t lane, size = packet_space(e, &e->packet[r->packet]);
	struct packet_request request = {.packet = r->packet,
		.queue = r->queue,
		.output = way->channel,
		.size = (uint16_t)(size < UINT16_MAX ? size : UINT16_MAX),
		.lanes = way->lanes,
		.bubble = way->bubble};
	return servable(e, &request, e->mixed ? ready_time(e, r->packet, way->channel) : 0, &lane) <= e->now;
}

/*
 * Returns the best of the candidates that is free and has no other request, and whose order is not less than from; NULL: none. *order: its
 * order.
 */
static const struct packet_candidate *best_free(
	const struct packet_engine *e, const struct packet_candidate *way, unsigned count, uint64_t from, uint64_t *order)
{
	const struct packet_candidate *best = NULL;
	const struct packet_output *output = e->output;
	uint64_t best_order = UINT64_MAX, now = e->now;
	for (unsigned w = 0; w < count; w++) {
		if (way[w].rank > best_order >> 48)
			continue;
		const struct packet_output *o = &output[way[w].channel];
		if (o->busy > now || o->first != NONE)
			continue;
		uint64_t own = (uint64_t)way[w].rank << 48 | mix_of(now, way[w].channel);
		if (own >= best_order || own < from)
			continue;
		best = &way[w];
		best_order = own;
	}
	*order = best_order;
	return best;
}

/* Returns the best that can also be served at once. */
static const struct packet_candidate *free_way(
	struct packet_engine *e, const struct routee *r, const struct packet_candidate *way, unsigned count)
{
	uint64_t order;
	const struct packet_candidate *best = best_free(e, way, count, 0, &order);
	while (best && !is_servable(e, r, best))
		best = best_free(e, way, count, order + 1, &order);
	return best;
}

/*
 * Returns the best of the candidates left to the engine that is free and has no other request, as best_free() would; *way gets it. NULL:
 * there is none.
 */
static const struct packet_candidate *best_left(struct packet_engine *e, unsigned count, struct packet_candidate *way)
{
	const uint32_t *channel = e->router->view.left;
	struct packet_output *output = e->output;
	uint64_t best = UINT64_MAX, limit = e->router->rank_limit, scale = e->router->rank_scale, now = e->now;
	uint32_t buffer = e->setup.buffer, most = UINT32_MAX; /* bytes queued of those whose rank is at most that of the best */
	for (unsigned w = 0; w < count; w++) {
		struct packet_output *o = &output[channel[w]];
		if (o->busy > now || o->first != NONE)
			continue;
		packet_settle(e, &o->credit);
		uint32_t queued = buffer - o->credit.bytes;
		if (queued > most)
			continue;
		uint64_t rank = queued ? packet_rank_of(queued, limit, scale) : 0, own = rank << 48 | mix_of(now, channel[w]);
		if (own >= best)
			continue;
		best = own;
		most = rank < PACKET_RANK_MAX - 1 ? (uint32_t)((((rank + 1) << 32) - 1) / scale) : UINT32_MAX;
	}
	*way = (struct packet_candidate){(uint32_t)best, 1, (uint16_t)(best >> 48), 0};
	return best < UINT64_MAX ? way : NULL;
}

/* The same; if the routing has left the candidates to the engine, *way or all of them are written. */
static const struct packet_candidate *any_free(
	struct packet_engine *e, const struct routee *r, struct packet_candidate *way, unsigned count)
{
	const struct packet_candidate *best = e->router->view.left ? best_left(e, count, way) : NULL;
	if (best && is_servable(e, r, best))
		return best;
	write_ways(e, way, count);
	return free_way(e, r, way, count);
}

/* Requests that candidate only; if another packet gets it, all others are requested too. */
static void try(struct packet_engine *e, const struct routee *r, const struct packet_candidate *way)
{
	if (!packet_room(e, &e->trial, e->trials, &e->trial_room, sizeof *e->trial))
		return;
	ask(e, r->packet, r->queue, way, false);
	e->trial[e->trials++] = (struct load_trial){*r, e->packet[r->packet].request, way->channel};
}

/* Requests the other candidates of packets whose trial failed. */
static void ask_more(struct packet_engine *e)
{
	struct packet_candidate way[PACKET_CANDIDATES_MAX];
	for (size_t i = 0; i < e->trials; i++) {
		const struct load_trial *t = &e->trial[i];
		if (e->packet[t->routee.packet].request != t->request || e->request[t->request].packet != t->routee.packet)
			continue;
		unsigned count = find_ways(e, t->routee.packet, way);
		write_ways(e, way, count);
		ask_all(e, &t->routee, way, count, t->channel);
	}
	e->trials = 0;
}

/*
 * Requests all candidates that the routing finds for the packets. While it finds those of one packet, the data of another one is
 * prefetched; but a routing that reads queue lengths has to see all earlier requests.
 */
SPECIAL void route_all(struct packet_engine *e, const bool plain)
{
	enum { BLOCK = 16 };
	struct packet_candidate way[BLOCK][PACKET_CANDIDATES_MAX];
	unsigned count[BLOCK];
	size_t step = e->router->routing->looks ? 1 : BLOCK;
	if (e->router->routing->looks)
		packet_sort(e, e->routee, e->routees);
	for (size_t i = 0; i < e->routees; i += step) {
		const struct routee *r = &e->routee[i];
		size_t block = e->routees - i < step ? e->routees - i : step;
		for (size_t k = 0; k < block; k++) {
			count[k] = find_ways(e, r[k].packet, way[k]);
			if (count[k]) {
				__builtin_prefetch(&e->output[way[k][0].channel]);
			}
		}
		for (size_t k = 0; k < block; k++) {
			const struct packet_candidate *free = count[k] > 1 ? any_free(e, &r[k], way[k], count[k]) : NULL;
			if (!count[k])
				go_nowhere(e, &r[k]);
			else if (count[k] == 1)
				ask(e, r[k].packet, r[k].queue, way[k], plain);
			else if (free)
				try(e, &r[k], free);
			else
				ask_all(e, &r[k], way[k], count[k], NONE);
		}
	}
	e->routees = 0;
}

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

SPECIAL void decide(struct packet_engine *e, const bool plain)
{
	route_all(e, plain);
	while (e->looks) {
		for (size_t i = 0; i < e->looks; i++) {
			fetch_ahead(e, i);
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
