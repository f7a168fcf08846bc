#include "pictures/overview.h"

#include "pictures/overview_kinds.h"
#include "pictures/pods.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* In pixels, of pods x planes. */
static const double bar_height = 8, row_height = 21, column_gap = 6, narrowest = 8, widest = 110, top_room = 52, name_gap = 8;

/* More rows than this are no overview. */
enum { PODS_MOST = 128, PLANES_MOST = 80 };

enum overview overview_kind(const struct scene *scene)
{
	const char *kind = scene->shape.kind;
	bool placed = kind && scene->shape.place && scene->shape.planes == 1;
	if (!scene->fair->levels)
		return OVERVIEW_NONE;
	if (!placed)
		return scene_has_levels(scene) && scene->fair->levels > 2 ? OVERVIEW_PODS : OVERVIEW_NONE;
	return scene->shape.dimensions ? OVERVIEW_GRID : OVERVIEW_GROUPS;
}

/* Adds the parts of two bars that a class has to a path. */
static void add_bars(struct svg *svg, double x, double y, double width, const uint32_t count[2][LOAD_CLASSES], enum load_class_number class)
{
	for (int way = 0; way < 2; way++) {
		uint32_t all = 0, before = 0;
		for (int i = 0; i < LOAD_CLASSES; i++) {
			all += count[way][i];
			before += i < (int)class ? count[way][i] : 0;
		}
		if (count[way][class])
			svg_path_rect(
				svg, x + width * before / all, y + way * (bar_height + 1.5), width * count[way][class] / all, bar_height);
	}
}

void overview_bars(struct svg *svg, double x, double y, double width, const uint32_t count[2][LOAD_CLASSES])
{
	for (int i = 0; i < LOAD_CLASSES; i++) {
		if (!count[0][i] && !count[1][i])
			continue;
		svg_path_begin(svg, (enum load_class_number)i);
		add_bars(svg, x, y, width, count, (enum load_class_number)i);
		svg_path_end(svg);
	}
}

/* The columns: the cables within the pod, then the planes. */
struct table {
	double x, column;
	bool inside;
};

static struct table table_of(const struct pods *pods, const struct scene *scene, double width)
{
	struct table t = {0};
	char text[500];
	for (uint32_t i = 0; i < pods->pods; i++) {
		pod_label(pods, scene, i, text, sizeof text);
		t.x = fmax(t.x, svg_text_width(SVG_LABEL, text));
		t.inside |= pods->pod[i].switches > 1;
	}
	snprintf(text, sizeof text, "%" PRIu32 " switches, %" PRIu32 " hosts", pods->pod[0].switches, pods->pod[0].hosts);
	t.x += svg_text_width(SVG_SMALL, text) + 3 * name_gap;
	double columns = pods->planes + (t.inside ? 1 : 0);
	t.column = fmin(fmax((width - t.x) / columns, narrowest + column_gap), widest + column_gap);
	return t;
}

static void draw_heads(struct svg *svg, const struct pods *pods, const struct scene *scene, const struct table *t, double y)
{
	char text[500];
	if (t->inside)
		svg_text(svg, t->x, y, SVG_SMALL, SVG_START, svg_text_width(SVG_SMALL, "within") < t->column ? "within" : "in");
	for (uint32_t b = 0; b < pods->planes; b++) {
		plane_label(pods, scene, b, text, sizeof text);
		if (svg_text_width(SVG_SMALL, text) <= t->column - 2 || !(b % 4))
			svg_text(svg, t->x + (b + (t->inside ? 1 : 0)) * t->column, y, SVG_SMALL, SVG_START, text);
	}
}

static void draw_pod(struct svg *svg, const struct pods *pods, const struct scene *scene, const struct table *t, uint32_t pod, double y)
{
	char text[500];
	const struct pod *p = &pods->pod[pod];
	svg_text(svg, 0, y + 12, SVG_LABEL, SVG_START, pod_label(pods, scene, pod, text, sizeof text));
	svg_textf(svg, t->x - name_gap, y + 12, SVG_SMALL, SVG_END, "%" PRIu32 " switch%s, %" PRIu32 " host%s", p->switches,
		p->switches == 1 ? "" : "es", p->hosts, p->hosts == 1 ? "" : "s");
}

/* Draws the bars of all cells, a path for each class. */
static void draw_bars(struct svg *svg, const struct pods *pods, const struct table *t, double top)
{
	double width = t->column - column_gap, first = t->x + (t->inside ? t->column : 0);
	for (int i = 0; i < LOAD_CLASSES; i++) {
		enum load_class_number class = (enum load_class_number)i;
		svg_path_begin(svg, class);
		for (uint32_t p = 0; p < pods->pods && t->inside; p++)
			add_bars(svg, t->x, top + p * row_height, width, pods->pod[p].count, class);
		for (uint32_t b = 0; b < pods->bundles; b++)
			add_bars(svg, first + pods->bundle[b].plane * t->column, top + pods->bundle[b].pod * row_height, width,
				pods->bundle[b].count, class);
		svg_path_end(svg);
	}
}

static void draw_pods(struct svg *svg, const struct pods *pods, const struct scene *scene, double width)
{
	double top = svg_bottom(svg);
	struct table t = table_of(pods, scene, width);
	svg_textf(svg, 0, top + 16, SVG_HEAD, SVG_START, "%" PRIu32 " pods × %" PRIu32 " plane%s", pods->pods, pods->planes,
		pods->planes == 1 ? "" : "s");
	svg_text(svg, 0, top + 32, SVG_MUTED, SVG_START,
		"a bar is all channels of a pod to a plane: upwards above, downwards below; colours are the shares of channels by class");
	draw_heads(svg, pods, scene, &t, top + top_room - 4);
	for (uint32_t i = 0; i < pods->pods; i++)
		draw_pod(svg, pods, scene, &t, i, top + top_room + i * row_height);
	draw_bars(svg, pods, &t, top + top_room);
	svg_reach(svg, 0, top + top_room + pods->pods * row_height + 8);
}

static int draw_tree(struct svg *svg, const struct scene *scene, double width, struct error *error)
{
	struct pods pods;
	if (!pods_find(&pods, scene, error) && pods.pods > 1 && pods.pods <= PODS_MOST && pods.planes && pods.planes <= PLANES_MOST)
		draw_pods(svg, &pods, scene, width);
	pods_clear(&pods);
	return error->status ? -1 : 0;
}

int overview_draw(struct svg *svg, const struct scene *scene, double width, struct error *error)
{
	switch (overview_kind(scene)) {
	case OVERVIEW_PODS: return draw_tree(svg, scene, width, error);
	case OVERVIEW_GROUPS: return overview_groups(svg, scene, width, error);
	case OVERVIEW_GRID: return overview_grid(svg, scene, width, error);
	default: return 0;
	}
}
