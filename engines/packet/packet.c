/*
 * The packet engine: its making, its clock, and the phases of a measurement: until the state is steady, while it is measured, and until all
 * that was sent meanwhile has arrived (Dally, Towles: Principles and Practices of Interconnection Networks, 2004, section 24.3).
 */
#include "base/memory.h"
#include "engines/packet/packet_workspace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const packet_arbiters[] = {"round-robin", "matrix", "age", "priority", NULL};
const char *const packet_allocators[] = {"output", "input", NULL};

/* ---- making */

/* Picoseconds a byte, by 2^RATE_BITS; 0: no time. */
static uint64_t rate_of(double bits_per_second)
{
	return bits_per_second > 0 ? (uint64_t)llround(8 * PICOSECONDS / bits_per_second * (1 << RATE_BITS)) : 0;
}

static uint64_t ticks(double seconds)
{
	return (uint64_t)llround(seconds * PICOSECONDS);
}

static uint64_t queued(void *data, uint32_t channel, uint32_t lanes)
{
	struct packet_engine *e = data;
	uint64_t bytes = e->output[channel].bytes;
	for (uint32_t rest = lanes & ((1u << e->lanes) - 1); rest; rest &= rest - 1) {
		struct credit *credit = &e->credit[(channel << e->shift) + (uint32_t)__builtin_ctz(rest)];
		packet_settle(e, credit);
		bytes += e->setup.buffer - credit->bytes;
	}
	return bytes;
}

/* Where queues stand among those of their node, and the stamps of outputs. */
static void make_stamps(struct packet_engine *e, struct error *error)
{
	const struct fabric *f = e->fabric;
	uint32_t *queues = array_create(f->nodes, sizeof *queues, error);
	e->queue_place = array_create(e->queues, sizeof *e->queue_place, error);
	e->stamp_first = array_create(e->channels, sizeof *e->stamp_first, error);
	if (!error->status) {
		uint64_t total = 0;
		for (uint32_t q = 0; q < e->queues; q++) {
			uint32_t port = queue_port(e, q);
			e->queue_place[q] = queues[port < e->channels ? f->head[port] : f->host_node[port - e->channels]]++;
		}
		for (uint32_t c = 0; c < e->channels; c++) {
			e->stamp_first[c] = total;
			total += queues[e->output[c].tail];
		}
		e->stamps = total;
		e->stamp = array_create(total, sizeof *e->stamp, error);
	}
	free(queues);
}

static void make_arrays(struct packet_engine *e, struct error *error)
{
	const struct packet_setup *s = &e->setup;
	e->output = block_create(e->channels * sizeof *e->output, error);
	e->credit = block_create(e->sources * sizeof *e->credit, error);
	e->queue = block_create(e->sources * sizeof *e->queue, error);
	e->first_look = array_create(e->fabric->nodes, sizeof *e->first_look, error);
	e->source = array_create(e->fabric->hosts, sizeof *e->source, error);
	e->seen.latency_bins = array_create(LATENCY_BINS, sizeof *e->seen.latency_bins, error);
	if (s->speedup && (s->voq || s->speedup < e->lanes || s->speedup == 1))
		e->port = array_create((size_t)e->channels * s->speedup, sizeof *e->port, error);
	if (s->allocator == ALLOCATOR_INPUT) {
		e->served = array_create((size_t)e->channels + e->fabric->hosts, sizeof *e->served, error);
		e->choice = array_create((size_t)e->channels + e->fabric->hosts, sizeof *e->choice, error);
	}
	if (s->link_times) {
		e->seen.sent = array_create(e->channels, sizeof *e->seen.sent, error);
		e->seen.busy = array_create(e->channels, sizeof *e->seen.busy, error);
		e->seen.blocked = array_create(e->channels, sizeof *e->seen.blocked, error);
		e->blocked_since = array_create(e->channels, sizeof *e->blocked_since, error);
	}
}

