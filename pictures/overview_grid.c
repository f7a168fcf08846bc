/* Tori and meshes: lines x positions of each dimension. HyperX: the switches of each line. */
#include "base/memory.h"
#include "pictures/lattice.h"
#include "pictures/mosaic.h"
#include "pictures/overview_kinds.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { CELL_MOST = 14, LABEL_CELL = 8, EACH_LABEL_CELL = 9, POSITION_CELL = 12 };

static const double head_height = 64, most_height = 520, name_gap = 4, half_gap = 6, axis_gap = 30;

/* The lines of an axis. */
struct lines {
	const struct lattice *lattice;
	uint32_t axis, lines, length;
	uint32_t *first; /* [lines] the switch with coordinate 0, NONE if it is missing */
};

static bool has_place(const struct scene *scene, uint32_t node)
{
	return scene->fabric->node_host[node] == NONE && scene->shape.place[node] != NONE;
}

static uint32_t lines_of(const struct lattice *lattice, uint32_t axis)
{
	uint32_t lines = 1;
	for (uint32_t i = 0; i < lattice->axes; i++)
		lines *= i == axis ? 1 : lattice->axis[i].length;
	return lines;
}

static int lines_find(struct lines *l, const struct scene *scene, const struct lattice *lattice, uint32_t axis, struct error *error)
{
	*l = (struct lines){.lattice = lattice, .axis = axis, .lines = lines_of(lattice, axis), .length = lattice->axis[axis].length};
	l->first = array_create(l->lines, sizeof *l->first, error);
	for (uint32_t i = 0; i < l->lines && l->first; i++)
		l->first[i] = NONE;
	for (uint32_t v = 0; v < scene->fabric->nodes && l->first; v++)
		if (has_place(scene, v) && !lattice_coordinate(lattice, scene, v, axis))
			l->first[lattice_line(lattice, scene, v, axis)] = v;
	return l->first ? 0 : -1;
}

/* Counts the channels from each position of each line to the next and back, seen: twice, as 16 bits each; draw: marks and counts down. */
static void mark_channels(const struct svg *svg, const struct lines *l, const struct scene *scene, struct mosaic m[2], uint32_t *seen,
	bool draw, struct error *error)
{
	const struct fabric *f = scene->fabric;
	for (uint32_t v = 0; v < f->nodes; v++) {
		if (!has_place(scene, v))
			continue;
		for (uint32_t c = f->first_channel[v]; c < f->first_channel[v + 1]; c++) {
			uint32_t to = f->head[c];
			if (!has_place(scene, to) || lattice_axis_between(l->lattice, scene, v, to) != l->axis)
				continue;
			uint32_t x = lattice_coordinate(l->lattice, scene, v, l->axis),
				 y = lattice_coordinate(l->lattice, scene, to, l->axis);
			bool forth = l->length == 2 ? !x : (x + 1) % l->length == y, back = l->length == 2 ? x : (y + 1) % l->length == x;
			if (!forth && !back)
				continue;
			uint32_t line = lattice_line(l->lattice, scene, v, l->axis), at = forth ? x : y;
			uint32_t *count = &seen[(back * l->lines + line) * l->length + at];
			if (draw)
				mosaic_channel(svg, &m[back], line, at, (*count >> 16) - (*count & 0xffff), *count >> 16,
					scene->fair->class[c], c, error);
			*count = draw ? *count - 1 : *count + 0x10001;
		}
	}
}

static uint32_t most_parallel(const uint32_t *seen, size_t count)
{
	uint32_t most = 1;
	for (size_t i = 0; i < count; i++)
		most = seen[i] >> 16 > most ? seen[i] >> 16 : most;
	return most < MOSAIC_PARTS ? most : MOSAIC_PARTS;
}

static double widest_label(const struct lines *l, const struct scene *scene)
{
	double width = 0;
	for (uint32_t i = 0; i < l->lines; i++)
		if (l->first[i] != NONE)
			width = fmax(width, svg_text_width(SVG_LABEL, scene->labels.text[l->first[i]]));
	return width;
}

static void draw_labels(struct svg *svg, const struct lines *l, const struct scene *scene, double x, double y, double cell)
{
	if (cell < LABEL_CELL)
		return;
	svg_texts_begin(svg, SVG_LABEL, SVG_END);
	for (uint32_t i = 0; i < l->lines; i += cell < EACH_LABEL_CELL ? 2 : 1)
		if (l->first[i] != NONE)
			svg_texts_add(svg, x - name_gap, y + i * cell + cell / 2 + 3.3, scene->labels.text[l->first[i]]);
	svg_group_end(svg);
}

/* Numbers the positions above a half. */
static void draw_positions(struct svg *svg, uint32_t length, double x, double y, double cell)
{
	char text[20];
	if (cell < POSITION_CELL)
		return;
	svg_texts_begin(svg, SVG_SMALL, SVG_MIDDLE);
	for (uint32_t i = 0; i < length; i++) {
		snprintf(text, sizeof text, "%" PRIu32, i);
		svg_texts_add(svg, x + (i + 0.5) * cell, y - 4, text);
	}
	svg_group_end(svg);
}

