/* Failed switches and cables of a topology, named or drawn at random (Navaridas et al.: INRFlow, JPDC 2019). */
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
	uint32_t switches, hosts; /* numbers of failed switches, and of hosts without a remaining channel */
	uint64_t cables, all; /* numbers of failed cables, including those of failed nodes (set by failures_count()), and of all cables */
	uint32_t cut_off;     /* hosts with channels that are not connected with the largest group of hosts */
	struct random random; /* generator for drawing */
	bool keep_connected;  /* drawn failures disconnect nothing */
};

/* The number to draw. */
struct share {
	bool percent;
	double number;
};

/* Reads "2%" or "12". Returns whether text is valid. */
bool share_read(const char *text, struct share *share);

/* Starts without failures. seed: for drawing. Returns 0, or -1. Memory: 8 bytes per node, one bit per channel. */
int failures_init(struct failures *failures, const struct topology *topology, uint64_t seed, bool keep_connected, struct error *error);
void failures_clear(struct failures *failures);

/*
 * Fails "NODE:PORT", a cable given by one of its ends, with ports numbered from 1, or "NODE" with all its cables. Returns 0, or -1. Time
 * O(nodes).
 */
int failures_name(struct failures *failures, const char *text, struct error *error);

/* Fails the node or cable on each line of a file; '#' begins a comment. */
int failures_file(struct failures *failures, const char *path, struct error *error);

/*
 * failures_draw_switches() draws switches; the function below, cables except those to hosts with one port. With keep_connected they leave
 * out those that would disconnect any node from another. Return 0, or -1, also if there are not enough.
 */
int failures_draw_switches(struct failures *failures, struct share share, struct error *error);
int failures_draw_cables(struct failures *failures, struct share share, struct error *error);

/* Ends the failures: leaves out hosts without channels, and counts them and the disconnected ones. Returns 0, or -1. */
int failures_count(struct failures *failures, struct error *error);

/* Returns whether a node is left out: it failed, or, after failures_count, it is a host without channels. */
bool failures_left_out(const struct failures *failures, bool host, uint32_t node);

/* Returns whether the channel at a port, or one of its nodes, failed. */
bool failures_channel(const struct failures *failures, struct topology_port port);

#endif
