/*
 * Cables named by a port: NODE:PORT, or all cables of a node, NODE. Ports have the numbers of the graph; at a node without any, they count
 * from 1 in the order of the graph, which for topologies is that of their ports.
 */
#ifndef FABRIC_PORT_NAMES_H
#define FABRIC_PORT_NAMES_H

#include "fabric/attributes.h"
#include "fabric/node_names.h"
#include "fabric/routing_function.h"

struct port_names {
	const struct fabric *fabric;
	const struct node_names *names;
	const struct routing_function *function; /* knows the order of ports; NULL: see attributes */
	const struct attributes *attributes;     /* read with DOT_KEEP_PLACES */
};

struct port_named {
	uint32_t node;
	uint32_t channel; /* that leaves the node by the port; NONE: the node alone is named */
};

/*
 * Finds what a text names. Names can contain colons: what precedes the last one is the node if the fabric has it, otherwise the whole text
 * is. where: begins the message, such as "--fail-at is '1s:S0'". Returns 0, or -1 with STATUS_USAGE. Time O(channels of the node + log
 * nodes).
 */
int port_names_find(const struct port_names *ports, const char *where, const char *text, struct port_named *found, struct error *error);

#endif
