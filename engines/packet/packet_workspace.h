/*
 * The workspace of the packet engine, for engines/packet*.c.
 *
 * Queue numbers: channel << shift, plus the lane; the buffer is at the channel's head, its credits are at the tail. The queues of sending
 * hosts follow.
 */
#ifndef ENGINES_PACKET_PACKET_WORKSPACE_H
#define ENGINES_PACKET_PACKET_WORKSPACE_H

#include "engines/packet/packet_events.h"
#include "engines/packet/packet_state.h"
#include "engines/task_run.h"

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
	bool many;                /* channels: what they have does not fit the cache */
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
	uint32_t free_pair;  /* the first one that is free, linked by next; NONE */
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

#endif
