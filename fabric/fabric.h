/*
 * The fabric: a directed multigraph of hosts and switches. Everything has a dense 32-bit id. A node is a host or a switch, in the
 * order of the input; a host also has a host index 0..hosts-1 in that order. A channel is one direction of a cable; channels count
 * in the order of their tails, so that the channels out of node v are first_channel[v] .. first_channel[v+1]-1.
 * Built once, then constant. It knows no file format.
 */
#ifndef FABRIC_FABRIC_H
#define FABRIC_FABRIC_H

#include "base/error.h"
#include "base/names.h"

#include <stdbool.h>
#include <stdint.h>

enum { NONE = UINT32_MAX };
enum { LID_LAST = 0xbfff }; /* the last unicast LID */

/* What the first process knows beyond the graph: how things are called. */
struct fabric_labels {
	char *pool;                                                     /* holds all the strings */
	char *descriptions;                                             /* holds those that were given later; NULL: none */
	const char **name;                                              /* [nodes] */
	const char **desc;                                              /* [nodes] node description, "" where there is none */
	uint64_t *guid;                                                 /* [nodes] 0 where there is none */
	uint16_t *lid;                                                  /* [nodes] likewise */
	uint32_t *port;                                                 /* [channels] port number at the tail, 0 where unknown */
	uint32_t *peer_port;                                            /* [channels] port number at the head, 0 where unknown */
	struct names names;                                             /* name -> node */
	const char *source;                                             /* the file's name, for messages; borrowed */
	unsigned long (*line_of)(const char *source, const char *node); /* where in it a node first stands, 0: unknown */
	uint64_t hash;                                                  /* of the content: nodes, channels, speeds and tables */
};

struct fabric {
	uint32_t nodes, hosts, channels;
	uint32_t *first_channel;      /* [nodes + 1] */
	uint32_t *head;               /* [channels] the node it leads to */
	uint32_t *host_node;          /* [hosts] host index -> node */
	uint32_t *node_host;          /* [nodes] node -> host index, NONE for a switch */
	double *speed;                /* [channels] relative to the slowest host link; all 1 where the input gives no speeds */
	double slowest;               /* Gb/s of that link; 0 where the input gives no speeds */
	double *latency;              /* [channels] seconds; NULL where the input gives none */
	struct fabric_labels *labels; /* NULL but in the first process */
	bool shared;                  /* the arrays belong to somebody else */
};

/* Allocates the arrays for so many nodes, hosts and channels, all zero. Returns NULL when the memory is not there. */
struct fabric *fabric_create(uint32_t nodes, uint32_t hosts, uint32_t channels, struct error *error);
void fabric_free(struct fabric *fabric);

/* The largest number of channels out of one node. */
uint32_t fabric_most_channels(const struct fabric *fabric);

/* The tail of a channel. Time O(log nodes). */
uint32_t fabric_tail(const struct fabric *fabric, uint32_t channel);

/*
 * Pairs the channels of each cable: reverse[channel] (new, [channels]) is the opposite direction, NONE where the input has only
 * one. By port numbers first; of what is left, the k-th channel u->v goes with the k-th v->u. Time O(channels log channels).
 */
uint32_t *fabric_reverse(const struct fabric *fabric, struct error *error);

/* The speeds as read, Gb/s [channels], 0 where not given, become relative to the slowest host link. Returns how many were missing when only
 * some were: then all count alike. */
uint32_t fabric_set_speeds(struct fabric *fabric, const double *gbps);

#endif
