/*
 * The workspace of the packet engine, for engines/packet*.c.
 *
 * Queue numbers: channel << shift, plus the lane; the buffer is at the channel's head, its credits are at the tail. The queues of sending
 * hosts follow.
 */
#ifndef ENGINES_PACKET_PACKET_WORKSPACE_H
#define ENGINES_PACKET_PACKET_WORKSPACE_H

#include "base/memory.h"
#include "engines/packet/packet.h"
#include "engines/packet/packet_events.h"
#include "engines/task_run.h"

enum { RATE_BITS = 20, SPEEDS_MOST = (1 << 15) - 1 };

/* Larger messages use rendezvous: a request to send (PACKET_REQUEST) and its reply, clear to send (PACKET_REPLY). */
enum packet_kind { PACKET_DATA, PACKET_REQUEST, PACKET_REPLY };

/* A packet in transit, on one cache line. */
struct packet {
	struct packet_head head;
	uint64_t created, injected; /* picoseconds; when it left its source */
	uint64_t zero_load;         /* picoseconds taken so far without any waiting, except for its own length */
	uint32_t size : 29;         /* bytes */
	uint32_t kind : 2;          /* enum packet_kind */
	uint32_t marked : 1;        /* by congestion control */
	uint32_t message;           /* operation; unused in open loops */
	uint32_t next;              /* link in its queue, or in the list of free packets */
	uint32_t request;           /* its first request; NONE */
};

/* A packet that waits for an output. */
struct packet_request {
	uint32_t packet, queue;  /* the packet, and its queue */
	uint32_t output;         /* channel */
	uint32_t next, previous; /* links in the output's list; next also links free requests */
	uint32_t sibling;        /* the next request of the same packet */
	uint16_t size;           /* bytes of the room that the packet takes, see request_size() */
	uint16_t lanes, rank, bubble;
};

/* The credits of a lane, at the tail of its channel. */
struct credit {
	uint64_t time;   /* time of the first refund */
	uint32_t bytes;  /* free bytes in the buffer */
	uint32_t refund; /* bytes of the first refund; 0: none */
	uint32_t last;   /* the last of the later refunds, in a circular list; NONE */
	uint32_t tail;   /* node */
};

/* A channel at its tail, on one cache line. */
struct packet_output {
	uint64_t busy;        /* time until which it sends */
	uint64_t wake;        /* time at which it next examines its requests; NEVER */
	struct credit credit; /* of its first lane */
	uint32_t head;        /* node */
	uint32_t first, last; /* requests */
	uint32_t turn;        /* the queue served last; the port, for ARBITER_ROUND_ROBIN */
	uint32_t next_look;   /* next marked output of its node */
	uint16_t marked;      /* marked for examination now: the lowest rank of a request, plus 1; 0: not marked */
	uint16_t speed : 15;  /* see packet_speed() */
	uint16_t waited : 1;  /* requests have waited for it, as in waited of the engine */
};

/* How fast a channel is. */
struct channel_speed {
	uint64_t rate;    /* picoseconds per byte, times 2^RATE_BITS */
	uint64_t latency; /* picoseconds */
};

/* A packet to be routed. */
struct routee {
	uint32_t queue, packet;
};

/* A packet that has requested one of its candidates, which was free. */
struct load_trial {
	struct routee routee;
	uint32_t request, channel;
};

/* Space that will become free. */
struct refund {
	uint64_t time;
	uint32_t bytes, next;
};

/* The queue of a lane, at the head of its channel. */
struct queue {
	uint64_t busy;        /* time until which the tail of a packet is leaving it */
	uint32_t first, last; /* packets; NONE */
};

/* A message of an open loop that waits in a queue pair. */
struct queued_message {
	uint64_t created, bytes; /* picoseconds; of the whole message */
	uint32_t number;         /* of its host */
	uint32_t receiver;       /* host index */
	uint32_t next;           /* the message after it in its pair, or in the list of free ones */
	uint8_t level;           /* see struct packet_head */
};

