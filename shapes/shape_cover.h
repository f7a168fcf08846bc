/* Groups of a few switches, each nearly a full mesh, joined to one another by about equally many cables: found by trying, of up to
 * COVER_SWITCHES. */
#ifndef SHAPES_SHAPE_COVER_H
#define SHAPES_SHAPE_COVER_H

#include "shapes/shape_groups.h"

enum { COVER_SIZE = 6, COVER_SWITCHES = 3000 };

/*
 * Looks for a partition of all switches into groups->count groups of size a, 3 to COVER_SIZE, but for groups->missing switches of some of
 * them, with `between` cables between any two; parallel are those of a link within one group. Links that are missing, and cables between
 * groups that are missing or too many, are at most `allowed`. Returns whether groups->group is one. Tries so much work only: *work is what
 * is left.
 */
bool cover_find(
	struct groups *groups, uint32_t a, uint32_t parallel, uint32_t between, uint64_t allowed, uint64_t *work, struct error *error);

#endif
