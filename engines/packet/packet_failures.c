/*
 * Cables that fail during a run. A packet of which a part is on the cable then, in either direction, is lost: at the next node that its
 * head reaches, as a switch does not know of it before. Packets that wait for the cable are routed again, without it, and with new tables
 * if there are any; without a way they are lost, as are those that come later.
 */
#include "base/memory.h"
#include "engines/packet/packet_parts.h"

#include <stdlib.h>
#include <string.h>

/* The packet whose head reached the far end of a channel last. */
struct arrival {
	uint32_t packet, source, number;
	uint64_t tail; /* when its tail arrives there */
};

struct packet_failures {
	const struct forwarding *whole; /* the tables without failures */
	size_t next;                    /* failure to come */
	bool *failed;                   /* [channels] */
	struct arrival *arrival;        /* [channels] */
	uint64_t *tail;                 /* [packets] when their tails reach the node that their heads have reached, or will */
	bool *damaged;                  /* [packets] */
	size_t tail_room, damaged_room;
};

int packet_failures_create(struct packet_engine *e, struct error *error)
{
	if (!e->setup.failures)
		return 0;
	struct packet_failures *f = e->failures = array_create(1, sizeof *f, error);
	if (!f)
		return -1;
	f->whole = e->router->setup.forwarding;
	f->failed = array_create(e->channels, sizeof *f->failed, error);
	f->arrival = array_create(e->channels, sizeof *f->arrival, error);
	return error->status ? -1 : 0;
}

void packet_failures_free(struct packet_engine *e)
{
	struct packet_failures *f = e->failures;
	if (!f)
		return;
	e->router->setup.forwarding = f->whole;
	free(f->failed);
	free(f->arrival);
	free(f->tail);
	free(f->damaged);
	free(f);
}

void packet_failures_begin(struct packet_engine *e)
{
	struct packet_failures *f = e->failures;
	if (!f)
		return;
	f->next = 0;
	e->router->setup.forwarding = f->whole;
	memset(f->failed, 0, e->channels * sizeof *f->failed);
	memset(f->arrival, 0, e->channels * sizeof *f->arrival);
}

int packet_failures_grow(struct packet_engine *e)
{
	struct packet_failures *f = e->failures;
	return block_grow(&f->tail, &f->tail_room, e->packet_room, sizeof *f->tail, e->error) ||
			       block_grow(&f->damaged, &f->damaged_room, e->packet_room, sizeof *f->damaged, e->error)
		       ? -1
		       : 0;
}

void packet_failures_new(struct packet_engine *e, uint32_t packet)
{
	e->failures->tail[packet] = 0;
	e->failures->damaged[packet] = false;
}

void packet_failures_sent(struct packet_engine *e, uint32_t packet, uint64_t tail)
{
	e->failures->tail[packet] = tail;
}

bool packet_failures_came(struct packet_engine *e, uint32_t packet)
{
	struct packet_failures *f = e->failures;
	const struct packet *p = &e->packet[packet];
	f->arrival[p->head.channel] = (struct arrival){packet, p->head.source, p->head.number, f->tail[packet]};
	return !f->damaged[packet];
}

bool packet_failures_any(const struct packet_engine *e)
{
	return e->failures && e->failures->next;
}

unsigned packet_failures_leave(const struct packet_engine *e, struct packet_candidate *way, unsigned count)
{
	unsigned left = 0;
	for (unsigned i = 0; i < count; i++)
		if (!e->failures->failed[way[i].channel])
			way[left++] = way[i];
	return left;
}

/* ---- the failure */

/* Damages the packets of which a part is on the channel. */
static void damage(struct packet_engine *e, uint32_t channel)
{
	struct packet_failures *f = e->failures;
	const struct arrival *a = &f->arrival[channel];
	for (size_t i = 0; i < e->packets; i++)
		f->damaged[i] |= e->packet[i].head.channel == channel && f->tail[i] > e->now;
	const struct packet_head *head = a->tail > e->now ? &e->packet[a->packet].head : NULL;
	if (head && head->source == a->source && head->number == a->number) /* its head has gone on */
		f->damaged[a->packet] = true;
}

static void fail_channel(struct packet_engine *e, uint32_t channel)
{
	struct packet_failures *f = e->failures;
	if (channel == NONE || f->failed[channel])
		return;
	f->failed[channel] = true;
	damage(e, channel);
	if (e->blocked_since)
		packet_note_blocked(e, channel, false);
}

uint64_t packet_failures_next(const struct packet_engine *e)
{
	const struct packet_failures *f = e->failures;
	return f && f->next < e->setup.failures ? e->setup.failure[f->next].time : NEVER;
}

void packet_failures_happen(struct packet_engine *e)
{
	struct packet_failures *f = e->failures;
	size_t first = f->next;
	for (; packet_failures_next(e) <= e->now; f->next++)
		for (int side = 0; side < 2; side++)
			fail_channel(e, e->setup.failure[f->next].channel[side]);
	if (e->setup.afterwards)
		e->router->setup.forwarding = e->setup.afterwards[f->next - 1];
	for (; first < f->next; first++)
		for (int side = 0; side < 2; side++)
			if (e->setup.failure[first].channel[side] != NONE)
				packet_leave_output(e, e->setup.failure[first].channel[side]);
}
