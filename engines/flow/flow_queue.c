/*
 * Queues of messages by the channel that limits them. All messages of a queue have the same rate relative to their weights, so they end in
 * the order of their targets: the bits that a message of weight 1 in the queue has sent by then. When the rate changes the order does not,
 * so no message needs to be visited. Each queue is a pairing heap (Fredman, Sedgewick, Sleator, Tarjan: The pairing heap, Algorithmica 1,
 * 1986), stored in the messages themselves. Most changes of a rate are small, so the event of a queue is set a little before the end of its
 * first message, and set again when it is the next one.
 */
#include "engines/flow/flow_workspace.h"

#include <math.h>

/* The part of the time until the end by which an event is early. */
enum { EARLY = 64 };

static bool is_before(const struct flow_engine *e, uint32_t a, uint32_t b)
{
	double x = e->message[a].target, y = e->message[b].target;
	return x < y || (x == y && a < b);
}

/* Merges two heaps that are not empty into one. */
static uint32_t meld(struct flow_engine *e, uint32_t a, uint32_t b)
{
	struct message *message = e->message;
	if (is_before(e, b, a)) {
		uint32_t other = a;
		a = b;
		b = other;
	}
	message[b].next = message[a].child;
	message[b].previous = a;
	if (message[a].child != NONE)
		message[message[a].child].previous = b;
	message[a].child = b;
	return a;
}

/* Merges a list of heaps into one: NONE if the list is empty. */
static uint32_t meld_list(struct flow_engine *e, uint32_t list)
{
	struct message *message = e->message;
	uint32_t pairs = NONE, all = NONE;
	while (list != NONE) {
		uint32_t a = list, b = message[a].next;
		list = b == NONE ? NONE : message[b].next;
		a = b == NONE ? a : meld(e, a, b);
		message[a].next = pairs;
		pairs = a;
	}
	while (pairs != NONE) {
		uint32_t next = message[pairs].next;
		all = all == NONE ? pairs : meld(e, all, pairs);
		pairs = next;
	}
	if (all != NONE)
		message[all].next = message[all].previous = NONE;
	return all;
}

/* Time O(log messages of the queue), amortised, as take(). */
static void put(struct flow_engine *e, struct flow_queue *queue, uint32_t operation)
{
	struct message *m = &e->message[operation];
	m->child = m->next = m->previous = NONE;
	queue->first = queue->first == NONE ? operation : meld(e, queue->first, operation);
}

static void take(struct flow_engine *e, struct flow_queue *queue, uint32_t operation)
{
	struct message *message = e->message, *m = &message[operation];
	uint32_t below = meld_list(e, m->child);
	if (queue->first == operation) {
		queue->first = below;
		return;
	}
	if (message[m->previous].child == operation)
		message[m->previous].child = m->next;
	else
		message[m->previous].next = m->next;
	if (m->next != NONE)
		message[m->next].previous = m->previous;
	if (below != NONE)
		queue->first = meld(e, queue->first, below);
}

/* ---- rates and messages */

/* Notes that the queue now has messages, or no longer has any. */
static void limit(struct flow_engine *e, uint32_t queue, bool begins)
{
	uint32_t c = flow_rates_channel(e->rates, queue);
	if (!e->limits)
		return;
	if (begins && !e->limits[c]++)
		e->limits_since[c] = e->now;
	else if (!begins && !--e->limits[c])
		e->run.times.bottleneck[c] += (double)(e->now - e->limits_since[c]) / PICOSECONDS;
}

/* Updates what its messages have sent until now. */
static void send(struct flow_engine *e, struct flow_queue *q)
{
	q->sent += q->rate * (double)(e->now - q->since) / PICOSECONDS;
	q->since = e->now;
}

/* Returns the time at which its first message ends; NEVER. */
static uint64_t end_of(const struct flow_queue *q)
{
	double left = q->target - q->sent;
	return q->first != NONE && q->rate > 0 ? time_after(q->since, left > 0 ? left / q->rate : 0, LONGEST_TIME) : NEVER;
}

static void set_event(struct flow_engine *e, uint32_t queue, uint64_t time)
{
	e->queue[queue].event = time;
	flow_set_event(e, e->run.graph->operations + queue, time);
}

/* Sets its event, unless that is before the end of its first message; what it has sent is up to date. */
static void plan(struct flow_engine *e, uint32_t queue)
{
	const double sure = 1 + 0x1p-40; /* more than rounding errors */
	struct flow_queue *q = &e->queue[queue];
	bool ends = q->first != NONE && q->rate > 0;
	double ahead = (double)(q->event - e->now);
	if (ends && q->event != NEVER && ahead * q->rate * sure <= (q->target - q->sent) * PICOSECONDS)
		return;
	uint64_t end = end_of(q);
	set_event(e, queue, end == NEVER ? NEVER : end - (end - e->now) / EARLY);
}

uint64_t flow_next_event(struct flow_engine *e)
{
	while (e->events) {
		struct event next = e->event[0];
		uint32_t queue = next.number - e->run.graph->operations;
		uint64_t end = next.number < e->run.graph->operations ? next.time : end_of(&e->queue[queue]);
		if (end == next.time)
			return end;
		set_event(e, queue, end);
	}
	return NEVER;
}

void flow_join(struct flow_engine *e, uint32_t queue, uint32_t operation)
{
	struct flow_queue *q = &e->queue[queue];
	struct message *m = &e->message[operation];
	if (q->first == NONE) {
		q->sent = q->passes = 0;
		q->since = e->now;
		limit(e, queue, true);
	}
	send(e, q);
	m->queue = queue;
	m->target = q->sent + m->left / flow_weight(e, operation);
	q->passes += m->passes;
	e->carried += q->rate * m->passes;
	put(e, q, operation);
	if (q->first == operation) {
		q->target = m->target;
		plan(e, queue);
	}
}

void flow_part(struct flow_engine *e, uint32_t operation)
{
	struct message *m = &e->message[operation];
	if (m->queue == NONE)
		return;
	struct flow_queue *q = &e->queue[m->queue];
	uint32_t first = q->first;
	send(e, q);
	m->left = (m->target - q->sent) * flow_weight(e, operation);
	q->passes -= m->passes;
	e->carried -= q->rate * m->passes;
	take(e, q, operation);
	if (q->first == NONE)
		limit(e, m->queue, false);
	else
		q->target = e->message[q->first].target;
	if (q->first != first)
		plan(e, m->queue);
	m->queue = NONE;
}

void flow_change_rate(struct flow_engine *e, uint32_t queue, double rate, const struct max_min *m)
{
	struct flow_queue *q = &e->queue[queue];
	if (q->first == NONE)
		return;
	if (isnan(rate))
		rate = m->flow[e->message[q->first].key.flow].rate / flow_weight(e, q->first);
	if (rate == q->rate)
		return;
	send(e, q);
	e->carried += (rate - q->rate) * q->passes;
	q->rate = rate;
	plan(e, queue);
}
