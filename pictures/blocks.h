/*
 * Blocks: the parts that remain connected if only the cables between two levels are left, or only those within a level. In trees they are
 * dense: every lower switch of a block has a cable to every upper one, so that a missing cable is a hole. As a matrix, a block has a row
 * for each lower switch and a column for each upper one; a block within a level is square: a row for the switch that sends, a column for
 * the one that receives.
 */
#ifndef PICTURES_BLOCKS_H
#define PICTURES_BLOCKS_H

#include "pictures/cables.h"

/* The cables between a row's switch and a column's. */
struct cell {
	uint32_t row, column;   /* within the block */
	uint32_t first, cables; /* blocks.cable[first] .. [first + cables - 1], in the order of the row's ports */
};

struct block {
	uint32_t stage;
	bool square;
	uint32_t first_row, rows, first_column, columns; /* blocks.node[first_row] is the switch of row 0, likewise of column 0 */
	uint32_t first_cell, cells;                      /* in blocks.cell, by row, then column */
	uint32_t cables;
	uint32_t slices;              /* most cables of a cell: it is divided into so many */
	uint32_t bundle;              /* cables of most cells */
	bool even;                    /* nearly all cells have as many: those with fewer lack some, those with more have extra ones */
	bool dense;                   /* nearly all cells have cables: one without is a hole, but in rows or columns that have hardly any */
	uint32_t holes, extra;        /* missing cables, of a dense block, including those that cells lack; extra cables */
	uint32_t count[LOAD_CLASSES]; /* channels by class */
	uint32_t above;               /* channels with more than their share */
	double excess;                /* the largest */
};

/* All blocks between two levels. */
struct stage {
	uint32_t lower, upper; /* levels; equal: cables within a level */
	uint32_t first, blocks;
	uint32_t cables, above, holes, extra;
};

struct blocks {
	struct stage *stage; /* [stages] by lower, then upper level */
	struct block *block; /* [blocks] those of a stage consecutive, by their first rows */
	struct cell *cell;   /* [cells] */
	uint32_t *cable;     /* [cell_cables] indices of cables; in square blocks each is in two cells */
	uint32_t *node;      /* [nodes_listed] switches of rows and columns: by chassis, then by label */
	bool *full;          /* [nodes_listed] whether the row or column has cables to most others */
	uint32_t stages, blocks;
	size_t cells, cell_cables, nodes_listed;
};

/*
 * Finds the blocks of all cables between switches that have a level. rank: [nodes] order of switches in rows and columns. Returns 0, or -1
 * if out of memory; call blocks_clear() in every case. Time O(cables log cables).
 */
int blocks_find(struct blocks *blocks, const struct fabric *fabric, const struct fair_share *fair, const struct cables *cables,
	const uint32_t *rank, struct error *error);
void blocks_clear(struct blocks *blocks);

/*
 * Returns the channel of a cable of a cell. In square blocks the one that leaves the switch of the cell's row, whatever the way. NONE: the
 * cable has no such direction.
 */
uint32_t cell_channel(const struct blocks *blocks, const struct block *block, const struct cell *cell, const struct cables *cables,
	uint32_t cable, enum cable_way way);

/*
 * Returns the number of cables that a cell with so many lacks: 0 where no more are expected. In pictures a cell is divided into as many
 * slices as it has cables and lacks, the lacking ones last.
 */
uint32_t cell_lacks(const struct blocks *blocks, const struct block *block, uint32_t row, uint32_t column, uint32_t cables);

#endif
