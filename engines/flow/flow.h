/*
 * The flow engine: messages are flows that share the channels max-min fairly. Static: the rates of all messages of a graph that are sent
 * together. Dynamic: messages over time, with their dependencies. The model is that of the INRFlow paper (Navaridas et al. 2019, section
 * 3.1), except for the rates, which are exact.
 */
#ifndef ENGINES_FLOW_FLOW_H
#define ENGINES_FLOW_FLOW_H

#include "fabric/fabric.h"
#include "fabric/forwarding.h"
#include "fabric/route_choice.h"
#include "patterns/task_graph.h"
#include "engines/failing.h"
#include "engines/flow/flow_rates.h"
#include "engines/flow/storage.h"
#include "engines/observation.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

struct flow_setup {
	const struct fabric *fabric;
	const struct forwarding *forwarding;
	struct route_choice *multipath; /* the multipath policy: one route per pair, or all of them; NULL: each pair has one route */
	uint32_t queue_pairs;           /* routes that each message draws and divides itself between; 0 or 1: one */
	const double *capacity;         /* [channels] bits/s */
	const double *latency;          /* [channels] seconds; NULL: none */
	double memory;                  /* bits/s of host-local messages, for each host; 0: they take no time */
	struct class_setup classes;
	struct storage_setup storage;        /* options NULL: on the own host, without limits */
	const struct cable_failure *failure; /* [failures] by time */
	size_t failures;
	struct forwarding *const
		*afterwards; /* [failures] the tables after each failure; NULL: a message that meets a failure is not delivered */
	bool drop;           /* messages without a route, or whose route fails, are left out */
	bool link_times;     /* link_use over time is kept */
	bool alone;          /* messages share nothing in dynamic runs: each takes its zero-load time */
	const volatile sig_atomic_t *stop;
};

struct flow_engine;
struct schedule;

/* Returns the engine, NULL if out of memory. */
struct flow_engine *flow_create(const struct flow_setup *setup, struct error *error);
void flow_free(struct flow_engine *engine);

/* Runs a graph dynamically; run: its number, for draws; host: [tasks] host indices. *times is valid until the next call. Graph and host are
 * borrowed until then. */
enum run_status flow_run(struct flow_engine *engine, uint64_t run, const struct task_graph *graph, const uint32_t *host,
	struct task_times *times, struct error *error);

/* Sets the schedule of the next runs, whose graphs are that of its queue: tasks then get their hosts from it. NULL: none. Borrowed. */
void flow_use_schedule(struct flow_engine *engine, struct schedule *schedule);

/*
 * Runs a graph statically: all its messages that enter the network are sent together, and all cables that fail at any time have failed.
 * exact: also computes the max-min rates, which take most of the time and memory. Histograms are valid until the next call.
 */
enum run_status flow_share(struct flow_engine *engine, const struct task_graph *graph, const uint32_t *host, bool exact,
	struct flow_shares *shares, struct error *error);

/*
 * Returns the zero-load time of a message in seconds: the latencies of its channels, plus its bits divided by the smallest capacity (xSim:
 * Jones, Engelmann 2011, section III). NAN without a route.
 */
double flow_zero_load(struct flow_engine *engine, uint32_t source, uint32_t destination, double bytes);

/* Writes the host indices of the pair without a route. */
void flow_bad_pair(const struct flow_engine *engine, uint32_t *source, uint32_t *destination);

#endif
