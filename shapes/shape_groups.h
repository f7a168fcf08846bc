/* Shapes of groups with equally many cables between any two: the common part of dragonfly and dragonfly+ once the groups are found. */
#ifndef SHAPES_SHAPE_GROUPS_H
#define SHAPES_SHAPE_GROUPS_H

#include "shapes/shape_part.h"

struct groups {
	const struct part *part;
	uint32_t count;
	uint32_t missing;  /* missing switches, numbered after those of the part */
	uint32_t *group;   /* [switches + missing] */
	bool *global;      /* [switches + missing] has cables to other groups */
	uint32_t size;     /* number of global switches per group */
	uint32_t h;        /* cables of a global switch to other groups: exactly, or at most */
	uint32_t between;  /* cables between two groups */
	uint32_t parallel; /* cables of most links between groups */
	uint32_t *matrix;  /* [count][count] cables */
	uint32_t *ends;    /* [switches + missing] cables to other groups */
};

/* Allocates for a part and as many missing switches as it may have. Returns 0, or -1; call groups_clear() in either case. */
int groups_init(struct groups *groups, const struct part *part, struct error *error);
void groups_clear(struct groups *groups);

/*
 * Finds h and between from group, global, count, missing and size: guesses 0 to GROUPS_GUESSES - 1. Returns whether there are such numbers
 * and the cables are near enough.
 */
enum { GROUPS_GUESSES = 4 };
bool groups_measure(struct groups *groups, int guess, struct error *error);

/*
 * Adds the cables between groups: the existing ones, without the surplus (cables whose ends have too many are removed first), and missing
 * ones between switches that have too few. Returns whether that completes the shape.
 */
bool groups_plan(struct groups *groups, struct plan *plan, struct error *error);

/* Keeps the better of two plans: found, if it has a kind and fewer deviations than *fewest, which becomes its number. */
void groups_keep(const struct part *part, struct plan *best, struct plan *found, uint64_t *fewest);

#endif