/* A queue pair: the messages that a host sends to one receiver, in order. Messages are operations of a task graph, or queued messages. */
struct queue_pair {
	uint64_t sent;           /* bytes of the current message sent so far */
	uint32_t host, receiver; /* host indices */
	uint32_t message;        /* NONE: none */
	uint32_t last;           /* messages that wait to be sent: the last one, in a circular list; NONE */
	uint32_t next;           /* the pair after it in its send queue, or among the pairs of a flow that rests */
	uint32_t ticket;         /* of the pairs of a host that join simultaneously, in open loops, those with lower ones come first */
	uint32_t burst;          /* packets sent in its turn so far */
	uint32_t place;          /* its send queue, while it has messages */
	uint32_t bytes;          /* of the message in its last packet */
	uint8_t priority, level; /* class and service level of its messages */
	bool more;               /* the current message has more packets */
};

/* The queue pairs of a host that send by one port and lane. */
struct send_queue {
	uint32_t pair; /* the one whose turn it is; NONE */
	uint32_t last; /* those that wait for their turn: the last one, in a circular list; NONE */
	bool idle;     /* none has anything to send */
};

/* A send queue that makes its next packet; or before that, the pair that joins it, in open loops. */
struct packet_due {
	uint32_t place, ticket, pair; /* ticket and pair: NONE for the packet */
};

/* A packet that a host makes. */
struct packet_part {
	uint64_t created, left;     /* picoseconds; bytes of its message that have not been sent */
	uint32_t receiver, message; /* host index; operation, or NONE */
	enum packet_kind kind;
	uint8_t level; /* see struct packet_head */
	bool first;    /* of its message */
};

/* A host. */
struct packet_source {
	uint64_t created;        /* creation time of the current message of an open loop, or of the next */
	uint64_t interface_free; /* time until which its memory is being read */
	uint64_t delivery_free;
	uint32_t number; /* packets sent so far */
	uint32_t ticket; /* of the next of its queue pairs */
	/* of open loops: the current message */
	uint32_t messages; /* messages sent so far */
	uint64_t bytes;    /* of the current message of an open loop */
	uint64_t sent;     /* bytes sent so far */
	uint32_t rank;     /* its sender; NONE: the host does not send */
	uint32_t receiver; /* host index */
	bool more;         /* it has more packets */
	uint8_t level;     /* service level; SERVICE_LEVEL_OF_PAIR */
};

/* The number of values of a batch, all of one type. */
enum { BATCH_NUMBERS = sizeof(struct packet_batch) / sizeof(uint64_t) };

/* Delays of a channel in picoseconds, see struct channel_delays. */
struct packet_delay {
	uint64_t routing, arbitration, credit;
};

struct packet_messages;
struct packet_parallel;
struct packet_regions;
struct packet_team;
struct packet_failures;
struct lane_arbiter;
struct packet_hosts;
struct packet_samples;
struct packet_told;

struct packet_engine {
	struct packet_setup setup;
	const struct fabric *fabric;
	struct packet_router *router;
	uint32_t channels, lanes; /* lanes per channel */
	unsigned shift;           /* the lanes of a channel are numbered from channel << shift */
	uint32_t sources, queues; /* the queues of sending hosts are sources .. queues - 1 */
	uint32_t host_queues;     /* of each host: by port and lane, or 1 */
	uint32_t largest;         /* bytes of the largest packet, with its headers */
	bool plain;               /* nothing is observed or modelled that most runs do without: see packet_is_plain() */
	enum packet_arbiter arbiter;
	uint64_t routing, arbitration, credit_delay;                         /* the same everywhere, or: */
	struct packet_delay *delay;                                          /* [channels] NULL */
	bool mixed;                                                          /* channels have different speeds, so tails could overtake */
	uint64_t inject_rate, deliver_rate, inject_latency, deliver_latency; /* units as in outputs */

