/*
 * Dynamic runs. Between two events all rates are constant; at an event operations end and others begin, rates that change are computed
 * again, and with them the ends of messages. All operations that end in one picosecond are one event (flow_events.c). Messages are in
 * queues by the channel that limits them (flow_queue.c), and only the first of each queue has an event.
 */
#include "base/memory.h"
#include "engines/flow/flow_workspace.h"
#include "scheduling/schedule.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The number of queues between a prefetch and its use. */
enum { AHEAD = 16 };

/* Returns whether the run continues: no error, and no signal. */
static bool goes_on(struct flow_engine *e)
{
	if (*e->setup.stop && e->ending == RUN_OK)
		e->ending = RUN_INTERRUPTED;
	return e->ending == RUN_OK;
}

/* ---- what link_use shows over time */

/* Adds what all channels have carried since the last event to the time bins. */
static void carry(struct flow_engine *e)
{
	struct task_times *t = &e->run.times;
	if (!t->used)
		return;
	for (; e->now > t->bin * LINK_BINS; t->bin *= 2)
		for (int i = 0; i < LINK_BINS; i++)
			t->used[i] = i < LINK_BINS / 2 ? t->used[2 * i] + t->used[2 * i + 1] : 0;
	while (e->carried_since < e->now) {
		uint64_t bin = e->carried_since / t->bin, end = (bin + 1) * t->bin;
		end = end < e->now ? end : e->now;
		t->used[bin] += e->carried * (double)(end - e->carried_since) / PICOSECONDS;
		e->carried_since = end;
	}
}

/* ---- operations */

static void end_operation(struct flow_engine *e, uint32_t operation)
{
	task_run_ended(&e->run, operation, e->now);
}

/* Marks the message as lost; operations that wait for it proceed. */
static void lose(struct flow_engine *e, uint32_t operation)
{
	if (task_run_lose(&e->run, operation, e->error))
		e->ending = RUN_FAILED;
	else
		end_operation(e, operation);
}

/* Ends a message that has been sent completely. */
static void arrive(struct flow_engine *e, uint32_t operation)
{
	e->run.times.messages += flow_enters(e->run.graph, e->run.host, operation);
	e->run.times.transfers += is_transfer(e->run.graph, operation) && e->run.times.hops[operation];
	end_operation(e, operation);
}

/* Whether the operation sends bytes: a message, or a transfer. */
static bool is_flow(const struct task_graph *g, uint32_t operation)
{
	return g->kind[operation] == OPERATION_MESSAGE || is_transfer(g, operation);
}

/* Transfers to and from storage are of class 1. */
static unsigned class_of(const struct flow_engine *e, uint32_t operation)
{
	const struct task_graph *g = e->run.graph;
	if (is_transfer(g, operation))
		return 1;
	return g->priority ? g->priority[operation] : 0;
}

/* Sends the rest of the message along the route. */
static void send_on(struct flow_engine *e, uint32_t operation, const struct flow_path *path)
{
	struct message *m = &e->message[operation];
	unsigned class = class_of(e, operation);
	m->queue = NONE;
	m->passes = 0;
	for (uint32_t i = 0; i < path->count; i++)
		if (path->channel[i] < e->setup.fabric->channels)
			m->passes += (path->part ? path->part[i] : 1) * flow_weight(e, operation);
	m->key = flow_rates_add(e->rates, class, path->channel, path->part, path->count, flow_weight(e, operation), e->error);
	unsigned p = e->rates->parts > 1 ? m->key.class : 0;
	if (e->error->status ||
		array_grow(&e->operation[p], &e->operation_room[p], (size_t)m->key.flow + 1, sizeof **e->operation, e->error)) {
		e->ending = RUN_FAILED;
		return;
	}
	e->operation[p][m->key.flow] = operation;
	m->moving = true;
}

/* Ends a message that no longer needs any channel. */
static void end_message_after(struct flow_engine *e, uint32_t operation, double seconds)
{
	if (seconds > 0)
		flow_end_after(e, operation, seconds);
	else
		arrive(e, operation);
}

static void begin_message(struct flow_engine *e, uint32_t operation)
{
	const struct task_graph *g = e->run.graph;
	struct message *m = &e->message[operation];
	struct flow_path path;
	bool routed = !flow_find_path(e, operation, &path, e->error);
	if (e->error->status) {
		e->ending = RUN_FAILED;
		return;
	}
	if (!routed && !e->setup.drop && !e->failed) {
		e->ending = RUN_UNROUTABLE;
		return;
	}
	double bytes = g->size[operation], empty = routed ? flow_path_zero_load(e, &path, 0) : 0;
	if (routed) { /* also counts a message that is lost on the route later */
		e->run.times.zero_load[operation] = flow_path_zero_load(e, &path, bytes);
		e->run.times.hops[operation] = (uint16_t)(path.hops < UINT16_MAX ? path.hops : UINT16_MAX);
	}
	if (!routed || flow_meets_failure(e, &path)) {
		lose(e, operation);
		return;
	}
	if (e->setup.alone) {
		end_message_after(e, operation, e->run.times.zero_load[operation]);
		return;
	}
	m->latency = empty;
	m->whole = m->left = 8 * bytes;
	m->moving = false;
	if (path.count && bytes > 0)
		send_on(e, operation, &path);
	else
		end_message_after(e, operation, m->latency);
}

