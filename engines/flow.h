/*
 * The flow engine: messages as flows that share the channels max-min fairly. Static: all messages of a graph at once, what rates they get.
 * Dynamic: in time, with what waits for what. The model is that of the INRFlow paper (Navaridas et al. 2019, section 3.1), but for the rates,
 * which are exact.
 */
#ifndef ENGINES_FLOW_H
#define ENGINES_FLOW_H

#include "fabric.h"
#include "flow_rates.h"
#include "forwarding.h"
#include "histogram.h"
#include "multipath.h"
#include "task_graph.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/* Time is in picoseconds, as integers: an end is rounded to the next, so every time is known but for half a picosecond for each step of the
 * longest chain of messages and computations before it. */
#define PICOSECONDS 1e12
#define NEVER UINT64_MAX
#define LONGEST_TIME (NEVER / 2) /* 106 days */

/* A cable that fails, both its directions, at a time. */
struct flow_failure {
	uint64_t time;
	uint32_t channel[2]; /* NONE: there is no opposite direction */
};

struct flow_setup {
	const struct fabric *fabric;
	const struct forwarding *forwarding;
	struct multipath *multipath;           /* one of several routes, or all; NULL: each pair has one */
	const double *capacity;                /* [channels] bits/s */
	const double *latency;                 /* [channels] seconds; NULL: none */
	double memory;                         /* bits/s of messages to the own host, for each host; 0: they take no time */
	struct class_setup classes;
	const struct flow_failure *failure;    /* [failures] by time */
	size_t failures;
	struct forwarding *const *afterwards;  /* [failures] the tables once so many cables and one have failed; NULL: what meets one is not delivered */
	bool drop;                             /* messages without a route, or whose route fails, are left out */
	bool link_times;                       /* keep what link_use shows over time */
	const volatile sig_atomic_t *stop;
};

enum flow_ending {
	FLOW_FINE,
	FLOW_FAILED = -1,      /* the memory; see the error */
	FLOW_UNROUTABLE = -2,  /* see bad_source, bad_destination */
	FLOW_INTERRUPTED = -3, /* *stop was set */
	FLOW_STUCK = -4,       /* messages have no rate, and nothing else will happen: see bad_source, bad_destination */
	FLOW_ENDLESS = -5,     /* it takes longer than LONGEST_TIME */
};

enum { LINK_BINS = 64 };

/* What became of a graph. Arrays belong to the engine, until the next run. */
struct flow_times {
	const struct task_graph *graph;
	const uint32_t *host;    /* [tasks] host indices */
	uint64_t end;            /* of the last operation: the makespan, in picoseconds */
	uint64_t *begun, *ended; /* [operations] picoseconds */
	double *alone;           /* [operations] seconds that the message would take on an idle network */
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

/* Whether the operation is a message that enters the network: what a host sends to itself is no connection of it. */
static inline bool flow_enters(const struct task_graph *graph, const uint32_t *host, uint32_t operation)
{
	return graph->kind[operation] == OPERATION_MESSAGE && host[graph->task[operation]] != host[graph->receiver[operation]];
}

struct flow_engine;

/* NULL when the memory is not there. */
struct flow_engine *flow_create(const struct flow_setup *setup, struct error *error);
void flow_free(struct flow_engine *engine);

/* Runs a graph in time; host: [tasks] host indices. *times is valid until the next call. Graph and host are borrowed until then. */
enum flow_ending flow_run(
	struct flow_engine *engine, const struct task_graph *graph, const uint32_t *host, struct flow_times *times, struct error *error);

/* All messages of a graph that enter the network at once, whatever cables fail at any time having failed; exact: also the max-min rates,
 * which take most of the time and memory. Histograms are valid until the next call. */
enum flow_ending flow_share(struct flow_engine *engine, const struct task_graph *graph, const uint32_t *host, bool exact,
	struct flow_shares *shares, struct error *error);

/* Seconds that a message takes on the idle network: the latencies of its channels, and its bits by the smallest capacity (xSim: Jones,
 * Engelmann 2011, section III). NAN without a route. */
double flow_alone(struct flow_engine *engine, uint32_t source, uint32_t destination, double bytes);

/* The length of a route; UINT32_MAX where there is none. */
uint32_t flow_hops(struct flow_engine *engine, uint32_t source, uint32_t destination);

/* The pair that had no route, as host indices. */
void flow_bad_pair(const struct flow_engine *engine, uint32_t *source, uint32_t *destination);

#endif
