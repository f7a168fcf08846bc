/*
 * What the switches of a group tell each other (piggyback): how many packets wait for their channels to other groups. All learn a change
 * after the same time, that of the slowest cable within a group and the routing delay. A group is never divided between processes.
 */
#include "base/memory.h"
#include "engines/packet/packet_parts.h"

#include <stdlib.h>
#include <string.h>

struct told_change {
	uint64_t time;
	uint32_t channel, waiting;
};

struct packet_told {
	uint64_t delay;
	uint32_t *waiting, *told;   /* [channels] packets that wait; the number that is known */
	struct told_change *change; /* those that are not known yet: change[first .. end - 1], in the order of time */
	size_t first, end, room;
};

/* Returns the latency of the slowest channel between switches of a group. */
static uint64_t slowest_inside(const struct packet_engine *e)
{
	const uint32_t *group = e->router->group;
	uint64_t slowest = 0;
	for (uint32_t c = 0; c < e->channels; c++) {
		const struct packet_output *o = &e->output[c];
		bool hosts = e->fabric->node_host[o->credit.tail] != NONE || e->fabric->node_host[o->head] != NONE;
		uint64_t latency = packet_speed(e, c)->latency;
		if (!hosts && group[o->credit.tail] == group[o->head] && latency > slowest)
			slowest = latency;
	}
	return slowest;
}

struct packet_told *packet_told_create(const struct packet_engine *e, struct error *error)
{
	struct packet_told *t = array_create(1, sizeof *t, error);
	if (!t)
		return NULL;
	t->delay = slowest_inside(e) + e->routing;
	t->waiting = array_create(e->channels, sizeof *t->waiting, error);
	t->told = array_create(e->channels, sizeof *t->told, error);
	if (!error->status)
		return t;
	packet_told_free(t);
	return NULL;
}

void packet_told_free(struct packet_told *t)
{
	if (!t)
		return;
	free(t->waiting);
	free(t->told);
	free(t->change);
	free(t);
}

void packet_told_begin(const struct packet_engine *e)
{
	struct packet_told *t = e->told;
	memset(t->waiting, 0, e->channels * sizeof *t->waiting);
	memset(t->told, 0, e->channels * sizeof *t->told);
	t->first = t->end = 0;
}

/* Notes what has become known. Changes at this time are not known yet, so that the order of events within it does not matter. */
static void learn(struct packet_told *t, uint64_t now)
{
	for (; t->first < t->end; t->first++) {
		const struct told_change *change = &t->change[t->first];
		if (change->time >= now || change->time + t->delay > now)
			return;
		t->told[change->channel] = change->waiting;
	}
	t->first = t->end = 0;
}

void packet_told_changes(struct packet_engine *e, uint32_t channel, int by)
{
	struct packet_told *t = e->told;
	const struct packet_output *o = &e->output[channel];
	if (e->router->group[o->credit.tail] == e->router->group[o->head])
		return;
	learn(t, e->now);
	if (t->first > t->end / 2) { /* keep the array short */
		t->end -= t->first;
		memmove(t->change, t->change + t->first, t->end * sizeof *t->change);
		t->first = 0;
	}
	if (!packet_room(e, &t->change, t->end, &t->room, sizeof *t->change))
		return;
	t->waiting[channel] += (uint32_t)by;
	t->change[t->end++] = (struct told_change){e->now, channel, t->waiting[channel]};
}

uint32_t packet_told_now(const struct packet_engine *e, uint32_t channel)
{
	return e->told->waiting[channel];
}

uint32_t packet_told_waiting(void *engine, uint32_t channel)
{
	struct packet_engine *e = engine;
	learn(e->told, e->now);
	return e->told->told[channel];
}
