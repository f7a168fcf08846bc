/*
 * Meshes and tori, also of blocks: the switches of a fabric by their coordinates, and dimension-order routing on them. A block is a switch,
 * or (in networks of networks, such as torus:4x4,hosts=direct/fullmesh:4,hosts=2) several switches that are all joined to one another, and
 * share the cables to other blocks.
 *
 * Two classes of lanes prevent cycles in rings of more than three blocks (Dally, Seitz: Deadlock-free message routing in multiprocessor
 * interconnection networks, IEEE Transactions on Computers 1987): packets that still have to pass the dateline, the cable between the last
 * block and the first, are of class 0, others of class 1. Within blocks the last hop is of class 1, and so is one that keeps a packet of
 * class 1 in its ring; all others are of class 0. This suffices for blocks in which each switch has its cables to other blocks in one
 * dimension.
 */
#ifndef ENGINES_PACKET_ROUTING_GRID_H
#define ENGINES_PACKET_ROUTING_GRID_H

#include "topologies/topology.h"
#include "engines/packet/routing/packet_routing.h"

/* The direction of channels between switches of a block, and of channels to and from hosts. */
enum { GRID_INSIDE = 0xfe, GRID_HOST = 0xff };

struct grid_dimension {
	uint32_t width;
	bool wraps;   /* a cable closes the ring */
	bool one_way; /* channels lead upwards only */
	bool circle;  /* packets could wait for one another in its rings */
};

/* Direction numbers: 2 d is down in dimension d, 2 d + 1 is up. */
struct grid {
	const struct fabric *fabric;
	unsigned dimensions;
	struct grid_dimension dimension[STRUCTURE_DIMENSIONS_MAX];
	uint32_t block_switches;
	uint32_t *block;      /* [nodes] */
	uint16_t *coordinate; /* [blocks][dimensions] */
	uint32_t *first;      /* [blocks][directions] + 1: the channels that leave a block: */
	uint32_t *channel;    /* [first[..]] */
	uint32_t *tail;       /* [first[..]] of channel[i] */
	uint32_t *member;     /* [nodes] of switches: number in the block */
	uint32_t *inside;     /* [switches of all blocks][block_switches] the channel between two switches; NULL: blocks are switches */
	uint32_t *switch_at;  /* [switches] node */
	uint32_t *at;         /* [hosts] its switch, or the host itself if hosts forward */
	uint32_t *last;       /* [hosts] the channel from that switch; NONE if it is the host itself */
	uint8_t *direction;   /* [channels] */
	unsigned classes;     /* of lanes, 1 or 2 */
	bool circles;         /* whether any dimension can have a cyclic wait */
	bool parallel;        /* some blocks are joined by several cables */
};

/* Returns whether the topology is one of these, by its specification; NULL is not. */
bool grid_is(const char *topology);

/* Returns 0, or -1: STATUS_FABRIC if the fabric is not such a topology, STATUS_IO if out of memory. Call grid_clear() in either case. */
int grid_init(struct grid *grid, const struct packet_router_setup *setup, struct error *error);
void grid_clear(struct grid *grid);

/* A channel that leaves a switch, and the class of its lanes. */
struct grid_step {
	uint32_t channel;
	unsigned class;
};

/*
 * Returns the next channel from the node to the switch of a host, which must be another node, in dimension order, ties balanced. came: the
 * direction of the channel by which the packet arrived, on which the class depends. Among parallel cables the destination selects one.
 */
struct grid_step grid_next(const struct grid *grid, uint32_t node, uint32_t host, unsigned came);

/* Returns the number of steps to the target coordinate in a dimension; *up: the shorter direction; *tie: both are equally short. */
static inline uint32_t grid_way(const struct grid_dimension *d, uint32_t from, uint32_t to, bool *up, bool *tie)
{
	uint32_t above = to >= from ? to - from : to + d->width - from, below = d->width - above;
	*tie = false;
	if (d->one_way || !d->wraps) {
		*up = d->one_way || to > from;
		return d->one_way ? above : to > from ? to - from : from - to;
	}
	*up = above <= below;
	*tie = above == below;
	return *up ? above : below;
}

/* Returns whether a packet that moves in the direction passes the dateline before it reaches the target coordinate. */
static inline bool grid_crosses(uint32_t from, uint32_t to, bool up)
{
	return up ? to < from : to > from;
}

/*
 * Returns the class of the lanes on which a packet goes to the switch of its block by which it leaves in the direction; crosses: see above.
 */
static inline unsigned grid_inside_class(const struct grid *grid, unsigned came, unsigned direction, bool crosses)
{
	return grid->dimension[direction / 2].circle && came == direction && !crosses;
}

/* Returns the index in channel of the one by which packets for the host leave the block in the direction. */
static inline uint32_t grid_exit(const struct grid *grid, uint32_t block, unsigned direction, uint32_t host)
{
	uint32_t list = block * 2 * grid->dimensions + direction, first = grid->first[list], count = grid->first[list + 1] - first;
	return count == 1 ? first : first + (uint32_t)((uint64_t)(host * UINT32_C(2654435769)) * count >> 32);
}

/* Returns the coordinates of a node's block. */
static inline const uint16_t *grid_at(const struct grid *grid, uint32_t node)
{
	return grid->coordinate + (size_t)grid->block[node] * grid->dimensions;
}

/* Returns the channel from a switch to another one of its block. */
static inline uint32_t grid_inside(const struct grid *grid, uint32_t node, uint32_t other)
{
	return grid->inside[(size_t)(grid->block[node] * grid->block_switches + grid->member[node]) * grid->block_switches +
			    grid->member[other]];
}

#endif
