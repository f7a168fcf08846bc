/* The packet engine: its clock, and task graphs. */
#include "base/memory.h"
#include "engines/packet/packet_regions.h"
#include "engines/packet/packet_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the clock */

void packet_region_begin(struct packet_engine *e, struct error *error)
{
	packet_events_begin(&e->events, error);
	e->now = e->requests = e->refunds = 0;
	e->free_request = e->free_refund = NONE;
}

void packet_begin(struct packet_engine *e, struct error *error)
{
	size_t ports = (size_t)e->channels + e->fabric->hosts;
	struct packet_seen *s = &e->seen;
	e->error = error;
	e->ending = RUN_OK;
	e->moved = e->looked_moved = e->asked_moved = e->travelling = e->looks = e->routees = e->trials = e->comers = e->dues = 0;
	e->packets = e->free_packets = 0;
	e->packets_end = e->packet_room < NONE ? (uint32_t)e->packet_room : NONE;
	e->free_packet = NONE;
	if (e->regions)
		packet_regions_begin(e, error);
	else
		packet_region_begin(e, error);
	for (uint32_t c = 0; c < e->channels; c++) {
		struct packet_output *o = &e->output[c];
		o->busy = 0;
		o->wake = NEVER;
		o->first = o->last = o->turn = NONE;
		o->marked = o->waited = 0;
		e->waited[c] = false;
	}
	memset(e->first_look, 0xff, e->fabric->nodes * sizeof *e->first_look); /* NONE */
	for (uint32_t l = 0; l < e->sources; l++) {
		uint32_t channel = l >> e->shift;
		*packet_credit(e, l) =
			(struct credit){.bytes = packet_buffer(e, channel), .last = NONE, .tail = e->output[channel].credit.tail};
		e->queue[l] = (struct queue){.first = NONE, .last = NONE};
	}
	if (e->backlog)
		memset(e->backlog, 0, e->channels * sizeof *e->backlog);
	for (uint32_t h = 0; h < e->fabric->hosts; h++)
		e->source[h] = (struct packet_source){.rank = NONE};
	if (e->told)
		packet_told_begin(e);
	if (e->router->routing->begin)
		e->router->routing->begin(e->router);
	if (e->port)
		memset(e->port, 0, (size_t)e->channels * e->setup.speedup * sizeof *e->port);
	if (e->choice) {
		memset(e->served, 0xff, ports * sizeof *e->served);
		memset(e->choice, 0xff, ports * sizeof *e->choice);
	}
	packet_lanes_begin(e);
	packet_failures_begin(e);
	e->lost_bytes = 0;
	if (e->stamp)
		memset(e->stamp, 0, e->crosspoints * e->port_lanes * sizeof *e->stamp);
	if (e->lane_turn)
		memset(e->lane_turn, 0xff, e->crosspoints * sizeof *e->lane_turn);
	*s = (struct packet_seen){.latency_bins = s->latency_bins,
		.shortest = NEVER,
		.level = s->level,
		.level_bins = s->level_bins,
		.lane_bytes = s->lane_bytes,
		.lanes = s->lanes,
		.sent = s->sent,
		.left = s->left,
		.busy = s->busy,
		.blocked = s->blocked};
	if (e->hosts)
		packet_hosts_begin(e);
	if (e->samples)
		packet_samples_begin(e);
	e->epoch = (struct packet_batch){0};
	memset(s->latency_bins, 0, LATENCY_BINS * sizeof *s->latency_bins);
	if (s->level) {
		memset(s->level, 0, SERVICE_LEVELS_MOST * sizeof *s->level);
		memset(s->level_bins, 0, SERVICE_LEVELS_MOST * LATENCY_BINS * sizeof *s->level_bins);
		memset(s->lane_bytes, 0, (size_t)e->channels * e->lanes * sizeof *s->lane_bytes);
	}
	if (e->blocked_since) {
		memset(s->sent, 0, e->channels * sizeof *s->sent);
		memset(s->left, 0, e->channels * sizeof *s->left);
		memset(s->busy, 0, e->channels * sizeof *s->busy);
		memset(s->blocked, 0, e->channels * sizeof *s->blocked);
		memset(e->blocked_since, 0xff, e->channels * sizeof *e->blocked_since); /* NEVER */
	}
}

static void happen(struct packet_engine *e, struct packet_event event)
{
	switch (event_kind(&event)) {
	case EVENT_DELIVER:
		if (e->deliver_rate)
			packet_comes(e, event.packet);
		else
			packet_delivered(e, event.packet);
		break;
	case EVENT_OPERATION:
		if (event.packet)
			packet_settled(e, event.target, (enum packet_kind)event.packet);
		else
			packet_operation_ends(e, event.target);
		break;
	case EVENT_WAKE: packet_wakes(e, event.target); break;
	case EVENT_LANE: packet_lane_moves(e, event.target); break;
	case EVENT_HEAD: packet_head_comes(e, event.packet); break;
	case EVENT_PAIR: packet_pair_happens(e, event.target, (enum pair_event)event.packet); break;
	case EVENT_REFUND: break; /* it is none */
	case EVENT_SOURCE:
		if (e->host_queues > 1 || (e->paired && !e->run.graph))
			packet_source_due(e, event.target, NONE, NONE);
		else
			packet_source_sends(e, event.target);
		break;
	}
}

