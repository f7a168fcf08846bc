/* The processes that share one run: each has some of the regions, see packet_regions.c. Between two windows they exchange what crosses. */
#include "base/memory.h"
#include "engines/packet/packet_regions.h"
#include "engines/packet/packet_parts.h"

#include <stdlib.h>
#include <string.h>

/* A crossing. */
struct crossing {
	uint64_t when;   /* time and kind, as in an event */
	uint32_t target; /* channel; lane of a refund */
	uint32_t bytes;  /* of a refund; 0: a packet follows */
	struct packet packet;
	uint64_t arrived, slow; /* see struct packet_engine; only if rates differ */
};

/* Crossings to a process. */
struct mailbox {
	char *data;
	size_t used, room;
};

struct packet_parallel {
	int processes;
	struct mailbox *box; /* [processes] */
	void **send;         /* [processes] */
	size_t *bytes;       /* [processes] */
};

struct packet_parallel *packet_parallel_create(const struct packet_engine *e, struct error *error)
{
	struct packet_parallel *parallel = array_create(1, sizeof *parallel, error);
	if (!parallel)
		return NULL;
	parallel->processes = e->setup.peers->count;
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

/* ---- crossings */

/* Returns the bytes of the crossing. */
static size_t crossing_bytes(const struct packet_engine *e, const struct crossing *c)
{
	return c->bytes ? offsetof(struct crossing, packet) : e->mixed ? sizeof *c : offsetof(struct crossing, arrived);
}

/* Sends it to the process of the node. */
static void mail(struct packet_engine *e, uint32_t node, const struct crossing *c)
{
	struct mailbox *box = &e->parallel->box[e->setup.peers->part[node]];
	size_t bytes = crossing_bytes(e, c);
	if (box->room - box->used < bytes && array_grow(&box->data, &box->room, box->used + bytes, 1, e->error)) {
		e->ending = RUN_FAILED;
		return;
	}
	memcpy(box->data + box->used, c, bytes);
	box->used += bytes;
}

void packet_parallel_packet(struct packet_engine *e, uint32_t packet, uint64_t time, enum packet_event_kind kind)
{
	uint32_t channel = e->packet[packet].head.channel;
	struct crossing c = {.when = event_when(time, kind), .target = channel, .packet = e->packet[packet]};
	c.arrived = e->mixed ? e->arrived[packet] : 0;
	c.slow = e->slow ? e->slow[packet] : 0;
	mail(e, e->output[channel].head, &c);
}

void packet_parallel_refund(struct packet_engine *e, uint32_t lane, uint64_t time, uint32_t bytes)
{
	mail(e, e->output[lane >> e->shift].credit.tail,
		&(struct crossing){.when = event_when(time, EVENT_REFUND), .target = lane, .bytes = bytes});
}

void packet_parallel_notice(struct packet_engine *e, const struct packet *packet, uint64_t time)
{
	mail(e, e->fabric->host_node[packet->head.source], &(struct crossing){.when = event_when(time, EVENT_PAIR), .packet = *packet});
}

/* Makes a packet that has come an event of its region. */
static void take_packet(struct packet_engine *e, const struct crossing *c)
{
	uint32_t packet = packet_new(e);
	if (packet == NONE)
		return;
	e->packet[packet] = c->packet;
	if (e->mixed)
		e->arrived[packet] = c->arrived;
	if (e->slow)
		e->slow[packet] = c->slow;
	e->travelling++;
	packet_mail(e, e->output[c->target].head, (struct packet_event){c->when, c->target, packet});
}

/* Puts what other processes have sent into the mailboxes of the regions. */
static void distribute(struct packet_engine *e, const char *data, size_t total)
{
	struct crossing c;
	for (size_t at = 0; at < total && e->ending == RUN_OK; at += crossing_bytes(e, &c)) {
		memcpy(&c, data + at, offsetof(struct crossing, packet));
		memcpy(&c, data + at, crossing_bytes(e, &c));
		if (c.bytes)
			packet_mail(e, e->output[c.target >> e->shift].credit.tail, (struct packet_event){c.when, c.target, c.bytes});
		else if (event_kind_of(c.when) != EVENT_PAIR)
			take_packet(e, &c);
		else
			packet_mail(e, e->fabric->host_node[c.packet.head.source],
				(struct packet_event){c.when, packet_pair_of(e, &c.packet), PAIR_NOTICE});
	}
}

/* ---- windows */

void packet_parallel_exchange(struct packet_engine *e)
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
		distribute(e, data, total);
	else
		e->ending = RUN_FAILED;
}

bool packet_parallel_agree(struct packet_engine *e, uint64_t *next)
{
	const struct packet_peers *p = e->setup.peers;
	bool goes_on = e->ending == RUN_OK && !*e->setup.stop;
	/* 0: a process has ended its run; so that the beginning is not taken for it, times are 1 later */
	uint64_t least = p->least(p->data, !goes_on ? 0 : *next < NEVER ? *next + 1 : NEVER);
	if (!least) {
		if (e->ending == RUN_OK)
			e->ending = RUN_INTERRUPTED;
		return false;
	}
	*next = least - (least < NEVER);
	return true;
}
