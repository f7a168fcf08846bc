/*
 * Threads that simulate the regions of an open loop (packet_regions.c), in each window whichever has no one yet. Each has an engine of its
 * own, whose arrays by node and channel are those of the first; it counts for itself, and the counts, which are integers, are summed after
 * some windows. The threads wait without work: on a busy machine they do not take its time.
 */
#include "base/memory.h"
#include "engines/packet/packet_regions.h"
#include "engines/packet/packet_parts.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* The members of struct packet_engine that each thread has for itself. */
enum { OWN_FIRST = offsetof(struct packet_engine, packets), OWN_BYTES = offsetof(struct packet_engine, choice) - OWN_FIRST };

/* A thread besides the first. */
struct worker {
	pthread_t thread;
	struct packet_engine engine;
	struct packet_router router; /* that of the engine, with its view */
	struct error error;
	uint64_t *latency_bins; /* [LATENCY_BINS] */
	struct packet_hosts *hosts;
	struct packet_team *team;
};

struct packet_team {
	struct worker *worker; /* [workers] */
	uint32_t workers, started;
	pthread_mutex_t mutex;
	pthread_cond_t go, done;   /* done: with working; or all have packets again */
	uint64_t windows;          /* begun so far */
	uint32_t working, starved; /* threads in a window; those of them that wait until the array of packets has grown */
	bool ends;
	struct packet_engine *first; /* of the first thread */
	size_t packets;              /* that have been given to threads */
};

uint32_t packet_team_size(const struct packet_engine *e)
{
	const struct packet_router_setup *s = &e->router->setup;
	bool safe = e->plain && !e->setup.pairs && !e->messages && !e->seen.level && !e->setup.hosts && !e->setup.peers &&
		    !e->setup.channel_lanes && !s->multipath && !(s->forwarding && s->forwarding->shortest);
	return safe && e->setup.threads > 1 ? e->setup.threads : 1;
}

/* ---- packets */

void packet_team_empty(struct packet_team *t)
{
	t->packets = 0;
	t->first->packets = t->first->packets_end = 0;
	for (uint32_t i = 0; i < t->started; i++) {
		struct packet_engine *e = &t->worker[i].engine;
		e->packets = e->packets_end = e->free_packets = 0;
		e->free_packet = NONE;
	}
}

/* The array can only move when no thread uses it: the others, which have not yet ended the window, wait here, too. */
int packet_team_packets(struct packet_engine *e)
{
	enum { SHARE = 1024 };
	struct packet_team *t = packet_team_of(e);
	int failed = 0;
	pthread_mutex_lock(&t->mutex);
	t->starved++;
	while (!failed && t->packets + SHARE > t->first->packet_room) {
		if (t->starved < t->working)
			pthread_cond_wait(&t->done, &t->mutex);
		else if (!(failed = packet_grow(t->first, t->packets + SHARE)))
			pthread_cond_broadcast(&t->done);
	}
	t->starved--;
	e->packet = t->first->packet;
	if (!failed) {
		e->packets = (uint32_t)t->packets;
		t->packets += SHARE;
		e->packets_end = (uint32_t)t->packets;
	}
	pthread_mutex_unlock(&t->mutex);
	return failed;
}

/* Where most of what a thread sends arrives with another one, packets would never be free again for the first: they exchange them. */
static void balance(struct packet_team *t)
{
	enum { MANY = 1024 };
	struct packet_engine *rich = t->first, *poor = rich;
	for (uint32_t i = 0; i < t->started; i++) {
		struct packet_engine *e = &t->worker[i].engine;
		rich = e->free_packets > rich->free_packets ? e : rich;
		poor = e->free_packets < poor->free_packets ? e : poor;
	}
	if (rich->free_packets < 2 * poor->free_packets + MANY)
		return;
	uint32_t first = rich->free_packet, count = rich->free_packets;
	rich->free_packet = poor->free_packet;
	rich->free_packets = poor->free_packets;
	poor->free_packet = first;
	poor->free_packets = count;
}

/* ---- threads */

/* A thread, whose mutex is locked, has ended the window. */
static void end_window(struct packet_team *t)
{
	t->working--;
	if (t->working == t->starved) /* 0, or those that wait for packets */
		pthread_cond_broadcast(&t->done);
}

static void *work(void *data)
{
	struct worker *w = data;
	struct packet_team *t = w->team;
	pthread_mutex_lock(&t->mutex);
	for (uint64_t windows = 0;;) {
		while (t->windows == windows && !t->ends)
			pthread_cond_wait(&t->go, &t->mutex);
		if (t->ends)
			break;
		windows = t->windows;
		w->engine.packet = t->first->packet;
		pthread_mutex_unlock(&t->mutex);
		packet_regions_work(&w->engine);
		packet_enter(&w->engine, NONE);
		pthread_mutex_lock(&t->mutex);
		end_window(t);
	}
	pthread_mutex_unlock(&t->mutex);
	return NULL;
}