static void make_channels(struct packet_engine *e)
{
	const struct fabric *f = e->fabric;
	for (uint32_t node = 0; node < f->nodes; node++)
		for (uint32_t c = f->first_channel[node]; c < f->first_channel[node + 1]; c++) {
			e->output[c].tail = node;
			e->output[c].head = f->head[c];
			e->output[c].rate = rate_of(e->setup.capacity[c]);
			e->output[c].latency = e->setup.latency ? ticks(e->setup.latency[c]) : 0;
			e->mixed |= e->output[c].rate != e->output[0].rate;
		}
}

/* Refuses times of which some in a row could not be told from the end of all times. Returns 0, or -1. */
static int check_time(double seconds, const char *what, struct error *error)
{
	const double longest = 1000;
	if (seconds <= longest)
		return 0;
	return error_set(error, STATUS_USAGE, "%s of %g seconds: at most %g", what, seconds, longest);
}

/* Likewise the largest packet at a rate; 0: no limit. */
static int check_rate(const struct packet_setup *s, double rate, struct error *error)
{
	const double longest = 1e5, seconds = rate > 0 ? 8.0 * s->mtu / rate : 0;
	if (rate > 0 && rate < 1)
		return error_set(error, STATUS_USAGE, "%g bits/s: at least 1", rate);
	if (seconds <= longest)
		return 0;
	return error_set(
		error, STATUS_USAGE, "at %g bits/s a packet of %u bytes takes %g seconds: at most %g", rate, s->mtu, seconds, longest);
}

static int check_times(const struct packet_setup *s, struct error *error)
{
	if (check_time(s->routing_delay, "a routing delay", error) || check_time(s->arbitration_delay, "an arbitration delay", error) ||
		check_time(s->credit_delay, "a credit delay", error) || check_time(s->inject_latency, "an injection latency", error) ||
		check_time(s->deliver_latency, "a delivery latency", error) || check_rate(s, s->inject_rate, error) ||
		check_rate(s, s->deliver_rate, error))
		return -1;
	for (uint32_t c = 0; c < s->fabric->channels; c++)
		if ((s->latency && check_time(s->latency[c], "a latency", error)) || check_rate(s, s->capacity[c], error))
			return -1;
	return 0;
}

static int check(const struct packet_setup *s, struct error *error)
{
	if (!s->mtu || s->mtu > PACKET_LARGEST)
		return error_set(error, STATUS_USAGE, "packets of %u bytes: there are packets of 1 to %d", s->mtu, PACKET_LARGEST);
	if (s->buffer < s->mtu)
		return error_set(error, STATUS_USAGE, "a buffer of %u bytes does not hold a packet of %u, as virtual cut-through needs it",
			s->buffer, s->mtu);
	if (s->eager && s->control > s->mtu)
		return error_set(error, STATUS_USAGE, "control packets of %u bytes are larger than packets may be", s->control);
	return check_times(s, error);
}

struct packet_engine *packet_create(const struct packet_setup *setup, struct error *error)
{
	struct packet_engine *e = check(setup, error) ? NULL : array_create(1, sizeof *e, error);
	if (!e)
		return NULL;
	e->setup = *setup;
	e->fabric = setup->fabric;
	e->router = setup->router;
	e->channels = e->fabric->channels;
	e->lanes = e->router->lanes;
	while (1u << e->shift < e->lanes)
		e->shift++;
	if (((uint64_t)e->channels << e->shift) + e->fabric->hosts >= NONE)
		error_set(error, STATUS_USAGE, "%u channels with %u lanes each are too many", e->channels, e->lanes);
	e->sources = e->channels << e->shift;
	e->queues = e->sources + e->fabric->hosts;
	e->routing = ticks(setup->routing_delay);
	e->arbitration = ticks(setup->arbitration_delay);
	e->credit_delay = ticks(setup->credit_delay);
	e->inject_rate = rate_of(setup->inject_rate);
	e->deliver_rate = rate_of(setup->deliver_rate);
	e->inject_latency = ticks(setup->inject_latency);
	e->deliver_latency = ticks(setup->deliver_latency);
	e->mixed = setup->inject_rate > 0 || setup->inject_latency > 0;
	e->router->view = (struct packet_view){e, queued, setup->peers ? NULL : queued};
	if (!error->status)
		make_arrays(e, error);
	if (!error->status)
		make_channels(e);
	if (!error->status && setup->arbiter == ARBITER_MATRIX)
		make_stamps(e, error);
	if (!error->status && setup->peers && !(e->cut = packet_cut_create(e, error)))
		error_set(error, STATUS_IO, "no memory");
	if (error->status) {
		packet_free(e);
		return NULL;
	}
	return e;
}

