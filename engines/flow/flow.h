/*
 * The flow engine: messages as flows that share the channels max-min fairly. Static: all messages of a graph at once, what rates they get.
 * Dynamic: in time, with what waits for what. The model is that of the INRFlow paper (Navaridas et al. 2019, section 3.1), but for the
 * rates, which are exact.
 */
#ifndef ENGINES_FLOW_FLOW_H
#define ENGINES_FLOW_FLOW_H

#include "fabric/fabric.h"
#include "fabric/forwarding.h"
#include "fabric/route_choice.h"
#include "patterns/task_graph.h"
#include "engines/flow/flow_rates.h"
#include "engines/observation.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/* A cable that fails, both its directions, at a time. */
struct flow_failure {
	uint64_t time;
	uint32_t channel[2]; /* NONE: there is no opposite direction */
};

struct flow_setup {
	const struct fabric *fabric;
	const struct forwarding *forwarding;
	struct route_choice *multipath; /* one of several routes, or all; NULL: each pair has one */
	const double *capacity;         /* [channels] bits/s */
	const double *latency;          /* [channels] seconds; NULL: none */
	double memory;                  /* bits/s of messages to the own host, for each host; 0: they take no time */
	struct class_setup classes;
	const struct flow_failure *failure; /* [failures] by time */
	size_t failures;
	struct forwarding *const
		*afterwards; /* [failures] the tables once so many cables and one have failed; NULL: what meets one is not delivered */
	bool drop;           /* messages without a route, or whose route fails, are left out */
	bool link_times;     /* keep what link_use shows over time */
	const volatile sig_atomic_t *stop;
};

struct flow_engine;

/* NULL if out of memory. */
struct flow_engine *flow_create(const struct flow_setup *setup, struct error *error);
void flow_free(struct flow_engine *engine);

/* Runs a graph in time; host: [tasks] host indices. *times is valid until the next call. Graph and host are borrowed until then. */
enum run_status flow_run(
	struct flow_engine *engine, const struct task_graph *graph, const uint32_t *host, struct task_times *times, struct error *error);

/* All messages of a graph that enter the network at once, whatever cables fail at any time having failed; exact: also the max-min rates,
 * which take most of the time and memory. Histograms are valid until the next call. */
enum run_status flow_share(struct flow_engine *engine, const struct task_graph *graph, const uint32_t *host, bool exact,
	struct flow_shares *shares, struct error *error);

/* Seconds that a message takes on the idle network: the latencies of its channels, and its bits by the smallest capacity (xSim: Jones,
 * Engelmann 2011, section III). NAN without a route. */
double flow_alone(struct flow_engine *engine, uint32_t source, uint32_t destination, double bytes);

/* The pair that had no route, as host indices. */
void flow_bad_pair(const struct flow_engine *engine, uint32_t *source, uint32_t *destination);

#endif
