/*
 * The workspace of the packet engine. For engines/packet*.c.
 *
 * Queues: channel << shift, and the lane, whose buffer is at the channel's head, and the credits for it at the tail; those of hosts that
 * send follow.
 */
#ifndef ENGINES_PACKET_PACKET_WORKSPACE_H
#define ENGINES_PACKET_PACKET_WORKSPACE_H

#include "base/memory.h"
#include "engines/packet/packet.h"
#include "engines/packet/packet_events.h"
#include "engines/task_run.h"

enum { RATE_BITS = 20 };

/* Large messages ask first whether the receiver is ready. */
enum packet_kind { PACKET_DATA, PACKET_ASK, PACKET_ANSWER };

/* A packet on its way, on one cache line. */
struct packet {
	struct packet_head head;
	uint64_t created, injected; /* picoseconds; when it left its source */
	uint64_t zero_load;         /* picoseconds it has taken without any waiting, but for its own length */
	uint32_t size : 30;         /* bytes */
	uint32_t kind : 2;          /* enum packet_kind */
	uint32_t message;           /* operation; of open loops none */
	uint32_t next;              /* in its queue, or among the free */
	uint32_t request;           /* the first of those it has made; NONE */
};

/* A packet waits for an output. */
struct packet_request {
	uint64_t ready;          /* not before that time */
	uint32_t packet, queue;  /* where it stands */
	uint32_t output;         /* channel */
	uint32_t next, previous; /* of that output; free ones: next */
	uint32_t sibling;        /* the next of the same packet */
	uint32_t size;           /* of the room that the packet takes */
	uint16_t lanes, rank, bubble;
};

/* A channel at its tail. */
struct packet_output {
	uint64_t busy;        /* it sends until then */
	uint64_t wake;        /* the next time it looks at those that wait; NEVER */
	uint64_t rate;        /* picoseconds a byte, by 2^RATE_BITS */
	uint64_t latency;     /* picoseconds */
	uint32_t head, tail;  /* nodes */
	uint32_t first, last; /* requests */
	uint32_t turn;        /* the queue that was served last */
	uint32_t bytes;       /* that wait for it */
	uint32_t marked;      /* it is among those to be looked at now: the lowest rank of a request, and 1; 0: it is not */
	uint32_t next_look;   /* of its node */
};

/* A packet to be routed. */
struct routee {
	uint32_t queue, packet;
};

/* It asked for one of its ways, which was free. */
struct load_trial {
	struct routee routee;
	uint32_t request, channel;
};

/* Space that will be free again. */
struct refund {
	uint64_t time;
	uint32_t bytes, next;
};

/* A lane at the tail of its channel. */
struct credit {
	uint64_t time;           /* when the first refund comes */
	uint32_t bytes;          /* of room in the buffer */
	uint32_t refund;         /* bytes of the first refund, 0: there is none */
	uint32_t more, more_end; /* refunds after it; NONE */
};

/* A lane at the head of its channel. */
struct queue {
	uint64_t busy;        /* the tail of a packet leaves it until then */
	uint32_t first, last; /* packets; NONE */
};

/* A host. */
struct packet_source {
	uint64_t created;        /* of the message it sends, or sends next */
	uint64_t interface_free; /* its memory has been read until then */
	uint64_t delivery_free;
	uint64_t sent;     /* bytes of the message so far */
	uint32_t message;  /* operation; NONE: none */
	uint32_t last;     /* operations that wait to be sent: the last, in a circle of next_message */
	uint32_t number;   /* packets so far */
	uint32_t messages; /* so far */
	uint32_t rank;     /* of an open loop, whose message it is; NONE: does not send */
	uint32_t receiver; /* host index */
	bool more;         /* the message has more packets */
	bool idle;         /* nothing is to be sent: of a graph */
};

/* The numbers of a batch, all alike. */
enum { BATCH_NUMBERS = sizeof(struct packet_batch) / sizeof(uint64_t) };

struct packet_parallel;

struct packet_engine {
	struct packet_setup setup;
	const struct fabric *fabric;
	struct packet_router *router;
	uint32_t channels, lanes; /* lanes of a channel */
	unsigned shift;           /* the lanes of a channel have the names channel << shift and on */
	uint32_t sources, queues; /* the queues of hosts that send are sources .. queues - 1 */
	uint64_t routing, arbitration, credit_delay;
	bool mixed;                                                          /* channels differ in speed: tails could overtake */
	uint64_t inject_rate, deliver_rate, inject_latency, deliver_latency; /* as of outputs */

