/* What the parts of the packet engine do, by file; for engines/packet*.c. */
#ifndef ENGINES_PACKET_PACKET_PARTS_H
#define ENGINES_PACKET_PACKET_PARTS_H

#include "engines/packet/packet_workspace.h"

/*
 * Makes room for one more element in an array with this number of elements. Returns false if out of memory: the run has then failed. The
 * first if there is none.
 */
bool packet_more_room(struct packet_engine *engine, void *array, size_t count, size_t *room, size_t size);
static inline bool packet_room(struct packet_engine *e, void *array, size_t count, size_t *room, size_t size)
{
	return count < *room || packet_more_room(e, array, count, room, size);
}

/* ---- packet_buffers.c */

/* Makes room for so many packets of all threads. Returns 0, or -1. */
int packet_grow(struct packet_engine *engine, size_t packets);

uint32_t packet_new(struct packet_engine *engine); /* NONE: out of memory */
void packet_drop(struct packet_engine *engine, uint32_t packet);

/* Frees this number of bytes of the lane's buffer at that time, from the view of its tail. */
void packet_refund(struct packet_engine *engine, uint32_t lane, uint64_t time, uint32_t bytes);

/* The same; the tail is in this region. */
void packet_refund_here(struct packet_engine *engine, uint32_t lane, uint64_t time, uint32_t bytes);

/* Turns the refunds whose time has come into credits. */
void packet_settle_more(struct packet_engine *engine, struct credit *credit);

static inline void packet_settle(struct packet_engine *engine, struct credit *credit)
{
	if (credit->refund && credit->time <= engine->now)
		packet_settle_more(engine, credit);
}

/* Schedules an examination of the output at that time, or earlier. */
static inline void packet_wake_at(struct packet_engine *engine, uint32_t channel, uint64_t time)
{
	struct packet_output *o = &engine->output[channel];
	if (time < o->wake) {
		o->wake = time;
		packet_events_add(&engine->events, time, EVENT_WAKE, channel, 0);
	}
}

/* Prefetches the data of a future event; NULL: none. */
static inline void packet_fetch(const struct packet_engine *e, const struct packet_event *event)
{
	if (!event)
		return;
	switch (event_kind(event)) {
	case EVENT_HEAD: __builtin_prefetch(&e->queue[event->target << e->shift]); /* fall through */
	case EVENT_DELIVER: __builtin_prefetch(&e->packet[event->packet]);         /* fall through */
	case EVENT_WAKE: __builtin_prefetch(&e->output[event->target]); break;
	case EVENT_LANE: __builtin_prefetch(&e->queue[event->target]); break;
	case EVENT_SOURCE: __builtin_prefetch(&e->source[sender_of(e, event->target)]); break;
	default: break;
	}
}

/* ---- packet_switch.c */

/*
 * Routes the packet, which is now the first of its queue, or has a queue of its own: it requests its candidates, at the latest in
 * packet_decide().
 */
static inline void packet_route(struct packet_engine *engine, uint32_t packet, uint32_t queue)
{
	engine->packet[packet].request = NONE;
	if (packet_room(engine, &engine->routee, engine->routees, &engine->routee_room, sizeof *engine->routee))
		engine->routee[engine->routees++] = (struct routee){queue, packet};
}

/* Puts the packet, whose head has arrived on its channel, into its queue. */
void packet_head_comes(struct packet_engine *engine, uint32_t packet);

/* Lets the pair join the send queue, or if it is NONE the send queue make its next packet, now, in the order of queues and tickets. */
void packet_source_due(struct packet_engine *engine, uint32_t place, uint32_t ticket, uint32_t pair);

/* Delivers the packet now, in the order of channels. */
void packet_comes(struct packet_engine *engine, uint32_t packet);

/* Routes the packets that wait for the output again. */
void packet_leave_output(struct packet_engine *engine, uint32_t channel);

/* Lets the next packet of the queue be routed. */
void packet_lane_moves(struct packet_engine *engine, uint32_t lane);

/* Examines the output, which may be able to send. */
void packet_wakes(struct packet_engine *engine, uint32_t channel);

/* Routes the packets that are due, then lets all marked outputs send what they can. */
static inline bool packet_undecided(const struct packet_engine *engine)
{
	return engine->looks || engine->routees || engine->comers || engine->dues;
}

void packet_decide(struct packet_engine *engine);

/* Notes that packets are now waiting for the channel without room downstream, or no longer are. With link_times. */
void packet_note_blocked(struct packet_engine *engine, uint32_t channel, bool blocked);

/* ---- packet_sort.c */

/* Sorts by queue, those of a queue in their order. */
void packet_sort(struct packet_engine *engine, struct routee *routee, size_t count);

/* ---- packet_failures.c */

int packet_failures_create(struct packet_engine *engine, struct error *error);
void packet_failures_free(struct packet_engine *engine);
void packet_failures_begin(struct packet_engine *engine);