/* Draws the two halves of an axis: forth and back. Returns the width. */
static double draw_axis(
	struct svg *svg, const struct lines *l, const struct scene *scene, double x, double y, double cell, struct error *error)
{
	size_t cells = 2 * (size_t)l->lines * l->length;
	uint32_t *seen = array_create(cells, sizeof *seen, error);
	struct mosaic m[2] = {{0}, {0}};
	double label = cell < LABEL_CELL ? 0 : widest_label(l, scene) + name_gap, half = l->length * cell;
	bool ring = l->lattice->axis[l->axis].ring;
	svg_textf(svg, x, y - 17, SVG_SMALL, SVG_START, "%" PRIu32 " %s%s of %" PRIu32, l->lines, ring ? "ring" : "line",
		l->lines == 1 ? "" : "s", l->length);
	if (seen)
		mark_channels(svg, l, scene, m, seen, false, error);
	uint32_t parts = seen ? most_parallel(seen, cells) : 1;
	if (seen && !mosaic_init(&m[0], l->lines, l->length, parts, error) && !mosaic_init(&m[1], l->lines, l->length, parts, error)) {
		mark_channels(svg, l, scene, m, seen, true, error);
		draw_labels(svg, l, scene, x + label, y, cell);
		draw_positions(svg, l->length, x + label, y, cell);
		draw_positions(svg, l->length, x + label + half + half_gap, y, cell);
		mosaic_draw(svg, &m[0], x + label, y, cell, error);
		mosaic_draw(svg, &m[1], x + label + half + half_gap, y, cell, error);
	}
	mosaic_clear(&m[0]);
	mosaic_clear(&m[1]);
	free(seen);
	return label + 2 * half + half_gap;
}

static int draw_lines(struct svg *svg, const struct lattice *lattice, const struct scene *scene, double width, struct error *error)
{
	double top = svg_bottom(svg), x = 0, y = top + head_height;
	uint32_t most = 1;
	for (uint32_t i = 0; i < lattice->axes; i++)
		most = lines_of(lattice, i) > most ? lines_of(lattice, i) : most;
	double cell = floor(fmax(2, fmin(CELL_MOST, most_height / most)));
	svg_textf(svg, 0, top + 16, SVG_HEAD, SVG_START, "%" PRIu32 " dimension%s", lattice->axes, lattice->axes == 1 ? "" : "s");
	svg_text(svg, 0, top + 32, SVG_MUTED, SVG_START,
		"a row is a line of switches, by its first one, a column a position on it; left: to the next position, right: back");
	for (uint32_t i = 0; i < lattice->axes && !error->status; i++) {
		struct lines l;
		if (!lines_find(&l, scene, lattice, i, error)) {
			double own = 2 * l.length * cell + half_gap + (cell < LABEL_CELL ? 0 : widest_label(&l, scene) + name_gap);
			if (x && x + own > width) {
				x = 0;
				y = svg_bottom(svg) + 36;
			}
			x += draw_axis(svg, &l, scene, x, y, cell, error) + axis_gap;
		}
		free(l.first);
	}
	return error->status ? -1 : 0;
}

/* ---- HyperX */

/* Lists the switches of each line by their coordinates. */
static int list_sets(struct switch_sets *sets, const struct lattice *lattice, const struct scene *scene, uint32_t axis, struct error *error)
{
	uint32_t lines = lines_of(lattice, axis), length = lattice->axis[axis].length, kept = 0;
	uint32_t *at = array_create((size_t)lines * length, sizeof *at, error);
	sets->first = array_create((size_t)lines + 1, sizeof *sets->first, error);
	sets->node = array_create((size_t)lines * length, sizeof *sets->node, error);
	sets->sets = 0;
	for (uint32_t i = 0; i < lines * length && !error->status; i++)
		at[i] = NONE;
	for (uint32_t v = 0; v < scene->fabric->nodes && !error->status; v++)
		if (has_place(scene, v))
			at[lattice_line(lattice, scene, v, axis) * length + lattice_coordinate(lattice, scene, v, axis)] = v;
	for (uint32_t i = 0; i < lines && !error->status; i++) {
		for (uint32_t x = 0; x < length; x++)
			if (at[i * length + x] != NONE)
				sets->node[kept++] = at[i * length + x];
		if (kept > sets->first[sets->sets])
			sets->first[++sets->sets] = kept;
	}
	free(at);
	return error->status ? -1 : 0;
}

static int draw_meshes(struct svg *svg, const struct lattice *lattice, const struct scene *scene, double width, struct error *error)
{
	for (uint32_t i = 0; i < lattice->axes && !error->status; i++) {
		struct switch_sets sets = {0};
		double top = svg_bottom(svg), cell = floor(fmax(4, fmin(12, 110.0 / lattice->axis[i].length)));
		svg_textf(svg, 0, top + 16, SVG_HEAD, SVG_START, "Dimension %" PRIu32 ": %" PRIu32 " full mesh%s of %" PRIu32 " switches",
			i + 1, lines_of(lattice, i), lines_of(lattice, i) == 1 ? "" : "es", lattice->axis[i].length);
		svg_text(svg, 0, top + 32, SVG_MUTED, SVG_START, "from the row's switch to the column's; each by its first switch");
		if (!list_sets(&sets, lattice, scene, i, error))
			overview_sets(svg, scene, &sets, 0, top + 40, width, cell, error);
		free(sets.first);
		free(sets.node);
		svg_reach(svg, 0, svg_bottom(svg) + 10);
	}
	return error->status ? -1 : 0;
}

int overview_grid(struct svg *svg, const struct scene *scene, double width, struct error *error)
{
	struct lattice lattice;
	if (!lattice_find(&lattice, scene, error)) {
		if (lattice.full)
			draw_meshes(svg, &lattice, scene, width, error);
		else
			draw_lines(svg, &lattice, scene, width, error);
		svg_reach(svg, 0, svg_bottom(svg) + 10);
	}
	lattice_clear(&lattice);
	return error->status ? -1 : 0;
}
