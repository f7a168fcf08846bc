/* What a run of an engine came to, whichever engine made it: what metrics and timelines see. */
#ifndef ENGINES_OBSERVATION_H
#define ENGINES_OBSERVATION_H

#include "base/histogram.h"
#include "fabric/fabric.h"
#include "patterns/pairs.h"
#include "patterns/task_graph.h"

#include <stdbool.h>
#include <stdint.h>

/* Time is in picoseconds, as integers: an end is rounded to the next, so every time is known but for half a picosecond for each step of the
 * longest chain of messages and computations before it. */
#define PICOSECONDS 1e12
#define NEVER UINT64_MAX
#define LONGEST_TIME (NEVER / 2) /* 106 days */

enum { LINK_BINS = 64 };

/* A pair and the largest congestion on its route. */
struct weighed {
	struct pair pair;
	double weight;
};

/* What became of one level. */
struct level {
	uint64_t index;
	uint64_t connections, unroutable; /* pairs routed; pairs without a route, left out */
	double largest;                   /* weight; 0 without connections */
	const struct histogram *weights;  /* of the connections */
	double sums[3];                   /* over the channels: of congestion c, of routes * c, of c^2; 0 without routes */
};

/* How a run ended. */
enum run_status {
	RUN_FINE,
	RUN_FAILED = -1,      /* the error says why: the memory, or what the engine needs */
	RUN_UNROUTABLE = -2,  /* a pair has no route */
	RUN_INTERRUPTED = -3, /* *stop was set */
	RUN_STUCK = -4,       /* messages have no rate, and nothing else will happen */
	RUN_ENDLESS = -5,     /* it takes longer than there is time */
	RUN_DEADLOCK = -6,    /* packets wait for each other in a circle: the error says which */
};

/* What became of a graph. Arrays belong to the engine, until the next run. */
struct task_times {
	const struct task_graph *graph;
	const uint32_t *host;    /* [tasks] host indices */
	uint64_t end;            /* of the last operation: the makespan, in picoseconds */
	uint64_t *begun, *ended; /* [operations] picoseconds */
	double *zero_load;       /* [operations] seconds that the message would take on an idle network */
	uint16_t *hops;          /* [operations] channels of its route; of several: on average; 0 where there is none */
	uint64_t messages;       /* delivered by the network */
	uint64_t unroutable;     /* not: without a route, or the route failed */
	uint64_t rerouted;       /* on their way when a cable failed, and sent on by another route */
	bool *lost;              /* [operations] not delivered; NULL: none was lost */
	double *sent;            /* [channels] bits */
	double *bottleneck;      /* [channels] seconds in which it was the bottleneck of some message; NULL without link_times */
	double *used;            /* [LINK_BINS] bits over all channels in each of the time's bins; NULL without link_times */
	uint64_t bin;            /* picoseconds of a bin */
	uint64_t solved_whole, solved_parts; /* how often rates were found */
};

/* What became of all messages that enter the network, at once. */
struct flow_shares {
	uint64_t messages, unroutable; /* routed; not */
	double hops;                   /* mean length of their routes */
	double max_load;               /* the largest number of messages on a channel */
	struct histogram lengths;      /* of the routes: messages of each */
	struct histogram loads;        /* channels of each number of messages */
	double restricted;             /* bits/s: all at the rate of the slowest */
	double non_restricted;         /* each at its bottleneck's equal share */
	double max_min;                /* max-min fair */
	double fairness;               /* Jain's, of the max-min rates */
};

enum { PACKET_BATCHES = 30, LATENCY_BINS = 64 * 40 };

/* Sums over packets born in one batch of the measurement that have arrived. */
struct packet_batch {
	uint64_t packets, bytes, hops;
	uint64_t latency;   /* picoseconds, from their birth to their last byte at the host */
	uint64_t network;   /* picoseconds, from their start at the host */
	uint64_t zero_load; /* picoseconds that they would take on an idle network */
	uint64_t accepted;  /* bytes that arrived while the batch lasted, whenever born */
	uint64_t created;   /* packets of the batch that have begun to be sent */
};

/* Nanoseconds of a cycle, for people who count in flits and cycles; bits/s of a flit of one byte in each. */
enum { CYCLE_NS = 1 };
#define CYCLE_RATE (8e9 / CYCLE_NS)

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

/* What there is to be seen of a run: what engines give, and metrics want. */
enum seen {
	SEEN_WEIGHTS = 1,   /* levels, and pairs with the congestion of their routes */
	SEEN_TIMES = 2,     /* the graph in time */
	SEEN_SHARES = 4,    /* all messages at once */
	SEEN_EXACT = 8,     /* also their max-min rates */
	SEEN_ALONE = 16,    /* what each message takes on an idle network */
	SEEN_PACKETS = 32,  /* the packets */
	SEEN_LINKS = 64,    /* with the times: which channels were bottlenecks, and what they carried when */
	SEEN_CHANNELS = 128 /* sums of what channels carried */
};

/* What metrics see. */
struct observation {
	const struct fabric *fabric;
	const double *capacity; /* [channels] bits/s */
	const struct task_graph *graph;
	const struct task_times *times;    /* NULL: not wanted */
	const struct flow_shares *shares;  /* NULL: not wanted */
	const double *zero_load;           /* [alones] seconds; NULL: not wanted */
	uint64_t alones, unroutable;       /* messages with and without a route, of those */
	const struct packet_seen *packets; /* NULL: another engine */
	const char *topology;              /* the attribute of the graph, of the packet engine; NULL: none */
	double saturation[2];              /* loads at which the network is not saturated, and is; NAN: not asked */
	/* of every engine: */
	uint64_t connections, undelivered; /* messages, pairs or packets that came through; that did not */
	double sums[3];                    /* of all levels, see struct level */
	uint32_t source, destination;      /* host indices, where a pair has no route, or is stuck */
};

/* Whether the operation is a message that enters the network: what a host sends to itself is no connection of it. */
static inline bool flow_enters(const struct task_graph *graph, const uint32_t *host, uint32_t operation)
{
	return graph->kind[operation] == OPERATION_MESSAGE && host[graph->task[operation]] != host[graph->receiver[operation]];
}

/* The bin of a latency, and the smallest latency of a bin: 64 bins for each doubling. */
unsigned packet_bin(uint64_t latency);
uint64_t packet_bin_floor(unsigned bin);

#endif