/* Returns the job of an operation of a queue. */
static uint32_t job_of(const struct task_graph *g, uint32_t operation)
{
	return g->level ? g->level[operation] : 0;
}

static void end_job(struct flow_engine *e, uint32_t operation)
{
	schedule_end(e->schedule, job_of(e->run.graph, operation), e->now);
	end_operation(e, operation);
}

static void begin_operation(struct flow_engine *e, uint32_t operation)
{
	const struct task_graph *g = e->run.graph;
	e->run.times.begun[operation] = e->now;
	task_run_begun(&e->run, operation);
	switch (g->kind[operation]) {
	case OPERATION_MESSAGE:
	case OPERATION_READ:
	case OPERATION_WRITE: begin_message(e, operation); break;
	case OPERATION_COMPUTE:
	case OPERATION_PAUSE: flow_end_after(e, operation, g->size[operation]); break;
	case OPERATION_HOLD: schedule_submit(e->schedule, job_of(e->run.graph, operation), e->now); break;
	case OPERATION_RELEASE: end_job(e, operation); break;
	default: end_operation(e, operation); break;
	}
}

static void begin_ready(struct flow_engine *e)
{
	for (uint32_t o; goes_on(e) && (o = task_run_next(&e->run)) != NONE;)
		begin_operation(e, o);
}

/* Starts jobs that waited for hosts, after others were submitted or have ended. */
static void begin_jobs(struct flow_engine *e)
{
	while (e->schedule && e->schedule->changed && goes_on(e)) {
		flow_start_jobs(e);
		begin_ready(e);
	}
}

/* Removes the message from its queue and the rates; it has sent this number of bits since it joined them. */
static void leave_rates(struct flow_engine *e, uint32_t operation, double bits)
{
	struct message *m = &e->message[operation];
	const uint32_t *channel;
	const double *part_on;
	uint32_t count = flow_rates_route(e->rates, m->key, &channel, &part_on);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t c = flow_rates_channel(e->rates, channel[i]);
		if (c < e->setup.fabric->channels)
			e->run.times.sent[c] += bits * (part_on ? part_on[i] : 1);
	}
	flow_rates_remove(e->rates, m->key, e->error);
	m->moving = false;
}

/* Ends the first message of a queue, which has been sent. */
static void end_first(struct flow_engine *e, uint32_t queue)
{
	uint32_t operation = e->queue[queue].first;
	struct message *m = &e->message[operation];
	flow_part(e, operation);
	leave_rates(e, operation, m->whole);
	end_message_after(e, operation, m->latency);
}

static void end_event(struct flow_engine *e, uint32_t number)
{
	if (number >= e->run.graph->operations) {
		end_first(e, number - e->run.graph->operations);
		return;
	}
	flow_remove_event(e, number);
	if (is_flow(e->run.graph, number))
		arrive(e, number);
	else
		end_operation(e, number);
}

/* ---- rates */

static void find_rates(struct flow_engine *e)
{
	if (flow_rates_solve(e->rates, e->error)) {
		e->ending = e->error->status ? RUN_FAILED : RUN_INTERRUPTED;
		return;
	}
	for (unsigned p = 0; p < e->rates->parts; p++) {
		const struct max_min *m = e->rates->fair[p];
		uint32_t first = p * m->channels;
#ifdef __SANITIZE_ADDRESS__ /* builds with sanitizers check everything */
		assert(max_min_holds(m));
#endif
		for (size_t i = 0; i < m->moves && goes_on(e); i++) {
			uint32_t operation = e->operation[p][m->moved[i]], queue = first + m->flow[m->moved[i]].bottleneck;
			if (e->message[operation].queue == queue)
				continue;
			flow_part(e, operation);
			flow_join(e, queue, operation);
		}
		for (size_t i = 0; i < m->works && goes_on(e); i++) {
			if (i + AHEAD < m->works)
				__builtin_prefetch(&e->queue[first + m->work[i + AHEAD]]);
			flow_change_rate(e, first + m->work[i], m->known ? m->level[m->work[i]] : NAN, m);
		}
	}
}

/* ---- failures */

/* Reroutes a message in transit that meets the failure, or loses it. */
static void divert(struct flow_engine *e, uint32_t operation)
{
	struct message *m = &e->message[operation];
	struct flow_path path;
	flow_part(e, operation);
	leave_rates(e, operation, m->whole - m->left);
	m->whole = m->left;
	if (e->setup.afterwards && !flow_find_path(e, operation, &path, e->error) && !flow_meets_failure(e, &path)) {
		e->run.times.rerouted++;
		m->latency = flow_path_zero_load(e, &path, 0);
		send_on(e, operation, &path);
	} else {
		lose(e, operation);
	}
}

