/*
 * The computed routes of trees as sums. A route climbs to the lowest level where both hosts have the same ancestors, and descends. The
 * place by which it leaves a level upwards is a number of the source's leaf plus one of the destination; the place downwards is a number of
 * the destination's leaf plus one of the destination. What a destination adds repeats with a period. So two small tables give all routes,
 * and a route costs a few additions.
 */
#ifndef FABRIC_TREE_ROUTES_H
#define FABRIC_TREE_ROUTES_H

#include "base/error.h"
#include "topologies/reciprocal.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct routing_function;

/* A channel up from a level, and one down to it. */
struct tree_places {
	uint32_t up, down;
};

struct tree_routes {
	uint32_t levels;         /* of switches */
	uint32_t first, last;    /* places from a host, and to a host, to those from and to the next of the leaf */
	struct reciprocal hosts; /* of a leaf, one after another */
	struct reciprocal period;
	struct tree_places *leaf;  /* [leaves][levels] */
	struct tree_places *added; /* [period][levels] */
};

/*
 * Creates the sums of a routing function. Returns NULL without an error if its topology is no tree, or its fabric does not number the
 * nodes of each level one after another. Time O((leaves + period) * levels).
 */
struct tree_routes *tree_routes_create(const struct routing_function *function, struct error *error);
void tree_routes_free(struct tree_routes *tree);

static inline const struct tree_places *tree_routes_leaf(const struct tree_routes *tree, uint32_t host)
{
	return tree->leaf + (size_t)quotient(host, tree->hosts) * tree->levels;
}

static inline const struct tree_places *tree_routes_added(const struct tree_routes *tree, uint32_t destination)
{
	return tree->added + (size_t)remainder_of(destination, tree->period) * tree->levels;
}

/*
 * Writes the places of the route between hosts of two leaves without the first and the last: 2 levels - 2 of them, as shorter routes are
 * padded by numbers from blank on. Without a branch, as neighbouring pairs of hosts climb to different levels.
 */
static inline __attribute__((always_inline)) void tree_routes_inner(const struct tree_places *from, const struct tree_places *to,
	const struct tree_places *added, uint32_t levels, uint32_t blank, uint32_t *places)
{
	bool climbs = true;
	for (uint32_t l = 1; l < levels; l++) {
		climbs &= from[l].up != to[l].up;
		places[2 * l - 2] = climbs ? from[l].up + added[l].up : blank + 2 * l - 2;
		places[2 * l - 1] = climbs ? to[l].down + added[l].down : blank + 2 * l - 1;
	}
}

/* As routing_function_places(). */
uint32_t tree_routes_places(const struct tree_routes *tree, uint32_t source, uint32_t destination, bool ends, uint32_t *places);

#endif
