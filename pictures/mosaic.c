#include "pictures/mosaic.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum {
	GRID_CELL = 4, /* smaller cells have no lines between them */
	OUTLINES_MOST = 600,
};

int mosaic_init(struct mosaic *mosaic, uint32_t rows, uint32_t columns, uint32_t parts, struct error *error)
{
	*mosaic = (struct mosaic){.rows = rows, .columns = columns, .parts = parts};
	mosaic->part = array_create((size_t)rows * columns * parts, sizeof *mosaic->part, error);
	return mosaic->part ? 0 : -1;
}

void mosaic_clear(struct mosaic *mosaic)
{
	free(mosaic->part);
	*mosaic = (struct mosaic){0};
}

static uint8_t *cell_at(const struct mosaic *m, uint32_t row, uint32_t column)
{
	return m->part + ((size_t)row * m->columns + column) * m->parts;
}

void mosaic_mark(const struct mosaic *mosaic, uint32_t row, uint32_t column, uint32_t slice, uint32_t slices, uint8_t value)
{
	uint8_t *part = cell_at(mosaic, row, column);
	uint32_t from = slice * mosaic->parts / slices, to = (slice + 1) * mosaic->parts / slices;
	for (uint32_t i = from; i < (to > from ? to : from + 1); i++)
		part[i] = value > part[i] ? value : part[i];
}

bool mosaic_is_empty(const struct mosaic *mosaic, uint32_t row, uint32_t column)
{
	return !*cell_at(mosaic, row, column);
}

/* A rectangle of parts of one kind. */
struct run {
	uint32_t row, part, rows, parts;
	uint8_t value;
};

/* Takes the run that begins at a part, wide before high; single: within its cell. */
static struct run take_run(const struct mosaic *m, uint8_t *part, uint32_t row, uint32_t at, bool single)
{
	size_t line = (size_t)m->columns * m->parts, end = single ? (at / m->parts + 1) * (size_t)m->parts : line;
	struct run run = {row, at, 1, 1, part[row * line + at]};
	while (at + run.parts < end && part[row * line + at + run.parts] == run.value)
		run.parts++;
	for (bool same = !single; same && row + run.rows < m->rows;) {
		for (uint32_t i = 0; i < run.parts && same; i++)
			same = part[(row + run.rows) * line + at + i] == run.value;
		run.rows += same;
	}
	for (uint32_t r = 0; r < run.rows; r++)
		memset(part + (row + r) * line + at, 0, run.parts);
	return run;
}

static int compare_runs(const void *left, const void *right)
{
	const struct run *a = left, *b = right;
	if (a->value != b->value)
		return a->value < b->value ? -1 : 1;
	if (a->row != b->row)
		return a->row < b->row ? -1 : 1;
	return (a->part > b->part) - (a->part < b->part);
}

/* Unused cells have an outline each, unless there are very many. */
static bool are_single(const struct mosaic *m)
{
	size_t parts = (size_t)m->rows * m->columns * m->parts, unused = 0;
	for (size_t i = 0; i < parts; i++)
		unused += m->part[i] == mosaic_class(LOAD_UNUSED);
	return unused / m->parts <= OUTLINES_MOST;
}

/* Lists all runs, those of a class together. Returns their number. */
static size_t list_runs(const struct mosaic *m, bool single, struct run **list, struct error *error)
{
	size_t line = (size_t)m->columns * m->parts, count = 0, capacity = 0;
	*list = NULL;
	for (uint32_t row = 0; row < m->rows; row++)
		for (uint32_t at = 0; at < line; at++) {
			if (!m->part[row * line + at])
				continue;
			if (array_grow(list, &capacity, count + 1, sizeof **list, error))
				return 0;
			(*list)[count++] = take_run(m, m->part, row, at, single && m->part[row * line + at] == mosaic_class(LOAD_UNUSED));
		}
	if (count)
		qsort(*list, count, sizeof **list, compare_runs);
	return count;
}

/* A missing cable is crossed out, one stroke for each cell. */
static void draw_holes(struct svg *svg, const struct run *run, size_t count, double x, double y, double cell, uint32_t parts)
{
	if (!count)
		return;
	fputs("<path class=\"hole\" fill=\"none\" stroke=\"#8b959e\" stroke-width=\"0.8\" d=\"", svg->file);
	for (size_t i = 0; i < count; i++)
		for (uint32_t r = 0; r < run[i].rows; r++)
			for (uint32_t p = run[i].part, end = p + run[i].parts, next; p < end; p = next) {
				next = (p / parts + 1) * parts < end ? (p / parts + 1) * parts : end;
				putc('M', svg->file);
				svg_number(svg, svg->x + x + p * cell / parts);
				putc(' ', svg->file);
				svg_number(svg, svg->y + y + (run[i].row + r + 1) * cell);
				putc('l', svg->file);
				svg_number(svg, (next - p) * cell / parts);
				putc(' ', svg->file);
				svg_number(svg, -cell);
			}
	fputs("\"/>\n", svg->file);
}

static void draw_runs(struct svg *svg, const struct run *run, size_t count, double x, double y, double cell, uint32_t parts)
{
	for (size_t i = 0, next; i < count; i = next) {
		for (next = i + 1; next < count && run[next].value == run[i].value;)
			next++;
		if (run[i].value == MOSAIC_HOLE) {
			draw_holes(svg, run + i, next - i, x, y, cell, parts);
			continue;
		}
		svg_path_begin(svg, (enum load_class_number)(run[i].value - 1));
		for (size_t k = i; k < next; k++)
			svg_path_rect(svg, x + run[k].part * cell / parts, y + run[k].row * cell, run[k].parts * cell / parts,
				run[k].rows * cell);
		svg_path_end(svg);
	}
}

/* Two dashed strokes as wide as the half: their dashes are the lines between the cells. */
static void draw_grid(struct svg *svg, double x, double y, double width, double height, double cell)
{
	char attributes[120];
	double line = cell < 7 ? 0.4 : 0.7;
	if (cell < GRID_CELL)
		return;
	snprintf(attributes, sizeof attributes, "stroke=\"#ffffff\" stroke-width=\"%.0f\" stroke-dasharray=\"%.1f %.1f\"", height, line,
		cell - line);
	svg_line(svg, x + cell - line / 2, y + height / 2, x + width, y + height / 2, "grid", attributes);
	snprintf(attributes, sizeof attributes, "stroke=\"#ffffff\" stroke-width=\"%.0f\" stroke-dasharray=\"%.1f %.1f\"", width, line,
		cell - line);
	svg_line(svg, x + width / 2, y + cell - line / 2, x + width / 2, y + height, "grid", attributes);
}

int mosaic_draw(struct svg *svg, struct mosaic *mosaic, double x, double y, double cell, struct error *error)
{
	struct run *run = NULL;
	double width = mosaic->columns * cell, height = mosaic->rows * cell;
	size_t count = list_runs(mosaic, cell > GRID_CELL && are_single(mosaic), &run, error);
	draw_runs(svg, run, count, x, y, cell, mosaic->parts);
	draw_grid(svg, x, y, width, height, cell);
	svg_box(svg, x, y, width, height, "frame", "fill=\"none\" stroke=\"#8b959e\" stroke-width=\"0.8\"");
	free(run);
	return error->status ? -1 : 0;
}
