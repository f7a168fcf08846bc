/* The engine "best", see best.c: what its parts share. */
#ifndef ROUTINGS_BEST_H
#define ROUTINGS_BEST_H

#include "routings/routing.h"
#include "routings/routing_graph.h"

enum objective { FOR_BOTH, FOR_BISECTIONS, FOR_ALL, FOR_SHIFTS };
extern const char *const best_objectives[]; /* their names, ending with NULL */

enum best_arg { OBJECTIVE, TIME, PASSES, ORDER, IGNORE_SPEEDS };
enum {
	POWERS = 256,
	PASSES_EASY = 4 /* of a start: before higher powers count */
};

/* Others that a message of a bisection meets for each route, times the hosts: half of them if each host could take part in many messages.
 */
#define BEST_MEETINGS 0.35

enum { BEST_SPEEDS = 8, BEST_ROUTES = 1 << 14 }; /* with values in tables */

struct best {
	const struct routing_task *task;
	const struct routing_graph *graph;
	struct routed *routed;
	struct error *error;
	enum objective objective;
	struct choices choices;

	uint32_t *slot; /* [channels] the number of a channel that routes choose; NONE: of the others */
	uint32_t slots;
	double *scale;  /* [slots] 1 / speed */
	uint32_t *load; /* [slots] routes */

	uint32_t leaves;
	uint32_t *leaf_node;      /* [leaves] */
	uint32_t *leaf_of;        /* [nodes] NONE: none */
	uint32_t *first;          /* [leaves + 1] hosts of a leaf: position[first[l]] .. */
	uint32_t *position;       /* [hosts] in the order of hosts, leaf by leaf */
	uint32_t *position_of;    /* [hosts] the same by host */
	uint16_t *own;            /* [slots][leaves] destinations for which a leaf uses a channel */
	uint16_t *shift;          /* [slots][hosts] routes in a shift; NULL: not wanted */
	double *damping;          /* [slots] of bisect: see best_damp() */
	uint8_t *speed;           /* [slots] row of met, of bisect; BEST_SPEEDS: none */
	double *met[BEST_SPEEDS]; /* [BEST_ROUTES] best_met() by routes; NULL: there are not so many speeds */
	double power[POWERS];     /* what a further route in a shift costs by their number */
	unsigned exponent;        /* of alltoall */
	double largest;           /* load, which powers are relative to */

	/* of the destination */
	uint32_t *row, target; /* its row of tables, and position */
	uint32_t *before;      /* [columns] the row before */
	double *length;        /* [nodes] cost of the path from a node, of an average route */
	uint32_t *tree;        /* [slots] routes of the tree; of alltoall */
	uint32_t *head, *last; /* [nodes] list of the leaves whose routes pass */
	uint32_t *link;        /* [leaves] the next in the list */
};

/* Returns the hosts of a leaf. */
static inline uint32_t best_hosts_of(const struct best *b, uint32_t leaf)
{
	return b->first[leaf + 1] - b->first[leaf];
}

/* ---- best_trees.c: the costs of paths, and the tree of the destination of the row */

/* Returns the probability that a message of a bisection meets a message on any of so many routes of others. scale: of the channel. */
double best_met(const struct best *best, double scale, uint32_t routes);

/* Adds routes of the tree to the path from a node, or removes them; of alltoall. */
void best_add_to_tree(struct best *best, uint32_t node, uint32_t routes, bool add);

/* Puts the tree of the row into the loads, or takes it out. */
void best_put_tree(struct best *best, bool in);

/* Returns the cost of the tree of the row, while it is out. */
double best_tree_cost(struct best *best);

/* Finds a tree for the destination. first: there is none before. Returns the cost of the one that stays. */
double best_improve(struct best *best, uint32_t host, bool first);

/* ---- best_passes.c */

/* Prepares the costs of a pass. */
void best_prepare(struct best *best, unsigned pass);

/*
 * Of bisect: a message that meets X others on a channel has 1 / (1 + X) of its bandwidth there, X about Poisson; but what counts is the
 * largest X on its path. The damping of a channel is what one more route really costs its messages, divided by what it would cost if the
 * channel were alone on their paths. Returns the expected bandwidth.
 */
double best_damp(struct best *best);

/* Returns what the pass reached: half the cost of all trees, the largest load, or the sum of the largest loads of all shifts. */
double best_reached(const struct best *best, double total);

/* Improves all destinations once, in a random order of their groups (order); first: they have no trees. Returns the objective. */
double best_pass(struct best *best, unsigned start, unsigned number, bool first, uint32_t *order);

/* ---- best_search.c */

/* Runs passes from several starts until the time or the number of passes ends, and leaves the best tables, and a note, in routed. */
void best_search(struct best *best);

#endif
