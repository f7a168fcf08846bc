/*
 * Forwarding tables: at this node, for this destination host, leave by that channel. A node whose every destination leaves by one
 * channel (a host with its single link) needs no table, only that channel. The others have a column in one array that is ordered by
 * destination, so that all the look-ups of one route fall into one row. Where the graph names its routing function instead, there are
 * no columns, and the channel is computed.
 */
#ifndef FABRIC_FORWARDING_H
#define FABRIC_FORWARDING_H

#include "base/mapping.h"
#include "fabric/alternatives.h"
#include "fabric/computed.h"
#include "fabric/fabric.h"

#include <stdbool.h>
#include <stdint.h>

/* Where a channel leads, and where the tables of the node there stand: all a route needs to know of it. */
struct hop {
	uint32_t node;
	uint32_t column; /* of node; NONE: it has no table */
};

struct forwarding {
	uint32_t columns;
	uint32_t *column;                  /* [nodes] NONE: no table */
	uint32_t *fallback;                /* [nodes] the one channel of a node without a table, NONE if it forwards nothing */
	uint32_t *next;                    /* [hosts][columns] channel, NONE: no entry */
	struct hop *hop;                   /* [channels] */
	struct computed *computed;         /* the routing function; NULL: tables */
	bool shared;                       /* the arrays belong to somebody else */
	struct mapping *mapping;           /* in which they stand, and which is freed with them; NULL: none */
	struct alternatives *alternatives; /* where several channels list a destination; NULL: nowhere, or it was not asked for */
	bool via;                          /* packets go by way of a random switch: the graph has the attribute via="random" */
};

/* The channel by which a packet for the destination host leaves the node, NONE if it has no entry. Time O(1). */
static inline uint32_t forwarding_next(const struct forwarding *forwarding, uint32_t node, uint32_t column, uint32_t destination)
{
	if (column == NONE)
		return forwarding->computed ? computed_next(forwarding->computed, node, destination) : forwarding->fallback[node];
	return forwarding->next[(size_t)destination * forwarding->columns + column];
}

/* All channels by which packets for the destination host leave the node, and the share of each. Returns how many; *only is theirs where
 * there is but one. Time O(1). */
static inline uint32_t forwarding_ways(const struct forwarding *forwarding, uint32_t node, uint32_t destination, const uint32_t **channel,
	const double **share, uint32_t *only)
{
	static const double all = 1;
	const struct alternatives *a = forwarding->alternatives;
	uint32_t set = a ? alternatives_set(a, node, destination) : NONE;
	if (set != NONE) {
		*channel = a->channel + a->first[set];
		*share = a->share + a->first[set];
		return a->first[set + 1] - a->first[set];
	}
	*only = forwarding_next(forwarding, node, forwarding->column[node], destination);
	*channel = only;
	*share = &all;
	return *only != NONE;
}

/* The one channel by which a node forwards everything; NONE where the destination decides, or it forwards nothing. */
static inline uint32_t forwarding_only(const struct forwarding *forwarding, uint32_t node)
{
	return forwarding->column[node] == NONE ? forwarding->fallback[node] : NONE;
}

/* Whether the node forwards anything. */
static inline bool forwarding_any(const struct forwarding *forwarding, uint32_t node)
{
	return forwarding->computed || forwarding->column[node] != NONE || forwarding->fallback[node] != NONE;
}

/* How the forwarding sets of the input read; the builder counts what is odd. */
struct forwarding_oddities {
	uint64_t ambiguous;      /* (node, destination) pairs that more than one channel lists */
	uint64_t unknown;        /* names that are no node */
	char first_unknown[100]; /* one of them */
};

/* Builds tables from forwarding sets, node by node, each node's channels in their order. */
struct forwarding_builder;

struct forwarding_builder *forwarding_builder_create(const struct fabric *fabric, struct error *error);

/* From here on entries of several channels are kept whole. Returns 0, or -1 when the memory is not there. */
int forwarding_builder_keep_all(struct forwarding_builder *builder, struct error *error);

/* The forwarding set of one channel: names separated by commas, "*" for all that the node's other channels do not list, or "". Time
 * O(length). */
void forwarding_builder_add(struct forwarding_builder *builder, uint32_t channel, const char *set);

/* One host of the set, by its index. */
void forwarding_builder_add_host(struct forwarding_builder *builder, uint32_t channel, uint32_t host);

/* The weights of some hosts in the forwarding set of the channel, which was added last, as "2:H3,H9;5:H4". Returns whether they are that,
 * from 1 on, and these hosts are listed, which is looked at where entries are kept whole. */
bool forwarding_builder_weigh(struct forwarding_builder *builder, uint32_t channel, const char *weights);

/* The weight of one host that the channel lists. */
void forwarding_builder_weigh_host(struct forwarding_builder *builder, uint32_t channel, uint32_t host, uint32_t weight);

/* Ends the node: all its channels have been added. Returns 0, or -1 when the memory is not there. */
int forwarding_builder_end_node(struct forwarding_builder *builder, uint32_t node, struct error *error);

/* Makes the tables and frees the builder (also on errors, and when take is false: then NULL without an error). Time O(hosts * columns). */
struct forwarding *forwarding_builder_finish(
	struct forwarding_builder *builder, bool take, struct forwarding_oddities *oddities, struct error *error);

/* Finished tables: next is [hosts][columns], freed with what is made of it, and on errors; column [nodes] ascends, and a node without one
 * forwards everything by its only channel. Nodes whose every destination leaves by one channel lose theirs. NULL when the memory is not
 * there. Time O(hosts * columns). */
struct forwarding *forwarding_of_tables(
	const struct fabric *fabric, uint32_t *next, const uint32_t *column, uint32_t columns, struct error *error);

/* No node has an entry. NULL when the memory is not there. */
struct forwarding *forwarding_without_entries(const struct fabric *fabric, struct error *error);

/* A copy of tables, which has no routing function. NULL when the memory is not there. Time O(hosts * columns). */
struct forwarding *forwarding_copy(const struct fabric *fabric, const struct forwarding *forwarding, struct error *error);
void forwarding_free(struct forwarding *forwarding);

/* 64 bits that tell fabrics and their routes (NULL: none) apart, see struct fabric_labels. Time O(channels + hosts * columns). */
uint64_t forwarding_hash(const struct fabric *fabric, const struct forwarding *forwarding);

/* Takes the routing function for tables without an entry. */
void forwarding_compute(struct forwarding *forwarding, const struct fabric *fabric, struct computed *computed);

#endif