static void free_graph(struct packet_engine *e)
{
	free(e->left);
	free(e->slowest);
	free(e->next_message);
	free(e->first_number);
	free(e->furthest);
	free(e->asks);
	free(e->others);
	free(e->stage);
	e->next_message = e->first_number = e->furthest = e->asks = e->others = NULL;
	e->left = e->slowest = NULL;
	e->stage = NULL;
}

void packet_free(struct packet_engine *e)
{
	if (!e)
		return;
	free_graph(e);
	task_run_clear(&e->run);
	free(e->run.times.sent);
	packet_events_clear(&e->events);
	packet_cut_free(e->cut);
	free(e->output);
	free(e->credit);
	free(e->queue);
	free(e->port);
	free(e->served);
	free(e->choice);
	free(e->stamp);
	free(e->stamp_first);
	free(e->queue_place);
	free(e->source);
	free(e->next_rank);
	free(e->packet);
	free(e->arrived);
	free(e->request);
	free(e->refund);
	free(e->look);
	free(e->first_look);
	free(e->order);
	free(e->routee);
	free(e->trial);
	free(e->comer);
	free(e->seen.latency_bins);
	free(e->seen.sent);
	free(e->seen.busy);
	free(e->seen.blocked);
	free(e->blocked_since);
	free(e);
}

/* ---- the clock */

/* The network empty, at time 0. */
static void begin(struct packet_engine *e, struct error *error)
{
	size_t ports = (size_t)e->channels + e->fabric->hosts;
	struct packet_seen *s = &e->seen;
	packet_events_begin(&e->events, error);
	e->error = error;
	e->ending = RUN_FINE;
	e->now = e->moved = e->looked_moved = e->asked_moved = e->travelling = e->packets = e->requests = e->refunds = e->looks =
		e->routees = e->trials = e->comers = 0;
	e->free_packet = e->free_request = e->free_refund = NONE;
	for (uint32_t c = 0; c < e->channels; c++) {
		struct output *o = &e->output[c];
		o->busy = 0;
		o->wake = NEVER;
		o->first = o->last = o->turn = NONE;
		o->bytes = o->marked = 0;
	}
	memset(e->first_look, 0xff, e->fabric->nodes * sizeof *e->first_look); /* NONE */
	for (size_t l = 0; l < e->sources; l++) {
		e->credit[l] = (struct credit){.bytes = e->setup.buffer, .more = NONE};
		e->queue[l] = (struct queue){.first = NONE, .last = NONE};
	}
	for (uint32_t h = 0; h < e->fabric->hosts; h++)
		e->source[h] = (struct source){.message = NONE, .last = NONE, .rank = NONE, .idle = true};
	if (e->port)
		memset(e->port, 0, (size_t)e->channels * e->setup.speedup * sizeof *e->port);
	if (e->choice) {
		memset(e->served, 0xff, ports * sizeof *e->served);
		memset(e->choice, 0xff, ports * sizeof *e->choice);
	}
	if (e->stamp)
		memset(e->stamp, 0, e->stamps * sizeof *e->stamp);
	*s = (struct packet_seen){
		.latency_bins = s->latency_bins, .shortest = NEVER, .sent = s->sent, .busy = s->busy, .blocked = s->blocked};
	e->epoch = (struct packet_batch){0};
	memset(s->latency_bins, 0, LATENCY_BINS * sizeof *s->latency_bins);
	if (e->blocked_since) {
		memset(s->sent, 0, e->channels * sizeof *s->sent);
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
	case EVENT_SOURCE: packet_source_sends(e, event.target); break;
	}
}

