/*
 * Messages in time. Between two events all rates are constant; at an event operations end, others begin, rates are found anew where they
 * change, and with them when messages will have been sent. All that ends in one picosecond is one event.
 */
#include "flow_workspace.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* So many seconds after the time; NEVER: past the longest time. */
static uint64_t later(uint64_t time, double seconds)
{
	if (!(seconds * PICOSECONDS < (double)LONGEST_TIME))
		return NEVER;
	time += (uint64_t)llround(seconds * PICOSECONDS);
	return time <= LONGEST_TIME ? time : NEVER;
}

/* ---- the heap of ends */

static void place_event(struct flow_engine *e, size_t i, struct event event)
{
	e->event[i] = event;
	e->place[event.operation] = (uint32_t)i;
}

/* Equal times by number: the order does not depend on the heap's history. */
static bool is_before(struct event a, struct event b)
{
	return a.time < b.time || (a.time == b.time && a.operation < b.operation);
}

static void rise(struct flow_engine *e, size_t i, struct event event)
{
	for (; i && is_before(event, e->event[(i - 1) / 2]); i = (i - 1) / 2)
		place_event(e, i, e->event[(i - 1) / 2]);
	place_event(e, i, event);
}

static void sink(struct flow_engine *e, size_t i, struct event event)
{
	for (size_t child; (child = 2 * i + 1) < e->events; i = child) {
		child += child + 1 < e->events && is_before(e->event[child + 1], e->event[child]);
		if (is_before(event, e->event[child]))
			break;
		place_event(e, i, e->event[child]);
	}
	place_event(e, i, event);
}

static void remove_event(struct flow_engine *e, uint32_t operation)
{
	size_t i = e->place[operation];
	if (i == NONE)
		return;
	e->place[operation] = NONE;
	struct event last = e->event[--e->events];
	if (last.operation == operation)
		return;
	if (i && is_before(last, e->event[(i - 1) / 2]))
		rise(e, i, last);
	else
		sink(e, i, last);
}

/* The operation is to end at that time, NEVER: not that is known. */
static void set_event(struct flow_engine *e, uint32_t operation, uint64_t time)
{
	struct event event = {time, operation};
	size_t i = e->place[operation];
	if (time == NEVER) { /* another rate may change that */
		remove_event(e, operation);
	} else if (i == NONE) {
		if (array_grow(&e->event, &e->event_room, e->events + 1, sizeof *e->event, e->error)) {
			e->ending = FLOW_FAILED;
			return;
		}
		rise(e, e->events++, event);
	} else if (is_before(event, e->event[i])) {
		rise(e, i, event);
	} else {
		sink(e, i, event);
	}
}

/* The operation takes so many seconds, whatever else happens. */
static void end_after(struct flow_engine *e, uint32_t operation, double seconds)
{
	uint64_t time = later(e->now, seconds);
	if (time == NEVER)
		e->ending = FLOW_ENDLESS;
	else
		set_event(e, operation, time);
}

/* ---- what link_use shows over time */