void packet_advance(struct packet_engine *e, uint64_t until)
{
	while (e->ending == RUN_OK && !e->error->status && !*e->setup.stop) {
		uint64_t next = packet_events_next(&e->events);
		if (next > e->now && e->run.ready_first < e->run.ready_end)
			packet_begin_ready(e);
		else if (next > e->now && packet_undecided(e))
			packet_decide(e);
		else if (next >= until)
			return;
		else {
			packet_fetch(e, e->many ? packet_events_unseen(&e->events, EVENTS_AHEAD) : packet_events_ahead(&e->events));
			struct packet_event event = packet_events_take(&e->events, next);
			e->now = event_time(&event);
			happen(e, event);
#ifdef __SANITIZE_ADDRESS__
			packet_check(e);
#endif
		}
	}
	if (e->ending == RUN_OK)
		e->ending = e->error->status ? RUN_FAILED : RUN_INTERRUPTED;
}

/* Processes all events before that time, and sets the clock to it. */
static void advance_to(struct packet_engine *e, uint64_t until)
{
	for (uint64_t time; e->ending == RUN_OK && (time = packet_failures_next(e)) < until;) {
		packet_advance(e, time);
		e->now = time;
		if (e->ending == RUN_OK)
			packet_failures_happen(e);
	}
	if (e->regions)
		packet_regions_advance(e, until);
	else
		packet_advance(e, until);
	if (e->ending == RUN_OK && until < EVENT_LAST)
		e->now = until;
}

void packet_go_on(struct packet_engine *e, uint64_t until)
{
	if (e->seen.open && until >= EVENT_LAST) {
		e->ending = RUN_ENDLESS;
		return;
	}
	for (uint64_t due; e->samples && e->ending == RUN_OK && (due = packet_samples_due(e)) <= until;) {
		advance_to(e, due);
		if (e->ending == RUN_OK)
			packet_samples_take(e);
	}
	if (e->ending == RUN_OK)
		advance_to(e, until);
}

/* ---- task graphs */

static int prepare_graph(struct packet_engine *e, const struct task_graph *g, const uint32_t *host, struct error *error)
{
	size_t count = g->operations;
	struct task_times *t = &e->run.times;
	packet_free_graph(e);
	if (task_run_start(&e->run, g, host, error))
		return -1;
	if (!t->sent)
		t->sent = array_create(e->channels, sizeof *t->sent, error);
	e->left = array_create(count, sizeof *e->left, error);
	if (e->mixed)
		e->slowest = array_create(count, sizeof *e->slowest, error);
	e->next_message = array_create(count, sizeof *e->next_message, error);
	e->first_number = array_create(count, sizeof *e->first_number, error);
	e->furthest = array_create(count, sizeof *e->furthest, error);
	e->stage = array_create(count, sizeof *e->stage, error);
	if (e->setup.eager) {
		e->rendezvous = array_create(count, sizeof *e->rendezvous, error);
		e->others = array_create(count, sizeof *e->others, error);
	}
	if (error->status || packet_pairs_begin(e, error) || packet_control_begin(e, error))
		return -1;
	if (e->rendezvous) {
		memset(e->rendezvous, 0xff, count * sizeof *e->rendezvous); /* NONE */
		packet_count_others(e);
	}
	return 0;
}

void packet_end_blocks(struct packet_engine *e)
{
	for (uint32_t c = 0; e->blocked_since && c < e->channels; c++)
		packet_note_blocked(e, c, false);
}

void packet_sum_batches(struct packet_seen *s)
{
	uint64_t *all = (uint64_t *)&s->all;
	for (int b = 0; b < PACKET_BATCHES; b++)
		for (size_t i = 0; i < BATCH_NUMBERS; i++)
			all[i] += ((uint64_t *)&s->batch[b])[i];
}

enum run_status packet_run_graph(struct packet_engine *e, const struct task_graph *graph, const uint32_t *host, struct task_times *times,
	struct packet_seen *seen, struct error *error)
{
	packet_begin(e, error);
	e->paired = true;
	e->begin = 0;
	e->until = e->batch_time = NEVER;
	if (error->status || prepare_graph(e, graph, host, error))
		return RUN_FAILED;
	packet_begin_ready(e);
	packet_go_on(e, EVENT_LAST);
	if (e->ending == RUN_OK && e->run.unfinished)
		e->ending = packet_stalled(e) ? RUN_DEADLOCK : RUN_ENDLESS;
	for (uint32_t c = 0; e->seen.sent && c < e->channels; c++)
		e->run.times.sent[c] = 8 * (double)e->seen.sent[c];
	packet_end_blocks(e);
	packet_sum_batches(&e->seen);
	if (e->hosts)
		packet_hosts_end(e);
	if (e->samples)
		packet_samples_end(e);
	e->seen.passes = e->moved;
	e->seen.end = e->seen.measured = e->run.times.end;
	*times = e->run.times;
	*seen = e->seen;
	return e->ending;
}

void packet_bad_pair(const struct packet_engine *e, uint32_t *source, uint32_t *destination)
{
	*source = e->bad_source;
	*destination = e->bad_destination;
}