struct packet_team *packet_team_create(struct packet_engine *e, uint32_t *threads, struct error *error)
{
	struct packet_team *t = array_create(1, sizeof *t, error);
	if (!t)
		return NULL;
	pthread_mutex_init(&t->mutex, NULL);
	pthread_cond_init(&t->go, NULL);
	pthread_cond_init(&t->done, NULL);
	t->first = e;
	t->workers = *threads - 1;
	t->worker = array_create(t->workers, sizeof *t->worker, error);
	for (uint32_t i = 0; t->worker && i < t->workers; i++) {
		struct worker *w = &t->worker[i];
		w->team = t;
		w->engine.region = NONE;
		w->latency_bins = array_create(LATENCY_BINS, sizeof *w->latency_bins, error);
		if (e->hosts)
			w->hosts = packet_hosts_create(e->fabric->hosts, false, error);
	}
	while (!error->status && t->started < t->workers &&
		!pthread_create(&t->worker[t->started].thread, NULL, work, &t->worker[t->started]))
		t->started++;
	*threads = t->started + 1;
	if (t->started)
		return t;
	packet_team_free(t);
	return NULL;
}

void packet_team_free(struct packet_team *t)
{
	if (!t)
		return;
	pthread_mutex_lock(&t->mutex);
	t->ends = true;
	pthread_cond_broadcast(&t->go);
	pthread_mutex_unlock(&t->mutex);
	for (uint32_t i = 0; t->worker && i < t->workers; i++) {
		struct worker *w = &t->worker[i];
		if (i < t->started)
			pthread_join(w->thread, NULL);
		packet_scratch_free(&w->engine);
		free(w->latency_bins);
		packet_hosts_free(w->hosts);
	}
	pthread_cond_destroy(&t->done);
	pthread_cond_destroy(&t->go);
	pthread_mutex_destroy(&t->mutex);
	free(t->worker);
	free(t);
}

/* ---- windows */

/* Makes the engine of the thread one with nothing counted. */
static void prepare(struct worker *w, const struct packet_engine *e)
{
	char own[OWN_BYTES];
	memcpy(own, (char *)&w->engine + OWN_FIRST, OWN_BYTES);
	w->engine = *e;
	memcpy((char *)&w->engine + OWN_FIRST, own, OWN_BYTES);
	w->router = *e->router;
	w->router.view.engine = &w->engine;
	w->engine.router = &w->router;
	w->engine.error = &w->error;
	w->engine.hosts = w->hosts;
	w->engine.region = NONE;
	w->engine.thread = (uint32_t)(w - w->team->worker) + 1;
	w->engine.moved = w->engine.travelling = 0;
	w->engine.epoch = (struct packet_batch){0};
	w->engine.seen = (struct packet_seen){.latency_bins = w->latency_bins, .shortest = NEVER};
}

void packet_team_begin(struct packet_engine *e)
{
	struct packet_team *t = packet_team_of(e);
	packet_enter(e, NONE);
	for (uint32_t i = 0; i < t->started; i++)
		prepare(&t->worker[i], e);
}

/* Notes how a thread has ended the run, if it has. */
static void note_ending(struct packet_engine *e, const struct packet_engine *other)
{
	if (other->ending != RUN_OK && e->ending == RUN_OK) {
		e->ending = other->ending;
		if (other->error->status)
			*e->error = *other->error;
	}
	if (other->failed < e->failed) {
		e->failed = other->failed;
		e->failed_source = other->failed_source;
		e->failed_destination = other->failed_destination;
	}
}

void packet_team_work(struct packet_engine *e)
{
	struct packet_team *t = packet_team_of(e);
	pthread_mutex_lock(&t->mutex);
	t->working = t->started + 1;
	t->windows++;
	pthread_cond_broadcast(&t->go);
	pthread_mutex_unlock(&t->mutex);
	packet_regions_work(e);
	packet_enter(e, NONE);
	pthread_mutex_lock(&t->mutex);
	end_window(t);
	while (t->working)
		pthread_cond_wait(&t->done, &t->mutex);
	pthread_mutex_unlock(&t->mutex);
	balance(t);
	for (uint32_t i = 0; i < t->started; i++)
		note_ending(e, &t->worker[i].engine);
}

/* Moves what a thread has counted. */
static void move_counts(struct packet_engine *e, struct packet_engine *from)
{
	struct packet_seen *to = &e->seen, *s = &from->seen;
	e->moved += from->moved;
	e->travelling += from->travelling; /* modulo 2^64: packets can arrive in another thread */
	for (size_t i = 0; i < BATCH_NUMBERS; i++)
		((uint64_t *)&e->epoch)[i] += ((uint64_t *)&from->epoch)[i];
	for (size_t i = 0; i < BATCH_NUMBERS * PACKET_BATCHES; i++)
		((uint64_t *)to->batch)[i] += ((uint64_t *)s->batch)[i];
	for (size_t i = 0; i < LATENCY_BINS; i++)
		to->latency_bins[i] += s->latency_bins[i];
	memset(s->latency_bins, 0, LATENCY_BINS * sizeof *s->latency_bins);
	to->shortest = s->shortest < to->shortest ? s->shortest : to->shortest;
	to->longest = s->longest > to->longest ? s->longest : to->longest;
	to->packets += s->packets;
	to->hops += s->hops;
	to->made += s->made;
	to->unroutable += s->unroutable;
	to->out_of_order += s->out_of_order;
	if (e->hosts)
		packet_hosts_move(e->hosts, from->hosts);
}

void packet_team_end(struct packet_engine *e)
{
	struct packet_team *t = packet_team_of(e);
	for (uint32_t i = 0; i < t->started; i++)
		move_counts(e, &t->worker[i].engine);
}