/* What an event to come needs is fetched. */
static inline void fetch(const struct packet_engine *e, const struct packet_event *event)
{
	switch (event_kind(event)) {
	case EVENT_HEAD:
		__builtin_prefetch(&e->queue[event->target << e->shift]);
		__builtin_prefetch(&e->credit[event->target << e->shift]); /* fall through */
	case EVENT_DELIVER: __builtin_prefetch(&e->packet[event->packet]); /* fall through */
	case EVENT_WAKE: __builtin_prefetch(&e->output[event->target]); break;
	case EVENT_LANE: __builtin_prefetch(&e->queue[event->target]); break;
	case EVENT_SOURCE: __builtin_prefetch(&e->source[event->target]); break;
	default: break;
	}
}

void packet_advance(struct packet_engine *e, uint64_t until)
{
	while (e->ending == RUN_FINE && !e->error->status && !*e->setup.stop) {
		uint64_t next = packet_events_next(&e->events);
		if (next > e->now && e->run.ready_first < e->run.ready_end)
			packet_begin_ready(e);
		else if (next > e->now && packet_undecided(e))
			packet_decide(e);
		else if (next >= until)
			return;
		else {
			const struct packet_event *ahead = packet_events_ahead(&e->events);
			if (ahead)
				fetch(e, ahead);
			struct packet_event event = packet_events_take(&e->events);
			e->now = event_time(&event);
			happen(e, event);
#ifdef __SANITIZE_ADDRESS__
			packet_check(e);
#endif
		}
	}
	if (e->ending == RUN_FINE)
		e->ending = e->error->status ? RUN_FAILED : RUN_INTERRUPTED;
}

/* All events before that time, in all processes. */
static void go_on(struct packet_engine *e, uint64_t until)
{
	if (e->seen.open && until >= EVENT_LAST) {
		e->ending = RUN_ENDLESS;
		return;
	}
	if (e->cut)
		packet_cut_advance(e, until);
	else
		packet_advance(e, until);
	if (e->ending == RUN_FINE && until < EVENT_LAST)
		e->now = until;
}

/* ---- task graphs */

static int prepare_graph(struct packet_engine *e, const struct task_graph *g, const uint32_t *host, struct error *error)
{
	size_t count = g->operations;
	struct task_times *t = &e->run.times;
	free_graph(e);
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
		e->asks = array_create(count, sizeof *e->asks, error);
		e->others = array_create(count, sizeof *e->others, error);
	}
	if (error->status)
		return -1;
	if (e->asks) {
		memset(e->asks, 0xff, count * sizeof *e->asks); /* NONE */
		packet_count_others(e);
	}
	return 0;
}

/* Channels that are blocked to the end are so until now. */
static void end_blocks(struct packet_engine *e)
{
	for (uint32_t c = 0; e->blocked_since && c < e->channels; c++)
		packet_note_blocked(e, c, false);
}

/* Sums over the batches. */
static void sum_batches(struct packet_seen *s)
{
	uint64_t *all = (uint64_t *)&s->all;
	for (int b = 0; b < PACKET_BATCHES; b++)
		for (size_t i = 0; i < BATCH_NUMBERS; i++)
			all[i] += ((uint64_t *)&s->batch[b])[i];
}

enum run_status packet_run_graph(struct packet_engine *e, const struct task_graph *graph, const uint32_t *host, struct task_times *times,
	struct packet_seen *seen, struct error *error)
{
	begin(e, error);
	e->begin = 0;
	e->until = e->batch_time = NEVER;
	if (prepare_graph(e, graph, host, error))
		return RUN_FAILED;
	packet_begin_ready(e);
	go_on(e, EVENT_LAST);
	if (e->ending == RUN_FINE && e->run.unfinished)
		e->ending = packet_stalled(e) ? RUN_DEADLOCK : RUN_ENDLESS;
	for (uint32_t c = 0; e->seen.sent && c < e->channels; c++)
		e->run.times.sent[c] = 8 * (double)e->seen.sent[c];
	end_blocks(e);
	sum_batches(&e->seen);
	e->seen.passes = e->moved;
	e->seen.end = e->seen.measured = e->run.times.end;
	*times = e->run.times;
	*seen = e->seen;
	return e->ending;
}

/* ---- open loops */

