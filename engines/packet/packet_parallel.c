/*
 * One run in several processes, each with a part of the nodes, in time windows so short that nothing sent in one arrives at another process
 * within it (Chandy, Misra 1979; conservative, synchronous). Heads of packets and credits cross between processes; both take at least the
 * latency of a divided channel.
 */
#include "base/memory.h"
#include "engines/packet/packet_workspace.h"

#include <stdlib.h>
#include <string.h>

/* A crossing: the head of a packet, or credit without a packet. */
struct crossing {
	uint64_t time;
	uint64_t arrived, slow; /* see struct packet_engine */
	uint32_t target;        /* channel; lane of credit */
	uint32_t bytes;         /* of credit; 0: the crossing is a packet */
	uint32_t kind, unused;  /* enum packet_event_kind */
	struct packet packet;
};

enum { CREDIT_SIZE = offsetof(struct crossing, packet) };

struct outbox {
	char *data;
	size_t used, room;
};

struct packet_parallel {
	uint64_t latency;   /* picoseconds of the shortest divided channel */
	bool hosts;         /* channels to hosts are divided */
	uint64_t lookahead; /* picoseconds before which nothing sent arrives at another process */
	int processes;
	struct outbox *box; /* [processes] */
	void **send;        /* [processes] */
	size_t *bytes;      /* [processes] */
};

/* Returns the smallest latency of a channel between processes; *hosts: some of these lead to hosts. */
static uint64_t least_latency(const struct packet_engine *e, bool *hosts)
{
	uint64_t least = NEVER;
	const uint32_t *part = e->setup.peers->part;
	for (uint32_t c = 0; c < e->channels; c++) {
		if (part[e->output[c].credit.tail] == part[e->output[c].head])
			continue;
		least = packet_speed(e, c)->latency < least ? packet_speed(e, c)->latency : least;
		*hosts |= e->fabric->node_host[e->output[c].head] != NONE;
	}
	return least;
}

void packet_parallel_begin(struct packet_engine *e, uint32_t smallest)
{
	uint64_t fastest = NEVER;
	if (e->parallel->hosts || !e->parallel->latency)
		smallest = 0;
	for (uint32_t c = 0; c < e->channels; c++)
		fastest = packet_speed(e, c)->rate < fastest ? packet_speed(e, c)->rate : fastest;
	/* a head is routed before anything happens, and credit returns when a whole packet has left its buffer */
	uint64_t back = smallest ? (uint64_t)((double)transfer_time(fastest, smallest) / fmax(e->setup.internal_rate, 1)) : 0,
		 head = smallest ? e->routing : 0;
	e->parallel->lookahead = e->parallel->latency + (back < head ? back : head);
}

struct packet_parallel *packet_parallel_create(const struct packet_engine *e, struct error *error)
{
	struct packet_parallel *parallel = array_create(1, sizeof *parallel, error);
	if (!parallel)
		return NULL;
	parallel->processes = e->setup.peers->count;
	parallel->latency = least_latency(e, &parallel->hosts);
	if (!parallel->latency)
		error_set(error, STATUS_USAGE,
			"one run cannot be divided between processes at a channel without latency: set --latency, or run one process");
	parallel->box = array_create((size_t)parallel->processes, sizeof *parallel->box, error);
	parallel->send = array_create((size_t)parallel->processes, sizeof *parallel->send, error);
	parallel->bytes = array_create((size_t)parallel->processes, sizeof *parallel->bytes, error);
	if (!error->status)
		return parallel;
	packet_parallel_free(parallel);
	return NULL;
}

void packet_parallel_free(struct packet_parallel *parallel)
{
	if (!parallel)
		return;
	for (int p = 0; parallel->box && p < parallel->processes; p++)
		free(parallel->box[p].data);
	free(parallel->box);
	free(parallel->send);
	free(parallel->bytes);
	free(parallel);
}

