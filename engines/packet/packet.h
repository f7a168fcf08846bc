/*
 * The packet engine: packets use virtual cut-through in input-queued switches with virtual lanes and credits. A packet proceeds when the
 * next buffer has room for all of it; only its head and its tail are simulated (HiNetSim, section 2.3). Messages come from a task graph
 * (closed loop), or every host creates them at a load (open loop).
 *
 * Times are integers, in picoseconds. The order of simultaneous events depends on the fabric alone, and random numbers depend on the host
 * and the number of its packet, so a run divided between processes has the same result as in one process.
 */
#ifndef ENGINES_PACKET_PACKET_H
#define ENGINES_PACKET_PACKET_H

#include "fabric/fabric.h"
#include "fabric/lane_arbitration.h"
#include "fabric/service_levels.h"
#include "patterns/message_sizes.h"
#include "patterns/task_graph.h"
#include "patterns/traffic.h"
#include "engines/packet/control/control.h"
#include "engines/packet/routing/packet_routing.h"
#include "engines/failing.h"
#include "engines/observation.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * Arbitration policy of an output: the input port after the last one served, and of that the lane after the last one served; the request
 * served least recently; the oldest packet; the packet of the best class; or the request after the last one served, by port and lane, so
 * that a port with several lanes has several shares. Ties go to the lowest port.
 */
enum packet_arbiter { ARBITER_ROUND_ROBIN, ARBITER_MATRIX, ARBITER_AGE, ARBITER_PRIORITY, ARBITER_LANE };
extern const char *const packet_arbiters[]; /* ends with NULL */

/*
 * Which side chooses first when inputs and outputs are matched: each output, among all its requests; or each input, one of its packets, and
 * then each output.
 */
enum packet_allocator { ALLOCATOR_OUTPUT, ALLOCATOR_INPUT };
extern const char *const packet_allocators[];

/* The processes that share one run; each simulates some of the nodes. */
struct packet_peers {
	int rank, count;
	const uint32_t *part; /* [nodes] the node's process */
	void *data;
	/*
	 * Sends bytes[p] bytes to each process p. Returns a buffer of *total bytes, valid until the next call, with what this process
	 * received, in the order of the processes. NULL on errors.
	 */
	void *(*exchange)(void *data, void *const *send, const size_t *bytes, size_t *total, struct error *error);
	uint64_t (*least)(void *data, uint64_t number);           /* Returns the minimum over all processes. */
	void (*sum)(void *data, uint64_t *numbers, size_t count); /* Sums over all processes; all receive the result. */
};

enum { PACKET_LARGEST = 1 << 28 /* bytes */ };

/* How the lanes of a channel stand for the classes of lanes that a routing distinguishes, of which the first lanes are leaders. */
struct lane_map {
	uint16_t leaders;
	uint16_t to[PACKET_LANES_MAX];  /* of leaders: the lanes of the channel, a bit each */
	uint8_t from[PACKET_LANES_MAX]; /* the leader of a lane of the channel */
};

/* Delays of a channel, in seconds: in the switch at its head and at its tail, and of its credits. */
struct channel_delays {
	double routing, arbitration, credit;
};

#define PACKET_ALL_RENDEZVOUS UINT32_MAX

