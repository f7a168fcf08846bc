/*
 * Turns: pairs of channels between switches, the second of which begins where the first ends. A route that takes a turn makes the first
 * channel depend on the second; if such dependencies form a cycle, packets can deadlock (Dally, Seitz: Deadlock-free message routing in
 * multiprocessor interconnection networks, IEEE Transactions on Computers 1987). Channels from and to hosts are in no cycle.
 */
#ifndef ROUTINGS_TURNS_H
#define ROUTINGS_TURNS_H

#include "routings/routing_graph.h"

struct turns {
	const struct routing_graph *graph;
	size_t *base;      /* [channels] number of the first turn from the channel */
	size_t *base_into; /* [channels] offset of the turns to the channel */
	size_t count;
};

/* Creates the numbering. Returns 0, or -1 if out of memory. Call turns_clear() in either case. */
int turns_init(struct turns *turns, const struct routing_graph *graph, struct error *error);
void turns_clear(struct turns *turns);

static inline bool turns_joins_switches(const struct turns *turns, uint32_t channel)
{
	return routing_is_switch(turns->graph, turns->graph->tail[channel]) &&
	       routing_is_switch(turns->graph, turns->graph->fabric->head[channel]);
}

/* Returns the number of the turn between two channels, 0..count-1. Both must connect switches, and `to` must begin where `from` ends. */
static inline size_t turns_number(const struct turns *turns, uint32_t from, uint32_t to)
{
	const struct fabric *fabric = turns->graph->fabric;
	return turns->base[from] + to - fabric->first_channel[fabric->head[from]];
}

/*
 * The turns in use on one virtual lane, which form no cycle: the channels have an order in which every turn in use leads forwards. The
 * order changes as turns are added (Pearce, Kelly: A Dynamic Topological Sort Algorithm for Directed Acyclic Graphs, Journal of
 * Experimental Algorithmics 11, 2006; searched from both ends, and the end whose search completes first moves, as by Bender, Fineman,
 * Gilbert, Tarjan: A New Approach to Incremental Cycle Detection and Related Problems, ACM Transactions on Algorithms 12, 2015).
 */
struct lane_order {
	const struct turns *turns;
	uint32_t *users;   /* [turns] how often each was added */
	uint32_t *refused; /* [turns] the period (1 or more) of `patience` removals in which the turn was last found to close a cycle */
	uint32_t removals; /* number of turns removed from use */
	uint32_t patience; /* refusals stay valid for up to this many removals; 1 (initially): until the next */
	uint32_t *onwards, *back; /* [channels] number of turns in use from and to the channel */
	uint32_t *to, *from;      /* [turns] their other channels: to[base[c]..], from[base_into[c]..] */
	uint64_t *position;       /* [channels + 1] position in the order: ascending, with gaps */
	uint32_t *next,
		*previous; /* [channels + 1] neighbours in the order: a ring, in which the last element marks the end and the beginning */
	uint8_t *side;     /* [channels] of the search; all NEITHER between calls */
	uint32_t *following, *leading; /* [channels] the channels found on each side */
};

/* Allocates. Returns 0, or -1. Call lane_order_clear() in either case. Memory: 16 bytes per turn, 41 per channel. */
int lane_order_init(struct lane_order *order, const struct turns *turns, struct error *error);
void lane_order_clear(struct lane_order *order);

/*
 * Adds a turn unless it closes a cycle. Returns whether it was added. Time O(1) if it is in use, was refused in the present period of
 * removals, or its channels have this order already; otherwise that of a search between them.
 */
bool lane_order_add(struct lane_order *order, uint32_t from, uint32_t to);

/* Removes a turn that was added. Time O(degree). */
void lane_order_remove(struct lane_order *order, uint32_t from, uint32_t to);

#endif