static void fail(struct flow_engine *e, const struct cable_failure *failure)
{
	e->failed++;
	for (int side = 0; side < 2; side++) {
		uint32_t c = failure->channel[side];
		if (c == NONE)
			continue;
		e->capacity[c] = 0;
		for (unsigned p = 0; p < e->rates->parts; p++) {
			const struct max_min *m = e->rates->fair[p];
			for (uint32_t own = c; own < m->channels; own += e->rates->channels)
				for (uint32_t k = 0; k < m->members[own] && goes_on(e);) {
					uint32_t f = m->member[own][k];
					if (max_min_is(m, f))
						divert(e, e->operation[p][f]);
					k += k < m->members[own] &&
					     m->member[own][k] == f; /* otherwise another message has taken its index */
				}
		}
		flow_rates_touch(e->rates, c);
	}
}

/* ---- the run */

/* Allocates for a graph and sets the state before the first event. */
static int prepare(struct flow_engine *e, const struct task_graph *g, const uint32_t *host, struct error *error)
{
	struct task_times *t = &e->run.times;
	size_t count = g->operations, room = count + 1, fabric = e->setup.fabric->channels;
	size_t queues = (size_t)e->channels * (e->setup.classes.policy == CLASSES_ALIKE ? 1 : e->setup.classes.classes);
	if (task_run_start(&e->run, g, host, error) || array_grow(&e->message, &e->message_room, room, sizeof *e->message, error) ||
		array_grow(&e->place, &e->place_room, room + queues, sizeof *e->place, error))
		return -1;
	flow_rates_free(e->rates);
	memset(t->sent, 0, fabric * sizeof *t->sent);
	memset(e->message, 0, count * sizeof *e->message);
	memset(e->place, 0xff, (count + queues) * sizeof *e->place); /* NONE */
	if (e->limits) {
		memset(t->bottleneck, 0, e->channels * sizeof *t->bottleneck);
		memset(t->used, 0, LINK_BINS * sizeof *t->used);
		memset(e->limits, 0, e->channels * sizeof *e->limits);
	}
	e->error = error;
	e->ending = RUN_OK;
	e->now = e->events = 0;
	e->carried = 0;
	e->carried_since = 0;
	e->rates = flow_rates_create(&e->setup.classes, e->channels, e->capacity, error);
	if (!e->rates)
		return -1;
	for (unsigned p = 0; p < e->rates->parts; p++)
		e->rates->fair[p]->stop = e->setup.stop;
	e->rates->fair[0]->terse = e->rates->parts == 1;
	e->queue = block_create(queues * sizeof *e->queue, error);
	for (size_t q = 0; e->queue && q < queues; q++)
		e->queue[q] = (struct flow_queue){.event = NEVER, .first = NONE};
	return error->status ? -1 : 0;
}

/* Notes a message that has no rate, for which all others wait in the end; or one that would take forever. */
static void note_stuck(struct flow_engine *e)
{
	e->ending = RUN_ENDLESS;
	for (uint32_t o = 0; o < e->run.graph->operations; o++)
		if (is_flow(e->run.graph, o) && e->message[o].moving && e->queue[e->message[o].queue].rate == 0) {
			e->ending = RUN_STUCK;
			e->bad_source = e->run.host[e->run.graph->task[o]];
			e->bad_destination = e->run.host[e->run.graph->receiver[o]];
			return;
		}
}

/* Advances to the next event. */
static void step(struct flow_engine *e)
{
	uint64_t next = flow_next_event(e);
	bool failure = e->failed < e->setup.failures && e->setup.failure[e->failed].time <= next;
	if (failure)
		next = e->setup.failure[e->failed].time;
	if (next == NEVER) {
		note_stuck(e);
		return;
	}
	e->now = next;
	carry(e);
	while (flow_next_event(e) == next && goes_on(e))
		end_event(e, e->event[0].number);
	while (e->failed < e->setup.failures && e->setup.failure[e->failed].time == next && e->ending == RUN_OK)
		fail(e, &e->setup.failure[e->failed]);
	begin_ready(e);
	begin_jobs(e);
	if (e->ending == RUN_OK)
		find_rates(e);
}

enum run_status flow_run(struct flow_engine *e, uint64_t run, const struct task_graph *graph, const uint32_t *host,
	struct task_times *times, struct error *error)
{
	const uint32_t *hosts = e->schedule ? e->schedule->host : host;
	if (prepare(e, graph, hosts, error) || flow_prepare_jobs(e, run, graph, hosts, error)) {
		free(e->queue);
		return RUN_FAILED;
	}
	begin_ready(e);
	begin_jobs(e);
	if (e->ending == RUN_OK)
		find_rates(e);
	while (e->run.unfinished && goes_on(e))
		step(e);
	for (unsigned p = 0; p < e->rates->parts; p++) {
		e->run.times.solved_whole += e->rates->fair[p]->solved_whole;
		e->run.times.solved_parts += e->rates->fair[p]->solved_parts;
	}
	free(e->queue);
	e->queue = NULL;
	flow_mend(e);
	*times = e->run.times;
	return error->status ? RUN_FAILED : e->ending;
}
