/*
 * Queues of messages by the channel that limits them. All messages of a queue have the same rate relative to their weights, so they end in
 * the order of their targets: the bits that a message of weight 1 in the queue has sent by then. When the rate changes the order does not,
 * so no message needs to be visited. Each queue is a pairing heap (Fredman, Sedgewick, Sleator, Tarjan: The pairing heap, Algorithmica 1,
 * 1986), stored in the messages themselves.
 */
#include "engines/flow/flow_workspace.h"

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
