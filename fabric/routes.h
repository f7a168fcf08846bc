/* Routes: the channels that a packet takes from one host to another, found by following the forwarding tables. */
#ifndef FABRIC_ROUTES_H
#define FABRIC_ROUTES_H

#include "fabric/fabric.h"
#include "fabric/forwarding.h"

/* How commands go on without a route; ends what routes_planes() writes. */
#define ROUTES_ADVICE ": --unroutable drop leaves such pairs out"

/* What a step returns, and a walk instead of a length. */
enum { ROUTE_GOES_ON = 0, ROUTE_ARRIVED = 1, ROUTE_NO_ENTRY = -1, ROUTE_LOOP = -2 };

/* A route on its way. Several can take their steps in turn, so that one waits for the memory while another goes on. */
struct walk {
	struct hop at;
	uint32_t destination, target; /* host index and node */
	uint32_t length;
	uint32_t anchor, limit; /* for finding loops */
	uint32_t *channels;     /* so far; must hold fabric->nodes */
};

/* Puts a packet for destination at source, both host indices. */
static inline void walk_start(
	struct walk *walk, const struct fabric *fabric, const struct forwarding *forwarding, uint32_t source, uint32_t destination)
{
	uint32_t node = fabric->host_node[source];
	walk->at = (struct hop){node, forwarding->column[node]};
	walk->destination = destination;
	walk->target = fabric->host_node[destination];
	walk->length = 0;
	walk->anchor = node;
	walk->limit = 8;
}

/*
 * One hop. A loop, a node entered twice, is found by comparing with a node of the way that is moved on whenever the way has doubled
 * (Brent 1980), so within three times the nodes that the loop and the way to it have.
 */
static inline int walk_step(struct walk *walk, const struct fabric *fabric, const struct forwarding *forwarding)
{
	uint32_t channel = forwarding_next(forwarding, walk->at.node, walk->at.column, walk->destination);
	if (channel == NONE)
		return ROUTE_NO_ENTRY;
	walk->channels[walk->length++] = channel;
	walk->at = forwarding->hop[channel];
	if (walk->at.node == walk->target)
		return ROUTE_ARRIVED;
	if (walk->at.node == walk->anchor || walk->length >= fabric->nodes)
		return ROUTE_LOOP;
	if (walk->length == walk->limit) {
		walk->anchor = walk->at.node;
		walk->limit *= 2;
	}
	if (walk->at.column != NONE) /* its next step comes after those of other walks: by then the entry is here */
		__builtin_prefetch(&forwarding->next[(size_t)walk->destination * forwarding->columns + walk->at.column]);
	return ROUTE_GOES_ON;
}

/*
 * Writes the route from one host index to another to channels, which must hold fabric->nodes of them, the host's up link first.
 * Returns how many there are, ROUTE_NO_ENTRY when a node on the way has no entry, ROUTE_LOOP when a node would be entered twice.
 * Time O(length).
 */
static inline int routes_walk(
	const struct fabric *fabric, const struct forwarding *forwarding, uint32_t source, uint32_t destination, uint32_t *channels)
{
	struct walk walk = {.channels = channels};
	int result = ROUTE_GOES_ON;
	walk_start(&walk, fabric, forwarding, source, destination);
	while (result == ROUTE_GOES_ON)
		result = walk_step(&walk, fabric, forwarding);
	return result == ROUTE_ARRIVED ? (int)walk.length : result;
}

/* Why a pair is not routable, for people: names both hosts, the node where the route ends and the cause. Needs the fabric's labels. Returns
 * -1. */
int routes_explain(
	const struct fabric *fabric, const struct forwarding *forwarding, uint32_t source, uint32_t destination, struct error *error);

/* The same where that node is known, and whether it is entered twice or has no entry. Returns -1. */
int routes_tell(const struct fabric *fabric, uint32_t source, uint32_t destination, uint32_t node, bool loop, struct error *error);

/* Writes what else there is to know of a pair of hosts in parts of the fabric that no cable joins, and what to do, to text: the end of a
 * message, "" for other pairs. Time O(channels). */
void routes_planes(const struct fabric *fabric, uint32_t source, uint32_t destination, char *text, size_t size);

#endif
