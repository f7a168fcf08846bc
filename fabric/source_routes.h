/*
 * Source routes: several routes per pair of hosts, with shares of the traffic, such as k shortest paths, which tables by destination cannot
 * represent. Hosts whose routes are equal except for their first and last channels form a group, and share them; no route passes through
 * these hosts. For files see orcs-routes(5).
 */
#ifndef FABRIC_SOURCE_ROUTES_H
#define FABRIC_SOURCE_ROUTES_H

#include "fabric/fabric.h"

#include <stdbool.h>
#include <stdint.h>

struct source_routes;

/* Routes that are computed when they are first needed: an engine's state begins with this. */
struct source_demand {
	/* As source_routes_find(); set->route, start, share and channel may move. */
	bool (*find)(struct source_demand *demand, uint32_t source, uint32_t destination, uint64_t *from, uint64_t *to);
	/* Begins a run, whose number it can draw by; NULL: routes are the same in all runs. */
	void (*begin)(struct source_demand *demand, uint64_t run);
	uint64_t run; /* the last run that began, 0 at first */
	void (*free)(struct source_demand *demand);
	struct source_routes *set;
	struct error error; /* out of memory */
};

struct source_routes {
	uint32_t hosts, groups;
	uint32_t *group;              /* [hosts] */
	uint32_t *first;              /* [hosts] the first channel of the host's routes, NONE: it is part of the routes */
	uint32_t *last;               /* [hosts] the last channel of routes to the host, likewise */
	uint64_t *row;                /* [groups + 1] the pairs that begin in group g: row[g] .. row[g + 1] - 1 */
	uint32_t *destination;        /* [pairs] group, ascending in each row */
	uint64_t *route;              /* [pairs + 1] the routes of pair p: route[p] .. route[p + 1] - 1, in descending order of weight */
	uint64_t *start;              /* [routes + 1] the channels of route r, without first and last: channel[start[r]] .. */
	double *share;                /* [routes] share of the pair's traffic; those of a pair sum to 1 */
	uint32_t *channel;            /* [start[routes]] */
	bool shared;                  /* the arrays are borrowed */
	struct source_demand *demand; /* routes on demand, owned: the arrays of pairs are NULL, all others its own; NULL: all are here */
};

/* Finds the routes of a pair of different hosts: *from .. *to - 1. Returns whether it has any. Time O(log pairs of the source's group). */
bool source_routes_find(const struct source_routes *set, uint32_t source, uint32_t destination, uint64_t *from, uint64_t *to);

/* Writes the channels of a route of a pair, including first and last, to channels, [fabric->nodes]. Returns their number. */
uint32_t source_routes_channels(const struct source_routes *set, uint32_t source, uint32_t destination, uint64_t route, uint32_t *channels);

/* Returns a copy, NULL if out of memory. */
struct source_routes *source_routes_copy(const struct source_routes *set, struct error *error);
void source_routes_free(struct source_routes *set);

/* ---- construction */

/*
 * Builds a set. Hosts that one cable links to a switch, and that have no other link, share a place with all such hosts of that switch.
 * Routes are stored without these channels, and equal lists of routes once; hosts of a place become a group if their lists are equal.
 */
struct route_builder {
	const struct fabric *fabric;
	bool alike;             /* one host of a place represents all */
	uint32_t *first, *last; /* [hosts] as in struct source_routes */
	uint32_t places;
	uint32_t *place;        /* [hosts] */
	uint32_t *member;       /* [hosts] place by place, in the order of their first hosts */
	uint32_t *first_member; /* [places + 1] */
	uint32_t *order;        /* [hosts] index of the host in member */
	uint32_t *seen, stamp;  /* [nodes] */
	struct route_lists *lists;
};

/*
 * Creates a builder without routes. alike: routes will only be added between the first hosts of places, or to the second within a place,
 * and apply to all of their hosts; those of a pair all together. The fabric is borrowed. Returns 0, or -1 if out of memory; call
 * route_builder_clear() in either case.
 */
int route_builder_init(struct route_builder *builder, const struct fabric *fabric, bool alike, struct error *error);
void route_builder_clear(struct route_builder *builder);

/*
 * Adds a route of a pair of different hosts, with a finite weight > 0. Pairs may come in any order, but it is fastest if all routes of one
 * come together; the weights of equal routes add up. Returns 0, or -1: STATUS_FABRIC if the channels do not form a path from the source to
 * the destination, or enter a node twice. Time O(count), plus sorting once per pair.
 */
int route_builder_add(struct route_builder *builder, uint32_t source, uint32_t destination, double weight, const uint32_t *channels,
	uint32_t count, struct error *error);

/* Returns the set; the builder must be cleared afterwards. NULL if out of memory. Time O(pairs added * log). */
struct source_routes *route_builder_end(struct route_builder *builder, struct error *error);

#endif
