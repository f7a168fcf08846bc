/*
 * The hosts by their starts (see trees.h). Hosts of one start have the same routes behind their single links, so a route is walked once for
 * all of them.
 */
#ifndef FABRIC_SENDERS_H
#define FABRIC_SENDERS_H

#include "fabric/routes.h"
#include "fabric/trees.h"

struct senders {
	struct trees trees;
	uint32_t *first, *host; /* [starts + 1], [hosts]: start s has the hosts host[first[s]] .. host[first[s + 1] - 1] */
	uint32_t *channels;     /* [nodes] of the route walked last */
};

/*
 * split: every host is a start of its own, for fabrics whose hosts with a single link forward for others: then that link is no longer
 * theirs alone. Returns 0, or -1 when the memory is not there. senders_clear() in every case. Time O(nodes + hosts).
 */
int senders_init(
	struct senders *senders, const struct fabric *fabric, const struct forwarding *forwarding, bool split, struct error *error);
void senders_clear(struct senders *senders);

/* How many hosts the start has. */
static inline uint32_t senders_of(const struct senders *senders, uint32_t start)
{
	return senders->trees.start[start].hosts;
}

/* How many hosts of the start send to the destination. */
static inline uint32_t senders_to(const struct senders *senders, uint32_t start, uint32_t destination)
{
	return senders_of(senders, start) - (senders->trees.start_of[destination] == start);
}

/*
 * The channels of the routes from a start to a destination, without the single links of the start's hosts. senders_to() must not be 0.
 * Returns how many there are, or what routes_walk() does where there is no route. Time O(length).
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
