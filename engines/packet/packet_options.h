/* The options of the packet engine: a part of the command line of orcs. */
#ifndef ENGINES_PACKET_PACKET_OPTIONS_H
#define ENGINES_PACKET_PACKET_OPTIONS_H

#include "engines/engine.h"
#include "engines/packet/packet.h"
#include "engines/packet/packet_channels.h"
#include "engines/packet/packet_qos.h"
#include "engines/packet/packet_sweep.h"

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>

struct link_preset;

struct packet_options {
	const char *given;   /* the first of them on the command line; NULL: none */
	bool open, closed;   /* whether any option is given that requires an open loop, or that has no effect on one */
	const char *routing; /* see packet_routing.h; NULL: the default */
	/* not given: as many lanes as the routing needs, buffers that keep the channels busy */
	struct tier_values of_channels[CHANNEL_VALUES];
	uint32_t mtu;                                /* bytes */
	uint32_t eager, control;                     /* bytes; eager: see struct packet_setup */
	uint32_t header, first_header, credit_block; /* see struct packet_setup */
	uint32_t qp_burst;                           /* the same; 0: not given */
	bool headers;                                /* headers are given */
	const char *congestion;                      /* congestion control; NULL: none */
	const struct link_preset *preset;            /* NULL: none */
	enum { QPS_DEFAULT, QPS_PAIR, QPS_ONE } qps; /* queue pairs of a host */
	unsigned speedup, coarsen;
	uint32_t regions, threads; /* see struct packet_setup */
	double internal_rate;
	bool voq, store_forward, cycles, allow_deadlock;
	enum packet_arbiter arbiter;
	enum packet_allocator allocator;
	struct packet_qos_options qos;
	double routing_delay, arbitration_delay, credit_delay; /* seconds, where channels have none of their own */
	double inject_rate, deliver_rate;                      /* bits/s; 0: no limit */
	double inject_latency, deliver_latency;                /* seconds */
	/* open loops */
	double load[SWEEP_MAX];   /* offered; with interarrival the seconds between messages */
	uint32_t loads;           /* 0: a closed loop */
	const char *interarrival; /* the times as text, as their unit depends on cycles; NULL: loads are given */
	double size[SWEEP_MAX];   /* bytes of a message, in closed loops, too */
	uint32_t sizes;           /* 0: one, that of all engines */
	const char *drawn_sizes;  /* the distribution of the sizes of messages; NULL: all have the same */
	bool saturation;          /* the saturation load is searched */
	const char *traffic;
	struct injection injection;
	double warmup, measure, drain; /* seconds; below 0: not given */
	const char *time[8];           /* times as text, as their unit depends on cycles */
};

/* A child of the argp of orcs; its input is a struct packet_options. */
extern const struct argp packet_argp;

/* Set the defaults; return the name of an option that is given, or NULL; set the terms after all options are read, and end the program on
 * errors. */
void packet_options_begin(void *options);
const char *packet_options_given(const void *options);
void packet_options_settle(void *options, const struct engine_request *request, struct engine_terms *terms);

#endif
