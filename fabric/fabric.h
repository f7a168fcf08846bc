/*
 * The fabric: a directed multigraph of hosts and switches. All objects have dense 32-bit ids. A node is a host or a switch, numbered in the
 * order of the input; a host also has a host index 0..hosts-1 in that order. A channel is one direction of a cable; channels are numbered
 * in the order of their tails, so the channels out of node v are first_channel[v] .. first_channel[v+1]-1. Built once, then constant, and
 * independent of file formats.
 */
#ifndef FABRIC_FABRIC_H
#define FABRIC_FABRIC_H

#include "base/error.h"
#include "base/name_table.h"

#include <stdbool.h>
#include <stdint.h>

enum { NONE = UINT32_MAX };
enum { LID_LAST = 0xbfff, LMC_MOST = 7 }; /* the last unicast LID; a port has 1 << LMC of them */

/* Names and other labels, which only process 0 has. */
struct fabric_labels {
	char *pool;              /* memory of all the strings */
	char *descriptions;      /* memory of descriptions given later; NULL: none */
	const char **name;       /* [nodes] */
	const char **desc;       /* [nodes] node description, "" if none */
	uint64_t *guid;          /* [nodes] of a host that of its port; 0 if none */
	uint64_t *node_guid;     /* [nodes] of a host's adapter, if the input has it apart; 0: the port's GUID minus its number */
	uint16_t *lid;           /* [nodes] base LID; 0 if none */
	uint8_t *lmc;            /* [nodes] */
	uint32_t *port;          /* [channels] port number at the tail, 0 if unknown */
	uint32_t *peer_port;     /* [channels] port number at the head, 0 if unknown */
	uint8_t *width;          /* [channels] lanes of the link, 0 if unknown */
	struct name_table names; /* name -> node */
	const char *source;      /* the file's name, for messages; borrowed */
	unsigned long (*line_of)(const char *source, const char *node); /* line of the node's first occurrence, 0: unknown */
	struct fabric *removed; /* the nodes that --fail removed, without channels, for messages; NULL: none */
	bool plane;             /* a part of the input, whose texts can name other hosts */
	uint64_t hash;          /* of the content: nodes, channels, speeds and tables */
};

struct fabric {
	uint32_t nodes, hosts, channels;
	uint32_t *first_channel;      /* [nodes + 1] */
	uint32_t *head;               /* [channels] the node that the channel leads to */
	uint32_t *host_node;          /* [hosts] host index -> node */
	uint32_t *node_host;          /* [nodes] node -> host index, NONE for a switch */
	double *speed;                /* [channels] relative to the slowest host link; all 1 if the input gives no speeds */
	double slowest;               /* Gb/s of that link; 0 if the input gives no speeds */
	double *latency;              /* [channels] seconds; NULL if the input gives none */
	struct fabric_labels *labels; /* NULL except in process 0 */
	bool shared;                  /* the arrays are borrowed */
};

/* Allocates the arrays, all zero. Returns NULL if out of memory. */
struct fabric *fabric_create(uint32_t nodes, uint32_t hosts, uint32_t channels, struct error *error);
void fabric_free(struct fabric *fabric);

/* Returns the largest number of channels out of one node. */
uint32_t fabric_most_channels(const struct fabric *fabric);

/* Returns the tail of a channel. Time O(log nodes). */
uint32_t fabric_tail(const struct fabric *fabric, uint32_t channel);

/*
 * Pairs the channels of each cable. Returns a new array [channels]: the opposite channel, NONE if the input has only one direction. Pairs
 * by port numbers first; of the remaining ones, the k-th channel u->v belongs to the k-th v->u. Time O(channels log channels).
 */
uint32_t *fabric_reverse(const struct fabric *fabric, struct error *error);

/*
 * Converts the speeds as read (Gb/s, [channels], 0 if missing) to speeds relative to the slowest host link. Returns how many were missing
 * if only some were: then all speeds become 1.
 */
uint32_t fabric_set_speeds(struct fabric *fabric, const double *gbps);

/* Returns whether channels have different speeds. */
bool fabric_speeds_differ(const struct fabric *fabric);

#endif
