/*
 * The packet engine: packets by virtual cut-through through input-queued switches with virtual lanes and credits. A packet goes on when the
 * next buffer has room for all of it; its head and its tail alone are looked at (HiNetSim, section 2.3). Messages come from a task graph
 * (closed loop), or every host makes one after the other at a load (open loop).
 *
 * Times are integers, picoseconds; what happens at one time happens in an order that depends on the fabric alone, and random numbers on the
 * host and the number of its packet: so a run yields the same in one process as cut between many.
 */
#ifndef ENGINES_PACKET_H
#define ENGINES_PACKET_H

#include "fabric.h"
#include "flow.h"
#include "packet_routing.h"
#include "task_graph.h"
#include "traffic.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/* Who of those that wait for an output is next: the one after the last served (by port and lane), the one served least recently, the oldest
 * packet, the one of the best class, of these the one of the lowest port. */
enum packet_arbiter { ARBITER_ROUND_ROBIN, ARBITER_MATRIX, ARBITER_AGE, ARBITER_PRIORITY };
extern const char *const packet_arbiters[]; /* ends with NULL */

/* Who chooses first where inputs and outputs find each other: each output of all that wait for it, or each input one of its packets, then
 * each output. */
enum packet_allocator { ALLOCATOR_OUTPUT, ALLOCATOR_INPUT };
extern const char *const packet_allocators[];

/* The processes that share one run, each with some of the nodes. */
struct packet_peers {
	int rank, count;
	const uint32_t *part; /* [nodes] the process that has it */
	void *data;
	/* Sends bytes[p] bytes to each process p; what has come for this one, one after the other in the order of processes, is in a buffer
	 * that lasts until the next call; *total bytes long. NULL: failed. */
	void *(*exchange)(void *data, void *const *send, const size_t *bytes, size_t *total, struct error *error);
	uint64_t (*least)(void *data, uint64_t number);           /* over all processes */
	void (*sum)(void *data, uint64_t *numbers, size_t count); /* over all processes, in all */
};

enum { PACKET_LARGEST = 1 << 29 /* bytes */ };
#define PACKET_ALL_ASK UINT32_MAX

struct packet_setup {
	const struct fabric *fabric;
	struct packet_router *router; /* with its lanes */
	const double *capacity;       /* [channels] bits/s */
	const double *latency;        /* [channels] seconds; NULL: none */
	uint32_t buffer;              /* bytes of each lane at each port */
	uint32_t mtu;                 /* bytes of the largest packet */
	uint32_t eager;   /* larger messages of task graphs wait for a receiver that is ready; 0: none does; PACKET_ALL_ASK: all */
	uint32_t control; /* bytes of the two packets that settle that */
	double routing_delay, arbitration_delay, credit_delay; /* seconds, of a switch */
	unsigned speedup;                                      /* packets that leave an input port at a time; 0: one of each lane */
	bool voq;                                              /* a queue for each output at each input, instead of one */
	bool store_forward;                                    /* packets go on when they are there with their tail */
	enum packet_arbiter arbiter;
	enum packet_allocator allocator;
	double inject_rate, deliver_rate;       /* bits/s between a host's memory and its adapter; 0: no limit */
	double inject_latency, deliver_latency; /* seconds */
	double memory;                          /* bits/s of messages to the own host; 0: they take no time */
	bool drop;                              /* packets without a route are left out */
	bool link_times;                        /* keep what link_busy shows */
	uint64_t seed;
	const struct packet_peers *peers; /* NULL: one process */
	const volatile sig_atomic_t *stop;
};

/* An open loop. */
struct packet_load {
	const struct traffic_call *traffic;
	struct injection injection; /* its slot is set by the engine */
	double load;                /* of what hosts' links carry */
	uint32_t bytes;             /* of a message */
	uint32_t ranks;
	const uint32_t *host; /* [ranks] host indices */
	bool crowded; /* several ranks may sit on one host: they take turns, and what they send each other does not enter the network */
	uint64_t run;
	uint64_t warmup;  /* picoseconds; NEVER: until the state is steady */
	uint64_t measure; /* picoseconds; 0: as long as it takes to see enough packets */
	uint64_t drain;   /* picoseconds to wait for packets that were sent while measuring; NEVER: long enough */
};

