/*
 * Forwarding tables: the channel by which a node forwards to a destination host. A node that forwards all destinations by one channel (such
 * as a host with a single link) needs no table, only that channel. The others have a column in one array ordered by destination, so that
 * all look-ups of a route are in one row. If the graph names its routing function instead, or shortest paths are searched on demand, there
 * are no columns, and the channel is computed.
 */
#ifndef FABRIC_FORWARDING_H
#define FABRIC_FORWARDING_H

#include "base/mapped_file.h"
#include "fabric/multipath_entries.h"
#include "fabric/routing_function.h"
#include "fabric/shortest_routes.h"
#include "fabric/fabric.h"

#include <stdbool.h>
#include <stdint.h>

/* The head of a channel, and the column of that node's table: all that walking a route needs. */
struct hop {
	uint32_t node;
	uint32_t column; /* of node; NONE: no table */
};

struct forwarding {
	uint32_t columns;
	uint32_t *column;                       /* [nodes] NONE: no table */
	uint32_t *fallback;                     /* [nodes] the single channel of a node without a table, NONE if it forwards nothing */
	uint32_t *next;                         /* [hosts][columns] channel, NONE: no entry */
	struct hop *hop;                        /* [channels] */
	struct routing_function *function;      /* the routing function; NULL: tables */
	struct shortest_routes *shortest;       /* shortest paths on demand; NULL: tables */
	bool demand;                            /* function or shortest stand for the tables of an engine, for routes of few pairs */
	bool shared;                            /* the arrays are borrowed */
	struct mapped_file *mapping;            /* memory of the arrays, freed with them; NULL: none */
	struct multipath_entries *alternatives; /* entries of several channels; NULL: none, or not requested */
	bool via; /* packets are routed via a random intermediate switch: the graph has the attribute via="random" */
};

/* Returns the channel by which a packet for the destination host leaves the node, NONE if it has no entry. Time O(1). */
static inline uint32_t forwarding_next(const struct forwarding *forwarding, uint32_t node, uint32_t column, uint32_t destination)
{
	if (column == NONE)
		return forwarding->function   ? routing_function_next(forwarding->function, node, destination)
		       : forwarding->shortest ? shortest_routes_next(forwarding->shortest, node, destination)
					      : forwarding->fallback[node];
	return forwarding->next[(size_t)destination * forwarding->columns + column];
}

/*
 * Finds all channels by which packets for the destination host leave the node, and the share of each. Returns their number; a single one is
 * stored in *only. Valid until the next call. Time O(1).
 */
static inline uint32_t forwarding_ways(const struct forwarding *forwarding, uint32_t node, uint32_t destination, const uint32_t **channel,
	const double **share, uint32_t *only)
{
	static const double all = 1;
	const struct multipath_entries *a = forwarding->alternatives;
	if (forwarding->shortest && forwarding->shortest->all)
		return shortest_routes_ways(forwarding->shortest, node, destination, channel, share);
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

/* Returns the single channel by which a node forwards everything; NONE if it depends on the destination, or the node forwards nothing. */
static inline uint32_t forwarding_only(const struct forwarding *forwarding, uint32_t node)
{
	return forwarding->column[node] == NONE ? forwarding->fallback[node] : NONE;
}

/* Returns whether the node forwards anything. */
static inline bool forwarding_any(const struct forwarding *forwarding, uint32_t node)
{
	return forwarding->function || forwarding->shortest || forwarding->column[node] != NONE || forwarding->fallback[node] != NONE;
}

/* Returns whether any switch forwards anything; forwarding may be NULL. */
bool forwarding_is_routed(const struct forwarding *forwarding, const struct fabric *fabric);

/* Anomalies in the forwarding sets of the input. */
struct forwarding_oddities {
	uint64_t ambiguous;      /* (node, destination) pairs that more than one channel lists */
	uint64_t unknown;        /* number of names that are not nodes */
	char first_unknown[100]; /* one of these names */
};

/* Builds tables from forwarding sets, node by node, each node's channels in order. */
struct forwarding_builder;

struct forwarding_builder *forwarding_builder_create(const struct fabric *fabric, struct error *error);

/* Makes the builder keep entries of several channels whole. Returns 0, or -1 if out of memory. */
int forwarding_builder_keep_all(struct forwarding_builder *builder, struct error *error);

/*
 * Adds the forwarding set of a channel: names separated by commas, "*" for all hosts that the node's other channels do not list, or "".
 * Time O(length).
 */
void forwarding_builder_add(struct forwarding_builder *builder, uint32_t channel, const char *set);

/* Adds one host, by its index, to the set. */
void forwarding_builder_add_host(struct forwarding_builder *builder, uint32_t channel, uint32_t host);

/*
 * Sets the weights of some hosts in the set of the channel added last, such as "2:H3,H9;5:H4". Returns whether the text is valid: weights
 * of 1 or more, and (checked if entries are kept whole) hosts that the set lists.
 */
bool forwarding_builder_weigh(struct forwarding_builder *builder, uint32_t channel, const char *weights);

/* Sets the weight of one host that the channel lists. */
void forwarding_builder_weigh_host(struct forwarding_builder *builder, uint32_t channel, uint32_t host, uint32_t weight);

/* Ends the node after all its channels. Returns 0, or -1 if out of memory. */
int forwarding_builder_end_node(struct forwarding_builder *builder, uint32_t node, struct error *error);

/* Returns the tables and frees the builder, also on errors; if take is false, returns NULL without an error. Time O(hosts * columns). */
struct forwarding *forwarding_builder_finish(
	struct forwarding_builder *builder, bool take, struct forwarding_oddities *oddities, struct error *error);

/*
 * Creates tables from a complete array: next, [hosts][columns], becomes owned, also on errors; column [nodes] ascends, and a node without
 * one forwards everything by its only channel. Removes columns in which all destinations leave by one channel. NULL if out of memory. Time
 * O(hosts * columns).
 */
struct forwarding *forwarding_of_tables(
	const struct fabric *fabric, uint32_t *next, const uint32_t *column, uint32_t columns, struct error *error);

/* Creates tables without entries. NULL if out of memory. */
struct forwarding *forwarding_without_entries(const struct fabric *fabric, struct error *error);

/* Returns a copy of tables, without a routing function. NULL if out of memory. Time O(hosts * columns). */
struct forwarding *forwarding_copy(const struct fabric *fabric, const struct forwarding *forwarding, struct error *error);
void forwarding_free(struct forwarding *forwarding);

/* Returns 64 bits that identify a fabric and its routes (NULL: none), see struct fabric_labels. Time O(channels + hosts * columns). */
uint64_t forwarding_hash(const struct fabric *fabric, const struct forwarding *forwarding);

/*
 * Writes to *hash the forwarding_hash() of the tables that routes on demand stand for, and to *ambiguous the number of their entries of
 * several channels. The tables are not stored. Returns 0, or -1 if out of memory. Time O(hosts * columns + roots * channels).
 */
int forwarding_hash_of_demand(
	const struct fabric *fabric, const struct forwarding *forwarding, uint64_t *hash, uint64_t *ambiguous, struct error *error);

/* Sets the routing function of tables without entries, or shortest paths on demand (one is NULL), which become owned. */
void forwarding_compute(
	struct forwarding *forwarding, const struct fabric *fabric, struct routing_function *function, struct shortest_routes *shortest);

#endif
