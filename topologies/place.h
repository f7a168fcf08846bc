/* Positions of nodes in a picture: helpers of the kinds. The unit is the distance of two adjacent nodes; y points upwards. */
#ifndef TOPOLOGIES_PLACE_H
#define TOPOLOGIES_PLACE_H

#include "topologies/topology.h"

#include <math.h>

/* Returns the radius of a circle of nodes, with room between two of them. */
static inline double place_radius(double nodes, double room)
{
	return nodes * room / (2 * M_PI);
}

/* Returns the position of node i of count on a circle around a centre: clockwise, the first at the top. */
static inline struct topology_place place_on_circle(struct topology_place centre, double radius, double i, double count)
{
	double angle = 2 * M_PI * (.25 - i / count);
	return (struct topology_place){centre.x + radius * cos(angle), centre.y + radius * sin(angle)};
}

/* Returns the position of node i of count in a level of a picture of that width with levels above the lowest. */
static inline struct topology_place place_in_level(double width, unsigned levels, unsigned level, double i, double count)
{
	return (struct topology_place){(i + .5) * width / count, level * fmax(1.5, width / (2. * levels))};
}

/* Returns the radius of a circle of count pictures that do not overlap, each extending reach from its centre. */
static inline double place_ring(double count, double reach)
{
	return count > 1 ? (reach + .5) / sin(M_PI / count) : 0;
}

/* A group of switches on a circle, and their hosts on a wider circle around them. */
struct place_group {
	uint32_t switches, each; /* hosts of each */
	double inner, outer;
};

static inline struct place_group place_group(uint32_t switches, uint32_t each)
{
	double inner = switches > 1 ? fmax(.8, place_radius(switches, 1.2)) : 0;
	return (struct place_group){switches, each, inner, each ? fmax(inner + 1.15, place_radius((double)switches * each, .8)) : inner};
}

/* Returns the position of a switch of the group; with host, numbered through the whole topology, that of its host. */
static inline struct topology_place place_in_group(
	struct topology_place centre, struct place_group group, uint32_t number, bool host, uint32_t node)
{
	if (!host || !group.each)
		return place_on_circle(centre, group.inner, number + .5, group.switches);
	return place_on_circle(centre, group.outer, number + (node % group.each + .5) / group.each, group.switches);
}

/*
 * place_arc() makes a group of switches on half a circle, and their hosts on a wider one, so that cables to other groups do not cross
 * these. turn: direction of its middle, clockwise from the top.
 */
static inline struct place_group place_arc(uint32_t switches, uint32_t each)
{
	double inner = fmax(.8, place_radius(2. * switches, 1.1));
	return (struct place_group){switches, each, inner, each ? fmax(inner + 1.1, place_radius(2. * switches * each, 1.25)) : inner};
}

static inline struct topology_place place_on_arc(
	struct topology_place centre, struct place_group arc, double turn, uint32_t number, bool host, uint32_t node)
{
	bool outside = host && arc.each;
	double along = number + (outside ? (node % arc.each + .5) / arc.each : .5);
	return place_on_circle(centre, outside ? arc.outer : arc.inner, turn + (along / arc.switches - .5) / 2, 1);
}

/*
 * place_round() returns the distance of a host from its switch in a grid; the function below, its position: up to four hosts are placed to
 * the right and below first, clear of the cables in rows and columns.
 */
static inline double place_round(uint32_t each)
{
	return each ? fmax(1.1, place_radius(each, each > 4 ? 1.2 : .9)) : 0;
}

static inline struct topology_place place_round_switch(struct topology_place at, uint32_t each, uint32_t host)
{
	static const double turn[] = {.317, .817, .683, .183};
	return place_on_circle(at, place_round(each), each <= 4 ? turn[host] : (host + .5) / each, 1);
}

/*
 * Returns the position for coordinates that extend alternately to the right and upwards, each pair of dimensions a grid of grids. step:
 * distance of two adjacent nodes in a row, and in a column. arc: rows and columns are arcs, so that cables past several nodes are visible,
 * with their middle displaced by this distance. Grids of grids are turned, so that their cables pass the nodes between their ends: a node
 * of the usual size, and its host, are wider than high.
 */
static inline struct topology_place place_by_coordinates(
	unsigned dimensions, const uint32_t *width, const uint32_t *c, const double step[2], const double arc[2])
{
	double size[2] = {step[0], step[1]}, at[2] = {0, 0};
	for (unsigned i = 0; i < dimensions; i++) {
		double middle = (width[i] - 1) / 2., off = middle > .5 ? (c[i] - middle) / middle : 1;
		at[i % 2] += c[i] * size[i % 2];
		at[1 - i % 2] += arc[i % 2] * sqrt(1 - off * off);
		if (i > 1)
			at[1 - i % 2] += c[i] * (width[i - 2] + .5) * (width[i - 2] > 2 ? (i % 2 ? -2 : 1.15) : (i % 2 ? -1.4 : .33));
		size[i % 2] *= width[i] + (width[i] > 1 ? .5 : 0);
	}
	return (struct topology_place){at[0], at[1]};
}

/* Returns the same position with room for each node's hosts around it; host: the number of one, NULL for the node itself. */
static inline struct topology_place place_in_grid(
	unsigned dimensions, const uint32_t *width, const uint32_t *c, uint32_t each, const uint32_t *host)
{
	double round = place_round(each);
	const double step[2] = {1.3 + (each > 1 ? 2 : 1.5) * round, each > 4 ? 1 + 2 * round : 1.2 + 1.2 * round},
		     arc[2] = {each ? -.6 : -.4, each ? 1 : .5};
	struct topology_place place = place_by_coordinates(dimensions, width, c, step, arc);
	return host ? place_round_switch(place, each, *host) : place;
}

#endif
