/*
 * One minimal path from every switch to every destination, and classes of lanes on which such paths, one after another, cannot deadlock:
 * - dragonflies: local, global, local (Kim, Dally, Scott, Abts 2008), with another class after every global channel;
 * - dimension order if all nodes of a dimension are neighbours: one class; on meshes one, on tori two (grid.h). On meshes and tori of
 *   blocks the path is not always a shortest one, as either dimension may begin at the switch itself; dimension order serves as the
 *   minimal path where two paths, one after another, would need too many classes;
 * - otherwise by distances: a class per hop (Guenther: Prevention of deadlocks in packet-switched data transport systems, IEEE
 *   Transactions on Communications 29, 1981).
 */
#ifndef ENGINES_PACKET_ROUTING_MINIMAL_H
#define ENGINES_PACKET_ROUTING_MINIMAL_H

#include "fabric/routing_function.h"
#include "engines/packet/routing/distances.h"
#include "engines/packet/routing/grid.h"
#include "engines/packet/routing/packet_routing.h"

enum minimal_rule { MINIMAL_GROUPS, MINIMAL_DIMENSIONS, MINIMAL_GRID, MINIMAL_HOPS };

struct minimal {
	enum minimal_rule rule;
	const struct routing_function *function; /* for the first two */
	struct routing_function *own;            /* the same if the forwarding has none; NULL */
	struct distances distances;              /* for MINIMAL_HOPS */
	struct grid grid;                        /* for MINIMAL_GRID */
	const struct fabric *fabric;
	uint32_t *group; /* [nodes] group in a dragonfly */
	uint32_t *at;    /* [hosts] switch of the host, or the host itself */
	uint32_t *some;  /* [targets] one host of each such switch */
	uint32_t targets;
	unsigned classes; /* of one minimal path */
	bool alike;       /* paths to the hosts of a switch differ only in the last channel */
};

/*
 * Finds the minimal paths; zero_load: the path is not followed by another one. Returns 0, or -1 with STATUS_FABRIC or STATUS_IO. Call
 * minimal_clear() in either case.
 */
int minimal_init(struct minimal *minimal, const struct packet_router_setup *setup, bool zero_load, struct error *error);
void minimal_clear(struct minimal *minimal);

/*
 * Returns the channel from the node towards the switch of a host, which must be another node; NONE: there is none. *class: the class of its
 * lanes if it depends on the location (MINIMAL_GRID) and the channel by which the packet arrived (NONE: none); otherwise 0.
 */
uint32_t minimal_next(const struct minimal *minimal, uint32_t node, uint32_t host, uint32_t came, unsigned *class);

/* Returns the channel to a host from its switch. */
uint32_t minimal_last(const struct minimal *minimal, uint32_t node, uint32_t host);

/* Returns the number of hops between switches that the packet has made. */
static inline unsigned minimal_hop(const struct minimal *minimal, const struct packet_head *packet)
{
	return packet->hops - (unsigned)(minimal->at[packet->source] != minimal->fabric->host_node[packet->source]);
}

#endif
