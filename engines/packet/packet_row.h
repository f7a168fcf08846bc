/* The packet engine as a row of the table of engines: what it keeps; for packet_engine.c and packet_setup.c. */
#ifndef ENGINES_PACKET_PACKET_ROW_H
#define ENGINES_PACKET_PACKET_ROW_H

#include "engines/packet/packet_options.h"

struct packets {
	const struct engine_setup *setup;
	const struct packet_options *options;
	const char *name; /* of the routing */
	struct packet_router_setup routing;
	struct packet_router *router;
	struct packet_setup packet;
	struct packet_peers peers;
	struct control *control; /* congestion control; NULL: none */
	struct packet_qos qos;
	struct failing failing;
	struct packet_engine *engine;
	struct packet_channels own; /* what channels have of their own */
	uint32_t *buffers;          /* [channels] NULL: the same everywhere */
	struct channel_delays *delays;
	uint8_t *channel_lanes;
	struct lane_map lane_maps[PACKET_LANES_MAX + 1];
	struct message_sizes sizes; /* of open loops, if they are drawn */
	uint32_t *part;             /* [nodes] process of each node; NULL: every process has runs of its own */
	uint64_t passes, marked;    /* channels passed by packets in all runs so far; packets marked by congestion control */
	double coarse_error;        /* the estimated error of --coarsen, of the first run; NAN: there is none */
	struct channel_sums sums;
	/* of the last run */
	struct packet_seen seen;
	struct task_times times;
};

/* Returns 0, or -1 with the same error in all processes if one of them has failed. Collective. */
static inline int packets_agree(const struct packets *p, struct error *error)
{
	return p->setup->peers->agree(p->setup->peers->data, error);
}

/*
 * Creates the routing, checks for deadlocks (or reports them, if that is permitted), and creates the engine, divided between the processes
 * if they share runs. Returns 0, or -1. Collective.
 */
int packets_make(struct packets *packets, struct error *error);

#endif
