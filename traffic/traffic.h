/*
 * Traffic: where the messages of open loops go, of which every host makes one after the other whatever becomes of them, and when. For the
 * packet engine.
 *
 * To add a kind: write traffic/NAME.c with one const struct traffic at its bottom, and name that in table.c.
 */
#ifndef TRAFFIC_TRAFFIC_H
#define TRAFFIC_TRAFFIC_H

#include "base/args.h"
#include "fabric/fabric.h"
#include "patterns/pattern.h"
#include "workloads/workload.h"

#include <stdint.h>

/* What all are told. */
struct traffic_setup {
	const struct fabric *fabric;
	const char *topology; /* the attribute of the graph, see orcs-dot(5); NULL: none */
	uint32_t ranks;
	const uint32_t *host; /* [ranks] host indices */
	uint32_t (*distance)(
		const void *data, uint32_t rank, uint32_t other); /* hops between two ranks, for workloads that ask; NULL: unknown */
	const void *data;
	uint64_t seed, run;
};

/* A kind with its parameters, for the ranks of a run. */
struct traffic_call {
	const struct traffic *traffic; /* NULL: the pairs of a pattern or of a workload without an order */
	struct traffic_setup setup;
	struct arg_values args;
	uint64_t *first; /* [ranks + 1] of pairs: the receivers of each rank, of which each message takes one at random; NULL: not pairs */
	uint32_t *pair;
	void *data; /* the kind's own */
};

struct traffic {
	const char *name, *summary, *source;
	const struct arg *args;
	/* Sees that the fabric and the ranks suit it, fills data. NULL: nothing to do. */
	int (*setup)(struct traffic_call *call, struct error *error);
	void (*clear)(struct traffic_call *call);
	/* The rank to which a message of the source goes, never itself; word: random bits of this message alone. NONE: this rank sends
	 * nothing, whatever the message. Time O(1), or O(log ranks). */
	uint32_t (*receiver)(const struct traffic_call *call, uint32_t source, const uint32_t word[4]);
};

/* All kinds, ends with NULL. */
extern const struct traffic *const traffics[];

/*
 * From a specification: a kind of the table, else a pattern or a workload whose messages do not wait for each other ("shift:3", "bitrev"):
 * then every rank sends to those to which it sends there. Returns NULL with STATUS_USAGE, or STATUS_IO.
 */
struct traffic_call *traffic_create(
	const char *spec, const struct pattern_request *request, const struct traffic_setup *setup, struct error *error);
void traffic_free(struct traffic_call *call);

/* Names the files that it reads; a specification that is wrong names none. Returns 0, or -1 as workload_files() does. */
int traffic_files(const char *spec, const struct pattern_request *request, struct files *files, struct error *error);

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

#endif
