#include "pictures/mosaic.h"

#include "base/memory.h"
#include "pictures/cables.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
	GRID_CELL = 4, /* smaller cells have no lines between them */
	OUTLINED_CELL = 7,
	FIELD = 24, /* unused cells that are drawn as one */
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
	free(mosaic->slice);
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

int mosaic_channel(const struct svg *svg, struct mosaic *mosaic, uint32_t row, uint32_t column, uint32_t slice, uint32_t slices,
	unsigned class, uint32_t channel, struct error *error)
{
	mosaic_mark(mosaic, row, column, slice, slices, mosaic_class(class));
	if (!svg->places)
		return 0;
	if (array_grow(&mosaic->slice, &mosaic->capacity, mosaic->slices + 1, sizeof *mosaic->slice, error))
		return -1;
	mosaic->slice[mosaic->slices++] = (struct mosaic_slice){row * mosaic->columns + column, slice, channel};
	return 0;
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

/* Returns the run that begins at a part, wide before high; single: within its cell. */
static struct run measure_run(const struct mosaic *m, uint32_t row, uint32_t at, bool single)
{
	size_t line = (size_t)m->columns * m->parts, end = single ? (at / m->parts + 1) * (size_t)m->parts : line;
	const uint8_t *part = m->part;
	struct run run = {row, at, 1, 1, part[row * line + at]};
	while (at + run.parts < end && part[row * line + at + run.parts] == run.value)
		run.parts++;
	for (bool same = !single; same && row + run.rows < m->rows;) {
		for (uint32_t i = 0; i < run.parts && same; i++)
			same = part[(row + run.rows) * line + at + i] == run.value;
		run.rows += same;
	}
	return run;
}

/* Returns whether unused cells are so many that one rectangle with lines between the cells is shorter than an outline for each. */
static bool is_field(const struct mosaic *m, const struct run *run)
{
	return run->part % m->parts == 0 && run->parts % m->parts == 0 && run->rows * (run->parts / m->parts) > FIELD;
}

/* Takes a run: unused channels have an outline each, unless they are a field, or so small that it would be all that is seen. */
static struct run take_run(const struct mosaic *m, uint32_t row, uint32_t at, double cell)
{
	size_t line = (size_t)m->columns * m->parts;
	struct run run = measure_run(m, row, at, false);
	if (run.value == mosaic_class(LOAD_UNUSED) && cell >= OUTLINED_CELL && !is_field(m, &run))
		run = measure_run(m, row, at, true);
	for (uint32_t r = 0; r < run.rows; r++)
		memset(m->part + (row + r) * line + at, 0, run.parts);
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

/* Lists all runs, those of a class together. Returns their number. */
static size_t list_runs(const struct mosaic *m, double cell, struct run **list, struct error *error)
{
	size_t line = (size_t)m->columns * m->parts, count = 0, capacity = 0;
	*list = NULL;
	for (uint32_t row = 0; row < m->rows; row++)
		for (uint32_t at = 0; at < line; at++) {
			if (!m->part[row * line + at])
				continue;
			if (array_grow(list, &capacity, count + 1, sizeof **list, error))
				return 0;
			(*list)[count++] = take_run(m, row, at, cell);
		}
	if (count)
		qsort(*list, count, sizeof **list, compare_runs);
	return count;
}

/* Where a mosaic stands. */
struct stand {
	double x, y, cell;
	uint32_t parts;
};

/* A missing cable is crossed out, one stroke for each cell. */
static void draw_holes(struct svg *svg, const struct run *run, size_t count, const struct stand *s)
{
	fputs("<path class=\"hole\" fill=\"none\" stroke=\"#8b959e\" stroke-width=\"0.8\" d=\"", svg->file);
	for (size_t i = 0; i < count; i++)
		for (uint32_t r = 0; r < run[i].rows; r++)
			for (uint32_t p = run[i].part, end = p + run[i].parts, next; p < end; p = next) {
				next = (p / s->parts + 1) * s->parts < end ? (p / s->parts + 1) * s->parts : end;
				putc('M', svg->file);
				svg_number(svg, svg->x + s->x + p * s->cell / s->parts);
				putc(' ', svg->file);
				svg_number(svg, svg->y + s->y + (run[i].row + r + 1) * s->cell);
				putc('l', svg->file);
				svg_number(svg, (next - p) * s->cell / s->parts);
				putc(' ', svg->file);
				svg_number(svg, -s->cell);
			}
	fputs("\"/>\n", svg->file);
}

/*
 * Two dashed strokes as wide as a rectangle: their dashes are the lines between the cells, that wide. They count for nothing else.
 */
static void draw_grid(
	struct svg *svg, double x, double y, double width, double height, double cell, double line, const char *class, const char *colour)
{
	char attributes[120];
	if (cell < GRID_CELL)
		return;
	snprintf(attributes, sizeof attributes, "stroke=\"%s\" stroke-width=\"%.0f\" stroke-dasharray=\"%.1f %.1f\"", colour, height, line,
		cell - line);
	if (width > cell)
		svg_line(svg, x + cell - line / 2, y + height / 2, x + width, y + height / 2, class, attributes);
	snprintf(attributes, sizeof attributes, "stroke=\"%s\" stroke-width=\"%.0f\" stroke-dasharray=\"%.1f %.1f\"", colour, width, line,
		cell - line);
	if (height > cell)
		svg_line(svg, x + width / 2, y + cell - line / 2, x + width / 2, y + height, class, attributes);
}

static void add_run(struct svg *svg, const struct stand *s, const struct run *run)
{
	svg_path_rect(svg, s->x + run->part * s->cell / s->parts, s->y + run->row * s->cell, run->parts * s->cell / s->parts,
		run->rows * s->cell);
}

/* Unused channels; fields have lines between their cells. */
static void draw_unused(struct svg *svg, const struct stand *s, const struct run *run, size_t count, const struct mosaic *m)
{
	svg_path_begin(svg, LOAD_UNUSED);
	for (size_t i = 0; i < count; i++)
		add_run(svg, s, &run[i]);
	svg_path_end(svg);
	for (size_t i = 0; i < count; i++)
		if (is_field(m, &run[i]))
			draw_grid(svg, s->x + run[i].part / s->parts * s->cell, s->y + run[i].row * s->cell,
				run[i].parts / s->parts * s->cell, run[i].rows * s->cell, s->cell, s->cell < OUTLINED_CELL ? 0.4 : 1,
				"outline", load_classes[LOAD_UNUSED].outline);
}

/* Draws the runs of colours, or those that lie above the lines between cells: unused and missing ones. */
static void draw_runs(struct svg *svg, const struct stand *s, const struct run *run, size_t count, bool above, const struct mosaic *m)
{
	for (size_t i = 0, next; i < count; i = next) {
		uint8_t value = run[i].value;
		for (next = i + 1; next < count && run[next].value == value;)
			next++;
		if ((value == MOSAIC_HOLE || value == mosaic_class(LOAD_UNUSED)) != above)
			continue;
		if (value == MOSAIC_HOLE) {
			draw_holes(svg, run + i, next - i, s);
		} else if (above) {
			draw_unused(svg, s, run + i, next - i, m);
		} else {
			svg_path_begin(svg, (enum load_class_number)(value - 1));
			for (size_t k = i; k < next; k++)
				add_run(svg, s, &run[k]);
			svg_path_end(svg);
		}
	}
}

/* ---- for the script */

static int compare_slices(const void *left, const void *right)
{
	const struct mosaic_slice *a = left, *b = right;
	return a->cell != b->cell ? (a->cell > b->cell) - (a->cell < b->cell) : (a->slice > b->slice) - (a->slice < b->slice);
}

static void write_places(const struct svg *svg, struct mosaic *m, double x, double y, double cell)
{
	const struct cables *cables = svg->places->cables;
	FILE *file = svg->places->file;
	qsort(m->slice, m->slices, sizeof *m->slice, compare_slices);
	fprintf(file,
		"%s{\"x\":[%.2f],\"y\":%.2f,\"cell\":%.4g,\"square\":true,\"bundle\":0,\"rows\":%" PRIu32 ",\"columns\":%" PRIu32
		",\"ways\":[",
		ftell(file) > 0 ? "," : "", svg->x + x, svg->y + y, cell, m->rows, m->columns);
	for (size_t i = 0; i < m->slices; i++) {
		uint32_t channel = m->slice[i].channel, cable = cables->of[channel];
		if (!i || m->slice[i].cell != m->slice[i - 1].cell)
			fprintf(file, "%s[%" PRIu32, i ? "]," : "", m->slice[i].cell);
		fprintf(file, ",%" PRIu32, 2 * cable + (cables->cable[cable].channel[CABLE_DOWN] == channel));
	}
	fputs("]]}", file);
}

int mosaic_draw(struct svg *svg, struct mosaic *mosaic, double x, double y, double cell, struct error *error)
{
	struct run *run = NULL;
	double width = mosaic->columns * cell, height = mosaic->rows * cell;
	size_t count = list_runs(mosaic, cell, &run, error);
	const struct stand stand = {x, y, cell, mosaic->parts};
	draw_runs(svg, &stand, run, count, false, mosaic);
	draw_grid(svg, x, y, width, height, cell, cell < 7 ? 0.4 : 0.7, "grid", "#ffffff");
	draw_runs(svg, &stand, run, count, true, mosaic);
	svg_box(svg, x, y, width, height, "frame", "fill=\"none\" stroke=\"#8b959e\" stroke-width=\"0.8\"");
	free(run);
	if (svg->places && mosaic->slices)
		write_places(svg, mosaic, x, y, cell);
	return error->status ? -1 : 0;
}
