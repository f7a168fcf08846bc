/*
 * Patterns as open-loop traffic: the receivers and the times of messages that hosts create one after another, whatever becomes of them. For
 * the packet engine.
 */
#ifndef PATTERNS_TRAFFIC_H
#define PATTERNS_TRAFFIC_H

#include "fabric/fabric.h"
#include "patterns/pattern.h"

#include <stdint.h>

/* The input of all patterns. */
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
	uint64_t *first; /* [ranks + 1] for pairs: the receivers of each rank, of which each message draws one; NULL: not pairs */
	uint32_t *pair;
	uint8_t *level; /* the same for the service levels of the pairs; NULL: none has one of its own */
	void *data;     /* the pattern's own */
};

/*
 * Creates traffic from a specification. If the pattern has no receivers of its own, every rank sends to its receivers in all levels.
 * request: parameters beside it, NULL: none. Returns NULL with STATUS_USAGE, or STATUS_IO.
 */
struct traffic_call *traffic_create(
	const char *spec, const struct pattern_request *request, const struct traffic_setup *setup, struct error *error);
void traffic_free(struct traffic_call *call);

/* Returns the rank to which the message goes; NONE: the source sends nothing. */
uint32_t traffic_receiver(const struct traffic_call *call, uint32_t source, const uint32_t word[4]);

/*
 * Returns the service level of the same message, SERVICE_LEVEL_OF_PAIR if it has none of its own; those of all messages, a bit each; and
 * the share of the load that the source sends.
 */
unsigned traffic_service_level(const struct traffic_call *call, uint32_t source, const uint32_t word[4]);
uint32_t traffic_service_levels(const struct traffic_call *call);
double traffic_share(const struct traffic_call *call, uint32_t source);

/* ---- times */

/*
 * The times of messages: in every slot (the time of a message on the host's link) with the probability of the load; at random (Poisson); at
 * equal intervals; or in bursts: alternately on and off for exponentially distributed times, at full speed while on.
 */
enum injection_process { INJECTION_BERNOULLI, INJECTION_POISSON, INJECTION_PERIODIC, INJECTION_ONOFF };

/* Their names, ends with NULL. */
extern const char *const injection_names[];

struct injection {
	enum injection_process process;
	double load;   /* > 0: mean messages per slot; above 1: more than the link can carry */
	uint64_t slot; /* picoseconds */
	double burst;  /* of INJECTION_ONOFF: mean messages of a burst; >= 1 */
};

/* Reads "poisson" or "onoff:20" to process and burst. Returns 0, or -1 with STATUS_USAGE. */
int injection_parse(const char *spec, struct injection *injection, struct error *error);

/*
 * Returns the picoseconds between a message and the next of the same host; word: random bits of the next message alone; first: it is the
 * host's first, and the time counts from 0 (periodic messages begin at a random time of their period; the others begin in the steady
 * state). The result is the same on every machine that has IEEE doubles.
 */
uint64_t injection_interval(const struct injection *injection, bool first, const uint32_t word[4]);

/* ---- names with another meaning if --load is given */

extern const struct pattern tornado_with_load, diagonal_with_load, hotspot_with_load, hotregion_with_load, local_with_load, jobs_with_load;

#endif
