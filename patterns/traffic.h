/*
 * Patterns as traffic: where the messages of hosts go that make one after the other all the time, whatever becomes of them, and when. For
 * the packet engine.
 */
#ifndef PATTERNS_TRAFFIC_H
#define PATTERNS_TRAFFIC_H

#include "fabric/fabric.h"
#include "patterns/pattern.h"

#include <stdint.h>

/* What all are told. */
struct traffic_setup {
	const struct fabric *fabric;
	const char *topology; /* the attribute of the graph, see orcs-dot(5); NULL: none */
	uint32_t ranks;
	const uint32_t *host; /* [ranks] host indices */
	uint64_t seed, run;
};

/* A pattern with its parameters, for the ranks of a run. */
struct traffic_call {
	const struct pattern *pattern;
	struct traffic_setup setup;
	struct arg_values args;
	uint64_t *first; /* [ranks + 1] of pairs: the receivers of each rank, of which each message takes one at random; NULL: not pairs */
	uint32_t *pair;
	void *data; /* the pattern's own */
};

/*
 * From a specification. Where the pattern has no receivers of its own every rank sends to those to which it sends there, of all levels.
 * request: parameters beside it, NULL: none. Returns NULL with STATUS_USAGE, or STATUS_IO.
 */
struct traffic_call *traffic_create(
	const char *spec, const struct pattern_request *request, const struct traffic_setup *setup, struct error *error);
void traffic_free(struct traffic_call *call);

/* The rank to which the message goes; NONE: the source sends nothing. */
uint32_t traffic_receiver(const struct traffic_call *call, uint32_t source, const uint32_t word[4]);

/* ---- when */

/* When messages come: in every slot (the time that a message takes on the host's link) with the probability of the load; at random
 * (Poisson); at equal distances; in bursts: on and off by turns for exponentially distributed times, at full speed while on. */
enum injection_process { INJECTION_BERNOULLI, INJECTION_POISSON, INJECTION_PERIODIC, INJECTION_ONOFF };

/* Their names, ends with NULL. */
extern const char *const injection_names[];

struct injection {
	enum injection_process process;
	double load;   /* > 0: messages a slot, on average; above 1: more than the link can take */
	uint64_t slot; /* picoseconds */
	double burst;  /* of INJECTION_ONOFF: messages of a burst, on average; >= 1 */
};

/* Reads "poisson" or "onoff:20" to process and burst. Returns 0, or -1 with STATUS_USAGE. */
int injection_parse(const char *spec, struct injection *injection, struct error *error);

/*
 * Picoseconds from a message to the next of the same host; word: random bits of the next message alone; first: it is the host's first, and
 * the time counts from 0 (periodic messages begin at a random time of their period, in the steady state all others likewise). Integers
 * alone come from it, the same on every machine that has IEEE doubles.
 */
uint64_t injection_interval(const struct injection *injection, bool first, const uint32_t word[4]);

/* ---- what names mean with --load that mean something else without */

extern const struct pattern tornado_with_load, hotspot_with_load, hotregion_with_load, local_with_load;

#endif
