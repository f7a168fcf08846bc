/*
 * The hosts: messages are divided into packets, packets complete messages, and operations begin when their dependencies have ended.
 * Messages wait in queue pairs (packet_pairs.c). An open loop without these has hosts that send one message after another: a message is
 * created when its first packet can leave, with its true creation time, so that source queues take no memory.
 */
#include "engines/packet/packet_parts.h"

#include "base/random.h"

static void end_at(struct packet_engine *e, uint32_t operation, uint64_t time)
{
	if (time >= EVENT_LAST)
		e->ending = RUN_ENDLESS;
	else if (time > e->now)
		packet_events_add(&e->events, time, EVENT_OPERATION, operation, 0);
	else
		packet_operation_ends(e, operation);
}

uint64_t packet_message_bytes(const struct packet_engine *e, uint32_t operation)
{
	return (uint64_t)llround(e->run.graph->size[operation]);
}

/* ---- sending */

/* Returns the picoseconds until the next message of the source's rank. */
static uint64_t message_interval(const struct packet_engine *e, const struct packet_source *s, const uint32_t word[4])
{
	struct injection injection = e->injection;
	injection.load *= traffic_share(e->load.traffic, s->rank);
	return injection_interval(&injection, !s->messages, word);
}

void packet_draw_message(struct packet_engine *e, uint32_t host, uint64_t earliest)
{
	struct packet_source *s = &e->source[host];
	uint32_t word[4];
	s->rank = e->next_rank[s->rank];
	random_message(word, e->setup.seed, e->load.run, s->rank, s->messages);
	s->created += message_interval(e, s, word);
	uint32_t rank = traffic_receiver(e->load.traffic, s->rank, word);
	if (rank == NONE) {
		s->created = NEVER;
		return;
	}
	s->receiver = e->load.host[rank];
	s->bytes = e->load.sizes ? message_size(e->load.sizes, word) : (uint64_t)e->load.bytes;
	s->level = (uint8_t)traffic_service_level(e->load.traffic, s->rank, word);
	s->messages++;
	s->sent = 0;
	if (s->created < EVENT_LAST)
		packet_events_add(&e->events, s->created > earliest ? s->created : earliest, e->paired ? EVENT_PAIR : EVENT_SOURCE, host,
			e->paired ? PAIR_CREATED : 0);
}

uint32_t packet_make(struct packet_engine *e, uint32_t place, const struct packet_part *part)
{
	uint32_t host = sender_of(e, place), packet = packet_new(e);
	if (packet == NONE)
		return 0;
	struct packet_source *s = &e->source[host];
	struct packet *p = &e->packet[packet];
	uint32_t bytes = part->left < e->setup.mtu ? (uint32_t)part->left : e->setup.mtu;
	*p = (struct packet){
		.head = {.source = host,
			.destination = part->receiver,
			.number = s->number++,
			.channel = NONE,
			.level = part->level,
			.via = NONE},
		.created = part->created,
		.size = bytes + (part->kind == PACKET_DATA ? packet_header(e, part->first) : 0),
		.kind = part->kind,
		.message = part->message,
		.zero_load = e->inject_latency,
		.next = NONE,
	};
	e->seen.made++;
	if (is_measured(e, p->created))
		e->seen.batch[(p->created - e->begin) / e->batch_time].created++;
	if (e->mixed) {
		uint64_t begins = s->interface_free > part->created ? s->interface_free : part->created;
		s->interface_free = begins + transfer_time(e->inject_rate, p->size);
		e->arrived[packet] = begins + e->inject_latency;
	}
	if (e->slow)
		e->slow[packet] = 0;
	packet_route(e, packet, e->sources + place);
	return bytes;
}

