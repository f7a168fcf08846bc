/* Shapes of groups, all joined to one another by equally many cables: what dragonflies have in common, once the groups are found. */
#ifndef SHAPES_SHAPE_GROUPS_H
#define SHAPES_SHAPE_GROUPS_H

#include "shapes/shape_part.h"

struct groups {
	const struct part *part;
	uint32_t count;
	uint32_t missing;  /* switches: their numbers follow those of the part */
	uint32_t *group;   /* [switches + missing] */
	bool *global;      /* [switches + missing] it has cables to other groups */
	uint32_t size;     /* global switches of each group */
	uint32_t h;        /* cables of a global switch to other groups: as many for all, or at most */
	uint32_t between;  /* cables between two groups */
	uint32_t parallel; /* what most links between groups have */
	uint32_t *matrix;  /* [count][count] cables */
	uint32_t *ends;    /* [switches + missing] cables to other groups */
};

/* Room for a part and as many missing switches as it may have. Returns 0, or -1; groups_clear() in every case. */
int groups_init(struct groups *groups, const struct part *part, struct error *error);
void groups_clear(struct groups *groups);

/*
 * Finds h and between, once group, global, count, missing and size are known: a first guess, another one, up to GROUPS_GUESSES. Returns
 * whether there are such, and the cables are near enough.
 */
enum { GROUPS_GUESSES = 4 };
bool groups_measure(struct groups *groups, int guess, struct error *error);

/*
 * Adds the cables between groups: those that are there, but no more than there should be (those go first whose ends have too many), and
 * those that are missing between switches that have too few. Returns whether that makes it whole.
 */
bool groups_plan(struct groups *groups, struct plan *plan, struct error *error);

/* Keeps the better of two plans: found, if it has a kind and fewer deviations than *fewest, which becomes theirs. */
void groups_keep(const struct part *part, struct plan *best, struct plan *found, uint64_t *fewest);

#endif
