/*
 * Colour refinement: cells of switches such that all switches of a cell have equally many cables to each other cell. The numbers of the
 * switches only affect the order within a cell, not the cells, the trace, or the work.
 */
#ifndef SHAPES_SHAPE_CELLS_H
#define SHAPES_SHAPE_CELLS_H

#include "shapes/shape_part.h"

struct cells {
	const struct part *graph;
	uint32_t *member;         /* [switches] the switches, cell by cell */
	uint32_t *at;             /* [switches] index in member */
	uint32_t *cell;           /* [switches] first index of the switch's cell */
	uint32_t *size;           /* [switches] size of the cell that begins at this index */
	uint32_t *split, *parent; /* [splits] cells in the order in which they were split off, and the cells that they were split from */
	uint32_t splits, count;   /* count: number of cells */
	uint64_t trace;           /* hash of the last refinement: equal for switches that are alike */
	uint64_t work;            /* cables followed since the beginning */
	uint64_t *ends;           /* [switches] this and the following are temporary: hash of the cables to a cell, or 0 */
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

/*
 * Creates the coarsest cells of switches with equal graph->hosts, in the order of hosts. Returns 0, or -1; call cells_clear() in either
 * case.
 */
int cells_init(struct cells *cells, const struct part *graph, struct error *error);
void cells_clear(struct cells *cells);

/* Makes the switch, which must share its cell with others, a cell of its own, and refines. Time O(cables followed, times log switches). */
void cells_single_out(struct cells *cells, uint32_t v);

/* Undoes the last splits until that many are left. */
void cells_undo(struct cells *cells, uint32_t splits);

#endif
