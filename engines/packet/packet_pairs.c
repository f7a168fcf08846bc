/*
 * Queue pairs: the messages of a task graph from one host to another, of one class and service level, are sent in order. A host has a send
 * queue for each of its ports and virtual lanes; the queue pairs whose next packet belongs there take turns, some packets at a time (IBA
 * leaves the choice between them to the adapter). With --qps one a host has a single pair for all its messages.
 */
#include "base/memory.h"
#include "engines/packet/packet_workspace.h"

#include <stdlib.h>
#include <string.h>

/* ---- the pairs */

/* Returns the first slot to look for the pair in. */
static size_t slot_of(const struct packet_engine *e, const struct queue_pair *pair)
{
	uint64_t key = ((uint64_t)pair->host << 32 | pair->receiver) * UINT64_C(0x9e3779b97f4a7c15) + pair->priority +
		       ((unsigned)pair->level << 8);
	return (size_t)((key ^ key >> 29) * UINT64_C(0xbf58476d1ce4e5b9) >> 32) & (e->pair_slots - 1);
}

static bool same_pair(const struct queue_pair *a, const struct queue_pair *b)
{
	return a->host == b->host && a->receiver == b->receiver && a->priority == b->priority && a->level == b->level;
}

/* Returns the slot of the pair, or the one that it would have. */
static uint32_t *find_slot(const struct packet_engine *e, const struct queue_pair *pair)
{
	size_t slot = slot_of(e, pair);
	while (e->pair_slot[slot] != NONE && !same_pair(&e->pair[e->pair_slot[slot]], pair))
		slot = (slot + 1) & (e->pair_slots - 1);
	return &e->pair_slot[slot];
}

/* Keeps at least half of the slots empty. Returns 0, or -1. */
static int grow_slots(struct packet_engine *e)
{
	enum { FEW = 1024 };
	if (2 * e->pairs < e->pair_slots)
		return 0;
	size_t slots = e->pair_slots ? 2 * e->pair_slots : FEW;
	uint32_t *slot = array_create(slots, sizeof *slot, e->error);
	if (!slot)
		return -1;
	memset(slot, 0xff, slots * sizeof *slot); /* NONE */
	free(e->pair_slot);
	e->pair_slot = slot;
	e->pair_slots = slots;
	for (uint32_t i = 0; i < e->pairs; i++)
		*find_slot(e, &e->pair[i]) = i;
	return 0;
}

/* Returns the queue pair from the host to the receiver; NONE: out of memory. */
static uint32_t find_pair(struct packet_engine *e, uint32_t host, uint32_t receiver, uint8_t priority, uint8_t level)
{
	struct queue_pair pair = {
		.host = host, .receiver = receiver, .priority = priority, .level = level, .message = NONE, .last = NONE, .next = NONE};
	if (!e->setup.pairs)
		return host;
	if (grow_slots(e) || (e->pairs == e->pair_room && array_grow(&e->pair, &e->pair_room, e->pairs + 1, sizeof *e->pair, e->error))) {
		e->ending = RUN_FAILED;
		return NONE;
	}
	uint32_t *slot = find_slot(e, &pair);
	if (*slot == NONE) {
		e->pair[e->pairs] = pair;
		*slot = (uint32_t)e->pairs++;
	}
	return *slot;
}

/* Returns the service level of the packets of a message. */
static uint8_t level_of(const struct packet_engine *e, uint32_t operation)
{
	const uint8_t *level = e->run.graph->service_level;
	return packet_service_level(e, level ? level[operation] : SERVICE_LEVEL_OF_PAIR);
}

uint32_t packet_pair_of(struct packet_engine *e, const struct packet *p)
{
	const struct task_graph *g = e->run.graph;
	return find_pair(e, p->head.source, p->head.destination, g->priority ? g->priority[p->message] : 0, level_of(e, p->message));
}

int packet_pairs_begin(struct packet_engine *e, struct error *error)
{
	size_t queues = (size_t)e->queues - e->sources;
	if (!e->send)
		e->send = array_create(queues, sizeof *e->send, error);
	if (!e->setup.pairs)
		array_grow(&e->pair, &e->pair_room, e->fabric->hosts, sizeof *e->pair, error);
	if (error->status)
		return -1;
	for (size_t q = 0; q < queues; q++)
		e->send[q] = (struct send_queue){.pair = NONE, .last = NONE, .idle = true};
	if (e->pair_slot)
		memset(e->pair_slot, 0xff, e->pair_slots * sizeof *e->pair_slot); /* NONE */
	e->pairs = 0;
	for (; !e->setup.pairs && e->pairs < e->fabric->hosts; e->pairs++)
		e->pair[e->pairs] = (struct queue_pair){.host = (uint32_t)e->pairs, .message = NONE, .last = NONE, .next = NONE};
	return 0;
}

/* ---- messages */

/* Takes the first of the messages that wait in the pair. */
static uint32_t take_message(struct packet_engine *e, struct queue_pair *pair)
{
	uint32_t last = pair->last, first = e->next_message[last];
	if (first == last)
		pair->last = NONE;
	else
		e->next_message[last] = e->next_message[first];
	return first;
}

static bool has_messages(const struct queue_pair *pair)
{
	return pair->message != NONE || pair->last != NONE;
}

/* Lets the pair wait for its turn in the send queue. */
static void wait_for_turn(struct packet_engine *e, struct send_queue *queue, uint32_t pair)
{
	e->pair[pair].next = queue->last == NONE ? pair : e->pair[queue->last].next;
	if (queue->last != NONE)
		e->pair[queue->last].next = pair;
	queue->last = pair;
}

