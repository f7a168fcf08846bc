/*
 * Lists of routes while a set of source routes is made (route_set.h): the routes of a pair are drafts until the next pair comes, then they
 * are a list, and pairs whose routes are the same share one.
 */
#ifndef FABRIC_ROUTE_LISTS_H
#define FABRIC_ROUTE_LISTS_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A route that is being added: its channels are lists->added[start] .. */
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
	bool at_once; /* weights are shares from the beginning: no more routes will come for a pair */
	/* The routes of the pair that came last. */
	uint32_t source, destination;
	struct route_draft *draft;
	size_t drafts, draft_capacity;
	uint32_t *added;
	size_t added_count, added_capacity;
	/* All different lists: the routes of list l are first[l] .. first[l + 1] - 1. */
	size_t *first;
	size_t lists, first_capacity;
	size_t *start; /* [routes + 1] of its channels */
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

/* NULL without memory. at_once: see above. */
struct route_lists *route_lists_create(bool at_once, struct error *error);
void route_lists_free(struct route_lists *lists);

/* Adds a route to the drafts. Returns 0, or -1 with STATUS_IO. */
int route_lists_add(struct route_lists *lists, double weight, const uint32_t *channels, uint32_t count, struct error *error);

/* The drafts become the list of the pair that came last, if there are any. Returns 0, or -1: STATUS_FABRIC where lists are too many. */
int route_lists_end_pair(struct route_lists *lists, struct error *error);

/* A record gets the routes of both, which are of one pair. Returns 0, or -1 likewise. */
int route_lists_join(struct route_lists *lists, struct route_record *into, const struct route_record *from, struct error *error);

/* The records get lists whose weights are shares. Returns 0, or -1 likewise. */
int route_lists_share(struct route_lists *lists, struct error *error);

#endif
