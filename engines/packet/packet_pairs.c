/*
 * Queue pairs: the messages from one host to another, of one class and service level, are sent in order. A host has a send queue for each
 * of its ports and virtual lanes; the queue pairs whose next packet belongs there take turns, some packets at a time (IBA leaves the choice
 * between them to the adapter). With --qps one a host has a single pair for all its messages.
 *
 * Messages are operations of a task graph, or those of an open loop, which are kept here from their creation until they have been sent.
 */
#include "base/memory.h"
#include "engines/packet/packet_parts.h"
#include "fabric/virtual_lanes.h"

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
		if (e->pair[i].host != NONE)
			*find_slot(e, &e->pair[i]) = i;
	return 0;
}

/* Frees a pair of an open loop, of which nothing is known any more: those of the slots after it that it has kept from theirs move up. */
static void free_pair(struct packet_engine *e, uint32_t pair)
{
	size_t last = e->pair_slots - 1, hole = (size_t)(find_slot(e, &e->pair[pair]) - e->pair_slot);
	for (size_t slot = (hole + 1) & last; e->pair_slot[slot] != NONE; slot = (slot + 1) & last)
		if (((slot - slot_of(e, &e->pair[e->pair_slot[slot]])) & last) >= ((slot - hole) & last)) {
			e->pair_slot[hole] = e->pair_slot[slot];
			hole = slot;
		}
	e->pair_slot[hole] = NONE;
	e->pair[pair].host = NONE;
	e->pair[pair].next = e->free_pair;
	e->free_pair = pair;
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
		*slot = e->free_pair != NONE ? e->free_pair : (uint32_t)e->pairs++;
		e->free_pair = e->free_pair != NONE ? e->pair[*slot].next : NONE;
		e->pair[*slot] = pair;
	}
	return *slot;
}

/* Returns the service level of the packets of a message. */
static uint8_t level_of(const struct packet_engine *e, uint32_t operation)
{
	const uint8_t *level = e->run.graph->service_level;
	return packet_service_level(e, level ? level[operation] : SERVICE_LEVEL_OF_PAIR);
}

uint8_t packet_level(const struct packet_engine *e, uint8_t level, uint32_t source, uint32_t destination)
{
	const struct virtual_lanes *service = e->router->levels ? e->router->setup.service : NULL;
	if (level != SERVICE_LEVEL_OF_PAIR)
		return level;
	return service && service->levels ? (uint8_t)service_levels_get(service->levels, source, destination) : 0;
}

uint32_t packet_pair_of(struct packet_engine *e, const struct packet *p)
{
	const struct task_graph *g = e->run.graph;
	if (!g)
		return find_pair(e, p->head.source, p->head.destination, 0, p->head.level);
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
	e->pairs = e->queueds = 0;
	e->free_queued = e->free_pair = NONE;
	e->unsent = 0;
	for (; !e->setup.pairs && e->pairs < e->fabric->hosts; e->pairs++)
		e->pair[e->pairs] = (struct queue_pair){.host = (uint32_t)e->pairs, .message = NONE, .last = NONE, .next = NONE};
	return 0;
}

/* ---- messages */

/* Returns the link of a message to the one after it in its pair. */
static uint32_t *next_of(struct packet_engine *e, uint32_t message)
{
	return e->run.graph ? &e->next_message[message] : &e->queued[message].next;
}

/* Takes the first of the messages that wait in the pair. */
static uint32_t take_message(struct packet_engine *e, struct queue_pair *pair)
{
	uint32_t last = pair->last, first = *next_of(e, last);
	if (first == last)
		pair->last = NONE;
	else
		*next_of(e, last) = *next_of(e, first);
	return first;
}

/* Appends the message to those that wait in the pair. */
static void append_message(struct packet_engine *e, struct queue_pair *pair, uint32_t message)
{
	*next_of(e, message) = pair->last == NONE ? message : *next_of(e, pair->last);
	if (pair->last != NONE)
		*next_of(e, pair->last) = message;
	pair->last = message;
}

static bool has_messages(const struct queue_pair *pair)
{
	return pair->message != NONE || pair->last != NONE;
}

/* Appends the pair to a circular list, of which *last is the last one. */
static void append_pair(struct packet_engine *e, uint32_t *last, uint32_t pair)
{
	e->pair[pair].next = *last == NONE ? pair : e->pair[*last].next;
	if (*last != NONE)
		e->pair[*last].next = pair;
	*last = pair;
}