/* Takes the first of the pairs that wait; NONE: there is none. */
static uint32_t take_first(struct packet_engine *e, struct send_queue *queue)
{
	uint32_t last = queue->last;
	if (last == NONE)
		return NONE;
	uint32_t first = e->pair[last].next;
	if (first == last)
		queue->last = NONE;
	else
		e->pair[last].next = e->pair[first].next;
	return first;
}

/* Returns whether the pair rests; then it waits for its turn when it has rested. */
static bool rests(struct packet_engine *e, uint32_t pair)
{
	struct control_flow *flow = e->setup.congestion ? packet_flow(e, pair) : NULL;
	if (!flow || flow->rest_until <= e->now)
		return false;
	packet_events_add(&e->events, flow->rest_until, EVENT_PAIR, pair, PAIR_RESTED);
	return true;
}

/* Takes the pair whose turn it is; NONE: there is none. */
static uint32_t take_turn(struct packet_engine *e, struct send_queue *queue)
{
	uint32_t pair;
	do
		pair = take_first(e, queue);
	while (pair != NONE && rests(e, pair));
	return pair;
}

/* Lets the pair wait for its turn, and an idle send queue begin. */
static void join(struct packet_engine *e, uint32_t pair)
{
	uint32_t place = e->pair[pair].place;
	wait_for_turn(e, &e->send[place], pair);
	if (e->send[place].idle) {
		e->send[place].idle = false;
		packet_events_add(&e->events, e->now, EVENT_SOURCE, place, 0);
	}
}

void packet_pair_rested(struct packet_engine *e, uint32_t pair)
{
	join(e, pair);
}

/* Returns the index of the pair's send queue: by the port and the lane that its next packet prefers. */
static uint32_t send_queue_of(struct packet_engine *e, const struct queue_pair *pair)
{
	struct packet_candidate way[PACKET_CANDIDATES_MAX];
	uint32_t queue = pair->host * e->host_queues, node = e->fabric->host_node[pair->host];
	struct packet_head head = {.source = pair->host,
		.destination = pair->receiver,
		.number = e->source[pair->host].number,
		.channel = NONE,
		.level = pair->level,
		.via = NONE};
	if (e->host_queues == 1 || !e->router->routing->candidates(e->router, &head, node, way))
		return queue;
	return queue + (way->channel - e->fabric->first_channel[node]) * e->lanes + (uint32_t)__builtin_ctz(way->lanes);
}

void packet_queue_message(struct packet_engine *e, uint32_t operation, enum packet_kind kind)
{
	const struct task_graph *g = e->run.graph;
	uint32_t host = e->run.host[g->task[operation]], receiver = e->run.host[g->receiver[operation]];
	bool reply = kind == PACKET_REPLY;
	uint32_t id = find_pair(
		e, reply ? receiver : host, reply ? host : receiver, g->priority ? g->priority[operation] : 0, level_of(e, operation));
	if (id == NONE)
		return;
	struct queue_pair *pair = &e->pair[id];
	bool idle = !has_messages(pair);
	e->stage[operation] = (uint8_t)kind;
	e->next_message[operation] = pair->last == NONE ? operation : e->next_message[pair->last];
	if (pair->last != NONE)
		e->next_message[pair->last] = operation;
	pair->last = operation;
	if (!idle)
		return;
	pair->place = send_queue_of(e, pair);
	join(e, id);
}

/* ---- packets */

void packet_pair_sends(struct packet_engine *e, uint32_t place)
{
	const struct task_graph *g = e->run.graph;
	struct send_queue *queue = &e->send[place];
	if (queue->pair == NONE)
		queue->pair = take_turn(e, queue);
	queue->idle = queue->pair == NONE;
	if (queue->idle)
		return;
	struct queue_pair *pair = &e->pair[queue->pair];
	if (pair->message == NONE) {
		pair->message = take_message(e, pair);
		pair->sent = 0;
	}
	uint32_t o = pair->message;
	enum packet_kind kind = (enum packet_kind)e->stage[o];
	bool data = kind == PACKET_DATA, first = !pair->sent;
	if (data && first)
		e->first_number[o] = e->source[pair->host].number;
	struct packet_part part = {
		.created = data ? e->run.times.begun[o] : e->now,
		.left = (data ? packet_message_bytes(e, o) : e->setup.control) - pair->sent,
		.receiver = e->run.host[kind == PACKET_REPLY ? g->task[o] : g->receiver[o]],
		.message = o,
		.kind = kind,
		.level = level_of(e, o),
		.first = first,
	};
	uint32_t bytes = packet_make(e, place, &part);
	pair->bytes = bytes;
	pair->sent += bytes;
	pair->more = part.left > bytes;
}

void packet_pair_sent(struct packet_engine *e, uint32_t place, uint64_t until)
{
	struct send_queue *queue = &e->send[place];
	uint32_t id = queue->pair;
	struct queue_pair *pair = &e->pair[id];
	pair->message = pair->more ? pair->message : NONE;
	if (e->setup.congestion)
		packet_control_sent(e, id, pair->bytes, until);
	if (has_messages(pair) && ++pair->burst < e->setup.qp_burst && !(e->setup.congestion && packet_flow(e, id)->rest_until > until))
		return;
	pair->burst = 0;
	queue->pair = NONE;
	if (has_messages(pair))
		wait_for_turn(e, queue, id);
}
