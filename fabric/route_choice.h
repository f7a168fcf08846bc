/*
 * Pairs with several routes: by forwarding tables in which several channels list a destination, by source routes, or via a random
 * intermediate switch (Valiant: A scheme for fast parallel communication, SIAM Journal on Computing 11, 1982). Either one route is taken,
 * or the load is split among all by their weights.
 */
#ifndef FABRIC_ROUTE_CHOICE_H
#define FABRIC_ROUTE_CHOICE_H

#include "fabric/fabric.h"
#include "fabric/forwarding.h"
#include "fabric/source_routes.h"

enum multipath_mode {
	MULTIPATH_FIRST,  /* the first channel, the route of largest weight, no intermediate switch */
	MULTIPATH_RANDOM, /* one route, drawn for each run and pair */
	MULTIPATH_SPLIT,  /* all routes */
};

/* The names of the modes, ends with NULL. */
extern const char *const multipath_modes[];

struct route_choice_setup {
	enum multipath_mode mode;
	const struct fabric *fabric;
	const struct forwarding *forwarding;
	const struct source_routes *routes; /* NULL: tables alone; pairs without source routes use the tables, too */
	uint64_t seed;
};

/* The state, with the workspace for one pair at a time. */
struct route_choice {
	struct route_choice_setup setup;
	uint64_t run;       /* set by the user before each run */
	uint32_t vias;      /* number of intermediate nodes; 0: routes have none */
	uint32_t *via_host; /* [vias] a host of the intermediate node, whose entries lead there */
	uint32_t *start;    /* [hosts] the node where the routes begin to differ: the host's switch, or the host */

	/* the last pair: its channels with the share of its load on each, or its route */
	uint32_t count;
	uint32_t *channel; /* [count] */
	double *share;     /* [count] */
	uint32_t bad_node; /* where the route ends if the pair has none */

	double *load;     /* [channels] 0 between pairs */
	double *inflow;   /* [nodes] 0 between searches */
	uint32_t *mark;   /* [nodes] epoch: open; epoch + 1: done */
	uint32_t *order;  /* [nodes] */
	uint32_t *stack;  /* [nodes] */
	uint32_t *branch; /* [nodes] of each node on the stack, the number of channels tried */
	uint32_t *first;  /* [nodes] of each node in the search, the first of its channels in way */
	uint32_t *ways;   /* [nodes] and their number */
	uint32_t *way;    /* [channels] */
	double *part;     /* [channels] the share of each */
	uint32_t epoch;
};

/* Returns whether a pair may have more than one route; otherwise nothing of this is needed. */
static inline bool route_choice_any(const struct route_choice_setup *setup)
{
	return setup->routes ||
	       (setup->mode != MULTIPATH_FIRST && (setup->forwarding->alternatives || setup->forwarding->via ||
							  (setup->forwarding->shortest && setup->forwarding->shortest->all)));
}

/* Returns whether packets can be routed via a random switch: every host has one cable, to a switch; or there are no switches. */
bool route_choice_can_detour(const struct fabric *fabric);

/*
 * Creates the state. Returns NULL if out of memory, or with STATUS_FABRIC if routes use intermediate switches but hosts are attached to
 * several.
 */
struct route_choice *route_choice_create(const struct route_choice_setup *setup, struct error *error);
void route_choice_free(struct route_choice *multipath);

/*
 * Finds one route between different hosts: channel[0 .. count - 1], without shares. Returns its length, ROUTE_NO_ENTRY or ROUTE_LOOP. Not
 * for MULTIPATH_SPLIT. Time O(length).
 */
int route_choice_route(struct route_choice *multipath, uint32_t source, uint32_t destination);

/*
 * Finds so many routes between different hosts, drawn as one by one, for MULTIPATH_RANDOM: their channels, each once, and the share of the
 * routes on each. draws: at most ROUTE_DRAWS. Returns count, ROUTE_NO_ENTRY or ROUTE_LOOP. Time O(draws * length).
 */
enum { ROUTE_DRAWS = 256 };
int route_choice_several(struct route_choice *multipath, uint32_t source, uint32_t destination, uint32_t draws);

/*
 * Finds all channels that the pair uses, each once, and its share of the load on each; the shares out of the source sum to 1. Returns
 * count; ROUTE_NO_ENTRY or ROUTE_LOOP if any of its paths ends so. Time O(channels of all its paths).
 */
int route_choice_spread(struct route_choice *multipath, uint32_t source, uint32_t destination);

/* Sets the error of a pair without a route; see walk_explain(). Returns -1. */
int route_choice_explain(struct route_choice *multipath, uint32_t source, uint32_t destination, struct error *error);

#endif
