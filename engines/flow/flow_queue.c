/*
 * Messages by the channel that they wait for. All of a queue have the same rate for their weights, so they end in the order in which the
 * bits that a message of the queue has sent since some time reach what each wants: when the rate changes, the order stays, and none of them
 * need be looked at. A pairing heap (Fredman, Sedgewick, Sleator, Tarjan: The pairing heap, Algorithmica 1, 1986), in the messages
 * themselves.
 */
#include "engines/flow/flow_workspace.h"

static bool is_before(const struct flow_engine *e, uint32_t a, uint32_t b)
{
	double x = e->message[a].target, y = e->message[b].target;
	return x < y || (x == y && a < b);
}

/* The one heap of two, which both are there. */
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

/* One heap of a list of them: NONE of none. */
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

void flow_queue_put(struct flow_engine *e, struct flow_queue *queue, uint32_t operation)
{
	struct message *m = &e->message[operation];
	m->child = m->next = m->previous = NONE;
	queue->first = queue->first == NONE ? operation : meld(e, queue->first, operation);
}

void flow_queue_take(struct flow_engine *e, struct flow_queue *queue, uint32_t operation)
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
