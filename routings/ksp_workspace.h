/* The inside of ksp and allpath, for ksp.c and ksp_demand.c only. */
#ifndef ROUTINGS_KSP_WORKSPACE_H
#define ROUTINGS_KSP_WORKSPACE_H

#include "base/random.h"
#include "routings/routing.h"

/*
 * The routes not yet found are partitioned into sets: the routes that follow a given route up to a node and leave it there by none of a
 * list of channels. The shortest route of each set is known: a candidate.
 */
struct path_candidate {
	size_t start; /* first of its hops */
	uint32_t length, chance;
	uint32_t turn;   /* index of the node at which it leaves the route that it was found from */
	uint32_t barred; /* channels barred at that node: first of the list, NONE: none */
};

/* An element of a list of barred channels. */
struct barred {
	uint32_t channel, next;
};

/* A place (see fabric/shortest_routes.h) that a search has reached from another, by a channel. */
struct step {
	uint32_t place, from, choice, hops, next; /* next: the step below on the stack of its bound, NONE: last */
};

/* A channel of a route, and the place it leads to. */
struct path_hop {
	uint32_t channel, place;
};

struct search {
	const struct routing_graph *graph;
	struct random random;
	uint32_t end; /* last node of the routes */
	struct shortest_routes *shortest;
	const struct distance_row *row; /* the distances from the end */
	uint32_t *whole;                /* [nodes + 2] a whole route */
	bool *closed;                   /* [nodes] not to be entered: has been, is part of the route before, or does not forward */
	uint32_t *entered, entries;     /* [nodes] places that were closed for this search */
	struct path_hop *by;            /* [nodes] the choice by which the search entered, and the place before it */
	uint32_t *choice;               /* [most channels of a node] */
	uint32_t *stack;                /* [nodes] by bound of the length: the top step, NONE: none; all NONE between searches */
	uint32_t highest;               /* bound of a step of the search */
	struct step *step;
	size_t steps, step_capacity;
	struct path_candidate *heap; /* the shortest first */
	size_t candidates, heap_capacity;
	struct path_hop *hop; /* of the candidates */
	size_t hops, hop_capacity;
	struct barred *barred;
	size_t bars, barred_capacity;
	struct path_hop *route; /* [nodes] the candidate that a search found */
	uint32_t wanted;        /* number of routes still to be found */
	uint32_t limit;         /* longer ones are not needed */
	uint64_t *of_length;    /* [nodes] number of candidates by length */
	uint32_t lengths;       /* lengths from here on have had none */
	uint64_t within;        /* number of candidates within the limit */
};

struct ksp {
	struct search search;
	struct route_builder builder;
	uint64_t seed;
	uint32_t most, longer; /* routes per pair; channels by which they may exceed the shortest, NONE: any number */
	bool by_length;        /* weights are inversely proportional to lengths */
	uint64_t pairs_cut;
};

/* Reads the parameters, and initialises. Returns 0, or -1; ksp_end() in either case. weights: the value of that parameter. */
int ksp_begin(struct ksp *e, const struct routing_task *task, const char *weights, const struct routing_graph *graph, struct error *error);
void ksp_end(struct ksp *e);

/* Makes the distances from a node, the end of the routes, known. */
void ksp_measure(struct search *s, uint32_t end);

/* Adds the routes of two hosts from a node to the node that the search knows distances to. Returns 0, or -1. */
int ksp_find_routes(struct ksp *e, uint32_t source, uint32_t destination, uint32_t node, struct error *error);

/* Prepares the routes on demand, with the parameters of the engine. As struct routing.demand. */
int ksp_prepare_routes(
	const struct ksp *engine, const struct routing_task *task, const char *weights, struct routing_demand *demand, struct error *error);

#endif
