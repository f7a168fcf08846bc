/* The options of the packet engine: a part of the command line of orcs. */
#ifndef ENGINES_PACKET_PACKET_OPTIONS_H
#define ENGINES_PACKET_PACKET_OPTIONS_H

#include "engines/engine.h"
#include "engines/packet/packet.h"

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>

enum { LOADS_MAX = 1000 };

struct packet_options {
	const char *given;       /* the first of them on the command line; NULL: none */
	bool open, closed;       /* any that open loops alone need, and any that has no effect on these */
	const char *routing;     /* see packet_routing.h; NULL: as usual */
	unsigned lanes;          /* 0: as many as the routing needs */
	uint32_t mtu;            /* bytes */
	uint32_t buffer;         /* bytes; 0: as channels need it */
	uint32_t eager, control; /* bytes; eager: see struct packet_setup */
	unsigned speedup;
	bool voq, store_forward, cycles, allow_deadlock;
	enum packet_arbiter arbiter;
	enum packet_allocator allocator;
	double routing_delay, arbitration_delay, credit_delay; /* seconds */
	double inject_rate, deliver_rate;                      /* bits/s; 0: no limit */
	double inject_latency, deliver_latency;                /* seconds */
	/* open loops */
	double load[LOADS_MAX];
	uint32_t loads;  /* 0: a closed loop */
	bool saturation; /* the load is looked for */
	const char *traffic;
	struct injection injection;
	double warmup, measure, drain; /* seconds; below 0: not given */
	const char *time[8];           /* texts of times, as their unit depends on cycles */
};

/* To be a child of the argp of orcs; its input is a struct packet_options. */
extern const struct argp packet_argp;

/* What options are when none is given, the name of one that is, and once all are read what they come to: ends the program on errors. */
void packet_options_begin(void *options);
const char *packet_options_given(const void *options);
void packet_options_settle(void *options, const struct engine_request *request, struct engine_terms *terms);

#endif
