/*
 * Meshes, tori and hypercubes: the switches as a grid, in rows and columns. Such a graph is the Cartesian product of paths and rings. The
 * cables of one factor, one dimension, are found as by Imrich and Peterin (Recognizing Cartesian products in linear time, 2007): opposite
 * sides of a square belong to the same dimension, and so do two cables of a switch that span no square, or several. Whether the dimensions
 * found really make up the graph is checked afterwards. Rings of four appear as two dimensions of two, which are joined again. Time:
 * O(heads) for bounded degrees.
 */
#include "base/memory.h"
#include "tools/draw/layout.h"

#include <math.h>
#include <stdlib.h>

enum {
	DEGREE_MAX = 6,     /* cables to other switches: three dimensions */
	DIMENSIONS_MAX = 3, /* maximum that can be drawn */
};

/* In points: gaps between the boxes of a row and between rows. In three dimensions the planes are interleaved. */
static const double column_gap = 56, line_gap = 56, plane_gap = 20;

struct layout_grid {
	struct drawing *drawing;
	const struct neighbours *neighbours;
	uint32_t heads;
	uint32_t *parent; /* [directed links] a forest: each tree contains the cables of one dimension; only the link from the lower head
			     counts */
	uint32_t *coordinate; /* [DEGREE_MAX][heads] */
	uint32_t *order;      /* [heads] by label */
	uint32_t *rank;       /* [heads] position in order */
	uint32_t size[DEGREE_MAX], dimensions;
	uint64_t links; /* number of links of a product of these dimensions */
};

/* Returns the number of the link between two neighbours. */
static uint32_t link_of(const struct layout_grid *g, uint32_t a, uint32_t b)
{
	uint32_t low = a < b ? a : b, high = a < b ? b : a, i = g->neighbours->first[low];
	while (g->neighbours->neighbour[i] != high)
		i++;
	return i;
}

static uint32_t root(const struct layout_grid *g, uint32_t link)
{
	while (g->parent[link] != link)
		link = g->parent[link] = g->parent[g->parent[link]];
	return link;
}

static void same_dimension(const struct layout_grid *g, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
	uint32_t one = root(g, link_of(g, a, b)), other = root(g, link_of(g, c, d));
	g->parent[one > other ? one : other] = one < other ? one : other;
}

/* Handles the links from u to v and w, by whether they span a square. */
static void compare_links(const struct layout_grid *g, uint32_t u, uint32_t v, uint32_t w)
{
	const struct neighbours *n = g->neighbours;
	uint32_t corner = NONE, corners = 0;
	for (uint32_t i = n->first[v]; i < n->first[v + 1]; i++)
		if (n->neighbour[i] != u && neighbours_are(n, n->neighbour[i], w)) {
			corner = n->neighbour[i];
			corners++;
		}
	if (corners == 1 && !neighbours_are(n, v, w) && !neighbours_are(n, u, corner)) {
		same_dimension(g, u, v, w, corner);
		same_dimension(g, u, w, v, corner);
	} else {
		same_dimension(g, u, v, u, w);
	}
}

static void find_dimensions(const struct layout_grid *g)
{
	const struct neighbours *n = g->neighbours;
	for (uint32_t i = 0; i < n->first[g->heads]; i++)
		g->parent[i] = i;
	for (uint32_t u = 0; u < g->heads; u++)
		for (uint32_t i = n->first[u]; i < n->first[u + 1]; i++)
			for (uint32_t j = i + 1; j < n->first[u + 1]; j++)
				compare_links(g, u, n->neighbour[i], n->neighbour[j]);
}

