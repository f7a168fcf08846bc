/*
 * Cells of switches: colour refinement. Switches of a cell have equally many cables to each other cell, once it is refined. Nothing depends
 * on the numbers of the switches but their order within a cell: neither the cells, nor the trace, nor the work.
 */
#ifndef SHAPES_SHAPE_CELLS_H
#define SHAPES_SHAPE_CELLS_H

#include "shapes/shape_part.h"

struct cells {
	const struct part *graph;
	uint32_t *member;         /* [switches] cell by cell */
	uint32_t *at;             /* [switches] where it is in member */
	uint32_t *cell;           /* [switches] where its cell begins */
	uint32_t *size;           /* [switches] of the cell that begins there */
	uint32_t *split, *parent; /* [splits] cells in the order in which they were split off, and of which */
	uint32_t splits, count;   /* count: of cells */
	uint64_t trace;           /* what the last refinement came to, as a hash: equal for switches that are alike */
	uint64_t work;            /* cables followed since the beginning */
	uint64_t *ends;           /* [switches] what follows is for the while: hash of the cables to a cell, 0 */
	uint32_t *touched, *hit, *moved, *queue;
	bool *queued;
	uint32_t first, waiting; /* of the queue */
};

static inline uint64_t hash_mix(uint64_t x)
{
	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return x ^ x >> 31;
}

/* The coarsest cells of switches with equal graph->hosts, in their order. Returns 0, or -1; cells_clear() in every case. */
int cells_init(struct cells *cells, const struct part *graph, struct error *error);
void cells_clear(struct cells *cells);

/* Makes the switch, which must not be one already, a cell of its own, and refines. Time O(cables followed, times log switches). */
void cells_single_out(struct cells *cells, uint32_t v);

/* Takes the last splits back, until there are so many. */
void cells_undo(struct cells *cells, uint32_t splits);

#endif