/* What all channels have carried since the last time goes into the bins of that time. */
static void carry(struct flow_engine *e)
{
	struct flow_times *t = &e->times;
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

/* The message waits for another channel now; NONE: for none. */
static void limit(struct flow_engine *e, struct message *m, uint32_t channel)
{
	if (!e->limits || m->bottleneck == channel)
		return;
	if (m->bottleneck != NONE && !--e->limits[m->bottleneck])
		e->times.bottleneck[m->bottleneck] += (double)(e->now - e->limits_since[m->bottleneck]) / PICOSECONDS;
	if (channel != NONE && !e->limits[channel]++)
		e->limits_since[channel] = e->now;
	m->bottleneck = channel;
}

/* ---- operations */

static void make_ready(struct flow_engine *e, uint32_t operation)
{
	e->ready[e->ready_end++] = operation;
}

/* Those that wait for something of the operation wait for one thing less. */
static void release(struct flow_engine *e, const uint64_t *first, const uint32_t *next, uint32_t operation)
{
	for (uint64_t i = first ? first[operation] : 0; first && i < first[operation + 1]; i++)
		if (!--e->waits[next[i]])
			make_ready(e, next[i]);
}

static void end_operation(struct flow_engine *e, uint32_t operation)
{
	e->times.ended[operation] = e->times.end = e->now;
	e->unfinished--;
	release(e, e->graph->first, e->graph->next, operation);
}

/* The message will not arrive. What waits for it goes on. */
static void lose(struct flow_engine *e, uint32_t operation)
{
	if (!e->times.lost) {
		size_t before = e->lost_room;
		if (array_grow(&e->times.lost, &e->lost_room, e->graph->operations, sizeof *e->times.lost, e->error)) {
			e->ending = FLOW_FAILED;
			return;
		}
		memset(e->times.lost + before, 0, (e->lost_room - before) * sizeof *e->times.lost);
	}
	e->times.lost[operation] = true;
	e->times.unroutable++;
	end_operation(e, operation);
}

/* All of the message has been sent. */
static void arrive(struct flow_engine *e, uint32_t operation)
{
	e->times.messages++;
	end_operation(e, operation);
}

/* Sends what is left of the message by the route. */
static void send_on(struct flow_engine *e, uint32_t operation, const struct flow_path *path)
{
	struct message *m = &e->message[operation];
	unsigned class = e->graph->priority ? e->graph->priority[operation] : 0;
	m->since = e->now;
	m->rate = 0;
	m->bottleneck = NONE;
	m->passes = 0;
	for (uint32_t i = 0; i < path->count; i++)
		if (path->channel[i] < e->setup.fabric->channels)
			m->passes += path->part ? path->part[i] : 1;
	m->key = flow_rates_add(e->rates, class, path->channel, path->part, path->count, e->error);
	unsigned p = e->rates->parts > 1 ? m->key.class : 0;
	if (e->error->status || array_grow(&e->operation[p], &e->operation_room[p], (size_t)m->key.flow + 1, sizeof **e->operation, e->error)) {
		e->ending = FLOW_FAILED;
		return;
	}
	e->operation[p][m->key.flow] = operation;
	m->moving = true;
}

static void begin_message(struct flow_engine *e, uint32_t operation)
{
	const struct task_graph *g = e->graph;
	uint32_t source = e->times.host[g->task[operation]], destination = e->times.host[g->receiver[operation]];
	struct message *m = &e->message[operation];
	struct flow_path path;
	bool routed = !flow_find_route(e, source, destination, &path);
	if (!routed && !e->setup.drop && !e->failed) {
		e->ending = FLOW_UNROUTABLE;
		return;
	}
	if (!routed || flow_meets_failure(e, &path)) {
		lose(e, operation);
		return;
	}
	double bytes = g->size[operation], empty = flow_path_alone(e, &path, 0);
	e->times.alone[operation] = flow_path_alone(e, &path, bytes);
	e->times.hops[operation] = (uint16_t)(path.hops < UINT16_MAX ? path.hops : UINT16_MAX);
	m->latency = empty;
	m->whole = m->left = 8 * bytes;
	m->moving = false;
	if (path.count && bytes > 0)
		send_on(e, operation, &path);
	else if (m->latency > 0)
		end_after(e, operation, m->latency);
	else
		arrive(e, operation);
}

static void begin_operation(struct flow_engine *e, uint32_t operation)
{
	const struct task_graph *g = e->graph;
	e->times.begun[operation] = e->now;
	release(e, g->first_begun, g->next_begun, operation);
	switch (g->kind[operation]) {
	case OPERATION_MESSAGE: begin_message(e, operation); break;
	case OPERATION_COMPUTE: end_after(e, operation, g->size[operation]); break;
	default: end_operation(e, operation); break;
	}
}

static void begin_ready(struct flow_engine *e)
{
	while (e->ready_first < e->ready_end && e->ending == FLOW_FINE)
		begin_operation(e, e->ready[e->ready_first++]);
}

/* What the message has sent since it was last looked at. */
static void send(struct flow_engine *e, struct message *m)
{
	m->left -= m->rate * (double)(e->now - m->since) / PICOSECONDS;
	m->since = e->now;
}

/* The message leaves the rates; it has sent so many bits since it joined them. */
static void leave_rates(struct flow_engine *e, struct message *m, double bits)
{
	const uint32_t *channel;
	const double *part;
	uint32_t count = flow_rates_route(e->rates, m->key, &channel, &part);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t c = flow_rates_channel(e->rates, channel[i]);
		if (c < e->setup.fabric->channels)
			e->times.sent[c] += bits * (part ? part[i] : 1);
	}
	limit(e, m, NONE);
	e->carried -= m->rate * m->passes;
	flow_rates_remove(e->rates, m->key, e->error);
	m->moving = false;
}

