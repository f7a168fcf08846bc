#include "pictures/matrix.h"

#include "pictures/mosaic.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* In pixels: the height that a stage may have before its cells become smaller, and the spaces around blocks. */
static const double stage_height = 620, half_gap = 6, block_gap = 20, line_gap = 14, head_height = 40, name_height = 14, label_gap = 4;
static const double turned = 60; /* degrees of the labels of columns */

enum { CELL_WISHED = 4, EACH_LABEL_CELL = 10, COLUMN_LABEL_CELL = 12 };

struct arrangement {
	const struct scene *scene;
	const bool *only;
	const struct stage *stage;
	double width;
	double cell;
};

static const char *label_of(const struct scene *scene, uint32_t listed)
{
	return scene->labels.text[scene->blocks.node[listed]];
}

static double widest_label(const struct scene *scene, uint32_t first, uint32_t count)
{
	double width = 0;
	for (uint32_t i = 0; i < count; i++)
		width = fmax(width, svg_text_width(SVG_LABEL, label_of(scene, first + i)));
	return width;
}

/* Returns the space for the labels of rows, of columns. */
static double row_labels(const struct arrangement *a, const struct block *block)
{
	return a->cell < MATRIX_LABEL_CELL ? 0 : widest_label(a->scene, block->first_row, block->rows) + label_gap;
}

static double column_labels(const struct arrangement *a, const struct block *block)
{
	return a->cell < COLUMN_LABEL_CELL ? 0
					   : widest_label(a->scene, block->first_column, block->columns) * sin(turned * 3.14159 / 180) + 6;
}

/* Returns how far the label of the last column stands out on the right. */
static double overhang(const struct arrangement *a, const struct block *block)
{
	double label =
		a->cell < COLUMN_LABEL_CELL ? 0 : svg_text_width(SVG_LABEL, label_of(a->scene, block->first_column + block->columns - 1));
	return fmax(0, label * cos(turned * 3.14159 / 180) - a->cell / 2 + 3.3 - block_gap / 2);
}

static double block_width(const struct arrangement *a, const struct block *block)
{
	double half = block->columns * a->cell;
	return row_labels(a, block) + (block->square ? half : 2 * half + half_gap) + overhang(a, block);
}

static double block_height(const struct arrangement *a, const struct block *block)
{
	return name_height + column_labels(a, block) + block->rows * a->cell;
}

static bool is_drawn(const struct arrangement *a, uint32_t block)
{
	return (!a->only || a->only[block]) && block_width(a, &a->scene->blocks.block[block]) <= a->width;
}

/* Places the blocks of the stage in rows from a height on. Returns the height below them; *fits: whether all are narrow enough. */
static double arrange(const struct arrangement *a, double top, struct matrix_place *place, bool *fits)
{
	double x = 0, y = top, row_height = 0;
	*fits = true;
	for (uint32_t i = 0; i < a->stage->blocks; i++) {
		uint32_t index = a->stage->first + i;
		const struct block *block = &a->scene->blocks.block[index];
		double width = block_width(a, block), labels = row_labels(a, block);
		place[i] = (struct matrix_place){.drawn = is_drawn(a, index), .cell = a->cell};
		*fits = *fits && (place[i].drawn || (a->only && !a->only[index]));
		if (!place[i].drawn)
			continue;
		if (x && x + width > a->width) {
			x = 0;
			y += row_height + line_gap;
			row_height = 0;
		}
		place[i].x[0] = x + labels;
		place[i].x[1] = place[i].x[0] + block->columns * a->cell + half_gap;
		place[i].y = y + name_height + column_labels(a, block);
		row_height = fmax(row_height, block_height(a, block));
		x += width + block_gap;
	}
	return y + row_height;
}

/* Chooses the largest cells with which the stage is no higher than it may be; if that makes them too small, those that are narrow enough.
 */
static void choose_cell(struct arrangement *a, struct matrix_place *place)
{
	bool fits;
	for (int cell = MATRIX_CELL_MOST; cell >= CELL_WISHED; cell--) {
		a->cell = cell;
		if (arrange(a, 0, place, &fits) <= stage_height && fits)
			return;
	}
	for (int cell = CELL_WISHED; cell > MATRIX_CELL_LEAST; cell--) {
		a->cell = cell;
		arrange(a, 0, place, &fits);
		if (fits)
			return;
	}
	a->cell = MATRIX_CELL_LEAST;
}

