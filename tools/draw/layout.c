#include "tools/draw/layout.h"

#include "pictures/lettering.h"

#include <stdlib.h>
#include <string.h>

const char *const layout_names[] = {
	[LAYOUT_AUTO] = "auto",
	[LAYOUT_LAYERS] = "layers",
	[LAYOUT_GRID] = "grid",
	[LAYOUT_CIRCLE] = "circle",
	[LAYOUT_PLACES] = "pos",
	[LAYOUT_FORCE] = "force",
	[LAYOUT_BLOCKS] = "blocks",
	[LAYOUT_GROUPS] = "groups",
	[LAYOUT_LINES] = "lines",
	NULL,
};

enum { GRID_HEADS_MIN = 6 };

/* Distances between a switch and its hosts, and between hosts. */
static const double drop = 44, column_gap = 26, host_gap = 6, row_gap = 5, corner = 11;

static double larger(double a, double b)
{
	return a > b ? a : b;
}

static double smaller(double a, double b)
{
	return a < b ? a : b;
}

/* Places a row of boxes above or below the head. */
static struct reach hang_row(struct drawing *drawing, struct box *head, bool above)
{
	struct box *box = drawing->box + head->first;
	double total = -host_gap, tallest = 0;
	for (uint32_t i = 0; i < head->hung; i++) {
		total += box[i].width + host_gap;
		tallest = larger(tallest, box[i].height);
	}
	double x = -total / 2, y = (above ? 1 : -1) * (head->height / 2 + drop + tallest / 2);
	for (uint32_t i = 0; i < head->hung; i++) {
		box[i].at = (struct point){x + box[i].width / 2, y};
		box[i].side = above ? SIDE_TOP : SIDE_BOTTOM;
		x += box[i].width + host_gap;
	}
	double far = head->height / 2 + drop + tallest, near = head->height / 2, half = larger(total, head->width) / 2;
	return (struct reach){half, half, above ? far : near, above ? near : far};
}

/* Boxes at a corner branch off below the right half of their head, which is widened for that, up to a limit. */
static const double branch_distance = 6, widest_for_branches = 100;

/* Places a column of boxes to the left or right of the head, centred at its height, or starting below the head. */
static struct reach hang_column(struct drawing *drawing, struct box *head, bool left, bool below)
{
	struct box *box = drawing->box + head->first;
	double total = -row_gap, widest = 0;
	for (uint32_t i = 0; i < head->hung; i++) {
		total += box[i].height + row_gap;
		widest = larger(widest, box[i].width);
	}
	if (below)
		head->width = larger(head->width, smaller(2 * branch_distance * (head->hung + 1), widest_for_branches));
	double side = left ? -1 : 1, inner = head->width / 2 + (below ? corner : head->hung > 1 ? 2 * column_gap : column_gap);
	double top = below ? -(head->height / 2 + corner) : total / 2, y = top;
	for (uint32_t i = 0; i < head->hung; i++) {
		box[i].at = (struct point){side * (inner + box[i].width / 2), y - box[i].height / 2};
		box[i].side = below ? SIDE_CENTRE : left ? SIDE_LEFT : SIDE_RIGHT;
		y -= box[i].height + row_gap;
	}
	double near = head->width / 2, far = larger(inner + widest, near);
	return (struct reach){left ? far : near, left ? near : far, larger(head->height / 2, top), larger(head->height / 2, total - top)};
}

struct reach hang(struct drawing *drawing, uint32_t head, enum hang how)
{
	struct box *box = &drawing->box[head];
	if (!box->hung)
		return (struct reach){box->width / 2, box->width / 2, box->height / 2, box->height / 2};
	if (how == HANG_BELOW || how == HANG_ABOVE)
		return hang_row(drawing, box, how == HANG_ABOVE);
	return hang_column(drawing, box, how == HANG_LEFT, how == HANG_CORNER);
}

static int compare_labels(const void *left, const void *right, void *data)
{
	const struct drawing *drawing = data;
	uint32_t a, b;
	memcpy(&a, left, sizeof a);
	memcpy(&b, right, sizeof b);
	int order = text_compare(drawing->box[a].label, drawing->box[b].label);
	return order ? order : a < b ? -1 : 1;
}

void heads_by_label(const struct drawing *drawing, uint32_t *order)
{
	for (uint32_t h = 0; h < drawing->heads; h++)
		order[h] = h;
	qsort_r(order, drawing->heads, sizeof *order, compare_labels, (void *)drawing);
}

/* Converts positions relative to the head to absolute ones. */
static void settle(struct drawing *drawing)
{
	for (uint32_t b = drawing->heads; b < drawing->boxes; b++) {
		struct box *box = &drawing->box[b];
		if (box->head == b)
			continue;
		box->at.x += drawing->box[box->head].at.x;
		box->at.y += drawing->box[box->head].at.y;
	}
}

/* Tries one layout. Returns 1 if it suits the fabric, 0 if not, -1 on an error. */
static int try(struct drawing *drawing, const struct neighbours *neighbours, enum layout way, bool forced, struct error *error)
{
	switch (way) {
	case LAYOUT_LAYERS: return layout_layers(drawing, neighbours, forced, error);
	case LAYOUT_GRID: return layout_grid(drawing, neighbours, error);
	case LAYOUT_CIRCLE: return layout_circle(drawing, neighbours, forced, error);
	case LAYOUT_PLACES: return layout_places(drawing, forced, error);
	default: return layout_force(drawing, neighbours, error);
	}
}

int layout(struct drawing *drawing, enum layout wanted, struct error *error)
{
	/* two leaves under two spines are also a grid, but better drawn as a tree */
	static const enum layout order[] = {LAYOUT_CIRCLE, LAYOUT_GRID, LAYOUT_LAYERS, LAYOUT_GRID, LAYOUT_PLACES, LAYOUT_FORCE};
	struct neighbours neighbours;
	if (neighbours_init(&neighbours, drawing, error))
		return -1;
	int fits = 0;
	if (wanted != LAYOUT_AUTO)
		fits = try(drawing, &neighbours, wanted, true, error);
	else
		for (size_t i = 0; !fits && i < sizeof order / sizeof *order; i++)
			if (i != 1 || drawing->heads >= GRID_HEADS_MIN)
				fits = try(drawing, &neighbours, order[i], false, error);
	neighbours_clear(&neighbours);
	if (!fits)
		error_at(error, STATUS_FABRIC, drawing->fabric->labels->source, 0,
			"--layout grid needs a mesh, torus or hypercube of up to three dimensions; try --layout force");
	if (fits > 0)
		settle(drawing);
	return error->status ? -1 : 0;
}
