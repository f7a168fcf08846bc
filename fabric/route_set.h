/*
 * Source routes: for pairs of hosts several routes each, with shares of the traffic. They do not fit into tables by destination: K shortest
 * paths and the like. Hosts whose routes are alike but for their first and last channels are a group, and share them; nothing goes through
 * these. In files: see orcs-routes(5).
 */
#ifndef FABRIC_ROUTE_SET_H
#define FABRIC_ROUTE_SET_H

#include "fabric/fabric.h"

#include <stdbool.h>
#include <stdint.h>

struct route_set {
	uint32_t hosts, groups;
	uint32_t *group;       /* [hosts] */
	uint32_t *first;       /* [hosts] the channel with which the host's routes begin, NONE: it is part of them */
	uint32_t *last;        /* [hosts] the same for where they end */
	uint64_t *row;         /* [groups + 1] the pairs that begin in group g: row[g] .. row[g + 1] - 1 */
	uint32_t *destination; /* [pairs] group, ascending in each row */
	uint64_t *route;       /* [pairs + 1] the routes of pair p: route[p] .. route[p + 1] - 1; those of more weight come first */
	uint64_t *start;       /* [routes + 1] the channels of route r, without first and last: channel[start[r]] .. */
	double *share;         /* [routes] of the pair's traffic; those of a pair sum to 1 */
	uint32_t *channel;     /* [start[routes]] */
	bool shared;           /* the arrays belong to somebody else */
};

/* The routes of a pair of different hosts: *from .. *to - 1. Returns whether it has any. Time O(log pairs of the source's group). */
bool route_set_find(const struct route_set *set, uint32_t source, uint32_t destination, uint64_t *from, uint64_t *to);

/* Writes the channels of a route of a pair, its first and last included, to channels, which must hold fabric->nodes of them. Returns how
 * many. */
uint32_t route_set_channels(const struct route_set *set, uint32_t source, uint32_t destination, uint64_t route, uint32_t *channels);

/* A copy. NULL when the memory is not there. */
struct route_set *route_set_copy(const struct route_set *set, struct error *error);
void route_set_free(struct route_set *set);

/* ---- making one */

/*
 * Hosts that one cable joins with a switch, and nothing with another node, stand at a place with all others there. Routes are kept without
 * these channels, and lists of routes that are equal once; hosts of a place become a group if their lists are the same.
 */
struct route_builder {
	const struct fabric *fabric;
	bool alike;             /* hosts of a place are told of by one of them */
	uint32_t *first, *last; /* [hosts] as in struct route_set */
	uint32_t places;
	uint32_t *place;        /* [hosts] */
	uint32_t *member;       /* [hosts] place by place, those in the order of their first hosts */
	uint32_t *first_member; /* [places + 1] */
	uint32_t *order;        /* [hosts] where the host stands in member */
	uint32_t *seen, stamp;  /* [nodes] */
	struct route_lists *lists;
};

/* Without routes. alike: routes will be added between the first hosts of places only, or to the second within a place, and hold for all of
 * their hosts; those of a pair all together. The fabric is borrowed. Returns 0, or -1 when the memory is not there; route_builder_clear()
 * in every case. */
int route_builder_init(struct route_builder *builder, const struct fabric *fabric, bool alike, struct error *error);
void route_builder_clear(struct route_builder *builder);

/* Adds a route of a pair of different hosts, with a finite weight > 0. Pairs may come in any order, but it is fastest if all routes of one
 * come together; the weights of a route that is there already add up. Returns 0, or -1: STATUS_FABRIC where the channels do not lead one
 * after the other from the source to the destination, or enter a node twice. Time O(count), and once for each pair that of sorting. */
int route_builder_add(struct route_builder *builder, uint32_t source, uint32_t destination, double weight, const uint32_t *channels,
	uint32_t count, struct error *error);

/* The set; the builder is to be cleared then. NULL when the memory is not there. Time O(pairs added * log). */
struct route_set *route_builder_end(struct route_builder *builder, struct error *error);

#endif