enum { EPOCHS_MAX = 30, CALM = 2, FEW_PACKETS = 1000, SOME_PACKETS = 20000, MANY_PACKETS = 2000000 };

/* The sums since the last look, over all processes, which are then empty. */
static struct packet_batch take_epoch(struct packet_engine *e)
{
	struct packet_batch epoch = e->epoch;
	e->epoch = (struct packet_batch){0};
	if (e->cut)
		e->setup.peers->sum(e->setup.peers->data, (uint64_t *)&epoch, BATCH_NUMBERS);
	return epoch;
}

/* Picoseconds in which so many packets are offered. */
static uint64_t time_for(const struct packet_engine *e, double packets)
{
	double each = ceil((double)e->load.bytes / e->setup.mtu);
	return (uint64_t)(packets / each * (double)e->injection.slot / (e->injection.load * e->leaving)) + 1;
}

static uint64_t clamp(uint64_t value, uint64_t low, uint64_t high)
{
	return value < low ? low : value > high ? high : value;
}

/* Whether packets wait for each other in a circle; then the run is over. It takes time to look at all channels: only once as many packets
 * have moved, or none. */
static bool stalled(struct packet_engine *e)
{
	uint64_t moved[2] = {e->moved - e->looked_moved, e->moved - e->asked_moved}; /* since it was looked at, and asked for */
	e->asked_moved = e->moved;
	if (e->cut)
		e->setup.peers->sum(e->setup.peers->data, moved, 2);
	if (e->ending != RUN_FINE || (moved[1] && moved[0] < e->channels))
		return e->ending != RUN_FINE;
	e->looked_moved = e->moved;
	if (packet_stalled(e))
		e->ending = RUN_DEADLOCK;
	return e->ending != RUN_FINE;
}

/* Lets the state become steady, if it does: mean latency and throughput of an epoch as in the one before, twice. Returns the mean latency
 * at its begin, when queues are short. */
static uint64_t warm_up(struct packet_engine *e)
{
	const double alike = 0.03;
	double before = 0, accepted_before = 0;
	uint64_t epoch = clamp(time_for(e, FEW_PACKETS), 20 * e->injection.slot, NEVER / 4), latency = 0;
	bool given = e->load.warmup != NEVER;
	int calm = 0;
	for (int k = 0; k < EPOCHS_MAX && !e->seen.steady; k++) {
		uint64_t from = e->now, to = from + epoch;
		go_on(e, given && to > e->load.warmup ? e->load.warmup : to);
		if (stalled(e))
			break;
		struct packet_batch b = take_epoch(e);
		if (!b.packets && !given) {
			epoch *= 2;
			continue;
		}
		double mean = b.packets ? (double)b.latency / (double)b.packets : 0, accepted = (double)b.accepted / (double)epoch;
		if (!latency) {
			latency = (uint64_t)mean;
			epoch = clamp(time_for(e, SOME_PACKETS), 2 * latency, 10 * latency);
			epoch = clamp(epoch, time_for(e, FEW_PACKETS), NEVER / 4);
		}
		calm = fabs(mean - before) <= alike * before && fabs(accepted - accepted_before) <= alike * accepted_before ? calm + 1 : 0;
		before = mean;
		accepted_before = accepted;
		e->seen.steady = given ? e->now >= e->load.warmup : calm == CALM;
		k -= given;
	}
	return latency;
}

/* How many packets of the measurement have not arrived, or may be still to be sent; over all processes. */
static uint64_t outstanding(const struct packet_engine *e)
{
	uint64_t count = 0;
	for (int b = 0; b < PACKET_BATCHES; b++)
		count += e->seen.batch[b].born - e->seen.batch[b].packets;
	for (uint32_t h = 0; h < e->fabric->hosts; h++)
		count += e->source[h].rank != NONE && is_here(e, e->fabric->host_node[h]) && e->source[h].born < e->until;
	if (e->cut) /* below 0 where packets arrived that were born elsewhere: modulo 2^64 */
		e->setup.peers->sum(e->setup.peers->data, &count, 1);
	return count;
}

