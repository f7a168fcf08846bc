/*
 * Stored cables, for topologies that are made cable by cable: the ports of every node are in the order in which its cables were added. Ids
 * are of all nodes: hosts first, then switches. About 14 bytes per channel.
 */
#ifndef TOPOLOGIES_CABLING_H
#define TOPOLOGIES_CABLING_H

#include "topologies/direct.h"

/* Limit of stored channels: 2 GB. */
#define CABLING_CHANNELS_MAX (UINT64_C(1) << 27)

struct cable {
	uint32_t a, b;
	bool one_way; /* from a to b */
	uint8_t tier;
};

struct cable_end {
	uint32_t node, port;
};

struct cabling {
	struct cable *cable; /* [count] while cables are added; NULL afterwards */
	size_t count, capacity;
	uint32_t *first;       /* [nodes + 1] first port of each node, in end and tier */
	struct cable_end *end; /* [channels] */
	uint8_t *tier;         /* [channels] */
	struct error error;    /* first error of cabling_add */
};

/*
 * Starts with hosts and switches, and the total number of cables given by the formula. Returns 0, or -1, also if there are too many cables.
 */
int cabling_start(struct topology *topology, uint64_t hosts, uint64_t switches, uint64_t cables, struct error *error);

/* Starts a direct network: its nodes and the cables between them; the cables to hosts are added. Returns 0, or -1. */
int cabling_start_direct(struct topology *topology, const char *hosts, uint64_t nodes, uint64_t cables, struct error *error);

/* Adds a cable between two nodes: between switches of tier 1, otherwise of tier 0. cabling_finish reports if memory was insufficient. */
void cabling_add(struct topology *topology, uint32_t a, uint32_t b);
void cabling_add_cable(struct topology *topology, struct cable cable);

/* cabling_switch() returns the id of a switch; cabling_node(), that of a node of a direct network. */
static inline uint32_t cabling_switch(const struct topology *topology, uint32_t number)
{
	return topology->hosts + number;
}

static inline uint32_t cabling_node(const struct topology *topology, uint32_t node)
{
	return direct_hosts(topology) ? node : topology->hosts + node;
}

/* Makes the ports from the cables. Returns 0, or -1. */
int cabling_finish(struct topology *topology, struct error *error);
void cabling_free(struct cabling *cabling);

/* times() and power() return products and powers for sizes: UINT64_MAX on overflow. */
static inline uint64_t times(uint64_t a, uint64_t b)
{
	uint64_t product;
	return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

static inline uint64_t power(uint64_t base, uint64_t exponent)
{
	uint64_t product = 1;
	while (exponent-- && product != UINT64_MAX && base != 1)
		product = times(product, base);
	return product;
}

/* Functions for struct topology_kind. */
uint32_t cabling_ports(const struct topology *topology, bool host, uint32_t node);
struct topology_port cabling_peer(const struct topology *topology, struct topology_port port);
unsigned cabling_tier(const struct topology *topology, struct topology_port port);
uint32_t cabling_route(const struct topology *topology, uint32_t source, uint32_t destination, struct topology_step *steps);

#define CABLED .ports = cabling_ports, .peer = cabling_peer, .tier = cabling_tier

#endif
