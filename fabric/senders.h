/*
 * The hosts by their starts (see trees.h). Hosts of one start have the same routes after their single links, so a route is walked once for
 * all of them.
 */
#ifndef FABRIC_SENDERS_H
#define FABRIC_SENDERS_H

#include "fabric/routes.h"
#include "fabric/trees.h"

struct senders {
	struct trees trees;
	uint32_t *first, *host; /* [starts + 1], [hosts]: the hosts of start s are host[first[s]] .. host[first[s + 1] - 1] */
	uint32_t *channels;     /* [nodes] of the last route */
};

/*
 * Creates the lists. split: every host is a start of its own, for fabrics whose hosts with a single link forward for others: then other
 * hosts use that link, too. Returns 0, or -1 if out of memory; call senders_clear() in either case. Time O(nodes + hosts).
 */
int senders_init(
	struct senders *senders, const struct fabric *fabric, const struct forwarding *forwarding, bool split, struct error *error);
void senders_clear(struct senders *senders);

/* Returns the number of hosts of the start. */
static inline uint32_t senders_of(const struct senders *senders, uint32_t start)
{
	return senders->trees.start[start].hosts;
}

/* Returns the number of hosts of the start that send to the destination. */
static inline uint32_t senders_to(const struct senders *senders, uint32_t start, uint32_t destination)
{
	return senders_of(senders, start) - (senders->trees.start_of[destination] == start);
}

/*
 * Finds the channels of the routes from a start to a destination, without the single links of the start's hosts. senders_to() must not be
 * 0. Returns their number, or ROUTE_NO_ENTRY or ROUTE_LOOP as routes_walk(). Time O(length).
 */
static inline int senders_walk(const struct senders *senders, uint32_t start, uint32_t destination, const uint32_t **channels)
{
	const struct trees *t = &senders->trees;
	uint32_t at = senders->first[start];
	uint32_t host = senders->host[at] != destination ? senders->host[at] : senders->host[at + 1];
	int length = routes_walk(t->fabric, t->forwarding, host, destination, senders->channels);
	*channels = senders->channels + t->start[start].before;
	return length < 0 ? length : length - (int)t->start[start].before;
}

#endif
