/* Sets of switches, such as the groups of a dragonfly and the rows of a HyperX: a small matrix each, from the row's switch to the column's.
 */
#include "base/memory.h"
#include "pictures/mosaic.h"
#include "pictures/overview_kinds.h"

#include <math.h>
#include <stdlib.h>

static const double set_gap = 16, name_height = 13, line_gap = 8;

/* The matrix of a set is drawn with the channels between its switches. place: [nodes] their index in the set, NONE of all others. */
static int draw_set(struct svg *svg, const struct scene *scene, const uint32_t *node, uint32_t count, const uint32_t *place, double x,
	double y, double cell, struct error *error)
{
	const struct fabric *f = scene->fabric;
	struct mosaic m;
	uint32_t parts = 1, *seen = array_create((size_t)count * count, sizeof *seen, error);
	for (uint32_t i = 0; i < count && seen; i++)
		for (uint32_t c = f->first_channel[node[i]]; c < f->first_channel[node[i] + 1]; c++)
			if (place[f->head[c]] != NONE) {
				uint32_t cables = ++seen[i * count + place[f->head[c]]];
				parts = cables > parts ? cables : parts;
			}
	if (seen && !mosaic_init(&m, count, count, parts < MOSAIC_PARTS ? parts : MOSAIC_PARTS, error)) {
		for (uint32_t i = 0; i < count; i++)
			for (uint32_t c = f->first_channel[node[i]], to; c < f->first_channel[node[i] + 1]; c++) {
				if ((to = place[f->head[c]]) == NONE)
					continue;
				uint32_t left = seen[i * count + to] & 0xffff, all = seen[i * count + to] >> 16;
				all = all ? all : left;
				mosaic_channel(svg, &m, i, to, all - left, all, scene->fair->class[c], c, error);
				seen[i * count + to] = all << 16 | (left - 1);
			}
		mosaic_draw(svg, &m, x, y, cell, error);
		mosaic_clear(&m);
	}
	free(seen);
	return error->status ? -1 : 0;
}

int overview_sets(struct svg *svg, const struct scene *scene, const struct switch_sets *sets, double x, double y, double width, double cell,
	struct error *error)
{
	uint32_t *place = array_create(scene->fabric->nodes, sizeof *place, error);
	double at = x;
	for (uint32_t v = 0; v < scene->fabric->nodes && place; v++)
		place[v] = NONE;
	for (uint32_t s = 0; s < sets->sets && !error->status; s++) {
		const uint32_t *node = sets->node + sets->first[s];
		uint32_t count = sets->first[s + 1] - sets->first[s];
		double side = count * cell;
		char name[300];
		if (at > x && at + side > x + width) {
			at = x;
			y += side + name_height + line_gap;
		}
		snprintf(name, sizeof name, "%s%s", scene->labels.text[node[0]], count > 1 ? " …" : "");
		if (svg_text_width(SVG_SMALL, name) <= side + set_gap - 2)
			svg_text(svg, at, y + name_height - 4, SVG_SMALL, SVG_START, name);
		for (uint32_t i = 0; i < count; i++)
			place[node[i]] = i;
		draw_set(svg, scene, node, count, place, at, y + name_height, cell, error);
		for (uint32_t i = 0; i < count; i++)
			place[node[i]] = NONE;
		at += side + set_gap;
	}
	free(place);
	return error->status ? -1 : 0;
}
