/*
 * Finds groups of a few switches, each nearly a full mesh, with about equally many cables between any two groups, by search; for up to
 * COVER_SWITCHES switches.
 */
#ifndef SHAPES_SHAPE_COVER_H
#define SHAPES_SHAPE_COVER_H

#include "shapes/shape_groups.h"

enum { COVER_SIZE = 6, COVER_SWITCHES = 3000 };

/*
 * Searches for a partition of all switches into groups->count groups of size a (3 to COVER_SIZE), some of which may lack groups->missing
 * switches in all, with `between` cables between any two groups; parallel: cables per link within a group. At most `allowed` deviations:
 * missing links, and missing or surplus cables between groups. Returns whether groups->group is such a partition. *work limits the search
 * and is reduced by the work done.
 */
bool cover_find(
	struct groups *groups, uint32_t a, uint32_t parallel, uint32_t between, uint64_t allowed, uint64_t *work, struct error *error);

#endif