/* ---- the marks of a half */

static uint32_t cell_parts(const struct blocks *blocks, const struct block *block, const struct cell *cell)
{
	return cell->cables + cell_lacks(blocks, block, cell->row, cell->column, cell->cables);
}

/* Returns the least number of parts of which all cells can be made. */
static uint32_t common_parts(const struct blocks *blocks, const struct block *block)
{
	uint32_t parts = 1;
	for (uint32_t i = 0; i < block->cells; i++) {
		uint32_t own = cell_parts(blocks, block, &blocks->cell[block->first_cell + i]), a = parts, b = own;
		while (b) {
			uint32_t rest = a % b;
			a = b;
			b = rest;
		}
		parts = parts / a * own;
		if (parts > MOSAIC_PARTS)
			return MOSAIC_PARTS;
	}
	return parts;
}

static void mark_cells(const struct mosaic *m, const struct scene *scene, const struct block *block, enum cable_way way)
{
	const struct blocks *blocks = &scene->blocks;
	for (uint32_t i = 0; i < block->cells; i++) {
		const struct cell *cell = &blocks->cell[block->first_cell + i];
		uint32_t slices = cell_parts(blocks, block, cell);
		for (uint32_t k = 0; k < cell->cables; k++) {
			uint32_t channel = cell_channel(blocks, block, cell, &scene->cables, blocks->cable[cell->first + k], way);
			if (channel != NONE)
				mosaic_mark(m, cell->row, cell->column, k, slices, mosaic_class(scene->fair->class[channel]));
		}
		for (uint32_t k = cell->cables; k < slices; k++)
			mosaic_mark(m, cell->row, cell->column, k, slices, MOSAIC_HOLE);
	}
	for (uint32_t row = 0; row < block->rows && block->holes; row++)
		for (uint32_t column = 0; column < block->columns; column++)
			if (mosaic_is_empty(m, row, column) && cell_lacks(blocks, block, row, column, 0))
				mosaic_mark(m, row, column, 0, 1, MOSAIC_HOLE);
}

int matrix_draw_half(struct svg *svg, const struct scene *scene, const struct block *block, double x, double y, double cell,
	enum cable_way way, struct error *error)
{
	struct mosaic m;
	if (!mosaic_init(&m, block->rows, block->columns, common_parts(&scene->blocks, block), error)) {
		mark_cells(&m, scene, block, way);
		mosaic_draw(svg, &m, x, y, cell, error);
	}
	mosaic_clear(&m);
	return error->status ? -1 : 0;
}

/* ---- words */

static void draw_labels(struct svg *svg, const struct arrangement *a, const struct block *block, const struct matrix_place *place)
{
	const struct scene *scene = a->scene;
	double shift = place->cell / 2 + 3.3;
	if (place->cell >= MATRIX_LABEL_CELL) {
		svg_texts_begin(svg, SVG_LABEL, SVG_END);
		for (uint32_t i = 0; i < block->rows; i += place->cell < EACH_LABEL_CELL ? 2 : 1)
			svg_texts_add(
				svg, place->x[0] - label_gap, place->y + i * place->cell + shift, label_of(scene, block->first_row + i));
		svg_group_end(svg);
	}
	if (place->cell < COLUMN_LABEL_CELL)
		return;
	svg_texts_begin(svg, SVG_LABEL, SVG_START);
	for (int half = 0; half < (block->square ? 1 : 2); half++)
		for (uint32_t i = 0; i < block->columns; i++)
			svg_texts_add_turned(svg, place->x[half] + i * place->cell + shift, place->y - 4, turned,
				label_of(scene, block->first_column + i));
	svg_group_end(svg);
}

