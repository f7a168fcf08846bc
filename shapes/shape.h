/*
 * The shape of a fabric: the regular topology that its cabling forms. Names, ports, routes and the order of nodes and cables do not matter.
 * A shape is recognised by finding the place of every switch in it; then its cables are compared with those of the fabric, so that a few
 * deviations do not hide it.
 *   tree         XGFT(h; m1..mh; w1..wh), extended generalised fat tree (Ohring, Ibel, Das, Kumar 1995): a switch of level i has m_i
 *                children and is one of w_i parents of each; k-ary n-tree (Petrini, Vanneschi 1997): all m and, but for w1 = 1, all w are k
 *   full mesh    every switch is linked to every other
 *   torus, mesh  a product of rings and paths; two crossed pairs of switches are a ring of four
 *   HyperX       a product of full meshes (Bhuyan, Agrawal 1984; Ahn et al. 2009)
 *   Slim Fly     McKay, Miller, Siran graphs (Besta, Hoefler 2014)
 *   dragonfly    (Kim, Dally, Scott, Abts 2008): groups of a >= 3 switches, each a full mesh; every switch has h cables to other groups,
 *                equally many between any two groups; where a h is not a multiple of that number, some switches have fewer than h
 *   dragonfly+   (Shpiner et al. 2017): groups of leaves, which have the hosts, linked to all spines of the group; every spine has h
 *                cables to spines of other groups, equally many between any two groups
 * Parallel cables count as one link if all links of a level, a dimension or a kind have equally many.
 */
#ifndef SHAPES_SHAPE_H
#define SHAPES_SHAPE_H

#include "fabric/fabric.h"

#include <stdbool.h>

enum { SHAPE_VALUES = 16, SHAPE_PARAMETERS = 6 };

/*
 * A surplus cable (channel is one of its directions), or a missing one (channel is NONE). An end of a missing cable is NONE if its switch
 * is missing. A channel between switches that is not part of a cable is surplus.
 */
struct deviation {
	uint32_t from, to, channel;
};

struct shape_parameter {
	const char *name; /* NULL: end of the list */
	unsigned count;
	uint32_t value[SHAPE_VALUES];
};

struct shape {
	const char *kind; /* "irregular" if no shape was recognised */
	bool regular;
	char name[1000]; /* with its parameters, for display */
	struct shape_parameter parameter[SHAPE_PARAMETERS];
	uint32_t planes;                  /* number of parts without a cable between them, all of this shape */
	uint32_t least_hosts, most_hosts; /* over switches that have hosts or are leaves of a tree */
	struct deviation *deviation;
	uint32_t deviations;
	uint32_t missing_switches; /* their cables are deviations, too */
	uint32_t *level;           /* [nodes] of switches, 0 for those with hosts, if the shape is a tree; otherwise NULL */
	/*
	 * [nodes] of switches, within their plane. Of tori, meshes and HyperX the place in the grid, the first dimension fastest; rings of
	 * four can be two dimensions of two there. Of dragonflies of both kinds the group. Otherwise NULL
	 */
	uint32_t *place;
	uint32_t grid[SHAPE_VALUES], dimensions; /* the lengths of the dimensions of place; dimensions: 0 if there is no grid */
};

/*
 * Finds the shape with the fewest deviations. Limits: at most 5% of the cables of the whole shape, or one cable, may deviate, not counting
 * cables of missing switches; at most 5% of the switches may be missing, or one of seven or more; if both occur, the two fractions add up
 * to at most 5%. All planes of a fabric must have the same shape. reverse: the result of fabric_reverse().
 * Returns 0, or -1 if out of memory; call shape_clear() in either case.
 *
 * Time: little more than O(channels log channels) without deviations; O(sum of degrees squared) for dragonflies. With deviations, or
 * without a shape, some tens of times that, as several origins are tried; a fabric that is hard to number (shape_order.c) or resembles a
 * Slim Fly may take a few seconds.
 */
int shape_find(struct shape *shape, const struct fabric *fabric, const uint32_t *reverse, struct error *error);
void shape_clear(struct shape *shape);

#endif