/* Numbers the components of the graph without the links of a dimension. part, queue: [heads]. Returns their number. */
static uint32_t find_parts(const struct layout_grid *g, uint32_t dimension, uint32_t *part, uint32_t *queue)
{
	const struct neighbours *n = g->neighbours;
	uint32_t parts = 0;
	for (uint32_t h = 0; h < g->heads; h++)
		part[h] = NONE;
	for (uint32_t start = 0; start < g->heads; start++) {
		uint32_t filled = 0;
		if (part[g->order[start]] != NONE)
			continue;
		part[queue[filled++] = g->order[start]] = parts;
		for (uint32_t done = 0; done < filled; done++)
			for (uint32_t i = n->first[queue[done]]; i < n->first[queue[done] + 1]; i++) {
				uint32_t other = n->neighbour[i];
				if (part[other] == NONE && root(g, link_of(g, queue[done], other)) != dimension)
					part[queue[filled++] = other] = parts;
			}
		parts++;
	}
	return parts;
}

/* Finds the neighbours of each part: at most two. Returns false if there are more. */
static bool find_next_parts(const struct layout_grid *g, uint32_t dimension, const uint32_t *part, uint32_t (*next)[2], uint32_t parts)
{
	const struct neighbours *n = g->neighbours;
	for (uint32_t p = 0; p < parts; p++)
		next[p][0] = next[p][1] = NONE;
	for (uint32_t k = 0; k < g->heads; k++) {
		uint32_t u = g->order[k];
		for (uint32_t i = n->first[u]; i < n->first[u + 1]; i++) {
			uint32_t v = n->neighbour[i], *of = next[part[u]];
			if (root(g, link_of(g, u, v)) != dimension || of[0] == part[v] || of[1] == part[v])
				continue;
			if (part[u] == part[v] || of[1] != NONE)
				return false;
			of[of[0] != NONE] = part[v];
		}
	}
	return true;
}

/* Converts the numbers of parts to positions along a path or ring of them. place: [parts]. Returns false if they form neither. */
static bool follow_parts(uint32_t *part, uint32_t heads, uint32_t (*next)[2], uint32_t parts, uint32_t *place, uint64_t *links)
{
	uint32_t here = 0, before = NONE, count = 0, ends = 0;
	for (uint32_t p = parts; p--;) {
		place[p] = NONE;
		if (next[p][1] == NONE) {
			here = p; /* a path begins at an end */
			ends++;
		}
	}
	while (here != NONE && place[here] == NONE) {
		place[here] = count++;
		uint32_t step = next[here][0] == before ? next[here][1] : next[here][0];
		before = here;
		here = step;
	}
	*links = parts - ends / 2;
	for (uint32_t h = 0; h < heads; h++)
		part[h] = place[part[h]];
	return count == parts && parts > 1;
}

/* Finds the coordinates in one dimension. scratch: [4 * heads]. Returns whether it is a path or a ring. */
static bool measure_dimension(struct layout_grid *g, uint32_t dimension, uint32_t *scratch)
{
	if (g->dimensions == DEGREE_MAX)
		return false;
	uint32_t *part = g->coordinate + (size_t)g->dimensions * g->heads;
	uint32_t(*next)[2] = (uint32_t(*)[2])(scratch + 2 * (size_t)g->heads);
	uint32_t parts = find_parts(g, dimension, part, scratch);
	uint64_t links;
	if (!find_next_parts(g, dimension, part, next, parts) || !follow_parts(part, g->heads, next, parts, scratch, &links))
		return false;
	g->size[g->dimensions++] = parts;
	g->links += links * (g->heads / parts);
	return true;
}

/* Returns the head with the coordinates of the first by label, except 1 in the dimensions of the set; NONE if there is none. */
static uint32_t head_at(const struct layout_grid *g, uint32_t set)
{
	for (uint32_t h = 0; h < g->heads; h++) {
		uint32_t d = 0;
		while (d < g->dimensions) {
			const uint32_t *coordinate = g->coordinate + (size_t)d * g->heads;
			if (coordinate[h] != (set >> d & 1 ? (coordinate[g->order[0]] + 1) % g->size[d] : coordinate[g->order[0]]))
				break;
			d++;
		}
		if (d == g->dimensions)
			return h;
	}
	return NONE;
}