	struct packet_output *output; /* [channels] */
	struct channel_speed *speed;  /* [speeds], or [channels] if there are too many: see packet_speed() */
	uint32_t speeds;
	uint32_t *backlog;     /* [channels] bytes that wait for it; NULL: nobody asks */
	bool *waited;          /* [channels] requests have waited for it; all that still wait do so for one of these */
	struct credit *credit; /* [sources] of all lanes but the first of each channel; NULL: there are no others */
	struct queue *queue;   /* [sources] */
	uint64_t *port;        /* [channels][speedup] times until which packets are leaving; NULL: no limit */
	uint32_t *served;      /* [channels] of input channels and hosts: the output last served, for ALLOCATOR_INPUT; NULL */
	uint64_t *cross_first; /* [channels] the output's first crosspoint: an output and an input port of its node; NULL */
	uint32_t *port_place;  /* [channels + hosts] index of the input port or host among those of its node; NULL */
	uint64_t *stamp;       /* [crosspoints][port_lanes] for ARBITER_MATRIX: when the output last served the queue; NULL */
	uint64_t crosspoints;
	uint32_t port_lanes;          /* queues of a port or a host, at most */
	uint8_t *lane_turn;           /* [crosspoints] for ARBITER_ROUND_ROBIN: the lane of the input that the output last served; NULL */
	struct packet_source *source; /* [hosts] */
	struct lane_arbiter *lane_arbiter; /* [channels] NULL: lanes are not arbitrated */

	/* from here to now: of one region, if there are several; see packet_regions.c */
	struct packet_events events;
	struct packet_request *request;
	size_t requests, request_room;
	uint64_t *ready; /* [requests] earliest time; NULL unless mixed */
	size_t ready_room;
	uint32_t free_request;
	struct refund *refund;
	size_t refunds, refund_room;
	uint32_t free_refund;

	uint64_t now;

	uint32_t *first_look; /* [nodes] the first marked output; NONE */

	struct packet *packet; /* [packet_room] */
	uint64_t *arrived;     /* [packet_room] time at which its head reached the node; NULL unless mixed */
	uint64_t *slow; /* [packet_room] slowest rate of the channels that it has passed; NULL unless mixed, and messages are observed */
	size_t packet_room, arrived_room, slow_room;

	/* from here to choice: of a thread; from look on empty between events */
	uint32_t packets, packets_end;      /* the packets from packets to packets_end - 1 have not been used yet */
	uint32_t free_packet, free_packets; /* packets that are free again: the first, and their number */
	uint32_t *look;                     /* [looks] nodes with marked outputs */
	uint64_t *order;                    /* the marked outputs of one node, in the low bits of their sort keys */
	size_t looks, orders, look_room, order_room;
	struct routee *routee; /* packets to route now */
	size_t routees, routee_room;
	struct routee *comer; /* packets to deliver now, if the order matters: queue is their channel */
	size_t comers, comer_room;
	struct routee *sorting; /* room to sort those */
	size_t sorting_room;
	struct packet_due *due; /* send queues that make packets now, and pairs that join them, if the order matters */
	size_t dues, due_room;
	struct load_trial *trial;
	size_t trials, trial_room;
	uint32_t *choice; /* [channels + hosts] the chosen request, for ALLOCATOR_INPUT; NULL */

	uint64_t moved;                     /* packets sent by any output */
	uint64_t looked_moved, asked_moved; /* value of moved at the last search for cycles; at the last request for one */
	uint64_t travelling;                /* packets of this process that have left their source and not arrived */
	enum run_status ending;
	struct error *error;
	uint32_t bad_source, bad_destination;
	uint64_t unchecked; /* events since the last packet_check() */

	/* a task graph */
	struct task_run run; /* graph NULL: an open loop */
	/* [operations] */
	uint64_t *left;         /* bytes that have not arrived */
	uint64_t *slowest;      /* slowest rate of the channels that its packets have passed, if rates differ; see struct packet_output */
	uint32_t *next_message; /* the message that the same host sends after it */
	uint32_t *first_number; /* number of its first packet */
	uint32_t *furthest;     /* the latest of its packets that have arrived, counted from the first */
	uint32_t *rendezvous;   /* messages that wait until it is ready, linked by next_message; NONE; NULL: no rendezvous */
	uint32_t *others;       /* number of operations it waits for that are not messages to its task, with rendezvous */
	uint8_t *stage;         /* what a message is sending, enum packet_kind */
	/* with congestion control */
	uint64_t *waiting;  /* [sources] bytes that wait for the lane at its tail */
	uint32_t *unmarked; /* [sources] see struct control_sight */
	uint32_t *wanted;   /* [packets] the lane for which the packet waits; NONE */
	size_t wanted_room;
	struct control_flow *flow; /* [flows] of pairs, or of hosts */
	size_t flows, flow_room;