void packet_source_sends(struct packet_engine *e, uint32_t place)
{
	if (e->paired) {
		packet_pair_sends(e, place);
		return;
	}
	uint32_t host = place; /* its only queue */
	struct packet_source *s = &e->source[host];
	if (s->receiver == host) { /* it does not enter the network */
		packet_draw_message(e, host, e->now);
		return;
	}
	struct packet_part part = {.created = s->created,
		.left = s->bytes - s->sent,
		.receiver = s->receiver,
		.message = s->messages - 1,
		.kind = PACKET_DATA,
		.level = packet_service_level(e, s->level),
		.first = !s->sent};
	uint32_t bytes = packet_make(e, place, &part);
	s->sent += bytes;
	s->more = part.left > bytes;
}

void packet_source_left(struct packet_engine *e, uint32_t place, uint64_t until)
{
	uint32_t host = sender_of(e, place), node = e->fabric->host_node[host];
	if (e->paired)
		packet_pair_sent(e, place, until);
	if (e->fabric->first_channel[node + 1] - e->fabric->first_channel[node] > 1)
		until = e->now; /* another place of the port may be free */
	if (!e->paired && !e->source[host].more) {
		packet_draw_message(e, host, until);
		return;
	}
	packet_events_add(&e->events, until, EVENT_SOURCE, place, 0);
}

/* ---- receiving */

/* The same by service level. */
static void note_level(struct packet_engine *e, const struct packet *p, uint64_t latency, uint64_t time)
{
	struct packet_level *level = &e->seen.level[p->head.level];
	level->accepted += is_measured(e, time) ? p->size : 0;
	if (!is_measured(e, p->created))
		return;
	level->packets++;
	level->latency += latency;
	level->longest = latency > level->longest ? latency : level->longest;
	e->seen.level_bins[p->head.level * LATENCY_BINS + packet_bin(latency)]++;
}

static void note_arrival(struct packet_engine *e, const struct packet *p, uint64_t time)
{
	struct packet_batch *epoch = &e->epoch, *batch = &e->seen.batch[0];
	uint64_t latency = time - p->created;
	e->seen.packets++;
	e->seen.hops += p->head.hops;
	epoch->packets++;
	epoch->latency += latency;
	epoch->accepted += p->size;
	if (is_measured(e, time))
		batch[(time - e->begin) / e->batch_time].accepted += p->size;
	if (e->seen.level)
		note_level(e, p, latency, time);
	if (e->hosts)
		packet_hosts_note(e, p, time);
	if (!is_measured(e, p->created))
		return;
	batch += (p->created - e->begin) / e->batch_time;
	batch->packets++;
	batch->bytes += p->size;
	batch->hops += p->head.hops;
	batch->latency += latency;
	batch->network += time - p->injected;
	batch->zero_load += p->zero_load;
	e->seen.latency_bins[packet_bin(latency)]++;
	e->seen.shortest = latency < e->seen.shortest ? latency : e->seen.shortest;
	e->seen.longest = latency > e->seen.longest ? latency : e->seen.longest;
}

/*
 * Returns the operation by which the receiver takes the message: the first of its operations that depends on it, ignoring barriers; NONE:
 * it takes the message at any time.
 */
static uint32_t receive_of(const struct task_graph *g, uint32_t message)
{
	for (uint64_t i = g->first ? g->first[message] : 0; g->first && i < g->first[message + 1]; i++)
		if (g->task[g->next[i]] == g->receiver[message] && g->kind[g->next[i]] != OPERATION_BARRIER)
			return g->next[i];
	return NONE;
}

/* Processes an RTS; the receiver may first have to reach its receive. */
static void asked(struct packet_engine *e, uint32_t message)
{
	uint32_t o = receive_of(e->run.graph, message);
	if (o == NONE || !e->others[o]) {
		packet_queue_message(e, message, PACKET_REPLY); /* the receiver is ready, and the sender may begin */
		return;
	}
	e->next_message[message] = e->rendezvous[o];
	e->rendezvous[o] = message;
}