static void remove_dimension(struct layout_grid *g, uint32_t dimension)
{
	g->dimensions--;
	for (uint32_t d = dimension; d < g->dimensions; d++) {
		g->size[d] = g->size[d + 1];
		for (uint32_t h = 0; h < g->heads; h++)
			g->coordinate[(size_t)d * g->heads + h] = g->coordinate[(size_t)(d + 1) * g->heads + h];
	}
}

/*
 * Two dimensions of two form a ring of four. The graph does not determine which two belong together; those whose switches have consecutive
 * labels are chosen. Returns false if no two are left.
 */
static bool join_pair(struct layout_grid *g)
{
	uint32_t best = UINT32_MAX, a = 0, b = 0;
	for (uint32_t i = 0; i < g->dimensions; i++)
		for (uint32_t j = i + 1; j < g->dimensions; j++) {
			if (g->size[i] != 2 || g->size[j] != 2)
				continue;
			uint32_t sum = g->rank[head_at(g, 1u << i)] + g->rank[head_at(g, 1u << j)] + g->rank[head_at(g, 1u << i | 1u << j)];
			if (sum < best) {
				best = sum;
				a = i;
				b = j;
			}
		}
	if (best == UINT32_MAX)
		return false;
	uint32_t *one = g->coordinate + (size_t)a * g->heads, *other = g->coordinate + (size_t)b * g->heads;
	if (g->rank[head_at(g, 1u << b)] < g->rank[head_at(g, 1u << a)]) {
		one = other;
		other = g->coordinate + (size_t)a * g->heads;
	}
	for (uint32_t h = 0; h < g->heads; h++)
		g->coordinate[(size_t)a * g->heads + h] = other[h] ? 3 - one[h] : one[h];
	g->size[a] = 4;
	remove_dimension(g, b);
	return true;
}

/* Returns whether the dimensions found make up the graph. */
static bool is_product(const struct layout_grid *g)
{
	uint64_t product = 1;
	for (uint32_t d = 0; d < g->dimensions; d++)
		product *= g->size[d];
	return product == g->heads && g->links * 2 == g->neighbours->first[g->heads];
}

static bool measure(struct layout_grid *g, uint32_t *scratch)
{
	for (uint32_t h = 0; h < g->heads; h++) {
		uint32_t degree = g->neighbours->first[h + 1] - g->neighbours->first[h];
		if (!degree || degree > DEGREE_MAX)
			return false;
	}
	heads_by_label(g->drawing, g->order);
	for (uint32_t i = 0; i < g->heads; i++)
		g->rank[g->order[i]] = i;
	find_dimensions(g);
	for (uint32_t k = 0; k < g->heads; k++) {
		uint32_t u = g->order[k];
		for (uint32_t i = g->neighbours->first[u]; i < g->neighbours->first[u + 1]; i++)
			if (u < g->neighbours->neighbour[i] && root(g, i) == i && !measure_dimension(g, i, scratch))
				return false;
	}
	if (!is_product(g))
		return false;
	while (g->dimensions > 2 && join_pair(g))
		;
	return g->dimensions <= DIMENSIONS_MAX;
}

/* Chooses columns, rows and planes: the longest dimension becomes the row; of equal ones that whose switches have consecutive labels. */
static void sort_dimensions(const struct layout_grid *g, uint32_t *sorted)
{
	for (uint32_t d = 0; d < g->dimensions; d++) {
		uint32_t place = d, label = g->rank[head_at(g, 1u << d)];
		while (place &&
			(g->size[d] > g->size[sorted[place - 1]] ||
				(g->size[d] == g->size[sorted[place - 1]] && label < g->rank[head_at(g, 1u << sorted[place - 1])]))) {
			sorted[place] = sorted[place - 1];
			place--;
		}
		sorted[place] = d;
	}
}

