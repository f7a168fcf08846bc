/* Routes: the channels of a packet from one host to another, found by following the forwarding tables. */
#ifndef FABRIC_WALK_H
#define FABRIC_WALK_H

#include "fabric/fabric.h"
#include "fabric/forwarding.h"

/* The advice at the end of the text of walk_planes(). */
#define WALK_ADVICE ": --plane N selects one of them, --unroutable drop leaves such pairs out"

/* Results of a step, and of a walk instead of a length. */
enum { ROUTE_GOES_ON = 0, ROUTE_ARRIVED = 1, ROUTE_NO_ENTRY = -1, ROUTE_LOOP = -2 };

/* A route being walked. Several walks can proceed in turn, so that one waits for memory while another proceeds. */
struct walk {
	struct hop at;
	uint32_t destination, target; /* host index and node */
	uint32_t length;
	uint32_t anchor, limit; /* for detecting loops */
	uint32_t *channels;     /* so far, [fabric->nodes] */
};

/* Starts a walk from source to destination, both host indices. */
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
 * Takes one hop. A loop, a node entered twice, is detected by comparison with a node of the path that advances whenever the length has
 * doubled (Brent 1980), so within three times the number of nodes of the loop and the path to it.
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
	if (walk->at.column != NONE) /* other walks take steps before the next one of this walk: the entry has arrived by then */
		__builtin_prefetch(&forwarding->next[(size_t)walk->destination * forwarding->columns + walk->at.column]);
	return ROUTE_GOES_ON;
}

/*
 * Writes the route between two host indices to channels, [fabric->nodes], beginning with the host's up link. Returns their number,
 * ROUTE_NO_ENTRY if a node of the path has no entry, ROUTE_LOOP if a node would be entered twice. Time O(length).
 */
static inline int walk_route(
	const struct fabric *fabric, const struct forwarding *forwarding, uint32_t source, uint32_t destination, uint32_t *channels)
{
	struct walk walk = {.channels = channels};
	int result = ROUTE_GOES_ON;
	walk_start(&walk, fabric, forwarding, source, destination);
	while (result == ROUTE_GOES_ON)
		result = walk_step(&walk, fabric, forwarding);
	return result == ROUTE_ARRIVED ? (int)walk.length : result;
}

/*
 * Sets the error of a pair without a route: both hosts, the node where the route ends, and the cause. Requires the fabric's labels. Returns
 * -1.
 */
int walk_explain(
	const struct fabric *fabric, const struct forwarding *forwarding, uint32_t source, uint32_t destination, struct error *error);

/* As walk_explain(), if that node is known, and whether it is entered twice or has no entry. Returns -1. */
int walk_tell(const struct fabric *fabric, uint32_t source, uint32_t destination, uint32_t node, bool loop, struct error *error);

/*
 * Writes the end of a message to text: for a pair of hosts in parts of the fabric without a cable between them, that fact and the remedy;
 * "" for other pairs. Time O(channels).
 */
void walk_planes(const struct fabric *fabric, uint32_t source, uint32_t destination, char *text, size_t size);

#endif
