/*
 * The queues over time: samples of all channels at equal intervals. As the end of a run is not known before, samples begin a packet apart,
 * and whenever there are MOMENTS of them every second one is dropped. A channel's credits are known at its tail,
 * and what the packets in its buffers request at its head: of channels between processes each has a part of the sample.
 */
#include "base/memory.h"
#include "engines/packet/packet_parts.h"

#include <stdlib.h>
#include <string.h>

enum { MOMENTS = 128 };

struct packet_samples {
	struct packet_queues queues;
	size_t first[MOMENTS + 1];
	size_t room;
	uint32_t *next, *bytes; /* [channels] of struct queue_sample, and the bytes that request it */
};

struct packet_samples *packet_samples_create(uint32_t channels, struct error *error)
{
	struct packet_samples *s = array_create(1, sizeof *s, error);
	if (!s)
		return NULL;
	s->queues.first = s->first;
	s->next = array_create(channels, sizeof *s->next, error);
	s->bytes = array_create(channels, sizeof *s->bytes, error);
	if (!error->status)
		return s;
	packet_samples_free(s);
	return NULL;
}

void packet_samples_free(struct packet_samples *s)
{
	if (!s)
		return;
	free(s->queues.sample);
	free(s->next);
	free(s->bytes);
	free(s);
}

void packet_samples_begin(struct packet_engine *e)
{
	struct packet_samples *s = e->samples;
	uint64_t fastest = NEVER, largest = 0;
	for (uint32_t c = 0; c < e->channels; c++) {
		fastest = packet_speed(e, c)->rate < fastest ? packet_speed(e, c)->rate : fastest;
		largest = packet_buffer(e, c) > largest ? packet_buffer(e, c) : largest;
	}
	s->queues.interval = transfer_time(fastest, e->setup.mtu) + 1;
	s->queues.buffer = largest * e->lanes;
	s->queues.moments = 0;
	s->first[0] = 0;
	e->seen.queues = &s->queues;
}

uint64_t packet_samples_due(struct packet_engine *e)
{
	const struct packet_queues *q = &e->samples->queues;
	if (!e->seen.open && packet_events_next(&e->events) == NEVER)
		return NEVER;
	return (q->moments + 1) * q->interval;
}

/* Returns the bytes that were sent on a lane and for which no credit has returned. */
static uint32_t held_bytes(const struct packet_engine *e, uint32_t lane)
{
	const struct credit *c = packet_credit(e, lane);
	uint32_t held = packet_buffer(e, lane >> e->shift) - c->bytes;
	if (!c->refund || c->time > e->now)
		return held;
	held -= c->refund;
	for (uint32_t r = c->last; r != NONE;) {
		r = e->refund[r].next;
		if (e->refund[r].time > e->now)
			break;
		held -= e->refund[r].bytes;
		r = r == c->last ? NONE : r;
	}
	return held;
}

/* Sets what is known at the tail of the channel. */
static void see_buffers(const struct packet_engine *e, uint32_t channel, struct queue_sample *sample)
{
	uint64_t held = 0;
	for (uint32_t lane = channel << e->shift; lane < (channel << e->shift) + e->lanes; lane++) {
		uint32_t own = held_bytes(e, lane);
		held += own;
		sample->full |= packet_buffer(e, channel) - own < e->largest;
	}
	sample->held = held < UINT32_MAX ? (uint32_t)held : UINT32_MAX;
}

/* Returns the port whose packet the output sends now; NONE: it sends nothing. */
static uint32_t served_port(const struct packet_engine *e, const struct packet_output *output)
{
	if (output->busy <= e->now || output->turn == NONE)
		return NONE;
	return e->setup.arbiter == ARBITER_ROUND_ROBIN ? output->turn : queue_port(e, output->turn);
}

/*
 * Finds for each channel the one that most of the bytes in its buffers request; of several the lowest. While a packet leaves a buffer those
 * behind it request nothing yet: then it is the one on which that packet leaves.
 */
static void find_next(struct packet_engine *e)
{
	struct packet_samples *s = e->samples;
	memset(s->next, 0xff, e->channels * sizeof *s->next); /* NONE */
	memset(s->bytes, 0, e->channels * sizeof *s->bytes);
	for (uint32_t o = 0; o < e->channels; o++)
		for (uint32_t r = e->output[o].first; r != NONE; r = e->request[r].next) {
			uint32_t port = queue_port(e, e->request[r].queue), bytes = 0;
			if (port >= e->channels || s->next[port] == o)
				continue;
			for (uint32_t k = r; k != NONE; k = e->request[k].next)
				bytes += queue_port(e, e->request[k].queue) == port ? e->packet[e->request[k].packet].size : 0;
			if (bytes > s->bytes[port]) {
				s->bytes[port] = bytes;
				s->next[port] = o;
			}
		}
	for (uint32_t o = 0; o < e->channels; o++) {
		uint32_t port = served_port(e, &e->output[o]);
		if (port < e->channels && s->next[port] == NONE)
			s->next[port] = o;
	}
}

