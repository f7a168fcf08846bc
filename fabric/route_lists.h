/*
 * Lists of routes while a set of source routes is built (source_routes.h): the routes of a pair are drafts until the next pair begins; then
 * they become a list, which all pairs with the same routes share.
 */
#ifndef FABRIC_ROUTE_LISTS_H
#define FABRIC_ROUTE_LISTS_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A route being added: its channels are lists->added[start] .. */
struct route_draft {
	size_t start;
	uint32_t count;
	double weight;
	const uint32_t *added;
};

/* A pair of hosts and the list of its routes. */
struct route_record {
	uint32_t source, destination, list;
};

struct route_lists {
	bool at_once; /* weights are shares from the beginning: no pair gets more routes later */
	/* The routes of the last pair. */
	uint32_t source, destination;
	struct route_draft *draft;
	size_t drafts, draft_capacity;
	uint32_t *added;
	size_t added_count, added_capacity;
	/* All different lists: the routes of list l are first[l] .. first[l + 1] - 1. */
	size_t *first;
	size_t lists, first_capacity;
	size_t *start; /* [routes + 1] index of the route's first channel */
	size_t routes, start_capacity;
	double *weight; /* [routes] */
	size_t weight_capacity;
	uint32_t *channel;
	size_t channels, channel_capacity;
	uint32_t *slot; /* [mask + 1] hash table of lists, NONE: free */
	uint64_t *hash; /* [lists] */
	size_t mask, hash_capacity;
	struct route_record *record;
	size_t records, record_capacity;
};

/* Creates empty lists. NULL if out of memory. at_once: see above. */
struct route_lists *route_lists_create(bool at_once, struct error *error);
void route_lists_free(struct route_lists *lists);

/* Adds a route to the drafts. Returns 0, or -1 with STATUS_IO. */
int route_lists_add(struct route_lists *lists, double weight, const uint32_t *channels, uint32_t count, struct error *error);

/* Makes the drafts, if any, the list of the last pair. Returns 0, or -1: STATUS_FABRIC for too many lists. */
int route_lists_end_pair(struct route_lists *lists, struct error *error);

/* Gives a record the routes of both records of a pair. Returns 0, or -1 as route_lists_end_pair(). */
int route_lists_join(struct route_lists *lists, struct route_record *into, const struct route_record *from, struct error *error);

/* Converts the weights of the records' lists to shares. Returns 0, or -1 as route_lists_end_pair(). */
int route_lists_share(struct route_lists *lists, struct error *error);

#endif
