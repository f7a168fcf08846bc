/* The observations of a run, for metrics and timelines, whichever engine made it. */
#ifndef ENGINES_OBSERVATION_H
#define ENGINES_OBSERVATION_H

#include "base/histogram.h"
#include "base/statistics.h"
#include "fabric/fabric.h"
#include "patterns/pairs.h"
#include "patterns/task_graph.h"

#include <stdbool.h>
#include <stdint.h>

struct schedule;

/*
 * Times are integers, in picoseconds. An end is rounded to the nearest, so the error of a time is at most half a picosecond for each step
 * of the longest chain of messages and computations before it.
 */
#define PICOSECONDS 1e12
#define NEVER UINT64_MAX
#define LONGEST_TIME (NEVER / 2) /* 106 days */

enum { LINK_BINS = 64 };

/* A pair and its weight: the largest congestion on its route, see engines/congestion/congestion.h. */
struct weighed {
	struct pair pair;
	double weight;
};

/* The result of one level. */
struct level {
	uint64_t index;
	uint64_t connections, unroutable; /* pairs routed; unreachable pairs, left out */
	double largest;                   /* the largest weight; 0 without connections */
	const struct histogram *weights;  /* of the connections */
	const struct histogram *rates;    /* of the connections, in Gb/s; NULL: speeds do not count */
	double sums[3];                   /* sums over the channels with congestion c: of c, of routes * c, of c^2; 0 without routes */
};

/* How a run ended. */
enum run_status {
	RUN_OK,
	RUN_FAILED = -1,      /* see the error: out of memory, or a requirement of the engine */
	RUN_UNROUTABLE = -2,  /* a pair has no route */
	RUN_INTERRUPTED = -3, /* *stop was set */
	RUN_STUCK = -4,       /* messages have no rate, and no event will change that */
	RUN_ENDLESS = -5,     /* the times exceed the longest time */
	RUN_DEADLOCK = -6,    /* packets wait for one another in a cycle, which the error names */
};

/* The result of a dynamic run of a graph. Arrays are borrowed from the engine, until the next run. */
struct task_times {
	const struct task_graph *graph;
	const uint32_t *host;                /* [tasks] host indices */
	uint64_t end;                        /* end of the last operation: the makespan, in picoseconds */
	uint64_t *begun, *ended;             /* [operations] picoseconds */
	double *zero_load;                   /* [operations] zero-load seconds of the message */
	uint16_t *hops;                      /* [operations] channels of its route; of several: the mean; 0: no route */
	uint64_t messages;                   /* delivered by the network */
	uint64_t unroutable;                 /* not delivered: no route, or the route failed; including transfers */
	uint64_t transfers, lost_transfers;  /* those through the network that have ended, and those that did not arrive */
	uint64_t rerouted;                   /* in transit when a cable failed, and sent on by another route */
	bool *lost;                          /* [operations] not delivered; NULL: none was lost */
	double *sent;                        /* [channels] bits */
	double *bottleneck;                  /* [channels] seconds in which it was the bottleneck of a message; NULL without link_times */
	double *used;                        /* [LINK_BINS] bits over all channels in each time bin; NULL without link_times */
	uint64_t bin;                        /* picoseconds of a bin */
	uint64_t solved_whole, solved_parts; /* number of solutions of the rates */
	const struct schedule *schedule;     /* of a queue of jobs; NULL: there is none */
};

/* The result of a static run: all messages that enter the network are sent together. */
struct flow_shares {
	uint64_t messages, unroutable; /* routed; not */
	double hops;                   /* mean length of their routes */
	double max_load;               /* the largest number of messages on a channel */
	struct histogram lengths;      /* messages by length of their routes */
	struct histogram loads;        /* channels by number of messages */
	double restricted;             /* bits/s: all messages at the rate of the slowest */
	double non_restricted;         /* each message at the equal share of its bottleneck */
	double mean_use;               /* mean over all channels of messages / capacity, in s/bit */
	double alone;                  /* mean over the messages of that share, as a share of what the slower of a message's host links
				  carries alone; NAN: all capacities are equal, or loads are split */
	double max_min;                /* max-min fair */
	double fairness;               /* Jain's index of the max-min rates */
};

enum { PACKET_BATCHES = BATCHES_MAX, LATENCY_BINS = 64 * 40 };

