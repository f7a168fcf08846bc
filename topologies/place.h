/* Where nodes stand in a picture: helpers of the kinds. The unit is the distance of two nodes side by side; y goes upwards. */
#ifndef TOPOLOGIES_PLACE_H
#define TOPOLOGIES_PLACE_H

#include "topology.h"

#include <math.h>

/* The radius of a circle of so many nodes, with some room between two of them. */
static inline double place_radius(double nodes, double room)
{
	return nodes * room / (2 * M_PI);
}

/* Number i of so many on a circle round a centre: clockwise, the first at the top. */
static inline struct topology_place place_on_circle(struct topology_place centre, double radius, double i, double count)
{
	double angle = 2 * M_PI * (.25 - i / count);
	return (struct topology_place){centre.x + radius * cos(angle), centre.y + radius * sin(angle)};
}

/* Number i of so many in a level of a picture of that width and so many levels above the lowest. */
static inline struct topology_place place_in_level(double width, unsigned levels, unsigned level, double i, double count)
{
	return (struct topology_place){(i + .5) * width / count, level * fmax(1.5, width / (2. * levels))};
}

/*
 * Coordinates by turns to the right and upwards, each pair of dimensions a grid of grids. Rows are bent, and grids of grids slant, so that
 * cables past several nodes show. each: hosts of a node, which stand round it; host: number of the host, NULL for the node itself.
 */
static inline struct topology_place place_in_grid(
	unsigned dimensions, const uint32_t *width, const uint32_t *c, uint32_t each, const uint32_t *host)
{
	double round = each ? fmax(.6, place_radius(each, .7)) : 0, size[2] = {1 + 2 * round, 1 + 2 * round}, at[2] = {0, 0};
	for (unsigned i = 0; i < dimensions; i++) {
		double middle = (width[i] - 1) / 2., off = middle > .5 ? (c[i] - middle) / middle : 1, step = size[i % 2];
		at[i % 2] += c[i] * step;
		at[1 - i % 2] += .35 * fmin(step, 3) * (1 - off * off) + (i > 1 ? .4 * c[i] : 0);
		size[i % 2] *= width[i] + (width[i] > 1 ? .5 : 0);
	}
	struct topology_place place = {at[0], at[1]};
	return host ? place_on_circle(place, round, *host + .375, each) : place;
}

#endif