	struct packet_output *output; /* [channels] */
	struct credit *credit;        /* [sources] */
	struct queue *queue;          /* [sources] */
	uint64_t *port;               /* [channels][speedup] until when that many packets leave; NULL: without limit */
	uint32_t *served;             /* [channels] of input channels and hosts: the output last served, of ALLOCATOR_INPUT; NULL */
	uint64_t *stamp;              /* of ARBITER_MATRIX: when the queue was last served by the output; NULL */
	uint64_t stamps;
	uint64_t *stamp_first;        /* [channels] where those of an output begin */
	uint32_t *queue_place;        /* [queues] among those of its node */
	struct packet_source *source; /* [hosts] */
	struct packet_events events;

	struct packet *packet;
	size_t packets, packet_room;
	uint32_t free_packet;
	uint64_t *arrived; /* [packets] when its head came to the node; NULL unless mixed */
	size_t arrived_room;
	struct packet_request *request;
	size_t requests, request_room;
	uint32_t free_request;
	struct refund *refund;
	size_t refunds, refund_room;
	uint32_t free_refund;

	uint64_t now;
	uint32_t *look;       /* [looks] nodes with outputs to be looked at now */
	uint32_t *first_look; /* [nodes] the first of them, NONE: there is none */
	uint64_t *order;      /* outputs of one of them, below what orders them */
	uint32_t *choice;     /* [channels + hosts] a request; of ALLOCATOR_INPUT; NULL */
	size_t looks, orders, look_room, order_room;
	struct routee *routee; /* packets to be routed now */
	size_t routees, routee_room;
	struct routee *comer; /* packets to be delivered now, where the order matters: queue is their channel */
	size_t comers, comer_room;
	struct load_trial *trial;
	size_t trials, trial_room;
	uint64_t moved;                     /* packets sent by any output */
	uint64_t looked_moved, asked_moved; /* as of the last look for circles, and the last time one was asked for */
	uint64_t travelling;                /* packets that have left their source and not arrived, here */
	enum run_status ending;
	struct error *error;
	uint32_t bad_source, bad_destination;
	uint64_t unchecked; /* events since packet_check() looked */

	/* a task graph */
	struct task_run run; /* graph NULL: an open loop */
	/* [operations] */
	uint64_t *left;         /* bytes to arrive */
	uint64_t *slowest;      /* rate of the channels that its packets have passed, where they differ; see struct packet_output */
	uint32_t *next_message; /* sent after it by the same host */
	uint32_t *first_number; /* of its packets */
	uint32_t *furthest;     /* of those that have come, counted from its first */
	uint32_t *asks;         /* messages that wait for it to be ready, joined by next_message; NONE; NULL: none asks */
	uint32_t *others;       /* for so many operations it waits that are no messages to its task, with asks */
	uint8_t *stage;         /* of a message: what is sent now, enum packet_kind */

	/* an open loop */
	struct packet_load load;
	uint32_t *next_rank; /* [ranks] of an open loop: that of the same host whose message comes next */
	double leaving;      /* hosts that send, less the shares of their messages that are for themselves */
	struct injection injection;

	uint64_t begin, until, batch_time; /* of measuring: [begin, until) */
	struct packet_seen seen;
	struct packet_batch epoch;        /* since the last look */
	uint64_t *blocked_since;          /* [channels] NEVER: it is not */
	struct packet_parallel *parallel; /* NULL: all nodes are here */
};

static inline uint64_t transfer_time(uint64_t rate, uint32_t bytes)
{
	return (uint64_t)(((unsigned __int128)bytes * rate + (1 << (RATE_BITS - 1))) >> RATE_BITS);
}

/* Bytes of a buffer that the packet takes. */
static inline uint32_t packet_space(const struct packet_engine *e, const struct packet *packet)
{
	return e->router->whole ? e->setup.mtu : packet->size;
}

static inline bool is_measured(const struct packet_engine *e, uint64_t time)
{
	return time >= e->begin && time < e->until;
}

/* The channel of a queue; channels + host for the queue of a host that sends. */
static inline uint32_t queue_port(const struct packet_engine *e, uint32_t queue)
{
	return queue < e->sources ? queue >> e->shift : e->channels + (queue - e->sources);
}

static inline bool is_here(const struct packet_engine *e, uint32_t node)
{
	return !e->parallel || e->setup.peers->part[node] == (uint32_t)e->setup.peers->rank;
}

/* Room for one more element behind so many of the array. Returns whether it is there; else the run has failed. */
static inline bool packet_room(struct packet_engine *e, void *array, size_t count, size_t *room, size_t size)
{
	if (count < *room || !block_grow(array, room, count + 1, size, e->error))
		return true;
	e->ending = RUN_FAILED;
	return false;
}

/* ---- packet_buffers.c */

