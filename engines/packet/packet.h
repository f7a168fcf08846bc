/*
 * The packet engine: packets by virtual cut-through through input-queued switches with virtual lanes and credits. A packet goes on when the
 * next buffer has room for all of it; its head and its tail alone are looked at (HiNetSim, section 2.3). Messages come from a task graph
 * (closed loop), or every host makes one after the other at a load (open loop).
 *
 * Times are integers, picoseconds; what happens at one time happens in an order that depends on the fabric alone, and random numbers on the
 * host and the number of its packet: so a run yields the same in one process as cut between many.
 */
#ifndef ENGINES_PACKET_PACKET_H
#define ENGINES_PACKET_PACKET_H

#include "fabric/fabric.h"
#include "patterns/task_graph.h"
#include "patterns/traffic.h"
#include "engines/packet/routing/packet_routing.h"
#include "engines/observation.h"

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
	bool oversubscribed; /* several ranks may sit on one host: they take turns, and what they send each other does not enter the network
			      */
	uint64_t run;
	uint64_t warmup;  /* picoseconds; NEVER: until the state is steady */
	uint64_t measure; /* picoseconds; 0: as long as it takes to see enough packets */
	uint64_t drain;   /* picoseconds to wait for packets that were sent while measuring; NEVER: long enough */
};

struct packet_engine;

/* Returns NULL with STATUS_USAGE for what cannot work (a buffer that holds no packet), STATUS_IO without memory. */
struct packet_engine *packet_create(const struct packet_setup *setup, struct error *error);
void packet_free(struct packet_engine *engine);

/* Runs a task graph; host: [tasks] host indices. *times is as of the flow engine (sent is in bits), *seen of all its packets. Both are
 * valid until the next run; graph and host are borrowed until then. */
enum run_status packet_run_graph(struct packet_engine *engine, const struct task_graph *graph, const uint32_t *host,
	struct task_times *times, struct packet_seen *seen, struct error *error);

/* Runs an open loop. */
enum run_status packet_run_load(
	struct packet_engine *engine, const struct packet_load *load, struct packet_seen *seen, struct error *error);

/* The pair that had no route, as host indices. */
void packet_bad_pair(const struct packet_engine *engine, uint32_t *source, uint32_t *destination);

#endif
