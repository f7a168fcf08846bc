#include "pictures/wiring.h"

#include "base/memory.h"
#include "pictures/overview_kinds.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEVELS_MOST = 4, CABLES_MOST = 160, ARCS_MOST = 24, TEXT = 1200 };

/* In pixels. */
static const double port_step = 14, narrowest = 74, gap = 12, row = 14, between = 150, head_height = 46, line = 2.2;

/* A box, with its ports on either side. */
struct box {
	uint32_t node;
	double x, y, width, height;
	uint32_t hosts, ports[2]; /* at the lower and the upper side */
	uint32_t count[2][LOAD_CLASSES];
};

/* An end of a cable at a side of a box. */
struct plug {
	uint32_t box, side, cable, end, other; /* end: of the cable; other: the box at its other end */
	bool arc;                              /* that is of the same level */
};

struct wiring {
	const struct scene *scene;
	struct box *box; /* [boxes] level by level, from left to right */
	uint32_t boxes;
	uint32_t *box_of;  /* [nodes] NONE: none */
	struct plug *plug; /* [plugs] */
	uint32_t plugs;
	double (*point)[2][2];           /* [cables][end] x and y */
	uint32_t first[LEVELS_MOST + 1]; /* of the boxes of each level */
};

/* ---- what there is */

static uint32_t level_of(const struct scene *scene, uint32_t node)
{
	return scene->fabric->node_host[node] != NONE ? NONE : scene->fair->level[node];
}

/* Returns whether the cable joins two switches that are drawn. */
static bool is_drawn(const struct scene *scene, const struct cable *cable)
{
	return level_of(scene, cable->end[0]) < LEVELS_MOST && level_of(scene, cable->end[1]) < LEVELS_MOST;
}

/* Returns whether its ends are of the same level. */
static bool is_arc(const struct scene *scene, const struct cable *cable)
{
	return level_of(scene, cable->end[0]) == level_of(scene, cable->end[1]);
}

static uint32_t side_of(const struct scene *scene, const struct cable *cable, int end)
{
	return !end && level_of(scene, cable->end[1]) > level_of(scene, cable->end[0]);
}

static double box_width(const struct scene *scene, uint32_t node, const uint32_t ports[2])
{
	double name = svg_text_width(SVG_LABEL, scene->labels.text[node]) + 8;
	return fmax(fmax(name, narrowest), port_step * (ports[0] > ports[1] ? ports[0] : ports[1]) + 4);
}

bool wiring_suits(const struct scene *scene, double width)
{
	const struct fabric *f = scene->fabric;
	double wide[LEVELS_MOST] = {0};
	uint32_t switches = 0, cables = 0, arcs = 0;
	if (f->nodes - f->hosts > CABLES_MOST || scene->fair->levels > LEVELS_MOST)
		return false;
	for (uint32_t i = 0; i < scene->cables.cables; i++) {
		const struct cable *c = &scene->cables.cable[i];
		uint32_t low = level_of(scene, c->end[0]), high = level_of(scene, c->end[1]);
		if (!is_drawn(scene, c))
			continue;
		if (high - low > 1 || (high == low && high) || c->end[0] == c->end[1])
			return false;
		arcs += low == high;
		cables++;
	}
	for (uint32_t v = 0; v < f->nodes; v++) {
		uint32_t level = level_of(scene, v), ports[2] = {0};
		if (level >= LEVELS_MOST)
			continue;
		switches++;
		for (uint32_t c = f->first_channel[v]; c < f->first_channel[v + 1]; c++) {
			uint32_t other = level_of(scene, f->head[c]);
			if (other < LEVELS_MOST)
				ports[other > level]++;
		}
		wide[level] += box_width(scene, v, ports) + gap;
		if (wide[level] - gap > width)
			return false;
	}
	return switches > 1 && cables && cables <= CABLES_MOST && arcs <= ARCS_MOST;
}

