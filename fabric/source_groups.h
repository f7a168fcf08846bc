/*
 * The hosts by their starts (see destination_trees.h). Hosts of one start have the same routes after their single links, so a route is
 * walked once for all of them.
 */
#ifndef FABRIC_SOURCE_GROUPS_H
#define FABRIC_SOURCE_GROUPS_H

#include "fabric/walk.h"
#include "fabric/destination_trees.h"

struct source_groups {
	struct destination_trees trees;
	uint32_t *first, *host; /* [starts + 1], [hosts]: the hosts of start s are host[first[s]] .. host[first[s + 1] - 1] */
	uint32_t *channels;     /* [nodes] of the last route */
};

/*
 * Creates the lists. split: every host is a start of its own, for fabrics whose hosts with a single link forward for others: then other
 * hosts use that link, too. Returns 0, or -1 if out of memory; call source_groups_clear() in either case. Time O(nodes + hosts).
 */
int source_groups_init(
	struct source_groups *groups, const struct fabric *fabric, const struct forwarding *forwarding, bool split, struct error *error);
void source_groups_clear(struct source_groups *groups);

/* Returns the number of hosts of the start. */
static inline uint32_t source_groups_of(const struct source_groups *groups, uint32_t start)
{
	return groups->trees.start[start].hosts;
}

/* Returns the number of hosts of the start that send to the destination. */
static inline uint32_t source_groups_to(const struct source_groups *groups, uint32_t start, uint32_t destination)
{
	return source_groups_of(groups, start) - (groups->trees.start_of[destination] == start);
}

/*
 * Finds the channels of the routes from a start to a destination, without the single links of the start's hosts. source_groups_to() must
 * not be 0. Returns their number, or ROUTE_NO_ENTRY or ROUTE_LOOP as walk_route(). Time O(length).
 */
static inline int source_groups_walk(const struct source_groups *groups, uint32_t start, uint32_t destination, const uint32_t **channels)
{
	const struct destination_trees *t = &groups->trees;
	uint32_t at = groups->first[start];
	uint32_t host = groups->host[at] != destination ? groups->host[at] : groups->host[at + 1];
	int length = walk_route(t->fabric, t->forwarding, host, destination, groups->channels);
	*channels = groups->channels + t->start[start].before;
	return length < 0 ? length : length - (int)t->start[start].before;
}

#endif
