/* Grids of ranks, the first dimension varying fastest: neighbours at any stride, for stencils and multigrids. */
#ifndef PATTERNS_PAIRS_RANK_GRID_H
#define PATTERNS_PAIRS_RANK_GRID_H

#include "patterns/pairs.h"

struct rank_grid {
	unsigned dimensions;
	uint32_t length[DIMENSIONS_MAX];
	bool torus;    /* it wraps */
	unsigned most; /* neighbours differ in at most this number of dimensions */
};

/* Its parameters are the first of a pattern's table: the grid, whether it wraps, the points of the stencil (that rank included; 0: usual).
 */
#define RANK_GRID_ARGS(usual) \
	{"grid", ARG_DIMENSIONS, NULL, 1, UINT32_MAX - 1, "lengths of the grid; their product is the number of ranks"}, \
		{"torus", ARG_FLAG, NULL, 0, 0, "wrap round"}, \
	{ \
		"points", ARG_INTEGER, "0", 0, UINT32_MAX, \
			"ranks of the stencil, its middle included, e.g. 7, 19 or 27 in three dimensions (default: " usual ")" \
	}

/*
 * Sets the data of a pattern to its grid; usual: rank_grid.most without points, or all dimensions if there are fewer. Returns 0, or -1 with
 * STATUS_USAGE if it does not fit the ranks, or has no stencil of so many points. As setup and cleanup of a pattern.
 */
int rank_grid_make(struct pattern_call *call, unsigned usual, struct error *error);
void rank_grid_free(struct pattern_call *call);

/*
 * Emits messages of the rank to its neighbours at the stride, each once; its places must be multiples of it. On a torus the last multiple
 * is beside the first. Order: dimension by dimension, the lower neighbour first, each with those that differ in later dimensions, too.
 */
void rank_grid_emit(const struct rank_grid *grid, uint32_t rank, uint32_t stride, struct sink *sink);

#endif
