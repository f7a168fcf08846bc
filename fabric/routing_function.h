/*
 * Computed routing: a graph that states its regular topology and its routing function needs no forwarding tables. Its hosts and switches,
 * each in the order of the graph, are those of the topology; its channels are compared with those of the topology.
 */
#ifndef FABRIC_ROUTING_FUNCTION_H
#define FABRIC_ROUTING_FUNCTION_H

#include "fabric/fabric.h"

#include <stdbool.h>
#include <stdint.h>

struct topology;
struct tree_routes;

struct routing_function {
	struct topology *topology;
	char *spec, *routing;     /* as stated by the graph */
	uint32_t *number;         /* [nodes] number in the topology: hosts are 0..hosts-1, switches follow */
	uint32_t *first;          /* [nodes] by that number: the place of the channel of its first port */
	uint32_t *channel;        /* [channels] the channel at that place; NULL: places are channel numbers */
	uint32_t ports;           /* ports of every node if all have equally many: then first[number] is ports * number; otherwise 0 */
	uint32_t host_ports;      /* the same for the hosts alone */
	bool own_ends;            /* every host has one port, to a switch */
	struct tree_routes *tree; /* the routes as sums; NULL: there are none */
};

/*
 * Creates the routing of a fabric whose graph has the attributes topology="SPEC" and routing="NAME". Returns NULL with STATUS_FABRIC if the
 * fabric is not that topology, or its routing has another name. Time O(channels).
 */
struct routing_function *routing_function_create(const struct fabric *fabric, const char *spec, const char *routing, struct error *error);
void routing_function_free(struct routing_function *function);

static inline uint32_t routing_function_channel(const struct routing_function *function, uint32_t place)
{
	return function->channel ? function->channel[place] : place;
}

/*
 * Writes the whole route between two different hosts, with or without its first and last channels (ends). Returns the number of channels,
 * at most routing_function_longest(). Time O(length).
 */
uint32_t routing_function_route(
	const struct routing_function *function, uint32_t source, uint32_t destination, bool ends, uint32_t *channels);
uint32_t routing_function_longest(const struct routing_function *function);

/*
 * As routing_function_route(), with places, see routing_function_channel(), instead of channels: places of neighbouring hosts are
 * neighbours, so that bulk counting stays cache-local.
 */
uint32_t routing_function_places(
	const struct routing_function *function, uint32_t source, uint32_t destination, bool ends, uint32_t *places);

/*
 * Returns whether the nodes from..to-1, by their numbers in the topology, have equally many ports and are stored one after another. ports:
 * set to that number, 0 for a single node.
 */
bool routing_function_even(const struct routing_function *function, uint32_t from, uint32_t to, uint32_t *ports);

/* Returns the channel by which a packet for the destination host leaves the node, NONE at the destination. */
uint32_t routing_function_next(const struct routing_function *function, uint32_t node, uint32_t destination);

#endif
