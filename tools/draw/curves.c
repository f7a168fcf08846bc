#include "tools/draw/curves.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
	STEPS = 32, /* straight segments with which a curve is tested */
	BENDS = 9,
};

/* In points: the clearance between lines and boxes; where lines that leave one side of a box may start, and how deep inside it; loops. */
static const double clearance = 4, end_distance_max = 9, side_share = 0.84, end_depth = 4, smallest_loop = 26;

struct point curve_at(const struct point curve[4], double t)
{
	double s = 1 - t, w[4] = {s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t};
	struct point at = {0, 0};
	for (int i = 0; i < 4; i++) {
		at.x += w[i] * curve[i].x;
		at.y += w[i] * curve[i].y;
	}
	return at;
}

/* ---- ends */

/* One end of a line, at a side of a box. */
struct end {
	uint32_t box, line;
	enum side side;
	int which;
	double towards; /* position of its other end, along the side */
};

static int compare_ends(const void *left, const void *right)
{
	const struct end *a = left, *b = right;
	if (a->box != b->box)
		return a->box < b->box ? -1 : 1;
	if (a->side != b->side)
		return a->side < b->side ? -1 : 1;
	if (a->towards != b->towards)
		return a->towards < b->towards ? -1 : 1;
	return a->line < b->line ? -1 : a->line > b->line;
}

static bool upright(enum side side)
{
	return side == SIDE_LEFT || side == SIDE_RIGHT;
}

/* Spreads the ends at one side of a box, in the order of their targets. */
static void spread(struct drawing *drawing, const struct end *end, uint32_t count)
{
	const struct box *box = &drawing->box[end->box];
	double length = (upright(end->side) ? box->height : box->width) * side_share;
	double distance = count > 1 ? fmin(end_distance_max, length / (count - 1)) : 0;
	double x = (box->width / 2 - end_depth) * (end->side == SIDE_RIGHT ? 1 : -1);
	double y = (box->height / 2 - end_depth) * (end->side == SIDE_TOP ? 1 : -1);
	for (uint32_t i = 0; i < count; i++) {
		double along = (i - (count - 1) / 2.0) * distance;
		struct point *at = &drawing->line[end[i].line].curve[end[i].which ? 3 : 0];
		at->x = box->at.x + (upright(end->side) ? x : along);
		at->y = box->at.y + (upright(end->side) ? along : y);
	}
}

/* Sets the sides of a line between a head and an attached box. */
static void set_hung_sides(const struct drawing *drawing, struct line *line)
{
	static const enum side opposite[] = {[SIDE_CENTRE] = SIDE_LEFT,
		[SIDE_TOP] = SIDE_BOTTOM,
		[SIDE_BOTTOM] = SIDE_TOP,
		[SIDE_LEFT] = SIDE_RIGHT,
		[SIDE_RIGHT] = SIDE_LEFT};
	const struct box *box = &drawing->box[line->box[1]]; /* heads have the lower numbers */
	if (line->box[1] >= drawing->heads && line->box[0] == box->head) {
		line->side[0] = box->side;
		line->side[1] = opposite[box->side];
	}
}

static int place_ends(struct drawing *drawing, struct error *error)
{
	struct end *ends = array_create(2 * (size_t)drawing->lines, sizeof *ends, error);
	uint32_t count = 0;
	if (!ends)
		return -1;
	for (uint32_t i = 0; i < drawing->lines; i++) {
		struct line *line = &drawing->line[i];
		set_hung_sides(drawing, line);
		for (int which = 0; which < 2; which++) {
			struct point other = drawing->box[line->box[!which]].at;
			enum side side = line->side[which];
			line->curve[which ? 3 : 0] = drawing->box[line->box[which]].at;
			if (side != SIDE_CENTRE)
				ends[count++] = (struct end){line->box[which], i, side, which, upright(side) ? other.y : other.x};
		}
	}
	qsort(ends, count, sizeof *ends, compare_ends);
	for (uint32_t first = 0, last; first < count; first = last) {
		last = first + 1;
		while (last < count && ends[last].box == ends[first].box && ends[last].side == ends[first].side)
			last++;
		spread(drawing, ends + first, last - first);
	}
	free(ends);
	return 0;
}