void packet_count_others(struct packet_engine *e)
{
	const struct task_graph *g = e->run.graph;
	for (uint32_t m = 0; m < g->operations; m++)
		for (uint64_t i = g->first ? g->first[m] : 0; g->first && i < g->first[m + 1]; i++)
			if (g->kind[m] != OPERATION_MESSAGE || g->task[g->next[i]] != g->receiver[m])
				e->others[g->next[i]]++;
	for (uint64_t i = 0; g->first_begun && i < g->first_begun[g->operations]; i++)
		e->others[g->next_begun[i]]++;
}

/*
 * Notes that dependencies of the operation other than messages to its task are met, some or all: if all, answers the messages that wait for
 * it.
 */
static void note_other(struct packet_engine *e, uint32_t operation)
{
	if (--e->others[operation])
		return;
	for (uint32_t message = e->rendezvous[operation], next; message != NONE; message = next) {
		next = e->next_message[message];
		packet_queue_message(e, message, PACKET_REPLY);
	}
	e->rendezvous[operation] = NONE;
}

static void data_arrives(struct packet_engine *e, const struct packet *p, uint64_t time)
{
	uint32_t o = p->message;
	bool first = p->head.number == e->first_number[o];
	if (p->head.number - e->first_number[o] < e->furthest[o])
		e->seen.out_of_order++;
	else
		e->furthest[o] = p->head.number - e->first_number[o];
	e->left[o] -= p->size - packet_header(e, first);
	e->run.times.hops[o] = p->head.hops;
	if (e->left[o])
		return;
	if (task_run_lost(&e->run, o)) {
		packet_operation_ends(e, o);
		return;
	}
	uint64_t before = packet_wire_bytes(e, packet_message_bytes(e, o)) - p->size;
	uint64_t rate = e->mixed ? e->slowest[o] : packet_speed(e, p->head.channel)->rate;
	rate = rate > e->inject_rate ? rate : e->inject_rate;
	rate = rate > e->deliver_rate ? rate : e->deliver_rate;
	e->run.times.zero_load[o] = ((double)p->zero_load + (double)before * (double)rate / (1 << RATE_BITS)) / PICOSECONDS;
	e->run.times.messages++;
	end_at(e, o, time);
}

void packet_delivered(struct packet_engine *e, uint32_t packet)
{
	struct packet *p = &e->packet[packet];
	uint32_t channel = p->head.channel;
	struct packet_source *s = &e->source[p->head.destination];
	if (e->failures && !packet_failures_came(e, packet)) {
		packet_is_lost(e, packet);
		return;
	}
	uint64_t tail = transfer_time(packet_speed(e, channel)->rate, p->size), time = e->now;
	if (p->marked)
		packet_control_told(e, p, e->now + p->zero_load);
	p->zero_load += tail;
	if (e->deliver_rate) {
		uint64_t takes = transfer_time(e->deliver_rate, p->size), begins = e->now - tail;
		begins = begins > s->delivery_free ? begins : s->delivery_free;
		time = begins + takes > time ? begins + takes : time;
		p->zero_load += takes > tail ? takes - tail : 0;
		s->delivery_free = time;
	}
	packet_refund(e, (channel << e->shift) + p->head.lane, time + packet_speed(e, channel)->latency + packet_credit_delay(e, channel),
		packet_space(e, p));
	time += e->deliver_latency;
	p->zero_load += e->deliver_latency;
	p = &e->packet[packet];
	e->travelling--;
	note_arrival(e, p, time);
	if (p->kind != PACKET_DATA)
		packet_events_add(&e->events, time, EVENT_OPERATION, p->message, p->kind);
	else if (e->run.graph)
		data_arrives(e, p, time);
	else if (e->messages)
		packet_message_arrives(e, packet, time);
	packet_drop(e, packet);
}

void packet_settled(struct packet_engine *e, uint32_t message, enum packet_kind kind)
{
	if (kind == PACKET_REQUEST)
		asked(e, message);
	else
		packet_queue_message(e, message, PACKET_DATA);
}

/* ---- operations */