static void put(struct packet_engine *e, uint32_t node, const struct crossing *crossing, size_t size)
{
	struct outbox *box = &e->parallel->box[e->setup.peers->part[node]];
	if (array_grow(&box->data, &box->room, box->used + size, 1, e->error)) {
		e->ending = RUN_FAILED;
		return;
	}
	memcpy(box->data + box->used, crossing, size);
	box->used += size;
}

void packet_parallel_sends(struct packet_engine *e, uint32_t packet, uint64_t time, enum packet_event_kind kind)
{
	uint32_t channel = e->packet[packet].head.channel;
	struct crossing c = {.time = time, .target = channel, .kind = kind, .packet = e->packet[packet]};
	c.arrived = e->mixed ? e->arrived[packet] : 0;
	c.slow = e->slow ? e->slow[packet] : 0;
	put(e, e->output[channel].head, &c, sizeof c);
	packet_drop(e, packet);
	e->travelling--;
}

void packet_parallel_refunds(struct packet_engine *e, uint32_t lane, uint64_t time, uint32_t bytes)
{
	struct crossing c = {.time = time, .target = lane, .bytes = bytes};
	put(e, e->output[lane >> e->shift].credit.tail, &c, CREDIT_SIZE);
}

void packet_parallel_notice(struct packet_engine *e, const struct packet *packet, uint64_t time)
{
	struct crossing c = {.time = time, .kind = EVENT_PAIR, .packet = *packet};
	put(e, e->fabric->host_node[packet->head.source], &c, sizeof c);
}

/* Adds the crossings that have arrived as events of this process. */
static void take_in(struct packet_engine *e, const char *data, size_t total)
{
	struct crossing c;
	for (size_t at = 0, size; at < total && e->ending == RUN_OK; at += size) {
		memcpy(&c, data + at, CREDIT_SIZE);
		size = c.bytes ? CREDIT_SIZE : sizeof c;
		if (c.bytes) {
			packet_refund(e, c.target, c.time, c.bytes);
			continue;
		}
		memcpy(&c, data + at, sizeof c);
		if (c.kind == EVENT_PAIR) {
			packet_control_told(e, &c.packet, c.time);
			continue;
		}
		uint32_t packet = packet_new(e);
		if (packet == NONE)
			return;
		e->packet[packet] = c.packet;
		if (e->mixed)
			e->arrived[packet] = c.arrived;
		if (e->slow)
			e->slow[packet] = c.slow;
		e->travelling++;
		packet_events_add(&e->events, c.time, (enum packet_event_kind)c.kind, c.target, packet);
	}
}

static void exchange(struct packet_engine *e)
{
	const struct packet_peers *p = e->setup.peers;
	struct packet_parallel *parallel = e->parallel;
	size_t total;
	for (int i = 0; i < parallel->processes; i++) {
		parallel->send[i] = parallel->box[i].data;
		parallel->bytes[i] = parallel->box[i].used;
		parallel->box[i].used = 0;
	}
	const char *data = p->exchange(p->data, parallel->send, parallel->bytes, &total, e->error);
	if (data)
		take_in(e, data, total);
	else
		e->ending = RUN_FAILED;
}

void packet_parallel_advance(struct packet_engine *e, uint64_t until)
{
	const struct packet_peers *p = e->setup.peers;
	for (;;) {
		uint64_t mine = e->ending == RUN_OK && !*e->setup.stop ? packet_events_next(&e->events) : 0;
		uint64_t next = p->least(p->data, mine == 0 && e->ending == RUN_OK && !*e->setup.stop ? 1 : mine);
		if (!next) { /* a process has ended its run */
			if (e->ending == RUN_OK)
				e->ending = RUN_INTERRUPTED;
			return;
		}
		if (next >= until)
			return;
		uint64_t end = next < NEVER - e->parallel->lookahead ? next + e->parallel->lookahead : NEVER;
		packet_advance(e, end < until ? end : until);
		exchange(e);
	}
}
