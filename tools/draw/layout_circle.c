/* Rings and full meshes on a circle, rings in their own order. */
#include "base/memory.h"
#include "tools/draw/layout.h"

#include <math.h>
#include <stdlib.h>

enum { RING_MIN = 5, MESH_MIN = 3 };

static const double gap = 40, smallest_radius = 90;

static uint32_t degree(const struct neighbours *n, uint32_t head)
{
	return n->first[head + 1] - n->first[head];
}

/* Follows the ring from the first head. Returns whether it visits all heads, each with two neighbours, and returns. */
static bool follow_ring(const struct neighbours *n, uint32_t heads, uint32_t *order)
{
	for (uint32_t h = 0; h < heads; h++)
		if (degree(n, h) != 2)
			return false;
	uint32_t before = NONE, here = 0, count = 0;
	do {
		const uint32_t *next = n->neighbour + n->first[here];
		uint32_t step = next[0] == before ? next[1] : next[0];
		order[count++] = here;
		before = here;
		here = step;
	} while (here && count < heads);
	return !here && count == heads;
}

static bool is_full_mesh(const struct neighbours *n, uint32_t heads)
{
	return heads >= MESH_MIN && n->first[heads] == (uint64_t)heads * (heads - 1);
}

/* Hosts are placed outwards. angle: from the top, clockwise, in turns. */
static enum hang outwards(double angle)
{
	if (angle < 0.1 || angle > 0.9)
		return HANG_ABOVE;
	if (angle > 0.4 && angle < 0.6)
		return HANG_BELOW;
	return angle < 0.5 ? HANG_RIGHT : HANG_LEFT;
}

static void place(struct drawing *drawing, const uint32_t *order)
{
	static const double turn = 6.283185307179586;
	double around = 0;
	for (uint32_t i = 0; i < drawing->heads; i++) {
		struct reach reach = hang(drawing, order[i], outwards((double)i / drawing->heads));
		double width = reach.left + reach.right, height = reach.up + reach.down;
		around += (width > height ? width : height) + gap;
	}
	double radius = around / turn > smallest_radius ? around / turn : smallest_radius;
	for (uint32_t i = 0; i < drawing->heads; i++) {
		double angle = turn * i / drawing->heads;
		drawing->box[order[i]].at = (struct point){radius * sin(angle), radius * cos(angle)};
	}
}

int layout_circle(struct drawing *drawing, const struct neighbours *neighbours, bool forced, struct error *error)
{
	uint32_t heads = drawing->heads, *order = array_create(heads, sizeof *order, error);
	if (!order)
		return -1;
	bool ring = heads >= 3 && follow_ring(neighbours, heads, order);
	bool fits = forced || (ring && heads >= RING_MIN) || is_full_mesh(neighbours, heads);
	if (fits && !ring)
		heads_by_label(drawing, order);
	if (fits)
		place(drawing, order);
	free(order);
	return fits;
}