/* ---- boxes and their ports */

struct ranked {
	uint32_t level, rank, node;
};

static int compare_ranked(const void *left, const void *right)
{
	const struct ranked *a = left, *b = right;
	if (a->level != b->level)
		return a->level < b->level ? -1 : 1;
	return (a->rank > b->rank) - (a->rank < b->rank);
}

static void count_hosts(struct wiring *w, const struct cable *cable)
{
	uint32_t b = w->box_of[cable->end[1]];
	if (w->scene->fabric->node_host[cable->end[0]] == NONE || b == NONE)
		return;
	w->box[b].hosts++;
	for (int way = 0; way < 2; way++)
		if (cable->channel[way] != NONE)
			w->box[b].count[way][w->scene->fair->class[cable->channel[way]]]++;
}

static void plug_in(struct wiring *w, uint32_t i)
{
	const struct cable *c = &w->scene->cables.cable[i];
	if (!is_drawn(w->scene, c)) {
		count_hosts(w, c);
		return;
	}
	for (int end = 0; end < 2; end++) {
		uint32_t box = w->box_of[c->end[end]], side = side_of(w->scene, c, end);
		w->plug[w->plugs++] = (struct plug){box, side, i, (uint32_t)end, w->box_of[c->end[!end]], is_arc(w->scene, c)};
		w->box[box].ports[side]++;
	}
}

static int find_boxes(struct wiring *w, struct error *error)
{
	const struct fabric *f = w->scene->fabric;
	struct ranked *list = array_create(f->nodes - f->hosts, sizeof *list, error);
	for (uint32_t v = 0; v < f->nodes && list; v++) {
		uint32_t level = level_of(w->scene, v);
		w->box_of[v] = NONE;
		if (level < LEVELS_MOST)
			list[w->boxes++] = (struct ranked){level, w->scene->rank[v], v};
	}
	if (!list)
		return -1;
	qsort(list, w->boxes, sizeof *list, compare_ranked);
	for (uint32_t i = 0; i < w->boxes; i++) {
		w->box[i].node = list[i].node;
		w->box_of[list[i].node] = i;
		for (uint32_t above = list[i].level + 1; above <= LEVELS_MOST; above++)
			w->first[above] = i + 1;
	}
	free(list);
	for (uint32_t i = 0; i < w->scene->cables.cables; i++)
		plug_in(w, i);
	return 0;
}

/* Places the boxes of a level in the middle of the width. Returns the height of the highest. */
static double place_level(struct wiring *w, uint32_t level, double y, double width)
{
	double x = -gap, highest = 0;
	for (int place = 0; place < 2; place++) {
		x = place ? (width - x) / 2 : -gap;
		for (uint32_t i = w->first[level]; i < w->first[level + 1]; i++) {
			struct box *b = &w->box[i];
			b->width = box_width(w->scene, b->node, b->ports);
			b->height = row * (1 + !!b->ports[0] + !!b->ports[1] + (b->hosts ? 2 : 0)) + (b->hosts ? 9 : 6);
			b->x = x;
			b->y = y;
			x += b->width + gap;
			highest = fmax(highest, b->height);
		}
		x -= place ? 0 : gap;
	}
	return highest;
}

/*
 * Ports of a side are in the order of the boxes at their other ends, so that few lines cross, parallel cables in one order at both. Arcs to
 * boxes of the same level nest: those to the left come first, and of both the nearest have the right ports.
 */
static int compare_plugs(const void *left, const void *right)
{
	const struct plug *a = left, *b = right;
	bool nests = a->arc && b->arc;
	uint32_t key[5][2] = {{a->box, b->box}, {a->side, b->side}, {nests && a->other > a->box, nests && b->other > b->box},
		{nests ? b->other : a->other, nests ? a->other : b->other}, {a->cable, b->cable}};
	for (int i = 0; i < 5; i++)
		if (key[i][0] != key[i][1])
			return (key[i][0] < key[i][1]) == (i < 4 || !nests || a->other > a->box) ? -1 : 1;
	return 0;
}