static void sum_all(struct packet_engine *e)
{
	const struct packet_peers *p = e->cut ? e->setup.peers : NULL;
	struct packet_seen *s = &e->seen;
	s->passes = e->moved;
	if (p) {
		uint64_t totals[] = {s->packets, s->hops, s->unroutable, s->out_of_order, s->passes};
		p->sum(p->data, totals, 5);
		s->packets = totals[0];
		s->hops = totals[1];
		s->unroutable = totals[2];
		s->out_of_order = totals[3];
		s->passes = totals[4];
		p->sum(p->data, (uint64_t *)s->batch, PACKET_BATCHES * BATCH_NUMBERS);
		p->sum(p->data, s->latency_bins, LATENCY_BINS);
		s->shortest = p->least(p->data, s->shortest);
		s->longest = ~p->least(p->data, ~s->longest);
		for (int i = 0; s->sent && i < 3; i++)
			p->sum(p->data, i == 0 ? s->sent : i == 1 ? s->busy : s->blocked, e->channels);
	}
	sum_batches(s);
}

/* Waits for what was sent while measuring, up to a time. */
static void drain(struct packet_engine *e, uint64_t latency)
{
	uint64_t span = e->load.drain != NEVER ? e->load.drain : clamp(e->until - e->begin, 50 * latency, NEVER / 4);
	uint64_t end = e->until + span, step = clamp(span / 16, 1, 5 * (latency + 1));
	e->seen.saturated = true;
	for (;;) {
		if (stalled(e))
			return;
		if (!outstanding(e)) {
			e->seen.saturated = false;
			return;
		}
		if (e->now >= end)
			return;
		go_on(e, e->now + step < end ? e->now + step : end);
	}
}

/* Packets that are on their way out when measuring begins count from then on. */
static void begin_busy(struct packet_engine *e)
{
	for (uint32_t c = 0; e->seen.busy && c < e->channels; c++) {
		uint64_t until = e->output[c].busy < e->until ? e->output[c].busy : e->until;
		e->seen.busy[c] += until > e->begin ? until - e->begin : 0;
	}
}

enum run_status packet_run_load(struct packet_engine *e, const struct packet_load *load, struct packet_seen *seen, struct error *error)
{
	begin(e, error);
	free_graph(e);
	e->run.graph = NULL;
	e->load = *load;
	e->seen.open = true;
	e->begin = e->until = e->batch_time = NEVER;
	if (e->cut)
		packet_cut_begin(e, load->bytes % e->setup.mtu ? load->bytes % e->setup.mtu : e->setup.mtu);
	if (packet_start_senders(e, error))
		return RUN_FAILED;
	if (!e->seen.senders) { /* all stays on the hosts: there is nothing to wait for */
		e->seen.steady = true;
		*seen = e->seen;
		return RUN_FINE;
	}
	uint64_t latency = warm_up(e);
	if (e->ending == RUN_FINE) {
		uint64_t span = clamp(time_for(e, MANY_PACKETS), 20 * latency, 300 * latency), least = time_for(e, SOME_PACKETS);
		span = load->measure ? load->measure : span > least ? span : least;
		e->batch_time = (span + PACKET_BATCHES - 1) / PACKET_BATCHES;
		e->begin = e->seen.warmup = e->now;
		e->until = e->begin + e->batch_time * PACKET_BATCHES;
		e->seen.measured = e->until - e->begin;
		begin_busy(e);
		for (int b = 1; b <= PACKET_BATCHES && !stalled(e); b++)
			go_on(e, e->begin + b * e->batch_time);
		drain(e, latency);
	}
	end_blocks(e);
	sum_all(e);
	struct packet_seen *s = &e->seen;
	s->end = e->now;
	double offered = s->bytes_offered * (double)s->measured, noise = s->all.packets ? 4 / sqrt((double)s->all.packets) : 1;
	s->saturated |= (double)s->all.accepted < offered * (1 - (noise > 0.03 ? noise : 0.03));
	*seen = *s;
	return e->ending;
}

void packet_bad_pair(const struct packet_engine *e, uint32_t *source, uint32_t *destination)
{
	*source = e->bad_source;
	*destination = e->bad_destination;
}
