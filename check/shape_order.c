/*
 * Colour refinement by partitions (Paige, Tarjan: Three partition refinement algorithms, SIAM Journal on Computing 1987; individualised as
 * by McKay: Practical graph isomorphism, 1981, but down a single path). Cells are pieces of one list of switches. A cell splits another by
 * how many cables lead to it; pieces are in the order of that number. The largest piece of a cell that has already split others need not do
 * so.
 */
#include "shape_part.h"

#include <stdlib.h>
#include <string.h>

struct order {
	const struct part *part;
	uint32_t *list;         /* [switches] cell by cell */
	uint32_t *at;           /* [switches] where it is in the list */
	uint32_t *cell;         /* [switches] where its cell begins */
	uint32_t *size;         /* [switches] of the cell that begins there */
	uint32_t *count;        /* [switches] cables to the cell that splits */
	uint32_t *touched;      /* [switches] of the cell that begins there, moved to its end */
	uint32_t *cells;        /* [2 * switches] those with any; then the switches of the cell that splits */
	uint32_t *queue;        /* [switches] a ring of cells that have yet to split others */
	bool *queued;           /* [switches] */
	uint32_t head, waiting; /* of the ring */
};

static void enqueue(struct order *o, uint32_t cell)
{
	if (o->queued[cell])
		return;
	o->queued[cell] = true;
	o->queue[(o->head + o->waiting++) % o->part->switches] = cell;
}

static int compare_numbers(const void *left, const void *right)
{
	const uint32_t *x = left, *y = right;
	return *x < *y ? -1 : *x > *y;
}

static int compare_counts(const void *left, const void *right, void *count)
{
	const uint32_t *x = left, *y = right, *of = count;
	return of[*x] < of[*y] ? -1 : of[*x] > of[*y];
}

static void swap(struct order *o, uint32_t i, uint32_t k)
{
	uint32_t v = o->list[i], u = o->list[k];
	o->list[i] = u;
	o->list[k] = v;
	o->at[u] = i;
	o->at[v] = k;
}

/* Makes a cell of list[from..to-1]. */
static void make_cell(struct order *o, uint32_t from, uint32_t to)
{
	o->size[from] = to - from;
	for (uint32_t i = from; i < to; i++)
		o->cell[o->list[i]] = from;
}

/* Cuts a cell where the counts of its switches change; those that were not touched, with none, come first. */
static void split(struct order *o, uint32_t start)
{
	uint32_t end = start + o->size[start], from = end - o->touched[start], largest = start, pieces = 0;
	bool before = o->queued[start];
	qsort_r(o->list + from, end - from, sizeof *o->list, compare_counts, o->count);
	for (uint32_t i = from; i < end; i++)
		o->at[o->list[i]] = i;
	for (uint32_t piece = start, i = from; i <= end; i++) {
		bool cut = i == end || (i == from ? from > start : o->count[o->list[i]] != o->count[o->list[i - 1]]);
		if (!cut)
			continue;
		if (piece > start || i < end) {
			make_cell(o, piece, i);
			largest = o->size[piece] > o->size[largest] ? piece : largest;
			pieces++;
		}
		piece = i;
	}
	for (uint32_t piece = start; piece < end && pieces > 1; piece += o->size[piece])
		if (before || piece != largest)
			enqueue(o, piece);
}

/* Counts the cables to the cell and splits all cells by that. */
static void split_by(struct order *o, uint32_t splitter)
{
	const struct part *part = o->part;
	uint32_t cells = 0, size = o->size[splitter], *member = o->cells + part->switches; /* switches move within their cells */
	memcpy(member, o->list + splitter, size * sizeof *member);
	for (uint32_t i = 0; i < size; i++)
		for (uint32_t v = member[i], k = part->first[v]; k < part->first[v + 1]; k++)
			o->count[part->neighbour[k].to] += part->neighbour[k].cables;
	for (uint32_t i = 0; i < size; i++)
		for (uint32_t v = member[i], k = part->first[v]; k < part->first[v + 1]; k++) {
			uint32_t u = part->neighbour[k].to, start = o->cell[u], end = start + o->size[start];
			if (o->at[u] >= end - o->touched[start])
				continue;
			if (!o->touched[start])
				o->cells[cells++] = start;
			swap(o, o->at[u], end - ++o->touched[start]);
		}
	qsort(o->cells, cells, sizeof *o->cells, compare_numbers);
	for (uint32_t i = 0; i < cells; i++) {
		uint32_t start = o->cells[i], end = start + o->size[start], touched = o->touched[start];
		if (o->size[start] > 1)
			split(o, start);
		o->touched[start] = 0;
		for (uint32_t k = end - touched; k < end; k++)
			o->count[o->list[k]] = 0;
	}
}

static void refine(struct order *o)
{
	while (o->waiting) {
		uint32_t cell = o->queue[o->head];
		o->head = (o->head + 1) % o->part->switches;
		o->waiting--;
		o->queued[cell] = false;
		split_by(o, cell);
	}
}

/* Cells by numbers of hosts, then refined until each is one switch: of a cell that no other splits, its first gets one of its own. */
static void find_order(struct order *o)
{
	uint32_t n = o->part->switches;
	for (uint32_t i = 0; i < n; i++)
		o->list[i] = o->at[i] = i;
	make_cell(o, 0, n);
	memcpy(o->count, o->part->hosts, n * sizeof *o->count);
	o->touched[0] = n;
	split(o, 0);
	memset(o->count, 0, n * sizeof *o->count);
	o->touched[0] = 0;
	for (uint32_t cell = 0; cell < n; cell += o->size[cell])
		enqueue(o, cell);
	refine(o);
	for (uint32_t cell = 0; cell < n; cell++) {
		if (o->size[cell] == 1)
			continue;
		uint32_t end = cell + o->size[cell];
		make_cell(o, cell, cell + 1);
		make_cell(o, cell + 1, end);
		enqueue(o, cell);
		refine(o);
	}
}

int part_order(const struct part *part, uint32_t *order, struct error *error)
{
	size_t n = part->switches;
	struct order o = {
		.part = part,
		.list = order,
		.at = array_create(n, sizeof *o.at, error),
		.cell = array_create(n, sizeof *o.cell, error),
		.size = array_create(n, sizeof *o.size, error),
		.count = array_create(n, sizeof *o.count, error),
		.touched = array_create(n, sizeof *o.touched, error),
		.cells = array_create(2 * n, sizeof *o.cells, error),
		.queue = array_create(n, sizeof *o.queue, error),
		.queued = array_create(n, sizeof *o.queued, error),
	};
	if (!error->status)
		find_order(&o);
	free(o.at);
	free(o.cell);
	free(o.size);
	free(o.count);
	free(o.touched);
	free(o.cells);
	free(o.queue);
	free(o.queued);
	return error->status ? -1 : 0;
}