static void place_plugs(struct wiring *w)
{
	qsort(w->plug, w->plugs, sizeof *w->plug, compare_plugs);
	for (uint32_t i = 0, k = 0; i < w->plugs; i++) {
		const struct plug *p = &w->plug[i];
		const struct box *b = &w->box[p->box];
		k = i && w->plug[i - 1].box == p->box && w->plug[i - 1].side == p->side ? k + 1 : 0;
		double *point = w->point[p->cable][p->end];
		point[0] = b->x + b->width / 2 + (k - (b->ports[p->side] - 1) / 2.0) * port_step;
		point[1] = p->side ? b->y : b->y + b->height;
	}
}

/* ---- drawing */

static void draw_boxes(struct svg *svg, const struct wiring *w)
{
	char text[40];
	for (uint32_t i = 0; i < w->boxes; i++) {
		const struct box *b = &w->box[i];
		double middle = b->x + b->width / 2, y = b->y + (b->ports[1] ? 2 * row : row);
		svg_box(svg, b->x, b->y, b->width, b->height, "sheet", "fill=\"#ffffff\" stroke=\"#8b959e\" stroke-width=\"1\"");
		svg_text(svg, middle, y, SVG_LABEL, SVG_MIDDLE, w->scene->labels.text[b->node]);
		if (!b->hosts)
			continue;
		snprintf(text, sizeof text, "%" PRIu32 " host%s", b->hosts, b->hosts == 1 ? "" : "s");
		svg_text(svg, middle, y + row, SVG_SMALL, SVG_MIDDLE, text);
		overview_bars(svg, b->x + 4, y + row + 5, b->width - 8, b->count);
	}
}

static void draw_ports(struct svg *svg, const struct wiring *w)
{
	const struct fabric_labels *labels = w->scene->fabric->labels;
	char text[20];
	svg_texts_begin(svg, SVG_SMALL, SVG_MIDDLE);
	for (uint32_t i = 0; i < w->plugs; i++) {
		const struct plug *p = &w->plug[i];
		const uint32_t *channel = w->scene->cables.cable[p->cable].channel;
		uint32_t out = channel[p->end], in = channel[!p->end];
		uint32_t port = out != NONE ? labels->port[out] : labels->peer_port[in];
		const double *point = w->point[p->cable][p->end];
		snprintf(text, sizeof text, "%" PRIu32, port);
		if (port)
			svg_texts_add(svg, point[0], point[1] + (p->side ? 11 : -4), text);
	}
	svg_group_end(svg);
}

static void write_tip(struct svg *svg, const struct scene *scene, uint32_t channel)
{
	const struct fabric *f = scene->fabric;
	const struct fair_share *fair = scene->fair;
	char text[TEXT], port[2][24] = {"", ""};
	if (f->labels->port[channel])
		snprintf(port[0], sizeof port[0], " port %" PRIu32, f->labels->port[channel]);
	if (f->labels->peer_port[channel])
		snprintf(port[1], sizeof port[1], " port %" PRIu32, f->labels->peer_port[channel]);
	snprintf(text, sizeof text, "%.400s%s → %.400s%s: load %.2f, ×%.2f of its share: %s", scene->labels.text[fabric_tail(f, channel)],
		port[0], scene->labels.text[f->head[channel]], port[1], fair->load[channel], fair->excess[channel],
		load_classes[fair->class[channel]].word);
	svg_tooltip(svg, text);
}

