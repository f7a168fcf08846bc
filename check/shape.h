/*
 * The shape of a fabric, as its cabling shows it: names, ports and routes do not matter. A shape is recognised by finding the place of
 * every switch in it; then the cables that it wants are compared with those that are there, so that a few that deviate do not hide it. tree
 * XGFT(h; m1..mh; w1..wh), extended generalised fat tree (Ohring, Ibel, Das, Kumar 1995): a switch of level i has m_i children and is one
 * of w_i parents of each; k-ary n-tree (Petrini, Vanneschi 1997): all m and, but for w1 = 1, all w are k full mesh  every switch is joined
 * to every other torus, mesh  a product of rings and paths; two crossed pairs of switches are a ring of four dragonfly  (Kim, Dally, Scott,
 * Abts 2008): groups of a >= 3 switches, each a full mesh, with h cables of every switch to other groups, as many between any two groups
 * Parallel cables count as one link where all links of a level, a dimension or a kind have as many.
 */
#ifndef CHECK_SHAPE_H
#define CHECK_SHAPE_H

#include "fabric.h"

#include <stdbool.h>

enum { SHAPE_VALUES = 16, SHAPE_PARAMETERS = 4 };

/* A cable that is there and should not be (channel is one of its directions), or one that should be and is not (channel is NONE). */
struct deviation {
	uint32_t from, to, channel;
};

struct shape_parameter {
	const char *name; /* NULL: no more */
	unsigned count;
	uint32_t value[SHAPE_VALUES];
};

struct shape {
	const char *kind; /* "irregular" if it is none of the above */
	char name[300];   /* with its parameters, for people */
	struct shape_parameter parameter[SHAPE_PARAMETERS];
	uint32_t planes;                  /* parts without a cable between them, all of this shape */
	uint32_t least_hosts, most_hosts; /* of a switch that has any */
	struct deviation *deviation;
	uint32_t deviations;
	uint32_t *level; /* [nodes] of switches, 0 for those with hosts, if it is a tree; else NULL */
};

/*
 * Finds the shape with the fewest deviations, of at most one cable in twenty, or one in all. Of a fabric in several planes all must be
 * alike. reverse: of fabric_reverse. Returns 0, or -1 when the memory is not there; shape_clear() in every case. Time O(channels log
 * channels) for most; O(switches * sum of dimensions) for tori.
 */
int shape_find(struct shape *shape, const struct fabric *fabric, const uint32_t *reverse, struct error *error);
void shape_clear(struct shape *shape);

#endif
