/*
 * Parts of a fabric: sets of ranks at one place, and the arrangement of the parts. Parts are either the ranks under one switch, or groups:
 * those of a dragonfly, the copies in a network of networks (HiNetSim's superblocks), otherwise the hosts of one first switch.
 */
#ifndef PATTERNS_OPEN_PARTS_H
#define PATTERNS_OPEN_PARTS_H

#include "topologies/structure.h"
#include "patterns/traffic.h"

enum parts_of {
	PARTS_OF_SWITCHES, /* hosts that are attached to one switch only; each other host is a part of its own */
	PARTS_OF_GROUPS,
};

/* Groups can be without ranks, other parts cannot. Places number the ranks in the order of their parts. */
struct parts {
	uint32_t count;
	uint32_t *of_node; /* [nodes] NONE: it belongs to none */
	uint32_t *of_rank; /* [ranks] */
	uint32_t *first;   /* [count + 1] place of the first rank of each */
	uint32_t *rank;    /* [ranks] at each place */
	uint32_t *place;   /* [ranks] place of each rank */
	bool *on_switch;   /* [count] the part is a switch with its hosts, for PARTS_OF_SWITCHES: the hosts are one hop farther than the
			      switch */
	uint32_t each;     /* ranks of every part; 0: parts differ in size */
	/* Parts are the nodes of a grid, the first dimension fastest, with equal numbers of ranks. 0: they are not. */
	uint32_t axes, width[STRUCTURE_DIMENSIONS_MAX];
	bool alike; /* the grid looks the same from each of its nodes, with wrapping: tori, flattened butterflies */
};

/*
 * Finds the parts. Returns 0, or -1: STATUS_FABRIC if hosts or switches of a topology that has groups are missing, STATUS_IO. Call
 * parts_clear() in either case. Time O(nodes + ranks).
 */
int parts_init(struct parts *parts, const struct traffic_setup *setup, enum parts_of of, struct error *error);
void parts_clear(struct parts *parts);

static inline uint32_t parts_size(const struct parts *parts, uint32_t part)
{
	return parts->first[part + 1] - parts->first[part];
}

/* Returns the part at an offset from another one in a grid, with wrapping. by: the part at that offset from part 0. Time O(axes). */
uint32_t parts_shift(const struct parts *parts, uint32_t part, uint32_t by);

#endif