/* Takes the first pair of the list; NONE: there is none. */
static uint32_t take_first(struct packet_engine *e, uint32_t *last)
{
	if (*last == NONE)
		return NONE;
	uint32_t first = e->pair[*last].next;
	if (first == *last)
		*last = NONE;
	else
		e->pair[*last].next = e->pair[first].next;
	return first;
}

/* Gives the pair the next ticket of its host. */
static void give_ticket(struct packet_engine *e, uint32_t pair)
{
	e->pair[pair].ticket = e->source[e->pair[pair].host].ticket++;
}

/* Returns whether the pair rests; then it joins its send queue when its flow has rested. */
static bool rests(struct packet_engine *e, uint32_t pair)
{
	struct control_flow *flow = e->setup.congestion ? packet_flow(e, pair) : NULL;
	if (!flow || flow->rest_until <= e->now)
		return false;
	if (flow->resting == NONE)
		packet_events_add(&e->events, flow->rest_until, EVENT_PAIR, pair, PAIR_RESTED);
	give_ticket(e, pair);
	append_pair(e, &flow->resting, pair);
	return true;
}

void packet_pair_joins(struct packet_engine *e, uint32_t pair)
{
	const struct queue_pair *p = &e->pair[pair];
	struct send_queue *queue = &e->send[p->place];
	if (e->setup.congestion && e->setup.congestion->by_level)
		queue->levels = (uint16_t)(queue->levels | 1u << packet_level(e, p->level, p->host, p->receiver));
	append_pair(e, &queue->last, pair);
}

/*
 * Returns whether all pairs that wait are of one flow, of a level, which rests. They stay where they are: if they are many, the next packet
 * lets them rest again.
 */
static bool queue_rests(struct packet_engine *e, struct send_queue *queue)
{
	if (queue->last == NONE || !queue->levels || queue->levels & (queue->levels - 1))
		return false;
	const struct control_flow *flow = packet_flow(e, queue->last);
	if (!flow || flow->rest_until <= e->now)
		return false;
	if (!queue->rests)
		packet_events_add(&e->events, flow->rest_until, EVENT_PAIR, (uint32_t)(queue - e->send), PAIR_QUEUE_RESTED);
	queue->rests = true;
	return true;
}

/* Takes the pair whose turn it is; NONE: there is none. */
static uint32_t take_turn(struct packet_engine *e, struct send_queue *queue)
{
	uint32_t pair;
	if (queue_rests(e, queue))
		return NONE;
	do
		pair = take_first(e, &queue->last);
	while (pair != NONE && rests(e, pair));
	queue->levels = queue->last == NONE ? 0 : queue->levels;
	return pair;
}

/* Lets an idle send queue begin. */
static void begin(struct packet_engine *e, uint32_t place)
{
	if (e->send[place].idle)
		packet_events_add(&e->events, e->now, EVENT_SOURCE, place, 0);
	e->send[place].idle = false;
}

/*
 * Lets the pair wait for its turn, and an idle send queue begin. In an open loop, which processes may share, the order of simultaneous
 * events of a host must not matter.
 */
static void join(struct packet_engine *e, uint32_t pair)
{
	uint32_t place = e->pair[pair].place;
	if (e->run.graph)
		packet_pair_joins(e, pair);
	else
		packet_source_due(e, place, e->pair[pair].ticket, pair);
	begin(e, place);
}

/* Lets the pairs of the flow take their turns again, unless another one of them has sent a packet since. */
static void end_rest(struct packet_engine *e, uint32_t pair)
{
	struct control_flow *flow = packet_flow(e, pair);
	if (!flow)
		return;
	if (flow->rest_until > e->now) {
		packet_events_add(&e->events, flow->rest_until, EVENT_PAIR, pair, PAIR_RESTED);
		return;
	}
	for (uint32_t rested; (rested = take_first(e, &flow->resting)) != NONE;)
		join(e, rested);
}

void packet_pair_happens(struct packet_engine *e, uint32_t target, enum pair_event event)
{
	switch (event) {
	case PAIR_NOTICE: packet_control_notice(e, target); break;
	case PAIR_RESTED: end_rest(e, target); break;
	case PAIR_QUEUE_RESTED:
		e->send[target].rests = false;
		begin(e, target);
		break;
	case PAIR_CREATED:
		if (e->source[target].receiver != target) /* otherwise it does not enter the network */
			packet_queue_open(e, target);
		packet_draw_message(e, target, e->now);
		break;
	}
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
	if (e->host_queues == 1 || !packet_candidates(e, &head, node, way))
		return queue;
	return queue + (way->channel - e->fabric->first_channel[node]) * e->lanes + (uint32_t)__builtin_ctz(way->lanes);
}