/* Keeps every second moment. */
static void thin_out(struct packet_samples *s)
{
	struct packet_queues *q = &s->queues;
	size_t kept = 0, samples = 0;
	for (size_t m = 1; m < q->moments; m += 2) {
		size_t count = s->first[m + 1] - s->first[m];
		if (count) /* there may be no samples at all */
			memmove(q->sample + samples, q->sample + s->first[m], count * sizeof *q->sample);
		s->first[kept++] = samples;
		samples += count;
	}
	s->first[kept] = samples;
	q->moments = kept;
	q->interval *= 2;
}

void packet_samples_take(struct packet_engine *e)
{
	struct packet_samples *s = e->samples;
	struct packet_queues *q = &s->queues;
	size_t count = s->first[q->moments];
	find_next(e);
	for (uint32_t c = 0; c < e->channels; c++) {
		struct queue_sample sample = {.channel = c, .waiting = e->backlog[c], .next = s->next[c]};
		if (is_here(e, e->output[c].credit.tail))
			see_buffers(e, c, &sample);
		if (!sample.held && !sample.waiting && sample.next == NONE)
			continue;
		if (!packet_room(e, &q->sample, count, &s->room, sizeof *q->sample))
			return;
		q->sample[count++] = sample;
	}
	s->first[++q->moments] = count;
	if (q->moments == MOMENTS)
		thin_out(s);
}

/* ---- samples of several processes */

/* A sample for another process. */
struct moved_sample {
	uint32_t moment;
	struct queue_sample sample;
};

static int compare_samples(const void *left, const void *right)
{
	const struct moved_sample *a = left, *b = right;
	if (a->moment != b->moment)
		return a->moment < b->moment ? -1 : 1;
	return (a->sample.channel > b->sample.channel) - (a->sample.channel < b->sample.channel);
}

/* Joins the samples of all processes, sorted: the two parts of one channel become one. */
static void join_samples(struct packet_samples *s, const struct moved_sample *all, size_t count)
{
	struct packet_queues *q = &s->queues;
	size_t used = 0, at = 0;
	for (size_t m = 0; m < q->moments; m++) {
		s->first[m] = used;
		for (; at < count && all[at].moment == m; at++) {
			struct queue_sample *last = used > s->first[m] ? &q->sample[used - 1] : NULL;
			if (!last || last->channel != all[at].sample.channel) {
				q->sample[used++] = all[at].sample;
				continue;
			}
			last->held += all[at].sample.held;
			last->waiting += all[at].sample.waiting;
			last->full |= all[at].sample.full;
			last->next = last->next == NONE ? all[at].sample.next : last->next;
		}
	}
	s->first[q->moments] = used;
}

void packet_samples_end(struct packet_engine *e)
{
	const struct packet_peers *p = e->setup.peers;
	struct packet_samples *s = e->samples;
	struct packet_queues *q = &s->queues;
	if (!e->parallel || p->least(p->data, e->ending == RUN_OK) == 0)
		return;
	size_t count = s->first[q->moments], total = 0;
	struct moved_sample *list = array_create(count, sizeof *list, e->error);
	void **send = array_create((size_t)p->count, sizeof *send, e->error);
	size_t *bytes = array_create((size_t)p->count, sizeof *bytes, e->error);
	if (p->least(p->data, list && send && bytes)) {
		for (size_t m = 0; m < q->moments; m++)
			for (size_t i = s->first[m]; i < s->first[m + 1]; i++)
				list[i] = (struct moved_sample){(uint32_t)m, q->sample[i]};
		send[0] = list;
		bytes[0] = count * sizeof *list;
		struct moved_sample *all = p->exchange(p->data, send, bytes, &total, e->error);
		total /= sizeof *all;
		if (all && !p->rank && !block_grow(&q->sample, &s->room, total + 1, sizeof *q->sample, e->error)) {
			qsort(all, total, sizeof *all, compare_samples);
			join_samples(s, all, total);
		}
	}
	if (e->error->status)
		e->ending = RUN_FAILED;
	free(list);
	free(send);
	free(bytes);
}