static void end_event(struct flow_engine *e, uint32_t operation)
{
	struct message *m = &e->message[operation];
	bool message = e->graph->kind[operation] == OPERATION_MESSAGE;
	remove_event(e, operation);
	if (message && m->moving) {
		leave_rates(e, m, m->whole);
		if (m->latency > 0) {
			end_after(e, operation, m->latency);
			return;
		}
	}
	if (message)
		arrive(e, operation);
	else
		end_operation(e, operation);
}

/* ---- rates */

/* The message has another rate: it will have been sent at another time. */
static void change_rate(struct flow_engine *e, uint32_t operation, double rate, uint32_t bottleneck)
{
	struct message *m = &e->message[operation];
	limit(e, m, flow_rates_channel(e->rates, bottleneck));
	if (rate == m->rate && e->place[operation] != NONE)
		return;
	e->carried += (rate - m->rate) * m->passes;
	send(e, m);
	m->rate = rate;
	double seconds = m->left > 0 ? m->left / rate : 0;
	set_event(e, operation, rate > 0 ? later(e->now, seconds) : NEVER);
}

static void find_rates(struct flow_engine *e)
{
	if (flow_rates_solve(e->rates, e->error)) {
		e->ending = FLOW_FAILED;
		return;
	}
	for (unsigned p = 0; p < e->rates->parts; p++) {
		const struct max_min *m = e->rates->fair[p];
#ifdef __SANITIZE_ADDRESS__ /* builds with sanitizers check everything */
		assert(max_min_holds(m));
#endif
		for (size_t i = 0; i < m->touches; i++)
			change_rate(e, e->operation[p][m->touched[i]], m->flow[m->touched[i]].rate, m->flow[m->touched[i]].bottleneck);
	}
}

/* ---- failures */

/* A message on its way meets the failure: it goes another way, or is lost. */
static void divert(struct flow_engine *e, uint32_t operation)
{
	const struct task_graph *g = e->graph;
	struct message *m = &e->message[operation];
	struct flow_path path;
	send(e, m);
	leave_rates(e, m, m->whole - m->left);
	remove_event(e, operation);
	m->whole = m->left;
	if (e->setup.afterwards && !flow_find_route(e, e->times.host[g->task[operation]], e->times.host[g->receiver[operation]], &path) &&
		!flow_meets_failure(e, &path)) {
		e->times.rerouted++;
		m->latency = flow_path_alone(e, &path, 0);
		send_on(e, operation, &path);
	} else {
		lose(e, operation);
	}
}

static void fail(struct flow_engine *e, const struct flow_failure *failure)
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
				for (uint32_t k = 0; k < m->members[own] && e->ending == FLOW_FINE; k++)
					if (max_min_is(m, m->member[own][k]))
						divert(e, e->operation[p][m->member[own][k]]);
		}
		flow_rates_touch(e->rates, c);
	}
}

/* ---- the whole */