struct packet_setup {
	const struct fabric *fabric;
	struct packet_router *router;     /* includes the virtual lanes */
	const double *capacity;           /* [channels] bits/s */
	const double *latency;            /* [channels] seconds; NULL: none */
	uint32_t buffer;                  /* bytes per lane and port; the smallest, if they differ */
	const uint32_t *buffers;          /* [channels] bytes of a lane at the head of each; NULL: the same everywhere */
	uint32_t mtu;                     /* bytes of a packet's payload, at most */
	uint32_t header, first_header;    /* bytes that every packet has besides, and those that the first of a message has in addition */
	uint32_t credit_block;            /* bytes; the room of a packet is a multiple of it */
	bool pairs;                       /* hosts have a queue pair per receiver; otherwise one for all their messages */
	const struct control *congestion; /* congestion control; NULL: none */
	uint32_t qp_burst;                /* packets that a queue pair sends in its turn */
	uint32_t eager;                   /* larger messages of task graphs use rendezvous; 0: none; PACKET_ALL_RENDEZVOUS: all */
	uint32_t control;                 /* bytes of the RTS and CTS packets */
	double routing_delay, arbitration_delay, credit_delay; /* seconds, in a switch; the shortest, if they differ */
	const struct channel_delays *delays;                   /* [channels] NULL: the same everywhere */
	const uint8_t *channel_lanes;                          /* [channels] virtual lanes of each; NULL: those of the router */
	const struct lane_map *lane_maps;                      /* [PACKET_LANES_MAX + 1] by number of lanes, with channel_lanes */
	double internal_rate; /* of a switch: how many times faster than the output's link a packet leaves its input; >= 1 */
	unsigned speedup;     /* packets that can leave an input port simultaneously; 0: one per lane */
	bool voq;             /* virtual output queues: each input has a queue per output, instead of one */
	bool store_forward;   /* store-and-forward: packets proceed when their tail has arrived */
	enum packet_arbiter arbiter;
	enum packet_allocator allocator;
	const struct lane_arbitrations *arbitrations; /* NULL: none */
	unsigned service_level;                       /* of messages without one of their own; SERVICE_LEVEL_OF_PAIR */
	double inject_rate, deliver_rate;             /* bits/s between host memory and HCA; 0: no limit */
	double inject_latency, deliver_latency;       /* seconds */
	double memory;                                /* bits/s of host-local messages; 0: they take no time */
	const struct cable_failure *failure;          /* [failures] by time */
	size_t failures;
	struct forwarding *const *afterwards; /* [failures] the tables after each; NULL: those of before */
	bool drop;                            /* packets without a route are left out */
	bool proved;                          /* packets cannot wait for one another in a cycle */
	bool link_times;                      /* data for link_busy is kept */
	bool levels;                          /* data by service level and by lane is kept */
	bool accepted, hosts;                 /* the same by host, see struct packet_seen */
	bool queues;                          /* queues over time are kept */
	bool message_times;                   /* completion times of the messages of open loops, and the order of their packets, are kept */
	uint64_t seed;
	bool open;                        /* only open loops are run */
	uint32_t threads;                 /* that may simulate an open loop */
	uint32_t regions;                 /* that this process divides open loops into; 0: as many as are useful */
	const struct packet_peers *peers; /* NULL: one process */
	const volatile sig_atomic_t *stop;
};

/* An open loop. */
struct packet_load {
	const struct traffic_call *traffic;
	struct injection injection;        /* the engine sets its slot */
	double load;                       /* as a share of the rate of the hosts' links */
	uint64_t interarrival;             /* mean picoseconds between two messages of a host, instead of the load; 0: the load */
	double bytes;                      /* of a message, a whole number; the mean, if sizes are drawn */
	const struct message_sizes *sizes; /* NULL: all messages have the same size */
	uint32_t ranks;
	const uint32_t *host; /* [ranks] host indices */
	bool oversubscribed; /* several ranks may be placed on one host: they take turns, and messages between them do not enter the network
			      */
	uint64_t run;
	uint64_t warmup;  /* picoseconds; NEVER: until the state is steady */
	uint64_t measure; /* picoseconds, with a precision at most so many; 0: until enough packets are seen */
	double precision; /* measure until the intervals of mean latency and accepted load are within this fraction of them; 0: none */
	uint64_t drain;   /* longest wait, in picoseconds, for packets that were sent during the measurement; NEVER: the default */
};

/* Returns the bytes of a buffer that the largest packet takes. */
static inline uint32_t packet_largest(const struct packet_setup *setup)
{
	uint32_t block = setup->credit_block;
	return (setup->mtu + setup->header + setup->first_header + block - 1) / block * block;
}

struct packet_engine;

/*
 * Returns the engine, or NULL: STATUS_USAGE for settings that cannot work (for example a buffer smaller than a packet), STATUS_IO if out of
 * memory.
 */
struct packet_engine *packet_create(const struct packet_setup *setup, struct error *error);
void packet_free(struct packet_engine *engine);

/*
 * Runs a task graph; host: [tasks] host indices. *times is as in the flow engine (sent is in bits), *seen covers all packets. Both are
 * valid until the next run; graph and host are borrowed until then.
 */
enum run_status packet_run_graph(struct packet_engine *engine, const struct task_graph *graph, const uint32_t *host,
	struct task_times *times, struct packet_seen *seen, struct error *error);

/* Runs an open loop. */
enum run_status packet_run_load(
	struct packet_engine *engine, const struct packet_load *load, struct packet_seen *seen, struct error *error);

/* Writes into how many regions this process divides an open loop, and how many threads simulate them. */
void packet_divided(const struct packet_engine *engine, uint32_t *regions, uint32_t *threads, unsigned *turns);

/* Writes the host indices of the pair without a route. */
void packet_bad_pair(const struct packet_engine *engine, uint32_t *source, uint32_t *destination);

#endif
