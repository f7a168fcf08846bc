#include "pictures/blocks.h"

#include "base/disjoint.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A cell has cables of so many percent of the others of its block before a missing one counts as a hole. */
enum { DENSE_PERCENT = 80 };

/* A cable as it stands in a matrix: in square blocks twice. */
struct entry {
	uint32_t lower, upper; /* levels */
	uint32_t block;        /* rank of the first row of its block */
	uint32_t row, column;  /* ranks */
	uint32_t port, cable;
};

struct work {
	struct blocks *blocks;
	const struct fabric *fabric;
	const struct fair_share *fair;
	const struct cables *cables;
	const uint32_t *rank;
	uint32_t *node_of; /* [nodes] of a rank */
	uint32_t *root;    /* [nodes] a forest of switches that cables of the stage join */
	uint32_t *first;   /* [nodes] of a root: the lowest rank of a row */
	uint32_t *index;   /* [nodes] column of a switch */
	uint32_t *number;  /* [nodes] scratch */
	struct entry *entry;
	size_t entries, cells, listed, stages, blocks_capacity;
};

static bool has_level(const struct work *w, uint32_t node)
{
	return w->fabric->node_host[node] == NONE && w->fair->level[node] < LEVEL_NONE;
}

static uint32_t port_at(const struct fabric *fabric, const struct cable *cable, enum cable_way way)
{
	return cable->channel[way] != NONE    ? fabric->labels->port[cable->channel[way]]
	       : cable->channel[!way] != NONE ? fabric->labels->peer_port[cable->channel[!way]]
					      : 0;
}

static void add_entries(struct work *w)
{
	for (uint32_t i = 0; i < w->cables->cables; i++) {
		const struct cable *cable = &w->cables->cable[i];
		uint32_t low = cable->end[0], high = cable->end[1];
		if (!has_level(w, low) || !has_level(w, high))
			continue;
		struct entry entry = {.lower = w->fair->level[low],
			.upper = w->fair->level[high],
			.row = w->rank[low],
			.column = w->rank[high],
			.port = port_at(w->fabric, cable, CABLE_UP),
			.cable = i};
		w->entry[w->entries++] = entry;
		if (entry.lower != entry.upper || low == high)
			continue;
		entry.row = w->rank[high];
		entry.column = w->rank[low];
		entry.port = port_at(w->fabric, cable, CABLE_DOWN);
		w->entry[w->entries++] = entry;
	}
}

static int order(uint32_t a, uint32_t b)
{
	return (a > b) - (a < b);
}

static int compare_entries(const void *left, const void *right)
{
	const struct entry *a = left, *b = right;
	int by = order(a->lower, b->lower);
	by = by ? by : order(a->upper, b->upper);
	by = by ? by : order(a->block, b->block);
	by = by ? by : order(a->row, b->row);
	by = by ? by : order(a->column, b->column);
	by = by ? by : order(a->port, b->port);
	return by ? by : order(a->cable, b->cable);
}

/* ---- the parts that the cables of a stage connect */

/* Sets the block of all entries of a stage. */
static void join_stage(struct work *w, struct entry *entry, size_t count)
{
	for (size_t i = 0; i < count; i++)
		for (int end = 0; end < 2; end++) {
			uint32_t node = w->node_of[end ? entry[i].column : entry[i].row];
			w->root[node] = node;
			w->first[node] = NONE;
		}
	for (size_t i = 0; i < count; i++)
		disjoint_join(w->root, w->node_of[entry[i].row], w->node_of[entry[i].column]);
	for (size_t i = 0; i < count; i++) {
		uint32_t root = disjoint_root(w->root, w->node_of[entry[i].row]);
		w->first[root] = entry[i].row < w->first[root] ? entry[i].row : w->first[root];
	}
	for (size_t i = 0; i < count; i++)
		entry[i].block = w->first[disjoint_root(w->root, w->node_of[entry[i].row])];
}

static size_t end_of_stage(const struct work *w, size_t begin)
{
	size_t end = begin;
	while (end < w->entries && w->entry[end].lower == w->entry[begin].lower && w->entry[end].upper == w->entry[begin].upper)
		end++;
	return end;
}

static void sort_entries(struct work *w)
{
	qsort(w->entry, w->entries, sizeof *w->entry, compare_entries);
	for (size_t begin = 0, end; begin < w->entries; begin = end) {
		end = end_of_stage(w, begin);
		join_stage(w, w->entry + begin, end - begin);
	}
	qsort(w->entry, w->entries, sizeof *w->entry, compare_entries);
}

/* ---- rows, columns and cells */

static int compare_numbers(const void *left, const void *right)
{
	uint32_t a, b;
	memcpy(&a, left, sizeof a);
	memcpy(&b, right, sizeof b);
	return order(a, b);
}