/* Sums over the packets that were created in one batch of the measurement and have arrived. */
struct packet_batch {
	uint64_t packets, bytes, hops;
	uint64_t latency;   /* picoseconds from creation to the arrival of the last byte at the host */
	uint64_t network;   /* picoseconds from injection at the source host */
	uint64_t zero_load; /* picoseconds of zero-load latency */
	uint64_t accepted;  /* bytes that arrived during the batch, whenever created */
	uint64_t created;   /* packets of the batch that have been injected */
};

/*
 * Messages of an open loop by their size: class c has those of at most MESSAGE_CLASS_LEAST 10^c bytes that are not in the one before; the
 * last has all others. Slowdowns are multiplied by 2^SLOWDOWN_BITS.
 */
enum { MESSAGE_CLASSES = 8, MESSAGE_CLASS_LEAST = 1000, SLOWDOWN_BITS = 20 };

/* The messages of a class that were created during the measurement and have arrived. */
struct message_class {
	uint64_t messages, bytes;
	uint64_t time, slow;                                  /* sums of completion times, in picoseconds, and of slowdowns */
	uint64_t shortest, longest, least_slow, most_slow;    /* shortest and least_slow: NEVER without messages */
	uint64_t bins[LATENCY_BINS], slow_bins[LATENCY_BINS]; /* by packet_bin() of both */
};

/* What the packets of one host were, in sums of integers. Measured packets are those created during the measurement that have arrived. */
struct packet_host {
	uint64_t received;               /* bytes of packets for the host that arrived during the measurement */
	uint64_t packets, latency, hops; /* of its measured packets */
	uint64_t p99;                    /* picoseconds that 99% of these latencies do not exceed, to one part in 128; 0: there are none */
};

/* The queues of a channel at a moment. */
struct queue_sample {
	uint32_t channel;
	uint32_t held;    /* bytes in the buffers at its head, or on their way there */
	uint32_t waiting; /* bytes of packets that request it */
	uint32_t next;    /* the channel that most of the bytes in these buffers request; NONE: nothing is requested */
	uint32_t full;    /* 1: the buffer of one of its lanes has no room for another packet */
};

/* The queues that are not empty, at moments at equal intervals from the beginning of a run to its end. */
struct packet_queues {
	uint64_t interval; /* picoseconds; moment m is at (m + 1) * interval */
	uint64_t buffer;   /* bytes of all buffers of a channel; the most, if they differ */
	size_t moments;
	size_t *first;               /* [moments + 1] the samples of each moment: */
	struct queue_sample *sample; /* [first[moments]] ascending by channel within a moment */
};

/* Nanoseconds of a cycle, for reports in flits and cycles; bits/s of one flit of one byte per cycle. */
enum { CYCLE_NS = 1 };
#define CYCLE_RATE (8e9 / CYCLE_NS)

/* The measured packets of a service level. */
struct packet_level {
	uint64_t packets, latency, longest; /* latencies in picoseconds */
	uint64_t accepted;                  /* bytes that arrived during the measurement */
};

/* The result of a run of packets. Arrays are borrowed from the engine, until the next run. */
struct packet_seen {
	double load, bytes_offered;     /* bytes per picosecond offered to the network by all hosts */
	uint32_t senders;               /* hosts that send to other hosts */
	double link;                    /* bytes per picosecond that the links of senders carry */
	double burst;                   /* mean picoseconds between bursts; 0: single messages */
	uint64_t warmup, measured, end; /* picoseconds: beginning and length of the measurement, end of the run */
	bool steady;                    /* the state was steady when the measurement began */
	bool precise;                   /* it was measured until the requested precision was reached; or none was requested */
	bool saturated;                 /* more was offered than accepted: latencies are those of the packets that arrived nevertheless */
	bool cycles;                    /* reported times are cycles, and bytes are flits */
	bool open;                      /* an open loop; otherwise a task graph, which is measured as one batch */
	struct packet_batch batch[PACKET_BATCHES];
	struct packet_batch all; /* the sum of the batches */
	uint64_t *latency_bins;  /* [LATENCY_BINS] measured packets, by packet_bin() of their latency */
	uint64_t shortest;       /* the shortest of their latencies; NEVER: there are none */
	uint64_t longest;
	const struct message_class *messages; /* [MESSAGE_CLASSES] of an open loop, if requested; otherwise NULL */
	uint64_t packets, hops;               /* delivered packets and the channels they passed, over the whole run */
	uint64_t passes;                      /* passed channels of all packets, including those still in transit */
	uint64_t unroutable;
	uint64_t marked;        /* packets that congestion control marked */
	uint64_t made;          /* packets that hosts have made, over the whole run */
	uint64_t lost, damaged; /* packets lost because cables failed; of these, with a part on the cable */
	uint64_t out_of_order;  /* packets that arrived after a packet of their message that was sent later */
	/* by service level, if asked for: */
	struct packet_level *level; /* [SERVICE_LEVELS_MOST] */
	uint64_t *level_bins;       /* [SERVICE_LEVELS_MOST][LATENCY_BINS] as latency_bins */
	uint64_t *lane_bytes;       /* [channels][lanes] that channels carried on each lane during the measurement */
	unsigned lanes;
	uint64_t *accepted;       /* [hosts] bytes of the host's packets that arrived during the measurement; NULL: not requested */
	bool *sends;              /* [hosts] whether the host sends to others in an open loop; NULL: not requested */
	struct packet_host *host; /* [hosts] NULL: not requested */
	const struct packet_queues *queues; /* NULL: not requested */
	/* with link_times, during the measurement: */
	uint64_t *sent;    /* [channels] bytes */
	uint64_t *left;    /* [channels] packets */
	uint64_t *busy;    /* [channels] picoseconds in which it was sending */
	uint64_t *blocked; /* [channels] picoseconds in which it was free and packets waited, but the downstream buffers were full */
};

