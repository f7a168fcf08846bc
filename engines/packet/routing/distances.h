/*
 * The distance of every switch from every destination, one byte each: along shortest paths, or along legal paths, which go up, then down
 * (Schroeder et al.: Autonet, IEEE Journal on Selected Areas in Communications 9, 1991). All hosts whose only cable comes from one switch
 * are one destination, that switch. Hosts do not forward, unless there are no switches or the topology is one whose hosts forward.
 */
#ifndef ENGINES_PACKET_ROUTING_DISTANCES_H
#define ENGINES_PACKET_ROUTING_DISTANCES_H

#include "engines/packet/routing/packet_routing.h"

/* The tables to compute. */
enum { DISTANCES_SHORTEST = 1, DISTANCES_LEGAL = 2 };

enum { DISTANCES_NONE = 0xff, DISTANCES_DOWN = 0x80, DISTANCES_HOPS = 0x7f };

/*
 * How a legal path continues: by any channel that goes up; by several channels that must be searched; not at all, as there is none;
 * otherwise the index of the only channel among those of the node.
 */
enum { DISTANCES_ANY_UP = 0xffff, DISTANCES_SOME = 0xfffe, DISTANCES_NOWHERE = 0xfffd };

struct distances {
	const struct fabric *fabric;
	uint32_t columns, targets;
	uint32_t *column;   /* [nodes] of nodes that forward; NONE */
	uint32_t *node;     /* [columns] */
	bool mixed;         /* some hosts forward, others do not */
	uint32_t *target;   /* [hosts] */
	uint32_t *root;     /* [targets] the switch, or the host */
	uint32_t *last;     /* [hosts] the channel from its switch; NONE: the host is a target of its own */
	uint32_t *height;   /* [nodes] for legal paths: no two are equal */
	uint8_t *hops;      /* [targets][columns] channels to the root, DISTANCES_NONE: no path; NULL: not requested */
	uint8_t *legal;     /* the same for legal paths, with DISTANCES_DOWN if they only go down; NULL: not requested */
	uint16_t *by;       /* [targets][columns] how legal paths continue */
	uint32_t *first_up; /* [columns + 1] channels that go up begin at up[first_up[column]] */
	uint32_t *up;
	unsigned longest; /* largest value in hops */
};

/*
 * Computes the requested tables. In legal paths, up is towards the roots: the switches farthest from hosts if that leaves a legal path
 * between all hosts, otherwise the one in the middle. Returns 0, or -1: STATUS_FABRIC if a path is too long to count, or legal paths do not
 * reach everywhere, STATUS_IO if out of memory. Call distances_clear() in either case. Time O(targets channels).
 */
int distances_init(struct distances *distances, const struct packet_router_setup *setup, unsigned wants, struct error *error);
void distances_clear(struct distances *distances);

/* Returns whether a channel goes up. */
static inline bool distances_is_up(const struct distances *distances, uint32_t tail, uint32_t channel)
{
	return distances->height[distances->fabric->head[channel]] > distances->height[tail];
}

/* Returns the row of a target in a table. */
static inline const uint8_t *distances_row(const struct distances *distances, const uint8_t *table, uint32_t target)
{
	return table + (size_t)target * distances->columns;
}

/* Returns the number of channels from a node to the target, along shortest paths; DISTANCES_NONE. */
static inline unsigned distances_hops(const struct distances *distances, uint32_t target, uint32_t node)
{
	if (node == distances->root[target])
		return 0;
	return distances->column[node] == NONE ? DISTANCES_NONE
					       : distances_row(distances, distances->hops, target)[distances->column[node]];
}

/*
 * Writes the channels of the shortest paths from a node that is not the target's root, at most PACKET_CANDIDATES_MAX. Returns their number.
 * Time O(ports).
 */
uint32_t distances_nearer(const struct distances *distances, uint32_t target, uint32_t node, uint32_t *channel);

/*
 * Writes the channels of legal paths: the shortest of those that only go down, if there are any, as a packet that came down must not go up
 * again; otherwise the shortest that go up. A packet that takes only these never goes up after down.
 */
uint32_t distances_legal(const struct distances *distances, uint32_t target, uint32_t node, uint32_t *channel);

/* The same; returns them in *channels: those written, or the table's own. */
uint32_t distances_legal_ways(const struct distances *distances, uint32_t target, uint32_t node, uint32_t *room, const uint32_t **channels);

#endif