enum { PACKET_BATCHES = 30, LATENCY_BINS = 64 * 40 };

/* Sums over packets born in one batch of the measurement that have arrived. */
struct packet_batch {
	uint64_t packets, bytes, hops;
	uint64_t latency;  /* picoseconds, from their birth to their last byte at the host */
	uint64_t network;  /* picoseconds, from their start at the host */
	uint64_t wire;     /* picoseconds that they would take on an idle network */
	uint64_t accepted; /* bytes that arrived while the batch lasted, whenever born */
	uint64_t born;     /* packets of the batch that have begun to be sent */
};

/* Nanoseconds of a cycle, for people who count in flits and cycles. */
enum { CYCLE_NS = 1 };

/* What a run gave. Arrays belong to the engine, until the next run. */
struct packet_seen {
	double load, bytes_offered;     /* bytes offered to the network a picosecond, by all hosts */
	uint32_t senders;               /* hosts that send to others */
	double link;                    /* bytes a picosecond that the links of senders carry */
	double burst;                   /* picoseconds from burst to burst, on average; 0: messages come one by one */
	uint64_t warmup, measured, end; /* picoseconds: when measuring began, how long it lasted, when the run ended */
	bool steady;                    /* the state was steady when measuring began */
	bool saturated;                 /* more was offered than accepted: latencies are those of packets that arrived all the same */
	bool cycles;                    /* for people, times are cycles, and bytes are flits */
	bool open;                      /* an open loop; else a task graph, all of which is measured as one batch */
	struct packet_batch batch[PACKET_BATCHES];
	struct packet_batch all; /* their sum */
	uint64_t *latency_bins;  /* [LATENCY_BINS] packets measured, by packet_bin() of their latency */
	uint64_t shortest;       /* latency of these; NEVER: there are none */
	uint64_t longest;
	uint64_t packets, hops; /* delivered, and channels they have passed, over the whole run */
	uint64_t passes;        /* of channels, by all packets, also those that are still on their way */
	uint64_t unroutable;
	uint64_t out_of_order; /* packets that came after one of their message that was sent later */
	/* with link_times, while measuring: */
	uint64_t *sent;    /* [channels] bytes */
	uint64_t *busy;    /* [channels] picoseconds in which it sent */
	uint64_t *blocked; /* [channels] picoseconds in which packets waited and it was free, but the buffers beyond were full */
};

/* The bin of a latency, and the smallest latency of a bin: 64 bins for each doubling. */
unsigned packet_bin(uint64_t latency);
uint64_t packet_bin_floor(unsigned bin);

enum packet_ending {
	PACKET_FINE,
	PACKET_FAILED = -1,      /* the memory, or the routing; see the error */
	PACKET_UNROUTABLE = -2,  /* see bad_source, bad_destination */
	PACKET_INTERRUPTED = -3, /* *stop was set */
	PACKET_DEADLOCK = -4,    /* packets wait for each other in a circle: the error says which */
	PACKET_ENDLESS = -5,     /* it takes longer than there is time */
};

struct packet_engine;

/* Returns NULL with STATUS_USAGE for what cannot work (a buffer that holds no packet), STATUS_IO without memory. */
struct packet_engine *packet_create(const struct packet_setup *setup, struct error *error);
void packet_free(struct packet_engine *engine);

/* Runs a task graph; host: [tasks] host indices. *times is as of the flow engine (sent is in bits), *seen of all its packets. Both are
 * valid until the next run; graph and host are borrowed until then. */
enum packet_ending packet_run_graph(struct packet_engine *engine, const struct task_graph *graph, const uint32_t *host,
	struct flow_times *times, struct packet_seen *seen, struct error *error);

/* Runs an open loop. */
enum packet_ending packet_run_load(
	struct packet_engine *engine, const struct packet_load *load, struct packet_seen *seen, struct error *error);

/* The pair that had no route, as host indices. */
void packet_bad_pair(const struct packet_engine *engine, uint32_t *source, uint32_t *destination);

#endif
