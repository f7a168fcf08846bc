/* What is broken of a topology: switches and cables, named or drawn (Navaridas et al.: INRFlow, JPDC 2019). */
#ifndef TOPOLOGIES_FAILURES_H
#define TOPOLOGIES_FAILURES_H

#include "base/random.h"
#include "topologies/topology.h"

struct failures {
	const struct topology *topology;
	uint32_t nodes;           /* hosts first, then switches */
	uint64_t *first;          /* [nodes + 1] number of a node's first channel */
	uint8_t *channel;         /* [channels / 8 + 1] bits: failed */
	uint8_t *node;            /* [nodes] failed */
	uint32_t switches, hosts; /* how many failed, and how many hosts have no channel left */
	uint64_t cables, all;     /* how many failed, those of failed nodes too, as failures_count() finds, and how many there are */
	uint32_t cut_off;         /* hosts with channels that are not connected with the largest group of hosts */
	struct random random;     /* for drawing */
	bool keep_connected;      /* what is drawn cuts nothing off */
};

/* How many are to be drawn. */
struct share {
	bool percent;
	double number;
};

/* Reads "2%" or "12". Returns whether text is one. */
bool share_read(const char *text, struct share *share);

/* Nothing has failed. seed: for drawing. Returns 0, or -1. Memory: 8 bytes a node, a bit a channel. */
int failures_init(struct failures *failures, const struct topology *topology, uint64_t seed, bool keep_connected, struct error *error);
void failures_clear(struct failures *failures);

/* Fails "NODE:PORT", a cable by one of its ends, ports from 1 on, or "NODE" with all its cables. Returns 0, or -1. Time O(nodes). */
int failures_name(struct failures *failures, const char *text, struct error *error);

/* The same for each line of a file; '#' begins a comment. */
int failures_file(struct failures *failures, const char *path, struct error *error);

/*
 * Draws switches, or cables but those to hosts with one port. With keep_connected it leaves out those that would cut off any node from
 * another. Returns 0, or -1: also when there are not as many.
 */
int failures_draw_switches(struct failures *failures, struct share share, struct error *error);
int failures_draw_cables(struct failures *failures, struct share share, struct error *error);

/* When all has failed: leaves out hosts without channels, and counts them and those that are cut off. Returns 0, or -1. */
int failures_count(struct failures *failures, struct error *error);

/* Whether a node is left out: it failed, or it is a host without channels, after failures_count. */
bool failures_left_out(const struct failures *failures, bool host, uint32_t node);

/* Whether the channel at a port failed, or one of its nodes. */
bool failures_channel(const struct failures *failures, struct topology_port port);

#endif