/* Lists the switches of the rows or columns of a block. Returns their number. */
static uint32_t list_nodes(struct work *w, const struct entry *entry, size_t count, bool columns)
{
	uint32_t *rank = w->number, listed = 0, *node = w->blocks->node + w->blocks->nodes_listed;
	for (size_t i = 0; i < count; i++) {
		uint32_t own = columns ? entry[i].column : entry[i].row;
		if (w->index[w->node_of[own]] != NONE)
			continue;
		w->index[w->node_of[own]] = 0;
		rank[listed++] = own;
	}
	qsort(rank, listed, sizeof *rank, compare_numbers);
	for (uint32_t i = 0; i < listed; i++) {
		node[i] = w->node_of[rank[i]];
		w->index[node[i]] = NONE;
	}
	w->blocks->nodes_listed += listed;
	return listed;
}

/* Numbers the listed switches, or forgets the numbers. */
static void number_nodes(struct work *w, const uint32_t *node, uint32_t count, bool forget)
{
	for (uint32_t i = 0; i < count; i++)
		w->index[node[i]] = forget ? NONE : i;
}

static void add_cell(struct work *w, struct block *block, const struct entry *entry, uint32_t row, size_t cables)
{
	struct blocks *b = w->blocks;
	struct cell *cell = &b->cell[b->cells++];
	*cell = (struct cell){
		.row = row, .column = w->index[w->node_of[entry->column]], .first = (uint32_t)b->cell_cables, .cables = (uint32_t)cables};
	for (size_t i = 0; i < cables; i++)
		b->cable[b->cell_cables++] = entry[i].cable;
	block->slices = cell->cables > block->slices ? cell->cables : block->slices;
	block->cells++;
}

static void count_channels(const struct work *w, struct block *block, const struct cable *cable)
{
	block->cables++;
	for (int way = 0; way < 2; way++) {
		uint32_t c = cable->channel[way];
		if (c == NONE)
			continue;
		block->count[w->fair->class[c]]++;
		block->above += w->fair->class[c] >= LOAD_WARM;
		block->excess = fmax(block->excess, w->fair->excess[c]);
	}
}

/* Returns the number of cables that most cells have, the largest of several. */
static uint32_t usual_cables(const struct blocks *b, const struct block *block, uint32_t *cells)
{
	uint32_t usual = 1, most = 0;
	for (uint32_t cables = 1; cables <= block->slices; cables++) {
		uint32_t count = 0;
		for (uint32_t i = 0; i < block->cells; i++)
			count += b->cell[block->first_cell + i].cables == cables;
		if (count && count >= most) {
			most = count;
			usual = cables;
		}
	}
	*cells = most;
	return usual;
}

/* Marks the rows and columns with cables to most others. */
static void find_full(struct work *w, const struct block *block)
{
	struct blocks *b = w->blocks;
	uint32_t *row = w->number, *column = w->number + block->rows;
	memset(w->number, 0, ((size_t)block->rows + block->columns) * sizeof *row);
	for (uint32_t i = 0; i < block->cells; i++) {
		const struct cell *cell = &b->cell[block->first_cell + i];
		row[cell->row]++;
		column[cell->column]++;
	}
	for (uint32_t i = 0; i < block->columns; i++)
		b->full[block->first_column + i] = 2 * column[i] >= block->rows;
	for (uint32_t i = 0; i < block->rows; i++)
		b->full[block->first_row + i] = 2 * row[i] >= block->columns;
}

static bool is_full(const struct blocks *b, const struct block *block, uint32_t row, uint32_t column)
{
	return b->full[block->first_row + row] && b->full[block->first_column + column] && !(block->square && row == column);
}

/* Finds whether the block is dense, and what it lacks. */
static void find_holes(struct work *w, struct block *block)
{
	struct blocks *b = w->blocks;
	uint64_t rows = 0, columns = 0, there = 0, lacking = 0;
	uint32_t usual;
	block->bundle = usual_cables(b, block, &usual);
	block->even = (uint64_t)usual * 100 >= (uint64_t)block->cells * DENSE_PERCENT;
	find_full(w, block);
	for (uint32_t i = 0; i < block->rows; i++)
		rows += b->full[block->first_row + i];
	for (uint32_t i = 0; i < block->columns; i++)
		columns += b->full[block->first_column + i];
	for (uint32_t i = 0; i < block->cells; i++) {
		const struct cell *cell = &b->cell[block->first_cell + i];
		bool full = is_full(b, block, cell->row, cell->column);
		there += full;
		lacking += full && block->even && cell->cables < block->bundle ? block->bundle - cell->cables : 0;
		block->extra += block->even && cell->cables > block->bundle ? cell->cables - block->bundle : 0;
	}
	uint64_t wanted = rows * columns - (block->square ? rows : 0);
	block->dense = wanted > 1 && there * 100 >= wanted * DENSE_PERCENT;
	block->holes = block->dense ? (uint32_t)((wanted - there) * block->bundle + lacking) : 0;
}

