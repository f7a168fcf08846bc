/*
 * One minimal way from every switch to every destination, and classes of lanes on which such ways, one after the other, cannot deadlock:
 * - dragonflies: local, global, local (Kim, Dally, Scott, Abts 2008), a class more behind every global channel;
 * - dimension order where all of a dimension are neighbours, one class; on meshes one, on tori two (grid.h). On those of blocks of switches
 *   that is not always a shortest way, as one dimension or the other may be begun at the switch itself: it stands for it where two ways,
 *   one after the other, would need too many classes;
 * - elsewhere by distances, a class for each hop (Guenther: Prevention of deadlocks in packet-switched data transport systems, IEEE
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
	const struct routing_function *function; /* of the first two */
	struct routing_function *own;            /* the same where the forwarding has none; NULL */
	struct distances distances;              /* of MINIMAL_HOPS */
	struct grid grid;                        /* of MINIMAL_GRID */
	const struct fabric *fabric;
	uint32_t *group; /* [nodes] of a dragonfly */
	uint32_t *at;    /* [hosts] the switch of the host, or itself */
	uint32_t *some;  /* [targets] a host of each such switch */
	uint32_t targets;
	unsigned classes; /* of one minimal way */
	bool alike;       /* ways to the hosts of a switch are the same but for the last channel */
};

/* alone: the way is not followed by another one. Returns 0, or -1 with STATUS_FABRIC or STATUS_IO. minimal_clear() in every case. */
int minimal_init(struct minimal *minimal, const struct packet_router_setup *setup, bool zero_load, struct error *error);
void minimal_clear(struct minimal *minimal);

/* The channel by which the node is left towards the switch of a host, which it is not; NONE: there is none. *class: of its lanes, where
 * that is told by the place (MINIMAL_GRID), and the channel by which the packet came there (NONE: none); else 0. */
uint32_t minimal_next(const struct minimal *minimal, uint32_t node, uint32_t host, uint32_t came, unsigned *class);

/* The channel from its switch to a host. */
uint32_t minimal_last(const struct minimal *minimal, uint32_t node, uint32_t host);

/* Hops between switches that lie behind the packet. */
static inline unsigned minimal_hop(const struct minimal *minimal, const struct packet_head *packet)
{
	return packet->hops - (unsigned)(minimal->at[packet->source] != minimal->fabric->host_node[packet->source]);
}

#endif