/* ---- curves */

/* Sets a curve from end to end, its middle shifted sideways by 3/4 of the bend. */
static void bend(struct point curve[4], double by)
{
	double dx = curve[3].x - curve[0].x, dy = curve[3].y - curve[0].y, length = hypot(dx, dy);
	double x = length > 0 ? -dy / length * by : 0, y = length > 0 ? dx / length * by : 0;
	for (int i = 1; i < 3; i++)
		curve[i] = (struct point){curve[0].x + dx * i / 3 + x, curve[0].y + dy * i / 3 + y};
}

/* A curve as straight segments, with their bounding box. */
struct path {
	struct point at[STEPS + 1];
	int pieces;
	struct point low, high;
};

static void follow(struct path *path, const struct point curve[4], bool straight)
{
	path->pieces = straight ? 1 : STEPS;
	path->low = path->high = curve[0];
	for (int i = 0; i <= path->pieces; i++) {
		struct point at = path->at[i] = curve_at(curve, (double)i / path->pieces);
		path->low = (struct point){fmin(path->low.x, at.x), fmin(path->low.y, at.y)};
		path->high = (struct point){fmax(path->high.x, at.x), fmax(path->high.y, at.y)};
	}
}

/*
 * Reduces the part of a line from *begin to *end to what is on the right side of a border. step: how much the whole line approaches the
 * border; room: its distance at the start.
 */
static void cut(double step, double room, double *begin, double *end)
{
	if (step < 0 && room / step > *begin)
		*begin = room / step;
	else if (step > 0 && room / step < *end)
		*end = room / step;
	else if (step == 0 && room < 0)
		*end = -1;
}

/*
 * Returns whether the straight line from a to b meets the box with its clearance: cut at one border after the other (Liang, Barsky 1984).
 */
static bool meets(const struct box *box, struct point a, struct point b)
{
	double width = box->width / 2 + clearance, height = box->height / 2 + clearance, begin = 0, end = 1;
	cut(a.x - b.x, a.x - box->at.x + width, &begin, &end);
	cut(b.x - a.x, box->at.x + width - a.x, &begin, &end);
	cut(a.y - b.y, a.y - box->at.y + height, &begin, &end);
	cut(b.y - a.y, box->at.y + height - a.y, &begin, &end);
	return begin <= end;
}

static bool runs_through(const struct path *path, const struct box *box)
{
	double width = box->width / 2 + clearance, height = box->height / 2 + clearance;
	if (path->low.x > box->at.x + width || path->high.x < box->at.x - width)
		return false;
	if (path->low.y > box->at.y + height || path->high.y < box->at.y - height)
		return false;
	for (int i = 0; i < path->pieces; i++)
		if (meets(box, path->at[i], path->at[i + 1]))
			return true;
	return false;
}

/* Returns the number of boxes that the line crosses, except its own; stops at limit. */
static uint32_t boxes_hit(const struct drawing *drawing, const struct line *line, bool straight, uint32_t limit)
{
	struct path path;
	uint32_t hit = 0;
	follow(&path, line->curve, straight);
	for (uint32_t b = 0; b < drawing->boxes && hit < limit; b++)
		hit += b != line->box[0] && b != line->box[1] && runs_through(&path, &drawing->box[b]);
	return hit;
}

/* Boxes attached to a head are placed so that their lines stay apart. A loop is such a line, too. */
static bool is_hung(const struct drawing *drawing, const struct line *line)
{
	return drawing->box[line->box[0]].head == drawing->box[line->box[1]].head;
}