/* Returns the time of the next failure; NEVER: there is none. The second lets the failures of now happen. */
uint64_t packet_failures_next(const struct packet_engine *engine);
void packet_failures_happen(struct packet_engine *engine);

/* Returns whether something has failed. */
bool packet_failures_any(const struct packet_engine *engine);

/*
 * With failures: make room for more packets (0, or -1 if out of memory); note a new packet; note that its tail will reach the next node at
 * that time; note that its head has reached the node, and return whether it is whole; leave out the ways that have failed, and return how
 * many are left.
 */
int packet_failures_grow(struct packet_engine *engine);
void packet_failures_new(struct packet_engine *engine, uint32_t packet);
void packet_failures_sent(struct packet_engine *engine, uint32_t packet, uint64_t tail);
bool packet_failures_came(struct packet_engine *engine, uint32_t packet);
unsigned packet_failures_leave(const struct packet_engine *engine, struct packet_candidate *way, unsigned count);

/* ---- packet_lanes.c */

int packet_lanes_create(struct packet_engine *engine, struct error *error);
void packet_lanes_free(struct packet_engine *engine);
void packet_lanes_begin(struct packet_engine *engine);

/* With tables: returns whether the lanes of the output have any; and the queue that it served last on a lane. */
bool packet_lanes_ruled(const struct packet_engine *engine, uint32_t channel);
uint32_t *packet_lanes_turn(struct packet_engine *engine, uint32_t channel, uint32_t lane);

/* Returns which of the lanes that are ready sends next; NONE: none has a weight. Then notes what it has sent. */
uint32_t packet_lanes_choose(struct packet_engine *engine, uint32_t channel, uint32_t ready);
void packet_lanes_sent(struct packet_engine *engine, uint32_t channel, uint32_t bytes);

/* ---- packet_senders.c */

/* Starts the hosts of an open loop; the load offered is in seen. Returns 0, or -1, also if no rank sends. */
int packet_start_senders(struct packet_engine *engine, struct error *error);

/* ---- packet_host.c */

/* Draws the next message of the host in an open loop; its packets do not leave earlier. */
void packet_draw_message(struct packet_engine *engine, uint32_t host, uint64_t earliest);

/*
 * The sending host or send queue with this number (from sources on) makes its next packet, if there is one; its packet is leaving the queue
 * until that time.
 */
void packet_source_sends(struct packet_engine *engine, uint32_t place);
void packet_source_left(struct packet_engine *engine, uint32_t place, uint64_t until);

/* Makes a packet in a queue of its host, and routes it. Returns the bytes of the message in it. */
uint32_t packet_make(struct packet_engine *engine, uint32_t place, const struct packet_part *part);

/* Returns the bytes of a message of a task graph. */
uint64_t packet_message_bytes(const struct packet_engine *engine, uint32_t operation);

void packet_delivered(struct packet_engine *engine, uint32_t packet);
void packet_lost(struct packet_engine *engine, uint32_t packet);    /* the packet has no route */
void packet_is_lost(struct packet_engine *engine, uint32_t packet); /* a part of it was lost; drops it as it arrives */
void packet_operation_ends(struct packet_engine *engine, uint32_t operation);
void packet_settled(struct packet_engine *engine, uint32_t message, enum packet_kind kind); /* its RTS or CTS has arrived */
void packet_count_others(struct packet_engine *engine);
void packet_begin_ready(struct packet_engine *engine);

/* ---- packet_pairs.c */

/* Prepares empty queue pairs for a run. Returns 0, or -1. */
int packet_pairs_begin(struct packet_engine *engine, struct error *error);

/* Appends the message, its RTS or its CTS to those of its queue pair. */
void packet_queue_message(struct packet_engine *engine, uint32_t operation, enum packet_kind kind);

/* Appends the current message of the host, in an open loop, to those of its queue pair. */
void packet_queue_open(struct packet_engine *engine, uint32_t host);

/* The pair waits for its turn in its send queue. */
void packet_pair_joins(struct packet_engine *engine, uint32_t pair);

/* The send queue makes its next packet, if there is one; its packet has left. */
void packet_pair_sends(struct packet_engine *engine, uint32_t place);
void packet_pair_sent(struct packet_engine *engine, uint32_t place, uint64_t until);

/* Processes an EVENT_PAIR. */
void packet_pair_happens(struct packet_engine *engine, uint32_t target, enum pair_event event);

/* Returns the service level of packets from a host to another one that have this one, or SERVICE_LEVEL_OF_PAIR. */
uint8_t packet_level(const struct packet_engine *engine, uint8_t level, uint32_t source, uint32_t destination);

/* Returns the queue pair of a packet, at its source. */
uint32_t packet_pair_of(struct packet_engine *engine, const struct packet *packet);

/* ---- packet_control.c */

/* Prepares congestion control for a run. Returns 0, or -1. */
int packet_control_begin(struct packet_engine *engine, struct error *error);

