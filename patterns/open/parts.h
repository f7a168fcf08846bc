/*
 * Parts of a fabric: the ranks that are together somewhere, and how the parts lie. Either those under one switch, or groups: those of a
 * dragonfly, the copies in a network of networks (HiNetSim's superblocks), else the hosts of one first switch.
 */
#ifndef PATTERNS_OPEN_PARTS_H
#define PATTERNS_OPEN_PARTS_H

#include "topologies/structure.h"
#include "patterns/traffic.h"

enum parts_of {
	PARTS_OF_SWITCHES, /* hosts that hang on one switch alone; each other host by itself */
	PARTS_OF_GROUPS,
};

/* Groups may be without ranks, other parts are not. Places are the ranks in the order of their parts. */
struct parts {
	uint32_t count;
	uint32_t *of_node; /* [nodes] NONE: it belongs to none */
	uint32_t *of_rank; /* [ranks] */
	uint32_t *first;   /* [count + 1] place of the first rank of each */
	uint32_t *rank;    /* [ranks] at each place */
	uint32_t *place;   /* [ranks] of each rank */
	bool *on_switch;   /* [count] the part is a switch with its hosts, of PARTS_OF_SWITCHES: those are a hop farther than it */
	uint32_t each;     /* ranks of every part; 0: they are not as many in all */
	/* Parts are the nodes of a grid, the first dimension fastest, with as many ranks each. 0: they are not. */
	uint32_t axes, width[STRUCTURE_DIMENSIONS_MAX];
	bool alike; /* the grid looks the same from each of its nodes, widths round: tori, flattened butterflies */
};

/* Returns 0, or -1: STATUS_FABRIC where hosts or switches of a topology that has groups are missing, STATUS_IO. parts_clear() in every
 * case. Time O(nodes + ranks). */
int parts_init(struct parts *parts, const struct traffic_setup *setup, enum parts_of of, struct error *error);
void parts_clear(struct parts *parts);

static inline uint32_t parts_size(const struct parts *parts, uint32_t part)
{
	return parts->first[part + 1] - parts->first[part];
}

/* The part that lies so far from another, in a grid, round it. by: that of a part from part 0. Time O(axes). */
uint32_t parts_shift(const struct parts *parts, uint32_t part, uint32_t by);

#endif
