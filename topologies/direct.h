/*
 * Direct networks: nodes of the same kind joined to one another by cables. Each node is a switch with hosts (hosts=4; default 1) on its
 * first ports; or the nodes are the hosts themselves, which forward, and there are no switches (hosts=direct).
 */
#ifndef TOPOLOGIES_DIRECT_H
#define TOPOLOGIES_DIRECT_H

#include "topologies/node_name.h"
#include "topologies/topology.h"

/* The parameter common to all of them. */
#define DIRECT_HOSTS \
	{ \
		"hosts", ARG_WORD, "1", 0, 0, "hosts of each switch; direct: the nodes are the hosts themselves" \
	}

/* Reads the value of hosts= into each. Returns 0, or -1. */
int direct_read(struct topology *topology, const char *hosts, struct error *error);

/*
 * Reads hosts=, and fills in hosts, switches, and the channels to hosts. Returns 0, or -1 if there are too many channels, or on an error.
 */
int direct_size(struct topology *topology, const char *hosts, uint64_t nodes, struct error *error);

/* Returns whether there are no switches. */
static inline bool direct_hosts(const struct topology *topology)
{
	return topology->each == 0;
}

/* Returns the node to which a host is attached, or which it is. */
static inline uint32_t direct_node(const struct topology *topology, bool host, uint32_t number)
{
	return host && topology->each > 1 ? number / topology->each : number;
}

/* Returns a port of a node; ports are numbered without those of its hosts. */
static inline struct topology_port direct_port(const struct topology *topology, uint32_t node, uint32_t port)
{
	return (struct topology_port){direct_hosts(topology), node, topology->each + port};
}

/* Returns the step of a route that leaves a node by a port, numbered in the same way; first: the step of the source itself. */
static inline struct topology_step direct_step(const struct topology *topology, uint32_t node, uint32_t port, bool first)
{
	return (struct topology_step){direct_hosts(topology) && !first ? node - topology->hosts : node, topology->each + port};
}

/* Ends the name of a host whose switch has several. */
static inline void direct_name_end(const struct topology *topology, bool host, uint32_t number, char *text)
{
	if (host && topology->each > 1)
		put_number(text, '_', number % topology->each);
}

#endif
