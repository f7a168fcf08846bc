/*
 * Turns: pairs of channels between switches, of which the second goes on where the first ends. Routes that take a turn make the first
 * channel depend on the second; where such dependencies close a circle packets can deadlock (Dally, Seitz: Deadlock-free message routing in
 * multiprocessor interconnection networks, IEEE Transactions on Computers 1987). Channels from and to hosts are in no circle.
 */
#ifndef ROUTINGS_TURNS_H
#define ROUTINGS_TURNS_H

#include "routings/routing_graph.h"

struct turns {
	const struct routing_graph *graph;
	size_t *base;      /* [channels] number of the first turn from the channel */
	size_t *base_into; /* [channels] as many places before it as there are turns to the channels before */
	size_t count;
};

/* Returns 0, or -1 when the memory is not there. turns_clear() in every case. */
int turns_init(struct turns *turns, const struct routing_graph *graph, struct error *error);
void turns_clear(struct turns *turns);

static inline bool turns_joins_switches(const struct turns *turns, uint32_t channel)
{
	return routing_is_switch(turns->graph, turns->graph->tail[channel]) &&
	       routing_is_switch(turns->graph, turns->graph->fabric->head[channel]);
}

/* The number of the turn from one channel to another, 0..count-1. Both join switches, and to begins where from ends. */
static inline size_t turns_number(const struct turns *turns, uint32_t from, uint32_t to)
{
	const struct fabric *fabric = turns->graph->fabric;
	return turns->base[from] + to - fabric->first_channel[fabric->head[from]];
}

/*
 * The turns that are in use on one lane, without circles: the channels stand in an order in which every turn in use leads onwards, which
 * changes as turns come (Pearce, Kelly: A Dynamic Topological Sort Algorithm for Directed Acyclic Graphs, Journal of Experimental
 * Algorithmics 11, 2006; searched from both ends, of which the one that is known first moves, as by Bender, Fineman, Gilbert, Tarjan: A New
 * Approach to Incremental Cycle Detection and Related Problems, ACM Transactions on Algorithms 12, 2015).
 */
struct lane_order {
	const struct turns *turns;
	uint32_t *users;               /* [turns] how often it was added */
	uint32_t *refused;             /* [turns] in which period of that many removals, from 1 on, it was found to close a circle */
	uint32_t removals;             /* of turns that are not in use any more */
	uint32_t patience;             /* refusals stay for up to so many removals, 1 (the first value): none */
	uint32_t *onwards, *back;      /* [channels] turns in use from and to the channel */
	uint32_t *to, *from;           /* [turns] where these lead and come from: to[base[c]..], from[base_into[c]..] */
	uint64_t *position;            /* [channels + 1] in the order: ascending, with gaps */
	uint32_t *next, *previous;     /* [channels + 1] in the order: a ring, whose end and beginning is the last */
	uint8_t *side;                 /* [channels] of the search; all NEITHER between calls */
	uint32_t *following, *leading; /* [channels] what the search found on each */
};

/* Returns 0, or -1. lane_order_clear() in every case. Memory: 16 bytes for each turn, 41 for each channel. */
int lane_order_init(struct lane_order *order, const struct turns *turns, struct error *error);
void lane_order_clear(struct lane_order *order);

/* Adds a turn. Returns whether it closes no circle; if it does nothing changes. Time O(1) where it is in use, was refused since the last
 * removal (of so many as patience tells), or both stand in this order already; else that of a search between them. */
bool lane_order_add(struct lane_order *order, uint32_t from, uint32_t to);

/* Takes back what was added. Time O(degree). */
void lane_order_remove(struct lane_order *order, uint32_t from, uint32_t to);

#endif
