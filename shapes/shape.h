/*
 * The shape of a fabric, as its cabling shows it: names, ports, routes and the order of all these do not matter. A shape is recognised by
 * finding the place of every switch in it; then the cables that it wants are compared with those that are there, so that a few that deviate
 * do not hide it.
 *   tree         XGFT(h; m1..mh; w1..wh), extended generalised fat tree (Ohring, Ibel, Das, Kumar 1995): a switch of level i has m_i
 *                children and is one of w_i parents of each; k-ary n-tree (Petrini, Vanneschi 1997): all m and, but for w1 = 1, all w are k
 *   full mesh    every switch is joined to every other
 *   torus, mesh  a product of rings and paths; two crossed pairs of switches are a ring of four
 *   HyperX       a product of full meshes (Bhuyan, Agrawal 1984; Ahn et al. 2009)
 *   Slim Fly     McKay, Miller, Siran graphs (Besta, Hoefler 2014)
 *   dragonfly    (Kim, Dally, Scott, Abts 2008): groups of a >= 3 switches, each a full mesh, with h cables of every switch to other
 * groups, as many between any two groups; where a h is no multiple of that, some switches have fewer than h dragonfly+   (Shpiner et al.
 * 2017): groups of leaves with hosts, all joined to all spines of the group, which have h cables each to spines of other groups, as many
 * between any two groups Parallel cables count as one link where all links of a level, a dimension or a kind have as many.
 */
#ifndef SHAPES_SHAPE_H
#define SHAPES_SHAPE_H

#include "fabric/fabric.h"

#include <stdbool.h>

enum { SHAPE_VALUES = 16, SHAPE_PARAMETERS = 6 };

/* A cable that is there and should not be (channel is one of its directions), or one that should be and is not (channel is NONE); an end of
 * such a one is NONE where the switch is missing. A channel between switches that is no cable is one that should not be. */
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
	bool regular;
	char name[300]; /* with its parameters, for people */
	struct shape_parameter parameter[SHAPE_PARAMETERS];
	uint32_t planes;                  /* parts without a cable between them, all of this shape */
	uint32_t least_hosts, most_hosts; /* of a switch that has any, or is a leaf of a tree */
	struct deviation *deviation;
	uint32_t deviations;
	uint32_t missing_switches; /* their cables are deviations, too */
	uint32_t *level;           /* [nodes] of switches, 0 for those with hosts, if it is a tree; else NULL */
};

/*
 * Finds the shape with the fewest deviations, of at most one cable in twenty of the whole shape, or one in all, but for those of missing
 * switches, at most one in twenty, or one in all of seven or more; where both are, their shares add up to one in twenty at most. Of a
 * fabric in several planes all must be alike. reverse: of fabric_reverse. Returns 0, or -1 when the memory is not there; shape_clear() in
 * every case.
 *
 * Time: of whole fabrics little more than O(channels log channels); O(sum of degrees squared) for dragonflies. Where cables deviate, or
 * there is no shape, some tens of times that, as several origins are tried; what is hard to number (shape_order.c), or looks like a Slim
 * Fly, may take a few seconds.
 */
int shape_find(struct shape *shape, const struct fabric *fabric, const uint32_t *reverse, struct error *error);
void shape_clear(struct shape *shape);

#endif