/* Names a block by its rows and columns, as far as there is room. */
static void draw_name(struct svg *svg, const struct arrangement *a, const struct block *block, const struct matrix_place *place)
{
	const struct scene *scene = a->scene;
	const char *row = label_of(scene, block->first_row), *last_row = label_of(scene, block->first_row + block->rows - 1);
	const char *column = label_of(scene, block->first_column), *last_column = label_of(scene, block->first_column + block->columns - 1);
	double labels = row_labels(a, block), room = block_width(a, block) + block_gap - 6;
	char text[1000];
	for (int way = 0; way < 4; way++) {
		bool rows = block->rows > 1, columns = block->columns > 1;
		if (block->square)
			snprintf(text, sizeof text, "%s%s%s", row, way ? " …" : " … ", way ? "" : last_row);
		else if (way == 0)
			snprintf(text, sizeof text, "%s%s%s × %s%s%s", row, rows ? " … " : "", rows ? last_row : "", column,
				columns ? " … " : "", columns ? last_column : "");
		else if (way == 1)
			snprintf(text, sizeof text, "%s%s × %s%s", row, rows ? " …" : "", column, columns ? " …" : "");
		else
			snprintf(text, sizeof text, "%s%s", row, way == 2 ? " …" : "");
		if (svg_text_width(SVG_SMALL, text) <= room)
			break;
	}
	if (svg_text_width(SVG_SMALL, text) <= room)
		svg_text(svg, place->x[0] - labels, place->y - column_labels(a, block) - 4, SVG_SMALL, SVG_START, text);
}

static void draw_head(struct svg *svg, const struct stage *stage, double y, const char *note, bool square)
{
	char levels[60];
	if (stage->lower == stage->upper)
		snprintf(levels, sizeof levels, "Within level %" PRIu32, stage->lower);
	else
		snprintf(levels, sizeof levels, "Level %" PRIu32 " ↔ %" PRIu32, stage->lower, stage->upper);
	svg_textf(svg, 0, y + 16, SVG_HEAD, SVG_START,
		"%s: %" PRIu32 " cable%s in %" PRIu32 " block%s, %" PRIu32 " channel%s above %s share%s", levels, stage->cables,
		stage->cables == 1 ? "" : "s", stage->blocks, stage->blocks == 1 ? "" : "s", stage->above, stage->above == 1 ? "" : "s",
		stage->above == 1 ? "its" : "their", note);
	svg_textf(svg, 0, y + 32, SVG_MUTED, SVG_START, "%s%s",
		square ? "from the row's switch to the column's; a slice is a cable"
		       : "left: upwards, right: downwards; a row is a lower switch, a column an upper one, a slice a cable",
		stage->holes ? "; crossed: no cable where others have one" : "");
}

int matrices_draw(struct svg *svg, const struct scene *scene, uint32_t stage, double width, const bool *only, const char *note,
	struct matrix_place *place, struct error *error)
{
	struct arrangement a = {.scene = scene, .only = only, .stage = &scene->blocks.stage[stage], .width = width};
	double top = svg_bottom(svg);
	uint32_t wide = 0;
	bool fits;
	draw_head(svg, a.stage, top, note, a.stage->lower == a.stage->upper);
	choose_cell(&a, place);
	arrange(&a, top + head_height, place, &fits);
	for (uint32_t i = 0; i < a.stage->blocks && !error->status; i++) {
		uint32_t index = a.stage->first + i;
		const struct block *block = &scene->blocks.block[index];
		char group[40];
		wide += !place[i].drawn && (!only || only[index]);
		if (!place[i].drawn)
			continue;
		snprintf(group, sizeof group, "data-block=\"%" PRIu32 "\"", index);
		svg_group(svg, group);
		draw_name(svg, &a, block, &place[i]);
		draw_labels(svg, &a, block, &place[i]);
		for (int half = 0; half < (block->square ? 1 : 2); half++)
			matrix_draw_half(svg, scene, block, place[i].x[half], place[i].y, a.cell, (enum cable_way)half, error);
		svg_group_end(svg);
	}
	if (wide)
		svg_textf(svg, 0, svg_bottom(svg) + 16, SVG_MUTED, SVG_START, "%" PRIu32 " block%s too large to be drawn", wide,
			wide == 1 ? " is" : "s are");
	svg_reach(svg, 0, svg_bottom(svg) + line_gap);
	return error->status ? -1 : 0;
}