	struct queue_pair *pair;
	size_t pairs, pair_room;
	uint32_t *pair_slot; /* [pair_slots] a hash table of the pairs; NONE: empty */
	size_t pair_slots;
	struct send_queue *send; /* [queues - sources] */
	bool paired;             /* messages wait in queue pairs; otherwise hosts send those of an open loop one after another */

	/* an open loop */
	struct queued_message *queued;
	size_t queueds, queued_room;
	uint32_t free_queued;
	uint64_t unsent; /* queued messages that were created during the measurement */
	struct packet_load load;
	uint32_t *next_rank; /* [ranks] in an open loop: the rank of the same host whose message is next */
	double leaving;      /* number of hosts that send, less the shares of their messages that are host-local */
	struct injection injection;

	uint64_t begin, until, batch_time; /* of the measurement: [begin, until) */
	struct packet_seen seen;
	struct packet_batch epoch;        /* since the last examination */
	uint64_t *blocked_since;          /* [channels] NEVER: not blocked */
	uint64_t lost_bytes;              /* of packets that were created during the measurement and lost by failures */
	struct packet_failures *failures; /* NULL: nothing fails */
	struct packet_messages *messages; /* of an open loop; NULL: their completion times are not observed */
	struct packet_hosts *hosts;       /* what is gathered by host; NULL: nothing */
	struct packet_samples *samples;   /* queues over time; NULL: not kept */
	uint32_t region;                  /* the one that is simulated now; NONE: none */
	uint32_t thread;
	uint64_t failed;                            /* with regions: the first time at which a packet has no route; NEVER */
	uint32_t failed_source, failed_destination; /* of that packet */
	struct packet_regions *regions;             /* NULL: there is only one */
	uint64_t *divided;                /* [channels] with regions, a bit each: its ends are in different regions or processes */
	struct packet_parallel *parallel; /* NULL: this process has all nodes */
	struct packet_told *told;         /* NULL: switches do not tell each other anything */
};

static inline uint64_t transfer_time(uint64_t rate, uint64_t bytes)
{
	return (uint64_t)(((unsigned __int128)bytes * rate + (1 << (RATE_BITS - 1))) >> RATE_BITS);
}

/* Returns the speed of a channel: most fabrics have few different ones. */
static inline const struct channel_speed *packet_speed(const struct packet_engine *e, uint32_t channel)
{
	if (e->speeds == 1)
		return e->speed;
	return &e->speed[e->speeds <= SPEEDS_MOST ? e->output[channel].speed : channel];
}

/* Returns the credits of a lane, by its number. */
static inline struct credit *packet_credit(const struct packet_engine *e, uint32_t lane)
{
	uint32_t channel = lane >> e->shift;
	return lane == channel << e->shift ? &e->output[channel].credit : &e->credit[lane];
}

/* Returns the bytes of the buffer of a lane at the channel's head. */
static inline uint32_t packet_buffer(const struct packet_engine *e, uint32_t channel)
{
	return e->setup.buffers ? e->setup.buffers[channel] : e->setup.buffer;
}

/* Returns the bytes of a buffer that the packet takes. */
static inline uint32_t packet_space(const struct packet_engine *e, const struct packet *packet)
{
	uint32_t bytes = e->router->whole ? e->largest : packet->size, block = e->setup.credit_block;
	return block > 1 ? (bytes + block - 1) / block * block : bytes;
}

/* Returns the bytes of the room that a packet takes which waits. */
static inline uint32_t request_size(const struct packet_engine *e, const struct packet_request *request)
{
	return request->size < UINT16_MAX ? request->size : packet_space(e, &e->packet[request->packet]);
}

