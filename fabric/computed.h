/*
 * Computed routing: a graph that says which regular topology it is, and by which function it is routed, needs no forwarding tables. Its
 * hosts, in the order of the graph, are the hosts 0.. of the topology, its switches likewise; its channels are checked against it.
 */
#ifndef FABRIC_COMPUTED_H
#define FABRIC_COMPUTED_H

#include "fabric/fabric.h"

#include <stdbool.h>
#include <stdint.h>

struct topology;

struct computed {
	struct topology *topology;
	char *spec, *routing; /* as the graph has them */
	uint32_t *number;     /* [nodes] hosts are 0..hosts-1, switches follow */
	uint32_t *first;      /* [nodes] by that number: the place of its first port's channel */
	uint32_t *channel;    /* [channels] the channel at that place; NULL: its number is the place's */
	uint32_t ports;       /* of every node, where they stand one node after the other: then first[number] is ports * number; else 0 */
	uint32_t host_ports;  /* the same of the hosts alone */
	bool own_ends;        /* every host has one port, to a switch */
};

/*
 * Makes the routing of a fabric whose graph has the attributes topology="SPEC" and routing="NAME". Returns NULL with STATUS_FABRIC where it
 * is not that topology, or its routing is not of that name. Time O(channels).
 */
struct computed *computed_create(const struct fabric *fabric, const char *spec, const char *routing, struct error *error);
void computed_free(struct computed *computed);

static inline uint32_t computed_channel(const struct computed *computed, uint32_t place)
{
	return computed->channel ? computed->channel[place] : place;
}

/*
 * The whole route between two different hosts, with or without its first and its last channel. Returns how many channels were written, at
 * most computed_longest(). Time O(length).
 */
uint32_t computed_route(const struct computed *computed, uint32_t source, uint32_t destination, bool ends, uint32_t *channels);
uint32_t computed_longest(const struct computed *computed);

/* The same as places, see computed_channel(): those of neighbours are neighbours, which whoever counts many has an advantage from. */
uint32_t computed_places(const struct computed *computed, uint32_t source, uint32_t destination, bool ends, uint32_t *places);

/* The channel by which a packet for the destination host leaves the node, NONE at the destination. */
uint32_t computed_next(const struct computed *computed, uint32_t node, uint32_t destination);

#endif
