/*
 * Congestion control of packets: switches mark packets where they queue, receivers tell the sender of marked packets, and the sender lets
 * its flow rest after each packet. A flow is a queue pair, or all queue pairs of a host and service level.
 *
 * To add a kind: write a file with one const struct control_kind, and add its line to table.c.
 */
#ifndef ENGINES_PACKET_CONTROL_CONTROL_H
#define ENGINES_PACKET_CONTROL_CONTROL_H

#include "base/args.h"
#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

/* What a switch sees of a packet that it sends. */
struct control_sight {
	uint64_t others;    /* bytes of other packets in the switch that wait for the same output and lane */
	uint32_t bytes;     /* of the packet */
	bool credits;       /* there is room for another packet beyond the output */
	uint32_t draw;      /* a random number, uniform over 32 bits */
	uint32_t *unmarked; /* of the output and lane: packets since the last marked one that could have been marked; owned by the kind */
};

/* The state of a flow; begins with zeros, and nothing resting. The union and begun are owned by its kind. Times are in picoseconds. */
struct control_flow {
	uint64_t rest_until; /* its next packet is not sent before */
	uint32_t resting;    /* the last of its queue pairs that wait until then, see packet_pairs.c; NONE */
	bool begun;
	union {
		struct {
			uint32_t index; /* into the table of delays */
			uint64_t ticks; /* of the timer that have been taken into account */
		} ib;
		struct {
			double rate, target, alpha; /* shares of the link */
			uint64_t cut;               /* time of the last reduction */
			uint64_t noticed;           /* time of the last notice that counted */
			uint64_t alpha_time, raise_time;
			double bytes;               /* sent since the last raise by bytes */
			uint32_t by_time, by_bytes; /* raises since the last reduction */
		} dcqcn;
	};
};

struct control_kind;

struct control {
	const struct control_kind *kind;
	struct arg_values args;
	uint64_t buffer; /* bytes of the buffer of a lane */
	double link;     /* bits/s of the slowest link of a host */
	bool by_level;   /* flows are those of a host and service level, not queue pairs */
	void *data;      /* owned by the kind */
};

struct control_kind {
	const char *name, *summary, *source;
	const struct arg *args;
	/* Sets data and by_level. Returns 0, or -1: STATUS_USAGE for parameters that cannot work, STATUS_IO for a file. */
	int (*setup)(struct control *control, struct error *error);
	/* Frees data; NULL: not needed. */
	void (*clear)(struct control *control);
	/* Returns whether the switch marks the packet. */
	bool (*marks)(const struct control *control, const struct control_sight *sight);
	/* The sender of the flow is told of a marked packet. */
	void (*notice)(const struct control *control, struct control_flow *flow, uint64_t now);
	/* Returns how long the flow rests after a packet of these bytes, which takes that time on the link. */
	uint64_t (*rest)(const struct control *control, struct control_flow *flow, uint64_t now, uint32_t bytes, uint64_t time);
};

/* All kinds, ends with NULL. */
extern const struct control_kind *const control_kinds[];

/* Checks the words of a specification such as "ib:threshold=9". Returns 0, or -1 with STATUS_USAGE. */
int control_check(const char *spec, struct error *error);

/*
 * Creates the congestion control of a specification, for buffers of that many bytes and hosts whose slowest link has those bits/s. NULL
 * with the error of setup.
 */
struct control *control_create(const char *spec, uint64_t buffer, double link, struct error *error);
void control_free(struct control *control);

#endif