/* Draws the half of the curve that begins at its first point. */
static void draw_half(struct svg *svg, const struct scene *scene, const double p[8], uint32_t channel)
{
	enum load_class_number class = scene->fair->class[channel];
	double half[8];
	char name[8];
	for (int i = 0; i < 2; i++) {
		half[i] = p[i];
		half[2 + i] = (p[i] + p[2 + i]) / 2;
		half[4 + i] = (p[i] + 2 * p[2 + i] + p[4 + i]) / 4;
		half[6 + i] = (p[i] + 3 * p[2 + i] + 3 * p[4 + i] + p[6 + i]) / 8;
	}
	svg_group(svg, "");
	write_tip(svg, scene, channel);
	if (class == LOAD_LIGHT)
		svg_curve(svg, half, load_classes[class].outline, "outline", line + 1.2);
	snprintf(name, sizeof name, "l%d", class);
	svg_curve(svg, half, class ? load_classes[class].light : load_classes[class].outline, name, class ? line : 1);
	svg_group_end(svg);
}

static double arc_depth(double width)
{
	return 24 + width / 12;
}

static void draw_cable(struct svg *svg, const struct wiring *w, uint32_t cable, enum load_class_number class)
{
	const struct cable *c = &w->scene->cables.cable[cable];
	const double *low = w->point[cable][0], *high = w->point[cable][1];
	bool arc = is_arc(w->scene, c);
	double bend[2] = {(low[1] + high[1]) / 2, (low[1] + high[1]) / 2};
	if (arc)
		bend[0] = bend[1] = fmax(low[1], high[1]) + arc_depth(fabs(low[0] - high[0])) * 4 / 3;
	double up[8] = {low[0], low[1], low[0], bend[0], high[0], bend[1], high[0], high[1]};
	double down[8] = {high[0], high[1], high[0], bend[1], low[0], bend[0], low[0], low[1]};
	for (int way = 0; way < 2; way++)
		if (c->channel[way] != NONE && w->scene->fair->class[c->channel[way]] == class)
			draw_half(svg, w->scene, way ? down : up, c->channel[way]);
	if (arc)
		svg_reach(svg, 0, bend[0]);
}

static void draw(struct svg *svg, struct wiring *w, double width)
{
	double top = svg_bottom(svg), y = top + head_height;
	for (uint32_t level = LEVELS_MOST; level-- > 0;)
		if (w->first[level + 1] > w->first[level])
			y += place_level(w, level, y, width) + between;
	place_plugs(w);
	svg_textf(svg, 0, top + 16, SVG_HEAD, SVG_START, "%" PRIu32 " switches, %" PRIu32 " cable%s between them", w->boxes, w->plugs / 2,
		w->plugs == 2 ? "" : "s");
	svg_text(svg, 0, top + 32, SVG_MUTED, SVG_START,
		"a line is a cable, its half at a switch the channel that leaves it, thin if no route uses it; numbers are ports; bars: the cables of "
		"hosts by class, from them above, to them below");
	for (int class = 0; class < LOAD_CLASSES; class ++) /* the hottest last, so that no other covers them */
		for (uint32_t i = 0; i < w->scene->cables.cables; i++)
			if (is_drawn(w->scene, &w->scene->cables.cable[i]))
				draw_cable(svg, w, i, (enum load_class_number) class);
	draw_boxes(svg, w);
	draw_ports(svg, w);
	svg_reach(svg, 0, svg_bottom(svg) + 12);
}

int wiring_draw(struct svg *svg, const struct scene *scene, double width, struct error *error)
{
	const struct fabric *f = scene->fabric;
	struct wiring w = {
		.scene = scene,
		.box = array_create(f->nodes - f->hosts, sizeof *w.box, error),
		.box_of = array_create(f->nodes, sizeof *w.box_of, error),
		.plug = array_create(2 * (size_t)scene->cables.cables, sizeof *w.plug, error),
		.point = array_create(scene->cables.cables, sizeof *w.point, error),
	};
	if (!error->status && !find_boxes(&w, error))
		draw(svg, &w, width);
	free(w.box);
	free(w.box_of);
	free(w.plug);
	free(w.point);
	return error->status ? -1 : 0;
}
