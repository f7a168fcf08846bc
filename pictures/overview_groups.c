/* Dragonflies: groups x groups. */
#include "base/memory.h"
#include "pictures/mosaic.h"
#include "pictures/overview_kinds.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SLICES_MOST = 4 };

static const double largest_side = 480, head_height = 46, name_gap = 4, between_gap = 40, least_room = 240;

/* Lists the switches of each group in the order of nodes, and the groups by their first switches. number: [nodes] of a switch its group. */
static int list_groups(struct switch_sets *sets, const struct scene *scene, uint32_t *number, struct error *error)
{
	const struct fabric *f = scene->fabric;
	uint32_t *node_of = array_create(f->nodes, sizeof *node_of, error), *index = array_create(f->nodes, sizeof *index, error);
	sets->first = array_create((size_t)f->nodes + 2, sizeof *sets->first, error);
	sets->node = array_create(f->nodes, sizeof *sets->node, error);
	for (uint32_t v = 0; v < f->nodes && !error->status; v++) {
		node_of[scene->rank[v]] = v;
		index[v] = number[v] = NONE;
	}
	for (uint32_t i = 0; i < f->nodes && !error->status; i++) {
		uint32_t v = node_of[i], group = scene->shape.place[v];
		if (f->node_host[v] != NONE || scene->fair->level[v] >= LEVEL_NONE)
			continue;
		if (index[group] == NONE)
			index[group] = sets->sets++;
		number[v] = index[group];
		sets->first[number[v] + 2]++;
	}
	for (uint32_t s = 0; s < sets->sets && !error->status; s++)
		sets->first[s + 2] += sets->first[s + 1];
	for (uint32_t i = 0; i < f->nodes && !error->status; i++)
		if (number[node_of[i]] != NONE)
			sets->node[sets->first[number[node_of[i]] + 1]++] = node_of[i];
	free(node_of);
	free(index);
	return error->status ? -1 : 0;
}

/* Counts the channels from each group to each other one. Returns the largest number. */
static uint32_t count_between(const struct scene *scene, const uint32_t *number, uint32_t groups, uint32_t *count)
{
	const struct fabric *f = scene->fabric;
	uint32_t most = 1;
	for (uint32_t v = 0; v < f->nodes; v++)
		for (uint32_t c = f->first_channel[v]; c < f->first_channel[v + 1] && number[v] != NONE; c++) {
			uint32_t to = number[f->head[c]];
			if (to == NONE || to == number[v])
				continue;
			uint32_t cables = ++count[(size_t)number[v] * groups + to];
			most = cables > most ? cables : most;
		}
	return most;
}

static int draw_between(struct svg *svg, const struct scene *scene, const uint32_t *number, uint32_t groups, double x, double y,
	double cell, struct error *error)
{
	const struct fabric *f = scene->fabric;
	uint32_t *count = array_create((size_t)groups * groups, sizeof *count, error);
	uint32_t *next = array_create((size_t)groups * groups, sizeof *next, error);
	struct mosaic m = {0};
	uint32_t most = error->status ? 1 : count_between(scene, number, groups, count);
	if (!error->status && !mosaic_init(&m, groups, groups, most < SLICES_MOST ? most : SLICES_MOST, error)) {
		for (uint32_t v = 0; v < f->nodes; v++)
			for (uint32_t c = f->first_channel[v]; c < f->first_channel[v + 1] && number[v] != NONE; c++) {
				uint32_t from = number[v], to = number[f->head[c]];
				if (to == NONE || to == from)
					continue;
				size_t pair = (size_t)from * groups + to;
				mosaic_channel(svg, &m, from, to, next[pair]++, count[pair], scene->fair->class[c], c, error);
			}
		mosaic_draw(svg, &m, x, y, cell, error);
	}
	mosaic_clear(&m);
	free(count);
	free(next);
	return error->status ? -1 : 0;
}

static void draw_labels(struct svg *svg, const struct scene *scene, const struct switch_sets *sets, double x, double y, double cell)
{
	if (cell < 6)
		return;
	for (int columns = 0; columns < 2; columns++) {
		svg_texts_begin(svg, SVG_LABEL, columns ? SVG_START : SVG_END);
		for (uint32_t s = 0; s < sets->sets; s += cell < 9 ? 2 : 1) {
			const char *label = scene->labels.text[sets->node[sets->first[s]]];
			double at = s * cell + cell / 2 + 3.3;
			if (columns)
				svg_texts_add_turned(svg, x + at, y - 4, 60, label);
			else
				svg_texts_add(svg, x - name_gap, y + at, label);
		}
		svg_group_end(svg);
	}
}

static double widest_label(const struct scene *scene, const struct switch_sets *sets)
{
	double width = 0;
	for (uint32_t s = 0; s < sets->sets; s++)
		width = fmax(width, svg_text_width(SVG_LABEL, scene->labels.text[sets->node[sets->first[s]]]));
	return width;
}

static int draw(struct svg *svg, const struct scene *scene, const struct switch_sets *sets, const uint32_t *number, double width,
	struct error *error)
{
	double top = svg_bottom(svg), cell = floor(fmax(3, fmin(18, largest_side / sets->sets))), label = widest_label(scene, sets);
	double x = label + name_gap, y = top + head_height + label * 0.87, side = cell * sets->sets;
	uint32_t most = 0;
	for (uint32_t s = 0; s < sets->sets; s++)
		most = sets->first[s + 1] - sets->first[s] > most ? sets->first[s + 1] - sets->first[s] : most;
	svg_textf(svg, 0, top + 16, SVG_HEAD, SVG_START, "%" PRIu32 " groups", sets->sets);
	svg_text(svg, 0, top + 32, SVG_MUTED, SVG_START, "between groups, each by its first switch: from the row's to the column's");
	draw_labels(svg, scene, sets, x, y, cell);
	draw_between(svg, scene, number, sets->sets, x, y, cell, error);
	double right = fmax(x + side, 440) + between_gap, inner = floor(fmax(3, fmin(12, 84.0 / most)));
	if (width - right < least_room) {
		right = 0;
		y = svg_bottom(svg) + 20;
		top = y - 32;
	} else {
		y = top + head_height;
	}
	svg_text(svg, right, top + 32, SVG_MUTED, SVG_START, "within each group: from the row's switch to the column's");
	overview_sets(svg, scene, sets, right, y, width - right, inner, error);
	svg_reach(svg, 0, svg_bottom(svg) + 10);
	return error->status ? -1 : 0;
}

int overview_groups(struct svg *svg, const struct scene *scene, double width, struct error *error)
{
	struct switch_sets sets = {0};
	uint32_t *number = array_create(scene->fabric->nodes, sizeof *number, error);
	if (number && !list_groups(&sets, scene, number, error) && sets.sets > 1)
		draw(svg, scene, &sets, number, width, error);
	free(number);
	free(sets.first);
	free(sets.node);
	return error->status ? -1 : 0;
}
