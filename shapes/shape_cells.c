#include "shapes/shape_cells.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static void push(struct cells *c, uint32_t cell)
{
	if (c->queued[cell])
		return;
	c->queued[cell] = true;
	c->queue[(c->first + c->waiting++) % c->graph->switches] = cell;
}

static uint32_t pop(struct cells *c)
{
	uint32_t cell = c->queue[c->first];
	c->first = (c->first + 1) % c->graph->switches;
	c->waiting--;
	c->queued[cell] = false;
	return cell;
}

static void move_to(struct cells *c, uint32_t v, uint32_t at)
{
	uint32_t other = c->member[at], from = c->at[v];
	c->member[from] = other;
	c->at[other] = from;
	c->member[at] = v;
	c->at[v] = at;
}

/* Makes the last part of a cell, starting at from, a new cell. */
static void split_off(struct cells *c, uint32_t cell, uint32_t from, uint32_t size)
{
	for (uint32_t i = from; i < from + size; i++)
		c->cell[c->member[i]] = from;
	c->size[from] = size;
	c->size[cell] -= size;
	c->split[c->splits] = from;
	c->parent[c->splits++] = cell;
	c->count++;
}

void cells_undo(struct cells *cells, uint32_t splits)
{
	struct cells *c = cells;
	while (c->splits > splits) {
		uint32_t from = c->split[--c->splits], cell = c->parent[c->splits];
		for (uint32_t i = from; i < from + c->size[from]; i++)
			c->cell[c->member[i]] = cell;
		c->size[cell] += c->size[from];
		c->count--;
	}
}

/* Sums the cables to a cell by their other ends. Returns the number of these switches. */
static uint32_t count_ends(struct cells *c, uint32_t cell)
{
	const struct part *graph = c->graph;
	uint32_t touched = 0;
	for (uint32_t i = cell; i < cell + c->size[cell]; i++) {
		uint32_t v = c->member[i];
		c->work += part_degree(graph, v) + 1;
		for (uint32_t k = graph->first[v]; k < graph->first[v + 1]; k++) {
			uint32_t u = graph->neighbour[k].to;
			if (c->size[c->cell[u]] == 1)
				continue;
			if (!c->ends[u])
				c->touched[touched++] = u;
			c->ends[u] += hash_mix(graph->neighbour[k].cables);
		}
	}
	return touched;
}

/*
 * Moves the touched switches to the ends of their cells. Returns the number of these cells; lists them in hit, ascending, with the number
 * of switches moved in each.
 */
static uint32_t gather(struct cells *c, uint32_t touched)
{
	uint32_t cells = 0;
	for (uint32_t i = 0; i < touched; i++) {
		uint32_t v = c->touched[i], cell = c->cell[v];
		if (!c->moved[cell])
			c->hit[cells++] = cell;
		move_to(c, v, cell + c->size[cell] - ++c->moved[cell]);
	}
	if (cells)
		qsort(c->hit, cells, sizeof *c->hit, compare_numbers);
	return cells;
}

static int compare_ends(const void *left, const void *right, void *cells)
{
	const uint32_t *x = left, *y = right;
	const uint64_t *ends = ((const struct cells *)cells)->ends;
	return ends[*x] < ends[*y] ? -1 : ends[*x] > ends[*y];
}

static void trace(struct cells *c, uint64_t value)
{
	c->trace = hash_mix(c->trace * 3 + value);
}

/* Splits a cell by the cable counts of its members, of which the last `moved` are not 0. Queues all parts but a largest one. */
static void split_cell(struct cells *c, uint32_t cell, uint32_t moved)
{
	uint32_t size = c->size[cell], end = cell + size, from = end - moved, largest = cell, most = size - moved;
	bool queued = c->queued[cell];
	qsort_r(c->member + from, moved, sizeof *c->member, compare_ends, c);
	for (uint32_t i = from; i < end; i++)
		c->at[c->member[i]] = i;
	while (from < end) {
		uint32_t to = from + 1;
		uint64_t ends = c->ends[c->member[from]];
		while (to < end && c->ends[c->member[to]] == ends)
			to++;
		trace(c, cell);
		trace(c, ends);
		trace(c, to - from);
		if (from > cell)
			split_off(c, cell, from, to - from);
		if (to - from > most) {
			most = to - from;
			largest = from;
		}
		from = to;
	}
	for (from = cell; from < end; from += c->size[from])
		if (size > c->size[cell] && (queued || from != largest))
			push(c, from);
}

static void refine(struct cells *c)
{
	c->trace = 0;
	while (c->waiting) {
		uint32_t touched = c->count < c->graph->switches ? count_ends(c, pop(c)) : (pop(c), 0), cells = gather(c, touched);
		for (uint32_t i = 0; i < cells; i++) {
			uint32_t cell = c->hit[i], moved = c->moved[cell];
			c->moved[cell] = 0;
			split_cell(c, cell, moved);
		}
		for (uint32_t i = 0; i < touched; i++)
			c->ends[c->touched[i]] = 0;
	}
}

void cells_single_out(struct cells *cells, uint32_t v)
{
	uint32_t cell = cells->cell[v], last = cell + cells->size[cell] - 1;
	move_to(cells, v, last);
	split_off(cells, cell, last, 1);
	push(cells, last);
	refine(cells);
}

static int compare_hosts(const void *left, const void *right, void *graph)
{
	const uint32_t *x = left, *y = right, *hosts = ((const struct part *)graph)->hosts;
	return hosts[*x] < hosts[*y] ? -1 : hosts[*x] > hosts[*y];
}

int cells_init(struct cells *cells, const struct part *graph, struct error *error)
{
	uint32_t n = graph->switches;
	uint32_t *numbers = array_create(10 * (size_t)n, sizeof *numbers, error);
	*cells = (struct cells){
		.graph = graph,
		.member = numbers,
		.ends = array_create(n, sizeof *cells->ends, error),
		.queued = array_create(n, sizeof *cells->queued, error),
	};
	if (error->status)
		return -1;
	uint32_t **const array[] = {&cells->at, &cells->cell, &cells->size, &cells->split, &cells->parent, &cells->touched, &cells->hit,
		&cells->moved, &cells->queue};
	for (size_t i = 0; i < sizeof array / sizeof *array; i++)
		*array[i] = numbers + (i + 1) * n;
	for (uint32_t v = 0; v < n; v++)
		cells->member[v] = v;
	qsort_r(cells->member, n, sizeof *cells->member, compare_hosts, (void *)graph);
	for (uint32_t i = 0, cell = 0; i < n; i++) {
		uint32_t v = cells->member[i];
		if (graph->hosts[v] != graph->hosts[cells->member[cell]])
			cell = i;
		cells->cell[v] = cell;
		cells->at[v] = i;
		cells->count += !cells->size[cell]++;
	}
	for (uint32_t cell = 0; cell < n; cell += cells->size[cell])
		push(cells, cell);
	refine(cells);
	return 0;
}

void cells_clear(struct cells *cells)
{
	free(cells->member);
	free(cells->ends);
	free(cells->queued);
	*cells = (struct cells){0};
}