/* The observations that engines give and metrics need. */
enum seen {
	SEEN_WEIGHTS = 1,    /* levels, and pairs with the congestion of their routes */
	SEEN_TIMES = 2,      /* the dynamic run of the graph */
	SEEN_SHARES = 4,     /* the static run of the graph */
	SEEN_EXACT = 8,      /* also their max-min rates */
	SEEN_ALONE = 16,     /* zero-load times of the messages */
	SEEN_PACKETS = 32,   /* the packets */
	SEEN_LINKS = 64,     /* with the times: which channels were bottlenecks, and what they carried over time */
	SEEN_CHANNELS = 128, /* sums over the channels */
	SEEN_QUEUE = 256,    /* with the times: the schedule of a queue of jobs */
	SEEN_ACCEPTED = 512, /* with the packets: what arrived of each host's */
	SEEN_HOSTS = 1024,   /* with the packets: what those of each host were, and its links */
	SEEN_CARRIED = 2048, /* with the sums over the channels: bytes and packets */
	SEEN_QUEUES = 4096,  /* with the packets: the queues over time */
	SEEN_LEVELS = 8192,  /* the packets by service level and virtual lane */
	SEEN_IDLE = 16384,   /* with the times: when the run would end if messages shared nothing */
};

/* The input of metrics. */
struct observation {
	uint64_t run;
	uint64_t points; /* runs of each placement, one after another, see struct engine_terms */
	double bytes;    /* of a message, if the points have different ones; otherwise NAN */
	const struct fabric *fabric;
	const double *capacity; /* [channels] bits/s */
	const struct task_graph *graph;
	const struct task_times *times;    /* NULL: not requested */
	uint64_t idle;                     /* picoseconds: the makespan if messages shared nothing, and nothing failed; SEEN_IDLE */
	const struct flow_shares *shares;  /* NULL: not requested */
	const double *zero_load;           /* [alones] seconds; NULL: not requested */
	uint64_t alones, unroutable;       /* messages with and without a route among those */
	const struct packet_seen *packets; /* NULL: another engine */
	const char *topology;              /* attribute of the graph, for the packet engine; NULL: none */
	double saturation[2];              /* the largest load below saturation, the smallest above; NAN: not searched */
	/* by every engine: */
	uint64_t connections, undelivered; /* delivered messages, pairs or packets; undelivered ones */
	double sums[3];                    /* sums over all levels, see struct level */
	uint32_t source, destination;      /* host indices of a pair without a route, or that is stuck */
};

/* Returns whether the operation is a message that enters the network; a host-local message does not. */
static inline bool flow_enters(const struct task_graph *graph, const uint32_t *host, uint32_t operation)
{
	return graph->kind[operation] == OPERATION_MESSAGE && host[graph->task[operation]] != host[graph->receiver[operation]];
}

/* Return the bin of a latency, and the smallest latency of a bin: 64 bins for each doubling. */
unsigned packet_bin(uint64_t latency);
uint64_t packet_bin_floor(unsigned bin);

#endif
