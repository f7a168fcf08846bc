/*
 * Whole routes, looked up instead of walked. All hosts whose only link leads to the same switch share their routes except for the first
 * channel, and all routes to a host with one link share the last. Therefore one row per destination, with one entry per such switch (a
 * start), holds everything between. An entry has a fixed number of channels; shorter routes are padded by numbers from fabric->channels on,
 * so that code that counts channels may count the padding, too, without a branch.
 */
#ifndef FABRIC_PATHS_H
#define FABRIC_PATHS_H

#include "fabric/fabric.h"
#include "fabric/forwarding.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	PATH_NONE = UINT32_MAX,     /* as the first channel of an entry: no route */
	PATH_LONG = UINT32_MAX - 1, /* as the first channel of an entry: the route is too long for an entry and must be walked */
	PATH_INNER_MAX = 12,
	PATH_CHANNELS_MAX = PATH_INNER_MAX + 2,
};

struct paths {
	uint32_t hosts, starts, inner; /* inner: channels of an entry, a multiple of 4 */
	uint32_t *start;               /* [hosts] the column of the table for routes from the host */
	uint32_t *first;               /* [hosts] the host's only link; otherwise padding, and the entry includes the first channel */
	uint32_t *last;                /* [hosts] the only channel that leads to the host; otherwise padding */
	uint32_t *start_node;          /* [starts] */
	bool own_ends;                 /* every host is attached to one switch by one cable: only its own pairs use its channels */
	uint32_t *entry;               /* [hosts][starts][inner], by destination first; borrowed */
};

/* The number of different padding values: a counter of channels needs that many more elements. */
enum { PATH_BLANKS = PATH_CHANNELS_MAX };

/*
 * Plans the table: sets all but paths->entry. The length of entries is that of the longest of some sampled routes. Returns 0, or -1 if out
 * of memory. Time O(nodes + channels).
 */
int paths_plan(struct paths *paths, const struct fabric *fabric, const struct forwarding *forwarding, struct error *error);
void paths_clear(struct paths *paths);

/* Returns the size of paths->entry in bytes. */
size_t paths_bytes(const struct paths *paths);

/* Fills the rows of the destinations from..to-1. Time O((to - from) * starts * length). */
void paths_fill(struct paths *paths, const struct fabric *fabric, const struct forwarding *forwarding, uint32_t from, uint32_t to);

/* Returns the entry of a pair of host indices. */
static inline const uint32_t *paths_entry(const struct paths *paths, uint32_t source, uint32_t destination)
{
	return paths->entry + ((size_t)destination * paths->starts + paths->start[source]) * paths->inner;
}

#endif