/* The packet has come to a switch, leaves it, and is sent on that lane, so that it may be marked. */
void packet_control_comes(struct packet_engine *engine, uint32_t packet);
void packet_control_leaves(struct packet_engine *engine, uint32_t packet);
void packet_control_marks(struct packet_engine *engine, uint32_t packet, uint32_t lane);

/* The sender of a marked packet is told at that time. */
void packet_control_told(struct packet_engine *engine, const struct packet *packet, uint64_t time);

/* A pair is told now; a pair sends a packet of these bytes until that time, and rests. */
void packet_control_notice(struct packet_engine *engine, uint32_t pair);
void packet_control_sent(struct packet_engine *engine, uint32_t pair, uint32_t bytes, uint64_t until);

/* Returns the state of the pair's flow; NULL: out of memory. */
struct control_flow *packet_flow(struct packet_engine *engine, uint32_t pair);

/* ---- packet_deadlock.c */

/* Finds packets that wait for one another in a cycle, in all processes; the error names them. Returns whether there are any. */
bool packet_stalled(struct packet_engine *engine);

/* ---- packet_make.c */

/* Frees what belongs to one graph only. */
void packet_free_graph(struct packet_engine *engine);

/* ---- packet.c */

/* Empties the region, at time 0; frees its memory. */
void packet_region_begin(struct packet_engine *engine, struct error *error);
void packet_region_free(struct packet_engine *engine);

/* Frees the arrays of a thread. */
void packet_scratch_free(struct packet_engine *engine);

/* Sets the empty network at time 0. */
void packet_begin(struct packet_engine *engine, struct error *error);

/* Process all events before that time: of this process; of all processes. */
void packet_advance(struct packet_engine *engine, uint64_t until);
void packet_go_on(struct packet_engine *engine, uint64_t until);

/* Ends the blocking times of the channels that are still blocked. */
void packet_end_blocks(struct packet_engine *engine);

/* Computes the sums over the batches. */
void packet_sum_batches(struct packet_seen *seen);

/* ---- packet_hosts.c */

struct packet_hosts *packet_hosts_create(uint32_t hosts, bool latencies, struct error *error);
void packet_hosts_free(struct packet_hosts *hosts);

/* Begins a run, in which seen gets the results. */
void packet_hosts_begin(struct packet_engine *engine);

/* Notes a packet whose last byte arrives at that time. */
void packet_hosts_note(struct packet_engine *engine, const struct packet *packet, uint64_t time);

/* Completes the results, over all processes in process 0, once those of the whole are known. Collective. */
void packet_hosts_end(struct packet_engine *engine);

/* Moves what another thread has gathered here. Only without latencies. */
void packet_hosts_move(struct packet_hosts *to, struct packet_hosts *from);

/* ---- packet_samples.c */

struct packet_samples *packet_samples_create(uint32_t channels, struct error *error);
void packet_samples_free(struct packet_samples *samples);
void packet_samples_begin(struct packet_engine *engine);

/* Returns the time of the next sample; NEVER if nothing will happen any more. */
uint64_t packet_samples_due(struct packet_engine *engine);

/* Keeps the queues as they are now, at that time. */
void packet_samples_take(struct packet_engine *engine);

/* Completes the samples, over all processes in process 0. Collective. */
void packet_samples_end(struct packet_engine *engine);

/* ---- packet_check.c */

/* Asserts after an event that credits and queues are consistent. */
void packet_check(struct packet_engine *engine);

/* ---- packet_told.c, if router->group is set */

struct packet_told *packet_told_create(const struct packet_engine *engine, struct error *error);
void packet_told_free(struct packet_told *told);
void packet_told_begin(const struct packet_engine *engine);

/* Notes that so many packets more wait for the channel. */
void packet_told_changes(struct packet_engine *engine, uint32_t channel, int by);

/* Returns the number of packets that wait for the channel; 0 for channels within a group. */
uint32_t packet_told_now(const struct packet_engine *engine, uint32_t channel);

/* Returns the number of packets that waited for the channel, as is known now in its group. */
uint32_t packet_told_waiting(void *engine, uint32_t channel);

/* ---- packet_messages.c */

struct packet_messages *packet_messages_create(const struct packet_engine *engine, struct error *error);
void packet_messages_free(struct packet_messages *messages);

/* Begins a run of an open loop, when its hosts know their ranks and have drawn no message. */
void packet_messages_begin(struct packet_engine *engine);

/* Returns the bytes of a message of a rank in an open loop, by its number at its host. */
uint64_t packet_open_size(const struct packet_engine *engine, uint32_t rank, uint32_t message);

/* Notes that the packet, and perhaps all of its message, is at its host at that time. */
void packet_message_arrives(struct packet_engine *engine, uint32_t packet, uint64_t time);

/* Sums over the processes. */
void packet_messages_sum(struct packet_engine *engine);

#endif