/* Returns the bytes of a free buffer that a packet needs which must not fill it. */
static inline uint32_t packet_bubble(const struct packet_engine *e)
{
	return 2 * packet_largest(&e->setup);
}

/* Returns the bytes of the headers of a packet of data. */
static inline uint32_t packet_header(const struct packet_engine *e, bool first)
{
	return e->setup.header + (first ? e->setup.first_header : 0);
}

/* Returns the bytes of all packets of a message, with their headers. */
static inline uint64_t packet_wire_bytes(const struct packet_engine *e, uint64_t bytes)
{
	uint64_t packets = bytes ? (bytes + e->setup.mtu - 1) / e->setup.mtu : 1;
	return bytes + packets * e->setup.header + e->setup.first_header;
}

/* Return the delays of a channel: in the switch at its head, in that at its tail, and of its credits. */
static inline uint64_t packet_routing_delay(const struct packet_engine *e, uint32_t channel)
{
	return e->delay ? e->delay[channel].routing : e->routing;
}

static inline uint64_t packet_arbitration_delay(const struct packet_engine *e, uint32_t channel)
{
	return e->delay ? e->delay[channel].arbitration : e->arbitration;
}

static inline uint64_t packet_credit_delay(const struct packet_engine *e, uint32_t channel)
{
	return e->delay ? e->delay[channel].credit : e->credit_delay;
}

/*
 * Finds the candidates of a packet at a node, see struct packet_routing. The second is for channels with fewer lanes than the routing uses:
 * it translates the lanes. packet_lanes_seen() returns lanes of a channel as the routing sees them, packet_lanes_meant() the reverse.
 */
unsigned packet_few_lanes(struct packet_engine *engine, struct packet_head *packet, uint32_t node, struct packet_candidate *candidates);
static inline unsigned packet_candidates(
	struct packet_engine *e, struct packet_head *packet, uint32_t node, struct packet_candidate *candidates)
{
	if (e->setup.channel_lanes)
		return packet_few_lanes(e, packet, node, candidates);
	return e->router->routing->candidates(e->router, packet, node, candidates);
}
uint16_t packet_lanes_seen(const struct packet_engine *engine, uint32_t channel, uint16_t lanes);
uint16_t packet_lanes_meant(const struct packet_engine *engine, uint32_t channel, uint16_t lanes);

static inline bool is_measured(const struct packet_engine *e, uint64_t time)
{
	return time >= e->begin && time < e->until;
}

/* Returns the host of one of its queues, counted from sources. */
static inline uint32_t sender_of(const struct packet_engine *e, uint32_t place)
{
	return e->host_queues == 1 ? place : place / e->host_queues;
}

/* Returns the channel of a queue; channels + host for the queue of a sending host. */
static inline uint32_t queue_port(const struct packet_engine *e, uint32_t queue)
{
	return queue < e->sources ? queue >> e->shift : e->channels + sender_of(e, queue - e->sources);
}

/* Returns the number of a queue among those of its port or host. */
static inline uint32_t queue_lane(const struct packet_engine *e, uint32_t queue)
{
	return queue < e->sources ? queue & ((1u << e->shift) - 1) : (queue - e->sources) % e->host_queues;
}

static inline uint64_t crosspoint(const struct packet_engine *e, uint32_t output, uint32_t queue)
{
	return e->cross_first[output] + e->port_place[queue_port(e, queue)];
}

/* Returns the service level of packets whose message has this one, or SERVICE_LEVEL_OF_PAIR. */
static inline uint8_t packet_service_level(const struct packet_engine *e, uint8_t own)
{
	return own == SERVICE_LEVEL_OF_PAIR ? (uint8_t)e->setup.service_level : own;
}

static inline bool is_here(const struct packet_engine *e, uint32_t node)
{
	return !e->parallel || e->setup.peers->part[node] == (uint32_t)e->setup.peers->rank;
}

/* The same if there is none. */
bool packet_more_room(struct packet_engine *engine, void *array, size_t count, size_t *room, size_t size);

/* Makes room for one more element in an array with this number of elements. Returns false if out of memory: the run has then failed. */
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