/* The same for parallel lines, all with the same bend. */
static uint32_t bend_all(const struct drawing *drawing, struct line *line, double by, uint32_t limit)
{
	uint32_t hit = 0;
	for (uint32_t lane = 0; lane < line->lanes; lane++) {
		bend(line[lane].curve, by);
		if (hit < limit)
			hit += boxes_hit(drawing, &line[lane], by == 0, limit - hit);
	}
	return hit;
}

/*
 * Sets a straight line if possible, otherwise the smallest bend that meets no box, otherwise the one that meets the fewest; short lines
 * bend less.
 */
static void find_way(const struct drawing *drawing, struct line *line)
{
	static const double bends[BENDS] = {24, 44, 66, 92, 124, 164, 214, 280, 360};
	uint32_t fewest = bend_all(drawing, line, 0, UINT32_MAX);
	double best = 0;
	double length = hypot(line->curve[3].x - line->curve[0].x, line->curve[3].y - line->curve[0].y);
	for (int i = 0; i < 2 * BENDS && fewest; i++) {
		double by = i % 2 ? -bends[i / 2] : bends[i / 2];
		if (drawing->plain && bends[i / 2] > length / 3)
			break;
		uint32_t hit = bend_all(drawing, line, by, fewest);
		if (hit < fewest) {
			fewest = hit;
			best = by;
		}
	}
	bend_all(drawing, line, best, 0);
}

/* Shifts parallel lines between two centres. */
static void shift_to_lane(struct line *line)
{
	double by = (line->lane - (line->lanes - 1) / 2.0) * LANE_WIDTH;
	double dx = line->curve[3].x - line->curve[0].x, dy = line->curve[3].y - line->curve[0].y, length = hypot(dx, dy);
	if (length == 0)
		return;
	for (int i = 0; i < 4; i += 3) {
		line->curve[i].x -= dy / length * by;
		line->curve[i].y += dx / length * by;
	}
}

/* Draws a line to a box attached at a corner: down from the right half of the head, the first box at its right, then to the right. */
static void draw_branch(const struct box *head, struct line *line, uint32_t index)
{
	double distance = (head->width / 2 - end_depth) / (head->hung + 0.5), lane = (double)(line->lanes - 1 - line->lane) / line->lanes;
	double x = head->at.x + head->width / 2 - end_depth - distance * (index + lane);
	line->curve[0] = (struct point){x, head->at.y};
	line->curve[1] = (struct point){x, (head->at.y + line->curve[3].y) / 2};
	line->curve[2] = (struct point){x, line->curve[3].y};
}

/* Draws a cable from a switch to itself: a loop at its upper left corner, each wider than the last. */
static void draw_loop(const struct box *box, struct line *line)
{
	double left = box->at.x - box->width / 2 + end_depth, top = box->at.y + box->height / 2 - end_depth;
	double out = smallest_loop + 2 * LANE_WIDTH * line->lane;
	line->curve[0] = (struct point){left, top - end_depth};
	line->curve[1] = (struct point){left - out, top};
	line->curve[2] = (struct point){left, top + out};
	line->curve[3] = (struct point){left + end_depth, top};
}

/* Draws a line to an attached box. */
static void draw_hung(const struct drawing *drawing, struct line *line)
{
	const struct box *head = &drawing->box[line->box[0]];
	if (line->box[0] == line->box[1])
		draw_loop(head, line);
	else if (line->side[0] == SIDE_CENTRE)
		draw_branch(head, line, line->box[1] - head->first);
	else
		bend(line->curve, 0);
}

int curves_draw(struct drawing *drawing, struct error *error)
{
	if (place_ends(drawing, error))
		return -1;
	for (uint32_t i = 0; i < drawing->lines; i += drawing->line[i].lanes) {
		struct line *line = &drawing->line[i];
		bool hung = is_hung(drawing, line), centred = line->side[0] == SIDE_CENTRE;
		for (uint32_t lane = 0; lane < line->lanes; lane++)
			if (hung)
				draw_hung(drawing, &line[lane]);
			else if (centred)
				shift_to_lane(&line[lane]);
		if (!hung)
			find_way(drawing, line);
	}
	return 0;
}