/* Appends the message to those of the pair, which waits for its turn if it had none. */
static void queue_message(struct packet_engine *e, uint32_t id, uint32_t message)
{
	struct queue_pair *pair = &e->pair[id];
	bool idle = !has_messages(pair);
	append_message(e, pair, message);
	if (!idle)
		return;
	give_ticket(e, id);
	pair->place = send_queue_of(e, pair);
	join(e, id);
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
	e->stage[operation] = (uint8_t)kind;
	queue_message(e, id, operation);
}

/* Returns an element for a message of an open loop; NONE: out of memory. */
static uint32_t new_queued(struct packet_engine *e)
{
	uint32_t message = e->free_queued;
	if (message != NONE) {
		e->free_queued = e->queued[message].next;
		return message;
	}
	if (!packet_room(e, &e->queued, e->queueds, &e->queued_room, sizeof *e->queued))
		return NONE;
	return (uint32_t)e->queueds++;
}

void packet_queue_open(struct packet_engine *e, uint32_t host)
{
	const struct packet_source *s = &e->source[host];
	uint8_t level = packet_level(e, packet_service_level(e, s->level), host, s->receiver); /* as in its packets: see packet_pair_of() */
	uint32_t id = find_pair(e, host, s->receiver, 0, level), message = new_queued(e);
	if (id == NONE || message == NONE)
		return;
	e->queued[message] = (struct queued_message){
		.created = s->created, .bytes = s->bytes, .number = s->messages - 1, .receiver = s->receiver, .level = level};
	e->unsent += is_measured(e, s->created);
	queue_message(e, id, message);
}

/* ---- packets */

/* Returns the next packet of the current message of a pair, in a task graph. */
static struct packet_part part_of_operation(struct packet_engine *e, const struct queue_pair *pair)
{
	const struct task_graph *g = e->run.graph;
	uint32_t o = pair->message;
	enum packet_kind kind = (enum packet_kind)e->stage[o];
	bool data = kind == PACKET_DATA, first = !pair->sent;
	if (data && first)
		e->first_number[o] = e->source[pair->host].number;
	return (struct packet_part){
		.created = data ? e->run.times.begun[o] : e->now,
		.left = (data ? packet_message_bytes(e, o) : e->setup.control) - pair->sent,
		.receiver = e->run.host[kind == PACKET_REPLY ? g->task[o] : g->receiver[o]],
		.message = o,
		.kind = kind,
		.level = level_of(e, o),
		.first = first,
	};
}

/* The same in an open loop. */
static struct packet_part part_of_open(const struct packet_engine *e, const struct queue_pair *pair)
{
	const struct queued_message *m = &e->queued[pair->message];
	return (struct packet_part){
		.created = m->created,
		.left = m->bytes - pair->sent,
		.receiver = m->receiver,
		.message = m->number,
		.kind = PACKET_DATA,
		.level = m->level,
		.first = !pair->sent,
	};
}

void packet_pair_sends(struct packet_engine *e, uint32_t place)
{
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
	struct packet_part part = e->run.graph ? part_of_operation(e, pair) : part_of_open(e, pair);
	uint32_t bytes = packet_make(e, place, &part);
	pair->bytes = bytes;
	pair->sent += bytes;
	pair->more = part.left > bytes;
	e->unsent -= !e->run.graph && !pair->more && is_measured(e, part.created);
}

/* Ends the current message of the pair, whose last packet has left. */
static void end_message(struct packet_engine *e, struct queue_pair *pair)
{
	if (!e->run.graph) {
		e->queued[pair->message].next = e->free_queued;
		e->free_queued = pair->message;
	}
	pair->message = NONE;
}

void packet_pair_sent(struct packet_engine *e, uint32_t place, uint64_t until)
{
	struct send_queue *queue = &e->send[place];
	uint32_t id = queue->pair;
	struct queue_pair *pair = &e->pair[id];
	if (!pair->more)
		end_message(e, pair);
	if (e->setup.congestion)
		packet_control_sent(e, id, pair->bytes, until);
	if (has_messages(pair) && ++pair->burst < e->setup.qp_burst && !(e->setup.congestion && packet_flow(e, id)->rest_until > until))
		return;
	pair->burst = 0;
	queue->pair = NONE;
	if (has_messages(pair))
		packet_pair_joins(e, id);
	else if (!e->run.graph && e->setup.pairs && !e->setup.congestion)
		free_pair(e, id);
}