uint32_t packet_new(struct packet_engine *engine); /* NONE: no memory */
void packet_drop(struct packet_engine *engine, uint32_t packet);

/* So many bytes of the lane's buffer are free from that time on, as its tail knows. */
void packet_refund(struct packet_engine *engine, uint32_t lane, uint64_t time, uint32_t bytes);

/* Refunds whose time has come become credit. */
void packet_settle_more(struct packet_engine *engine, struct credit *credit);

static inline void packet_settle(struct packet_engine *engine, struct credit *credit)
{
	if (credit->refund && credit->time <= engine->now)
		packet_settle_more(engine, credit);
}

/* The output is to be looked at at that time, or before. */
void packet_wake_at(struct packet_engine *engine, uint32_t channel, uint64_t time);

/* ---- packet_switch.c */

/* The packet is the first of its queue now, or has a queue of its own: it asks for its ways, at the latest in packet_decide(). */
void packet_route(struct packet_engine *engine, uint32_t packet, uint32_t queue);

/* Puts the packet, whose head has come by its channel, into its queue. */
void packet_head_comes(struct packet_engine *engine, uint32_t packet);

/* The packet is to be delivered now, in the order of channels. */
void packet_comes(struct packet_engine *engine, uint32_t packet);

/* The next packet of the queue may be routed. */
void packet_lane_moves(struct packet_engine *engine, uint32_t lane);

/* The output may be able to send. */
void packet_wakes(struct packet_engine *engine, uint32_t channel);

/* Packets that have to are routed, and all outputs to be looked at send what they can. */
static inline bool packet_undecided(const struct packet_engine *engine)
{
	return engine->looks || engine->routees || engine->comers;
}

void packet_decide(struct packet_engine *engine);

/* From now on packets wait for the channel that have no room beyond it, or do so no more. With link_times. */
void packet_note_blocked(struct packet_engine *engine, uint32_t channel, bool blocked);

/* ---- packet_senders.c */

/* The hosts of an open loop begin to send; how much they offer is in seen. Returns 0, or -1 also where no rank sends. */
int packet_start_senders(struct packet_engine *engine, struct error *error);

/* ---- packet_host.c */

/* The next message of the host in an open loop; its packets do not leave earlier. */
void packet_draw_message(struct packet_engine *engine, uint32_t host, uint64_t earliest);

void packet_source_sends(struct packet_engine *engine, uint32_t host);
void packet_source_left(struct packet_engine *engine, uint32_t host, uint64_t until); /* a packet leaves its queue until then */
void packet_delivered(struct packet_engine *engine, uint32_t packet);
void packet_lost(struct packet_engine *engine, uint32_t packet); /* it has no route */
void packet_operation_ends(struct packet_engine *engine, uint32_t operation);
void packet_settled(struct packet_engine *engine, uint32_t message, enum packet_kind kind); /* it has asked, or been answered */
void packet_count_others(struct packet_engine *engine);
void packet_begin_ready(struct packet_engine *engine);

/* ---- packet_deadlock.c */

/* Finds packets that wait for each other in a circle, in all processes: the error names them. Returns whether there are any. */
bool packet_stalled(struct packet_engine *engine);

/* ---- packet_make.c */

/* Frees what is of one graph alone. */
void packet_free_graph(struct packet_engine *engine);

/* ---- packet.c */

/* The network empty, at time 0. */
void packet_begin(struct packet_engine *engine, struct error *error);

/* All events before that time, of this process; and in all processes. */
void packet_advance(struct packet_engine *engine, uint64_t until);
void packet_go_on(struct packet_engine *engine, uint64_t until);

/* Channels that are blocked to the end are so until now. */
void packet_end_blocks(struct packet_engine *engine);

/* Sums over the batches. */
void packet_sum_batches(struct packet_seen *seen);

/* ---- packet_check.c */

/* After an event: asserts that credits and queues are as they must be. */
void packet_check(struct packet_engine *engine);

/* ---- packet_parallel.c */

struct packet_parallel *packet_parallel_create(const struct packet_engine *engine, struct error *error);
void packet_parallel_free(struct packet_parallel *parallel);

/* A run begins, of packets that have so many bytes at least. */
void packet_parallel_begin(struct packet_engine *engine, uint32_t smallest);

/* The same, of all processes together. */
void packet_parallel_advance(struct packet_engine *engine, uint64_t until);

/* The packet's head comes to a node of another process at that time. The packet is gone here. */
void packet_parallel_sends(struct packet_engine *engine, uint32_t packet, uint64_t time, enum packet_event_kind kind);
void packet_parallel_refunds(struct packet_engine *engine, uint32_t lane, uint64_t time, uint32_t bytes);

#endif