/* Returns the step from the first head by label to the next in a dimension, if both have positions. */
static struct point step_in(const struct layout_grid *g, uint32_t dimension)
{
	const struct drawing *drawing = g->drawing;
	const struct point *from = &drawing->place[drawing->box[g->order[0]].node],
			   *to = &drawing->place[drawing->box[head_at(g, 1u << dimension)].node];
	return (struct point){to->x - from->x, to->y - from->y};
}

/*
 * If the nodes have positions, rows and columns follow them: the shortest horizontal step leads along the row, the shortest vertical one
 * along the column. Returns whether rows go upwards.
 */
static bool sort_by_places(const struct layout_grid *g, uint32_t *sorted)
{
	double best[2] = {INFINITY, INFINITY};
	uint32_t found[2] = {NONE, NONE};
	bool up = false;
	for (uint32_t d = 0; d < g->dimensions; d++) {
		struct point step = step_in(g, d);
		bool upright = fabs(step.y) > fabs(step.x);
		if (hypot(step.x, step.y) >= best[upright])
			continue;
		best[upright] = hypot(step.x, step.y);
		found[upright] = d;
		up = upright ? step.y > 0 : up;
	}
	if (found[0] == NONE || found[1] == NONE)
		return false;
	for (uint32_t i = 0, next = 2; i < g->dimensions; i++)
		sorted[i == found[0] ? 0 : i == found[1] ? 1 : next++] = i;
	return up;
}

static void place(const struct layout_grid *g)
{
	uint32_t sorted[DIMENSIONS_MAX] = {0};
	sort_dimensions(g, sorted);
	bool up = g->drawing->place && sort_by_places(g, sorted);
	struct reach cell = {0};
	for (uint32_t h = 0; h < g->heads; h++) {
		struct reach own = hang(g->drawing, h, HANG_CORNER);
		cell.left = own.left > cell.left ? own.left : cell.left;
		cell.right = own.right > cell.right ? own.right : cell.right;
		cell.up = own.up > cell.up ? own.up : cell.up;
		cell.down = own.down > cell.down ? own.down : cell.down;
	}
	uint32_t planes = g->dimensions > 2 ? g->size[sorted[2]] : 1;
	double width = cell.left + cell.right + (planes > 1 ? plane_gap : column_gap);
	double height = cell.up + cell.down + (planes > 1 ? plane_gap : line_gap);
	for (uint32_t h = 0; h < g->heads; h++) {
		uint32_t at[DIMENSIONS_MAX] = {0};
		for (uint32_t d = 0; d < g->dimensions; d++)
			at[d] = g->coordinate[(size_t)sorted[d] * g->heads + h];
		/* planes are behind one another, each one step to the right and up, so that no two rows or columns coincide */
		double row = (double)at[1] * planes;
		g->drawing->box[h].at = (struct point){(at[0] * planes + at[2]) * width, ((double)at[2] + (up ? row : -row)) * height};
	}
}

int layout_grid(struct drawing *drawing, const struct neighbours *neighbours, struct error *error)
{
	uint32_t heads = drawing->heads;
	struct layout_grid g = {
		.drawing = drawing,
		.neighbours = neighbours,
		.heads = heads,
		.parent = array_create(neighbours->first[heads], sizeof *g.parent, error),
		.coordinate = array_create((size_t)heads * DEGREE_MAX, sizeof *g.coordinate, error),
		.order = array_create(heads, sizeof *g.order, error),
		.rank = array_create(heads, sizeof *g.rank, error),
	};
	uint32_t *scratch = array_create(4 * (size_t)heads, sizeof *scratch, error);
	int fits = error->status ? -1 : measure(&g, scratch);
	if (fits > 0)
		place(&g);
	free(g.parent);
	free(g.coordinate);
	free(g.order);
	free(g.rank);
	free(scratch);
	return fits;
}