/* Releases the operations that wait for the end or the beginning of this one, other than as a message to their task. */
static void note_others(struct packet_engine *e, const uint64_t *first, const uint32_t *next, uint32_t operation, bool end)
{
	const struct task_graph *g = e->run.graph;
	bool message = end && g->kind[operation] == OPERATION_MESSAGE;
	for (uint64_t i = first ? first[operation] : 0; first && i < first[operation + 1]; i++)
		if (!message || g->task[next[i]] != g->receiver[operation])
			note_other(e, next[i]);
}

void packet_operation_ends(struct packet_engine *e, uint32_t operation)
{
	if (e->rendezvous)
		note_others(e, e->run.graph->first, e->run.graph->next, operation, true);
	task_run_ended(&e->run, operation, e->now);
}

static void begin_message(struct packet_engine *e, uint32_t o)
{
	uint32_t source = e->run.host[e->run.graph->task[o]], destination = e->run.host[e->run.graph->receiver[o]];
	double bytes = e->run.graph->size[o];
	if (source == destination) {
		double seconds = e->setup.memory > 0 ? 8 * bytes / e->setup.memory : 0;
		e->run.times.zero_load[o] = seconds;
		end_at(e, o, time_after(e->now, seconds, EVENT_LAST - 1));
	} else if (!(bytes < (double)EVENT_LAST)) {
		e->ending = RUN_ENDLESS;
	} else {
		e->left[o] = packet_message_bytes(e, o);
		bool rendezvous = e->setup.eager == PACKET_ALL_RENDEZVOUS || (e->setup.eager && bytes > e->setup.eager);
		packet_queue_message(e, o, rendezvous ? PACKET_REQUEST : PACKET_DATA);
	}
}

void packet_begin_ready(struct packet_engine *e)
{
	const struct task_graph *g = e->run.graph;
	for (uint32_t o; e->ending == RUN_OK && !*e->setup.stop && (o = task_run_next(&e->run)) != NONE;) {
		e->run.times.begun[o] = e->now;
		switch (g->kind[o]) {
		case OPERATION_MESSAGE: begin_message(e, o); break;
		case OPERATION_COMPUTE:
		case OPERATION_PAUSE: end_at(e, o, time_after(e->now, g->size[o], EVENT_LAST - 1)); break;
		default: packet_operation_ends(e, o); break;
		}
		if (e->rendezvous)
			note_others(e, g->first_begun, g->next_begun, o, false);
		task_run_begun(&e->run, o);
	}
}

/* Notes that the message, or a part of it, will not arrive. */
static void lose(struct packet_engine *e, const struct packet *p)
{
	uint32_t o = p->message;
	if (task_run_lose(&e->run, o, e->error)) {
		e->ending = RUN_FAILED;
		return;
	}
	e->left[o] -= p->kind == PACKET_DATA ? p->size - packet_header(e, p->head.number == e->first_number[o]) : e->left[o];
	if (!e->left[o])
		packet_operation_ends(e, o);
}

void packet_is_lost(struct packet_engine *e, uint32_t packet)
{
	const struct packet *p = &e->packet[packet];
	uint32_t channel = p->head.channel;
	packet_refund(e, (channel << e->shift) + p->head.lane, e->now + packet_speed(e, channel)->latency + packet_credit_delay(e, channel),
		packet_space(e, p));
	e->seen.damaged++;
	packet_lost(e, packet);
	packet_drop(e, packet);
}

void packet_lost(struct packet_engine *e, uint32_t packet)
{
	const struct packet *p = &e->packet[packet];
	bool failed = packet_failures_any(e);
	e->bad_source = p->head.source;
	e->bad_destination = p->head.destination;
	*(failed ? &e->seen.lost : &e->seen.unroutable) += 1;
	if (failed && is_measured(e, p->created))
		e->lost_bytes += p->size;
	e->travelling -= p->head.channel != NONE;
	if (is_measured(e, p->created))
		e->seen.batch[(p->created - e->begin) / e->batch_time].created--;
	if (!e->setup.drop && !failed)
		e->ending = RUN_UNROUTABLE;
	else if (e->run.graph)
		lose(e, p);
}