/* Room for a graph, and everything as before the first event. */
static int prepare(struct flow_engine *e, const struct task_graph *g, const uint32_t *host, struct error *error)
{
	struct flow_times *t = &e->times;
	size_t count = g->operations, room = count + 1, fabric = e->setup.fabric->channels;
	if (array_grow(&t->begun, &e->begun_room, room, sizeof *t->begun, error) ||
		array_grow(&t->ended, &e->ended_room, room, sizeof *t->ended, error) ||
		array_grow(&t->alone, &e->alone_room, room, sizeof *t->alone, error) ||
		array_grow(&t->hops, &e->hops_room, room, sizeof *t->hops, error) ||
		array_grow(&e->waits, &e->waits_room, room, sizeof *e->waits, error) ||
		array_grow(&e->ready, &e->ready_room, room, sizeof *e->ready, error) ||
		array_grow(&e->message, &e->message_room, room, sizeof *e->message, error) ||
		array_grow(&e->place, &e->place_room, room, sizeof *e->place, error))
		return -1;
	flow_rates_free(e->rates);
	free(t->lost);
	*t = (struct flow_times){.begun = t->begun, .ended = t->ended, .alone = t->alone, .hops = t->hops, .sent = t->sent,
		.bottleneck = t->bottleneck, .used = t->used, .graph = g, .host = host, .bin = 1};
	e->lost_room = 0;
	memset(t->sent, 0, fabric * sizeof *t->sent);
	memset(t->begun, 0, count * sizeof *t->begun);
	memset(t->alone, 0, count * sizeof *t->alone);
	memset(e->message, 0, count * sizeof *e->message);
	memset(t->hops, 0, count * sizeof *t->hops);
	memset(e->place, 0xff, count * sizeof *e->place); /* NONE */
	if (g->waits)
		memcpy(e->waits, g->waits, count * sizeof *e->waits);
	if (e->limits) {
		memset(t->bottleneck, 0, e->channels * sizeof *t->bottleneck);
		memset(t->used, 0, LINK_BINS * sizeof *t->used);
		memset(e->limits, 0, e->channels * sizeof *e->limits);
	}
	e->graph = g;
	e->error = error;
	e->ending = FLOW_FINE;
	e->now = e->events = e->ready_first = e->ready_end = 0;
	e->carried = 0;
	e->carried_since = 0;
	e->unfinished = count;
	e->rates = flow_rates_create(&e->setup.classes, e->channels, e->capacity, error);
	return e->rates ? 0 : -1;
}

/* A message for which all others wait in the end, as it has no rate; or one that would take for ever. */
static void note_stuck(struct flow_engine *e)
{
	e->ending = FLOW_ENDLESS;
	for (uint32_t o = 0; o < e->graph->operations; o++)
		if (e->graph->kind[o] == OPERATION_MESSAGE && e->message[o].moving && e->message[o].rate == 0) {
			e->ending = FLOW_STUCK;
			e->bad_source = e->times.host[e->graph->task[o]];
			e->bad_destination = e->times.host[e->graph->receiver[o]];
			return;
		}
}

/* Goes on to the next event. */
static void step(struct flow_engine *e)
{
	uint64_t next = e->events ? e->event[0].time : NEVER;
	bool failure = e->failed < e->setup.failures && e->setup.failure[e->failed].time <= next;
	if (failure)
		next = e->setup.failure[e->failed].time;
	if (next == NEVER) {
		note_stuck(e);
		return;
	}
	e->now = next;
	carry(e);
	while (e->events && e->event[0].time == next && e->ending == FLOW_FINE)
		end_event(e, e->event[0].operation);
	while (e->failed < e->setup.failures && e->setup.failure[e->failed].time == next && e->ending == FLOW_FINE)
		fail(e, &e->setup.failure[e->failed]);
	begin_ready(e);
	if (e->ending == FLOW_FINE)
		find_rates(e);
}

enum flow_ending flow_run(
	struct flow_engine *e, const struct task_graph *graph, const uint32_t *host, struct flow_times *times, struct error *error)
{
	if (prepare(e, graph, host, error))
		return FLOW_FAILED;
	for (uint32_t o = 0; o < graph->operations; o++)
		if (!graph->waits || !graph->waits[o])
			make_ready(e, o);
	begin_ready(e);
	if (e->ending == FLOW_FINE)
		find_rates(e);
	while (e->unfinished && e->ending == FLOW_FINE) {
		if (*e->setup.stop)
			e->ending = FLOW_INTERRUPTED;
		else
			step(e);
	}
	for (unsigned p = 0; p < e->rates->parts; p++) {
		e->times.solved_whole += e->rates->fair[p]->solved_whole;
		e->times.solved_parts += e->rates->fair[p]->solved_parts;
	}
	flow_mend(e);
	*times = e->times;
	return error->status ? FLOW_FAILED : e->ending;
}
