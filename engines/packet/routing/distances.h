/*
 * How far every switch is from every destination: by shortest ways, or by legal ones, which go up, then down (Schroeder et al.: Autonet,
 * IEEE Journal on Selected Areas in Communications 9, 1991). A byte for each of them. All hosts whose only cable comes from one switch are
 * one destination, that switch. Hosts forward nothing, but where there are no switches, or the topology is one whose hosts forward.
 */
#ifndef ENGINES_PACKET_ROUTING_DISTANCES_H
#define ENGINES_PACKET_ROUTING_DISTANCES_H

#include "engines/packet/routing/packet_routing.h"

/* What is wanted. */
enum { DISTANCES_SHORTEST = 1, DISTANCES_LEGAL = 2 };

enum { DISTANCES_NONE = 0xff, DISTANCES_DOWN = 0x80, DISTANCES_HOPS = 0x7f };

/* Of legal ways: by any channel that goes up; by several channels that are to be found; else the number of the only one, from the first of
 * the node on. */
enum { DISTANCES_ANY_UP = 0xffff, DISTANCES_SOME = 0xfffe };

struct distances {
	const struct fabric *fabric;
	uint32_t columns, targets;
	uint32_t *column;   /* [nodes] of those that forward; NONE */
	uint32_t *node;     /* [columns] */
	bool mixed;         /* some hosts forward, and others do not */
	uint32_t *target;   /* [hosts] */
	uint32_t *root;     /* [targets] the switch, or the host */
	uint32_t *last;     /* [hosts] the channel to it from its switch; NONE: the host is a target of its own */
	uint32_t *height;   /* [nodes] of legal ways: no two are equal */
	uint8_t *hops;      /* [targets][columns] channels to the root, DISTANCES_NONE: no way; NULL: not asked for */
	uint8_t *legal;     /* the same of legal ways, with DISTANCES_DOWN where they only go down; NULL: not asked for */
	uint16_t *by;       /* [targets][columns] how legal ways go on */
	uint32_t *first_up; /* [columns + 1] channels that go up: up[first_up[column]] .. */
	uint32_t *up;
	unsigned longest; /* of hops */
};

/*
 * Finds what is wanted. Up, of legal ways, is towards the roots: the switches farthest from hosts, if that leaves a legal way between all
 * hosts, else the one in the middle. Returns 0, or -1: STATUS_FABRIC where a way is too long to be counted, or up and down do not lead
 * everywhere, STATUS_IO without memory. distances_clear() in every case. Time O(targets channels).
 */
int distances_init(struct distances *distances, const struct packet_router_setup *setup, unsigned wants, struct error *error);
void distances_clear(struct distances *distances);

/* Whether a channel goes up. */
static inline bool distances_is_up(const struct distances *distances, uint32_t tail, uint32_t channel)
{
	return distances->height[distances->fabric->head[channel]] > distances->height[tail];
}

/* The row of a target in a table. */
static inline const uint8_t *distances_row(const struct distances *distances, const uint8_t *table, uint32_t target)
{
	return table + (size_t)target * distances->columns;
}

/* Channels from a node to the target, by shortest ways; DISTANCES_NONE. */
static inline unsigned distances_hops(const struct distances *distances, uint32_t target, uint32_t node)
{
	if (node == distances->root[target])
		return 0;
	return distances->column[node] == NONE ? DISTANCES_NONE
					       : distances_row(distances, distances->hops, target)[distances->column[node]];
}

/* Writes the channels of shortest ways from a node that is not the target's root to channel, at most PACKET_CANDIDATES_MAX. Returns how
 * many. Time O(ports). */
uint32_t distances_nearer(const struct distances *distances, uint32_t target, uint32_t node, uint32_t *channel);

/* The same of legal ways: the shortest of those that only go down, where there are such, as who came down must not go up again; else the
 * shortest that go up. Whoever takes nothing but these never goes up after down. */
uint32_t distances_legal(const struct distances *distances, uint32_t target, uint32_t node, uint32_t *channel);

#endif