static int add_block(struct work *w, const struct entry *entry, size_t count, uint32_t stage, struct error *error)
{
	struct blocks *b = w->blocks;
	if (array_grow(&b->block, &w->blocks_capacity, (size_t)b->blocks + 1, sizeof *b->block, error))
		return -1;
	struct block *block = &b->block[b->blocks++];
	*block = (struct block){.stage = stage, .square = entry->lower == entry->upper, .first_cell = (uint32_t)b->cells};
	block->first_row = block->first_column = (uint32_t)b->nodes_listed;
	block->rows = block->columns = list_nodes(w, entry, count, false);
	if (!block->square) {
		block->first_column = (uint32_t)b->nodes_listed;
		block->columns = list_nodes(w, entry, count, true);
	}
	const uint32_t *column = b->node + block->first_column;
	number_nodes(w, column, block->columns, false);
	for (size_t i = 0, cables, row = 0; i < count; i += cables) {
		for (cables = 1;
			i + cables < count && entry[i + cables].row == entry[i].row && entry[i + cables].column == entry[i].column;)
			cables++;
		row += i && entry[i].row != entry[i - 1].row;
		add_cell(w, block, &entry[i], (uint32_t)row, cables);
		for (size_t k = 0; k < cables; k++)
			if (!block->square || entry[i].row <= entry[i].column)
				count_channels(w, block, &w->cables->cable[entry[i + k].cable]);
	}
	number_nodes(w, column, block->columns, true);
	find_holes(w, block);
	return 0;
}

static void add_to_stage(struct stage *stage, const struct block *block)
{
	stage->blocks++;
	stage->cables += block->cables;
	stage->above += block->above;
	stage->holes += block->holes;
	stage->extra += block->extra;
}

static int make_blocks(struct work *w, struct error *error)
{
	struct blocks *b = w->blocks;
	size_t capacity = 0;
	for (size_t begin = 0, stage_end; begin < w->entries && !error->status; begin = stage_end) {
		const struct entry *entry = w->entry + begin;
		stage_end = end_of_stage(w, begin);
		if (array_grow(&b->stage, &capacity, (size_t)b->stages + 1, sizeof *b->stage, error))
			break;
		struct stage *stage = &b->stage[b->stages++];
		*stage = (struct stage){.lower = entry->lower, .upper = entry->upper, .first = b->blocks};
		for (size_t from = begin, to; from < stage_end && !error->status; from = to) {
			for (to = from + 1; to < stage_end && w->entry[to].block == w->entry[from].block;)
				to++;
			if (!add_block(w, w->entry + from, to - from, b->stages - 1, error))
				add_to_stage(stage, &b->block[b->blocks - 1]);
		}
	}
	return error->status ? -1 : 0;
}

int blocks_find(struct blocks *blocks, const struct fabric *fabric, const struct fair_share *fair, const struct cables *cables,
	const uint32_t *rank, struct error *error)
{
	size_t nodes = fabric->nodes, entries = 2 * (size_t)cables->cables;
	*blocks = (struct blocks){
		.cell = array_create(entries, sizeof *blocks->cell, error),
		.cable = array_create(entries, sizeof *blocks->cable, error),
		.node = array_create(2 * entries, sizeof *blocks->node, error),
		.full = array_create(2 * entries, sizeof *blocks->full, error),
	};
	struct work w = {
		.blocks = blocks,
		.fabric = fabric,
		.fair = fair,
		.cables = cables,
		.rank = rank,
		.node_of = array_create(nodes, sizeof *w.node_of, error),
		.root = array_create(nodes, sizeof *w.root, error),
		.first = array_create(nodes, sizeof *w.first, error),
		.index = array_create(nodes, sizeof *w.index, error),
		.number = array_create(2 * nodes, sizeof *w.number, error),
		.entry = array_create(entries, sizeof *w.entry, error),
	};
	for (uint32_t v = 0; v < fabric->nodes && !error->status; v++) {
		w.node_of[rank[v]] = v;
		w.index[v] = NONE;
	}
	if (!error->status) {
		add_entries(&w);
		sort_entries(&w);
		make_blocks(&w, error);
	}
	free(w.node_of);
	free(w.root);
	free(w.first);
	free(w.index);
	free(w.number);
	free(w.entry);
	return error->status ? -1 : 0;
}

void blocks_clear(struct blocks *blocks)
{
	free(blocks->stage);
	free(blocks->block);
	free(blocks->cell);
	free(blocks->cable);
	free(blocks->node);
	free(blocks->full);
	*blocks = (struct blocks){0};
}

uint32_t cell_channel(const struct blocks *blocks, const struct block *block, const struct cell *cell, const struct cables *cables,
	uint32_t cable, enum cable_way way)
{
	const struct cable *c = &cables->cable[cable];
	if (block->square)
		way = c->end[0] == blocks->node[block->first_row + cell->row] ? CABLE_UP : CABLE_DOWN;
	return c->channel[way];
}

uint32_t cell_lacks(const struct blocks *blocks, const struct block *block, uint32_t row, uint32_t column, uint32_t cables)
{
	bool expected = block->dense && cables < block->bundle && (!cables || block->even);
	return expected && is_full(blocks, block, row, column) ? block->bundle - cables : 0;
}
