/* The routes that use a channel, for a few channels at a time: their destinations, each with the starts of the routes. */
#ifndef FABRIC_CHANNEL_ROUTES_H
#define FABRIC_CHANNEL_ROUTES_H

#include "fabric/source_groups.h"

#include <stddef.h>
#include <stdint.h>

struct channel_routes {
	uint32_t channel;
	uint32_t *destination; /* [destinations] host indices, ascending */
	size_t *first;         /* [destinations + 1] */
	uint32_t *start; /* [first[destinations]] destination i is reached from start[first[i]] .. start[first[i + 1] - 1], ascending */
	uint32_t destinations;
	size_t destination_capacity, first_capacity, start_capacity;
};

/*
 * Fills crossing[0..count-1], whose channels are set; none may be the single link of a start's host. Returns 0, or -1 if out of memory.
 * Call channel_routes_clear() in either case. Time O(starts * hops) for every destination that needs one of the channels.
 */
int channel_routes_collect(const struct source_groups *groups, struct channel_routes *crossing, uint32_t count, struct error *error);
void channel_routes_clear(struct channel_routes *crossing, uint32_t count);

#endif
