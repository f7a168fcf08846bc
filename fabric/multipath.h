/*
 * Pairs with several routes: by forwarding tables in which several channels list a destination, by source routes, or by way of a random
 * switch (Valiant: A scheme for fast parallel communication, SIAM Journal on Computing 11, 1982). Either one of them is taken, or the load
 * is split among them all by their weights.
 */
#ifndef FABRIC_MULTIPATH_H
#define FABRIC_MULTIPATH_H

#include "fabric/fabric.h"
#include "fabric/forwarding.h"
#include "fabric/route_set.h"

enum multipath_mode {
	MULTIPATH_FIRST,  /* the first channel, the route of most weight, no detour */
	MULTIPATH_RANDOM, /* one route, drawn for each run and pair */
	MULTIPATH_SPLIT,  /* all */
};

/* Their names, ends with NULL. */
extern const char *const multipath_modes[];

struct multipath_setup {
	enum multipath_mode mode;
	const struct fabric *fabric;
	const struct forwarding *forwarding;
	const struct route_set *routes; /* NULL: tables alone; pairs that it does not hold go by them too */
	uint64_t seed;
};

/* With the workspace for one pair at a time. */
struct multipath {
	struct multipath_setup setup;
	uint64_t run;       /* set by the user before each run */
	uint32_t vias;      /* intermediate nodes; 0: routes take no detour */
	uint32_t *via_host; /* [vias] a host there, by whose entries it is reached */
	uint32_t *start;    /* [hosts] the node where the host's routes begin to differ: its switch, or itself */

	/* the last pair: its channels with the part of its load on each, or its route */
	uint32_t count;
	uint32_t *channel; /* [count] */
	double *share;     /* [count] */
	uint32_t bad_node; /* where its route ends, if it has none */

	double *load;     /* [channels] 0 between pairs */
	double *inflow;   /* [nodes] 0 between searches */
	uint32_t *mark;   /* [nodes] epoch: open; epoch + 1: done */
	uint32_t *order;  /* [nodes] */
	uint32_t *stack;  /* [nodes] */
	uint32_t *branch; /* [nodes] of each node in the stack, the ways tried */
	uint32_t epoch;
};

/* Whether a pair may have more than one route; else each has one, and nothing of this is needed. */
static inline bool multipath_any(const struct multipath_setup *setup)
{
	return setup->routes || (setup->mode != MULTIPATH_FIRST && (setup->forwarding->alternatives || setup->forwarding->via));
}

/* Whether packets can go by way of a random switch: every host has one cable, to a switch; or there are no switches. */
bool multipath_can_detour(const struct fabric *fabric);

/* Returns NULL without the memory, or with STATUS_FABRIC where routes go by way of a switch, but hosts hang on several. */
struct multipath *multipath_create(const struct multipath_setup *setup, struct error *error);
void multipath_free(struct multipath *multipath);

/*
 * One route between different hosts: channel[0 .. count - 1], their shares not set. Returns its length, ROUTE_NO_ENTRY or ROUTE_LOOP. Not
 * for MULTIPATH_SPLIT. Time O(length).
 */
int multipath_route(struct multipath *multipath, uint32_t source, uint32_t destination);

/*
 * All channels that the pair uses, each once, and its share of the load on each: 1 in all out of the source. Returns count, ROUTE_NO_ENTRY
 * or ROUTE_LOOP, where any of its ways ends so. Time O(channels of all its ways).
 */
int multipath_spread(struct multipath *multipath, uint32_t source, uint32_t destination);

/* Why the pair has no route; see routes_explain(). Returns -1. */
int multipath_explain(struct multipath *multipath, uint32_t source, uint32_t destination, struct error *error);

#endif
