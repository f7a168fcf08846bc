/*
 * Deadlocks: packets that wait for one another. A queue will move if its first packet has a candidate with room downstream, or is being
 * sent; so will one whose first packet waits for a queue that will move. All others are deadlocked.
 */
#include "base/memory.h"
#include "base/shown.h"
#include "engines/packet/packet_regions.h"
#include "engines/packet/packet_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A packet that waits at the head of its queue for room in another one. */
struct packet_wait {
	uint32_t queue, beyond; /* lanes */
	uint32_t source, destination;
};

struct waits {
	struct packet_wait *wait;
	size_t count, room;
};

/* Returns whether the lane's buffer has this room, or will have it. */
static bool has_room(struct packet_engine *e, uint32_t lane, uint32_t bytes)
{
	struct credit *credit = packet_credit(e, lane);
	packet_settle(e, credit);
	return credit->bytes >= bytes || credit->refund;
}

/*
 * Collects all waits of this process. A request with room downstream is not a wait, nor are others of the same packet: *moves, [queues],
 * records that.
 */
static int collect(struct packet_engine *e, struct waits *waits, bool *moves)
{
	for (uint32_t c = 0; c < e->channels; c++) {
		if (!e->waited[c])
			continue;
		if (e->output[c].first != NONE)
			packet_enter_node(e, e->output[c].credit.tail);
		for (uint32_t r = e->output[c].first; r != NONE; r = e->request[r].next) {
			const struct packet_request *q = &e->request[r];
			const struct packet *p = &e->packet[q->packet];
			for (uint32_t lanes = q->lanes; lanes; lanes &= lanes - 1) {
				uint32_t beyond = (c << e->shift) + (uint32_t)__builtin_ctz(lanes);
				bool bubble = q->bubble >> (beyond - (c << e->shift)) & 1;
				if (has_room(e, beyond, bubble ? packet_bubble(e) : q->size)) {
					moves[q->queue] = true;
				} else {
					if (array_grow(&waits->wait, &waits->room, waits->count + 1, sizeof *waits->wait, e->error))
						return -1;
					waits->wait[waits->count++] =
						(struct packet_wait){q->queue, beyond, p->head.source, p->head.destination};
				}
			}
		}
	}
	return 0;
}

static int compare_waits(const void *left, const void *right)
{
	const struct packet_wait *a = left, *b = right;
	if (a->queue != b->queue)
		return a->queue < b->queue ? -1 : 1;
	return (a->beyond > b->beyond) - (a->beyond < b->beyond);
}

/* Sends the waits of all processes to process 0. Returns 0, or -1. */
static int gather(struct packet_engine *e, struct waits *waits)
{
	const struct packet_peers *p = e->parallel ? e->setup.peers : NULL;
	if (!p)
		return 0;
	void *send[p->count];
	size_t bytes[p->count], total;
	for (int i = 0; i < p->count; i++) {
		send[i] = waits->wait;
		bytes[i] = i ? 0 : waits->count * sizeof *waits->wait;
	}
	struct packet_wait *all = p->exchange(p->data, send, bytes, &total, e->error);
	if (!all)
		return -1;
	waits->count = 0;
	if (array_grow(&waits->wait, &waits->room, total / sizeof *all + 1, sizeof *all, e->error))
		return -1;
	memcpy(waits->wait, all, total);
	waits->count = total / sizeof *all;
	return 0;
}

/* Removes the waits of all queues that will move. */
static void reduce(struct packet_engine *e, struct waits *waits, bool *waiting)
{
	for (size_t before = SIZE_MAX; before != waits->count;) {
		before = waits->count;
		memset(waiting, 0, e->queues * sizeof *waiting);
		for (size_t i = 0; i < waits->count; i++)
			waiting[waits->wait[i].queue] = true;
		for (size_t i = 0; i < waits->count; i++)
			if (!waiting[waits->wait[i].beyond])
				waiting[waits->wait[i].queue] = false;
		size_t kept = 0;
		for (size_t i = 0; i < waits->count; i++)
			if (waiting[waits->wait[i].queue])
				waits->wait[kept++] = waits->wait[i];
		waits->count = kept;
	}
}

static const struct packet_wait *wait_of(const struct waits *waits, uint32_t queue)
{
	size_t low = 0, high = waits->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (waits->wait[middle].queue < queue)
			low = middle + 1;
		else
			high = middle;
	}
	return &waits->wait[low];
}

/* Sets the error that lists the packets of the cycle and the lanes for which they wait. */
static void tell(struct packet_engine *e, const struct waits *waits, bool *met)
{
	enum { LISTED = 6 };
	static const char more[] = ", …";
	const struct fabric *f = e->fabric;
	const struct fabric_labels *labels = f->labels;
	uint32_t queue = waits->wait[0].queue;
	memset(met, 0, e->queues * sizeof *met);
	for (; !met[queue]; queue = wait_of(waits, queue)->beyond)
		met[queue] = true;
	char text[900] = "";
	uint32_t start = queue, length = 0, shown = 0;
	do {
		const struct packet_wait *w = wait_of(waits, queue);
		uint32_t channel = w->queue >> e->shift;
		if (length == shown && shown < LISTED && labels)
			shown += append_whole(text, sizeof text - sizeof more, "%s'%s'-'%s' lane %u (packet '%s' to '%s')",
				length ? ", " : "", labels->name[e->output[channel].credit.tail], labels->name[f->head[channel]],
				w->queue & ((1u << e->shift) - 1), labels->name[f->host_node[w->source]],
				labels->name[f->host_node[w->destination]]);
		length++;
		queue = w->beyond;
	} while (queue != start);
	if (shown && shown < length)
		append_whole(text, sizeof text, "%s", more);
	error_set(e->error, STATUS_FABRIC, "deadlock at %.9g s: %u packets wait for one another in a cycle: %s",
		(double)e->now / PICOSECONDS, length, text);
}

bool packet_stalled(struct packet_engine *e)
{
	struct waits waits = {0};
	bool *moves = array_create(e->queues, sizeof *moves, e->error), found = false;
	if (moves && !collect(e, &waits, moves)) {
		size_t kept = 0;
		for (size_t i = 0; i < waits.count; i++)
			if (!moves[waits.wait[i].queue])
				waits.wait[kept++] = waits.wait[i];
		waits.count = kept;
	}
	if (!e->error->status && !gather(e, &waits)) {
		reduce(e, &waits, moves);
		found = waits.count > 0;
		if (found) {
			qsort(waits.wait, waits.count, sizeof *waits.wait, compare_waits);
			tell(e, &waits, moves);
		}
	}
	free(moves);
	free(waits.wait);
	if (e->parallel)
		found = !e->setup.peers->least(e->setup.peers->data, !found);
	return found;
}
