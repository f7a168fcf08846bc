#include "pictures/folded_tree.h"

#include "base/memory.h"
#include "pictures/overview.h"
#include "pictures/overview_kinds.h"
#include "pictures/pods.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* In pixels. */
static const double box_width = 150, narrowest = 70, box_gap = 10, pod_height = 58, plane_height = 44, between = 170, head_height = 46;

enum { PERCENTILE = 95 };

bool folded_tree_suits(const struct scene *scene)
{
	struct error error = {0};
	struct pods pods;
	bool suits = overview_kind(scene) == OVERVIEW_PODS && !pods_find(&pods, scene, &error) && pods.pods > 1 && pods.bundles &&
		     pods.bundles <= FOLDED_BUNDLES && pods.pods <= FOLDED_BUNDLES / 4;
	if (overview_kind(scene) == OVERVIEW_PODS)
		pods_clear(&pods);
	return suits;
}

/* Returns the class that at most a few of the channels exceed. */
static enum load_class_number usual_class(const struct bundle *b)
{
	uint32_t all = 0, sum = 0;
	int class = 0;
	for (int i = 0; i < LOAD_CLASSES; i++)
		all += b->count[0][i] + b->count[1][i];
	for (class = 0; class < LOAD_CLASSES - 1; class ++) {
		sum += b->count[0][class] + b->count[1][class];
		if ((uint64_t)sum * 100 >= (uint64_t)all * PERCENTILE)
			break;
	}
	return (enum load_class_number) class;
}

/* A row of boxes, in the middle of the width. */
struct shelf {
	double x, y, step, box;
};

static struct shelf shelf_of(uint32_t boxes, double y, double width)
{
	double step = fmin(box_width + box_gap, fmax(width / boxes, narrowest + box_gap));
	return (struct shelf){fmax(0, (width - boxes * step) / 2), y, step, step - box_gap};
}

static double middle(const struct shelf *shelf, uint32_t index)
{
	return shelf->x + index * shelf->step + shelf->box / 2;
}

static void draw_bundle(struct svg *svg, const struct bundle *b, double x, double y, double to_x, double to_y)
{
	enum load_class_number class = usual_class(b);
	double width = fmin(8, 1 + sqrt(b->cables) / 3), half = (y + to_y) / 2;
	if (class <= LOAD_LIGHT)
		svg_curve(svg, (double[]){x, y, x, half, to_x, half, to_x, to_y}, load_classes[class].outline, "outline", width + 1.2);
	char name[8];
	snprintf(name, sizeof name, "l%d", class);
	svg_curve(svg, (double[]){x, y, x, half, to_x, half, to_x, to_y}, load_classes[class].light, name, width);
}

static void sum_counts(uint32_t sum[2][LOAD_CLASSES], const uint32_t count[2][LOAD_CLASSES])
{
	for (int way = 0; way < 2; way++)
		for (int i = 0; i < LOAD_CLASSES; i++)
			sum[way][i] += count[way][i];
}

static void draw_box(struct svg *svg, const struct shelf *shelf, uint32_t index, double height, const char *label)
{
	double x = shelf->x + index * shelf->step;
	svg_box(svg, x, shelf->y, shelf->box, height, "sheet", "fill=\"#ffffff\" stroke=\"#8b959e\" stroke-width=\"1\"");
	svg_text_fit(svg, x + shelf->box / 2, shelf->y + 14, SVG_LABEL, SVG_MIDDLE, shelf->box - 6, label);
}

static void draw_pods(struct svg *svg, const struct pods *pods, const struct scene *scene, const struct shelf *shelf)
{
	char text[500];
	for (uint32_t i = 0; i < pods->pods; i++) {
		const struct pod *p = &pods->pod[i];
		double x = shelf->x + i * shelf->step;
		draw_box(svg, shelf, i, pod_height, pod_label(pods, scene, i, text, sizeof text));
		snprintf(text, sizeof text, "%" PRIu32 " switch%s, %" PRIu32 " host%s", p->switches, p->switches == 1 ? "" : "es", p->hosts,
			p->hosts == 1 ? "" : "s");
		svg_text_fit(svg, x + shelf->box / 2, shelf->y + 28, SVG_SMALL, SVG_MIDDLE, shelf->box - 6, text);
		overview_bars(svg, x + 4, shelf->y + 35, shelf->box - 8, p->count);
	}
}

static void draw_planes(
	struct svg *svg, const struct pods *pods, const struct scene *scene, const struct shelf *shelf, uint32_t (*sum)[2][LOAD_CLASSES])
{
	char text[500];
	for (uint32_t i = 0; i < pods->planes; i++) {
		draw_box(svg, shelf, i, plane_height, plane_label(pods, scene, i, text, sizeof text));
		overview_bars(svg, shelf->x + i * shelf->step + 4, shelf->y + 21, shelf->box - 8, sum[i]);
	}
}

static int draw(struct svg *svg, const struct pods *pods, const struct scene *scene, double width, struct error *error)
{
	double top = svg_bottom(svg);
	struct shelf planes = shelf_of(pods->planes, top + head_height, width);
	struct shelf below = shelf_of(pods->pods, planes.y + plane_height + between, width);
	uint32_t(*sum)[2][LOAD_CLASSES] = array_create(pods->planes, sizeof *sum, error);
	if (!sum)
		return -1;
	svg_textf(svg, 0, top + 16, SVG_HEAD, SVG_START, "%" PRIu32 " pods below, %" PRIu32 " plane%s above", pods->pods, pods->planes,
		pods->planes == 1 ? "" : "s");
	svg_text(svg, 0, top + 32, SVG_MUTED, SVG_START,
		"a line is all cables between two boxes, in the class that 5% of their channels exceed; bars: the channels by class, upwards above, "
		"downwards below");
	for (int class = 0; class < LOAD_CLASSES; class ++) /* the hottest last, so that no other covers them */
		for (uint32_t i = 0; i < pods->bundles; i++) {
			const struct bundle *b = &pods->bundle[i];
			if (usual_class(b) == (enum load_class_number) class)
				draw_bundle(svg, b, middle(&below, b->pod), below.y, middle(&planes, b->plane), planes.y + plane_height);
			if (!class)
				sum_counts(sum[b->plane], b->count);
		}
	draw_planes(svg, pods, scene, &planes, sum);
	draw_pods(svg, pods, scene, &below);
	svg_reach(svg, 0, svg_bottom(svg) + 12);
	free(sum);
	return 0;
}

int folded_tree_draw(struct svg *svg, const struct scene *scene, double width, struct error *error)
{
	struct pods pods;
	if (!pods_find(&pods, scene, error) && pods.pods && pods.planes)
		draw(svg, &pods, scene, width, error);
	pods_clear(&pods);
	return error->status ? -1 : 0;
}
