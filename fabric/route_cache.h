/*
 * Whole routes, looked up, or added up in trees, instead of walked. All hosts whose only link leads to the same switch share their routes
 * except for the first channel, and all routes to a host with one link share the last. Therefore one row per destination, with one entry
 * per such switch (a start), holds everything between. An entry has a fixed number of channels; shorter routes are padded by numbers from
 * fabric->channels on, so that code that counts channels may count the padding, too, without a branch.
 *
 * Computed routes of trees need no table: their entries are sums, see tree_routes.h.
 */
#ifndef FABRIC_ROUTE_CACHE_H
#define FABRIC_ROUTE_CACHE_H

#include "fabric/fabric.h"
#include "fabric/forwarding.h"
#include "fabric/tree_routes.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	ROUTE_CACHE_NONE = UINT32_MAX,     /* as the first channel of an entry: no route */
	ROUTE_CACHE_LONG = UINT32_MAX - 1, /* as the first channel of an entry: the route is too long for an entry and must be walked */
	ROUTE_CACHE_INNER_MAX = 12,
	ROUTE_CACHE_CHANNELS_MAX = ROUTE_CACHE_INNER_MAX + 2,
};

struct route_cache {
	uint32_t hosts, starts, inner;  /* inner: channels of an entry; in a table a multiple of 4 */
	uint32_t *start;                /* [hosts] the column of the table for routes from the host */
	uint32_t *first;                /* [hosts] the host's only link; otherwise padding, and the entry includes the first channel */
	uint32_t *last;                 /* [hosts] the only channel that leads to the host; otherwise padding */
	uint32_t *start_node;           /* [starts] */
	bool own_ends;                  /* every host is attached to one switch by one cable: only its own pairs use its channels */
	uint32_t *entry;                /* [hosts][starts][inner], by destination first; borrowed */
	const struct tree_routes *tree; /* in place of the table; NULL: there is a table */
	uint32_t blank;                 /* the first padding */
};

/* The number of different padding values: a counter of channels needs that many more elements. */
enum { ROUTE_CACHE_BLANKS = ROUTE_CACHE_CHANNELS_MAX };

/*
 * Plans the table: sets all but paths->entry. The length of entries is that of the longest of some sampled routes. Returns 0, or -1 if out
 * of memory. Time O(nodes + channels).
 */
int route_cache_plan(struct route_cache *cache, const struct fabric *fabric, const struct forwarding *forwarding, struct error *error);
void route_cache_clear(struct route_cache *cache);

/* Returns the size of paths->entry in bytes, 0 if no table is needed. */
size_t route_cache_bytes(const struct route_cache *cache);

/* Fills the rows of the destinations from..to-1. Time O((to - from) * starts * length). */
void route_cache_fill(
	struct route_cache *cache, const struct fabric *fabric, const struct forwarding *forwarding, uint32_t from, uint32_t to);

/* Writes the entries of a destination, [starts][inner], of a cache without a table. Time O(starts * length). */
void route_cache_row(const struct route_cache *cache, uint32_t destination, uint32_t *entry);

/* Returns the entry of a pair of host indices. */
static inline const uint32_t *route_cache_entry(const struct route_cache *cache, uint32_t source, uint32_t destination)
{
	return cache->entry + ((size_t)destination * cache->starts + cache->start[source]) * cache->inner;
}

#endif
