/*
 * Whole routes, looked up instead of walked. All hosts whose only link leads to the same switch share their routes but for the first
 * channel, and all routes to a host with one link share the last; so one row for each destination with one entry for each such switch (a
 * start) holds all that lies between. An entry is a fixed number of channels; what a shorter route leaves over are blanks, numbers from
 * fabric->channels on, so that whoever counts channels may count them too and needs no branch.
 */
#ifndef FABRIC_PATHS_H
#define FABRIC_PATHS_H

#include "fabric/fabric.h"
#include "fabric/forwarding.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	PATH_NONE = UINT32_MAX,     /* in place of the first channel of an entry: no route */
	PATH_LONG = UINT32_MAX - 1, /* a longer route than entries can hold: to be walked */
	PATH_INNER_MAX = 12,
	PATH_CHANNELS_MAX = PATH_INNER_MAX + 2,
};

struct paths {
	uint32_t hosts, starts, inner; /* inner: channels of an entry, a multiple of 4 */
	uint32_t *start;               /* [hosts] the column of the table for the routes from there */
	uint32_t *first;               /* [hosts] its only link, or a blank: then the entry has the first channel too */
	uint32_t *last;                /* [hosts] the only channel that leads to it, or a blank likewise */
	uint32_t *start_node;          /* [starts] */
	bool own_ends;                 /* every host hangs on one switch by one cable: its channels are used by its own pairs alone */
	uint32_t *entry;               /* [hosts][starts][inner], the destination first; not owned */
};

/* How many numbers there are beyond those of channels: a counter of channels needs so many more. */
enum { PATH_BLANKS = PATH_CHANNELS_MAX };

/*
 * Plans the table: all but paths->entry. The length of entries is that of the longest of some routes that are looked at. Returns 0, or -1
 * when the memory is not there. Time O(nodes + channels).
 */
int paths_plan(struct paths *paths, const struct fabric *fabric, const struct forwarding *forwarding, struct error *error);
void paths_clear(struct paths *paths);

/* The bytes that paths->entry takes. */
size_t paths_bytes(const struct paths *paths);

/* Fills the rows of the destinations from..to-1. Time O((to - from) * starts * length). */
void paths_fill(struct paths *paths, const struct fabric *fabric, const struct forwarding *forwarding, uint32_t from, uint32_t to);

/* The entry of a pair of host indices. */
static inline const uint32_t *paths_entry(const struct paths *paths, uint32_t source, uint32_t destination)
{
	return paths->entry + ((size_t)destination * paths->starts + paths->start[source]) * paths->inner;
}

#endif
