#include "pictures/lattice.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static uint32_t computed(const struct scene *scene, const struct axis *axis, uint32_t node)
{
	static const uint32_t round[] = {0, 1, 3, 2}; /* of two coordinates, round the ring */
	uint32_t place = scene->shape.place[node];
	if (!axis->second)
		return place / axis->stride % axis->length;
	return round[place / axis->stride % 2 + 2 * (place / axis->second % 2)];
}

uint32_t lattice_coordinate(const struct lattice *lattice, const struct scene *scene, uint32_t node, uint32_t axis)
{
	return lattice->axis[axis].order[computed(scene, &lattice->axis[axis], node)];
}

uint32_t lattice_line(const struct lattice *lattice, const struct scene *scene, uint32_t node, uint32_t axis)
{
	uint32_t line = 0, step = 1;
	for (uint32_t i = 0; i < lattice->axes; i++)
		if (i != axis) {
			line += lattice_coordinate(lattice, scene, node, i) * step;
			step *= lattice->axis[i].length;
		}
	return line;
}

uint32_t lattice_axis_between(const struct lattice *lattice, const struct scene *scene, uint32_t a, uint32_t b)
{
	uint32_t found = NONE;
	for (uint32_t i = 0; i < lattice->axes; i++)
		if (computed(scene, &lattice->axis[i], a) != computed(scene, &lattice->axis[i], b)) {
			if (found != NONE)
				return NONE;
			found = i;
		}
	return found;
}

static bool has_place(const struct scene *scene, uint32_t node)
{
	return scene->fabric->node_host[node] == NONE && scene->shape.place[node] != NONE;
}

/* ---- rings of four: pairs of dimensions of two whose four switches have the most alike names */

static size_t alike(const char *a, const char *b)
{
	size_t before = 0, behind = 0, length = strlen(a), other = strlen(b), least = length < other ? length : other;
	while (before < least && a[before] == b[before])
		before++;
	while (behind < least - before && a[length - 1 - behind] == b[other - 1 - behind])
		behind++;
	return before + behind;
}

/* Returns the switch that differs from the origin in these two strides alone, NONE if it is missing. */
static uint32_t turned(const struct scene *scene, const uint32_t *at, uint32_t origin, uint32_t first, uint32_t second)
{
	uint32_t place = scene->shape.place[origin];
	for (int i = 0; i < 2; i++) {
		uint32_t stride = i ? second : first;
		if (stride)
			place = place / stride % 2 ? place - stride : place + stride;
	}
	return at[place];
}

static size_t score(const struct scene *scene, const uint32_t *at, uint32_t origin, uint32_t first, uint32_t second)
{
	const char *own = scene->labels.text[origin];
	size_t sum = 1;
	uint32_t corner[] = {
		turned(scene, at, origin, first, 0), turned(scene, at, origin, 0, second), turned(scene, at, origin, first, second)};
	for (int i = 0; i < 3; i++)
		sum += corner[i] != NONE ? alike(own, scene->labels.text[corner[i]]) : 0;
	return sum;
}

/* Joins the best pair. */
static void join_pair(struct lattice *lattice, const struct scene *scene, const uint32_t *at)
{
	size_t best = 0;
	uint32_t first = NONE, second = NONE;
	for (uint32_t i = 0; i < lattice->axes; i++)
		for (uint32_t k = i + 1; k < lattice->axes; k++) {
			if (lattice->axis[i].length != 2 || lattice->axis[k].length != 2)
				continue;
			size_t own = score(scene, at, lattice->origin, lattice->axis[i].stride, lattice->axis[k].stride);
			if (own > best) {
				best = own;
				first = i;
				second = k;
			}
		}
	if (first == NONE)
		return;
	lattice->axis[first] = (struct axis){.length = 4, .stride = lattice->axis[first].stride, .second = lattice->axis[second].stride};
	for (uint32_t i = second + 1; i < lattice->axes; i++)
		lattice->axis[i - 1] = lattice->axis[i];
	lattice->axes--;
}

/* ---- order */

/* Lists the switches of the line through the origin, by computed coordinates; NONE where one is missing. */
static void list_line(const struct lattice *lattice, const struct scene *scene, uint32_t axis, uint32_t *line)
{
	for (uint32_t x = 0; x < lattice->axis[axis].length; x++)
		line[x] = NONE;
	for (uint32_t v = 0; v < scene->fabric->nodes; v++)
		if (has_place(scene, v) && (v == lattice->origin || lattice_axis_between(lattice, scene, v, lattice->origin) == axis))
			line[computed(scene, &lattice->axis[axis], v)] = v;
}

static uint32_t rank_of(const struct scene *scene, const uint32_t *line, uint32_t x)
{
	return line[x] == NONE ? NONE : scene->rank[line[x]];
}

/* A ring begins at the origin and goes on to the neighbour that comes first; a path begins at the end that does. */
static void order_line(const struct scene *scene, struct axis *axis, const uint32_t *line, uint32_t origin)
{
	uint32_t length = axis->length, start = computed(scene, axis, origin);
	bool back = axis->ring ? rank_of(scene, line, (start + length - 1) % length) < rank_of(scene, line, (start + 1) % length)
			       : rank_of(scene, line, length - 1) < rank_of(scene, line, 0);
	for (uint32_t x = 0; x < length; x++) {
		uint32_t from = axis->ring ? (x + length - start) % length : x;
		axis->order[x] = !back ? from : axis->ring ? (length - from) % length : length - 1 - from;
	}
}

/* All switches of a line of a HyperX are linked: they can have the order of their names. */
static void order_full(const struct scene *scene, struct axis *axis, const uint32_t *line)
{
	for (uint32_t x = 0; x < axis->length; x++) {
		axis->order[x] = 0;
		for (uint32_t y = 0; y < axis->length; y++)
			axis->order[x] +=
				rank_of(scene, line, y) < rank_of(scene, line, x) || (line[x] == NONE && line[y] == NONE && y < x);
	}
}

static void find_rings(struct lattice *lattice, const struct scene *scene)
{
	const struct fabric *f = scene->fabric;
	for (uint32_t i = 0; i < scene->cables.cables; i++) {
		const uint32_t *end = scene->cables.cable[i].end;
		if (f->node_host[end[0]] != NONE || f->node_host[end[1]] != NONE)
			continue;
		uint32_t axis = lattice_axis_between(lattice, scene, end[0], end[1]);
		if (axis == NONE)
			continue;
		struct axis *a = &lattice->axis[axis];
		uint32_t x = computed(scene, a, end[0]), y = computed(scene, a, end[1]);
		a->ring |= a->length > 2 && (x > y ? x - y : y - x) == a->length - 1;
	}
}

/* Sorts the axes so that those along which names differ late come first: S1_0 and S2_0 before S0_1. */
static void sort_axes(struct lattice *lattice, const struct scene *scene, const uint32_t *line, const uint32_t *start)
{
	uint32_t next[SHAPE_VALUES];
	for (uint32_t i = 0; i < lattice->axes; i++) {
		next[i] = NONE;
		for (uint32_t x = 0; x < lattice->axis[i].length; x++)
			if (line[start[i] + x] != NONE && line[start[i] + x] != lattice->origin &&
				scene->rank[line[start[i] + x]] < next[i])
				next[i] = scene->rank[line[start[i] + x]];
	}
	for (uint32_t i = 1; i < lattice->axes; i++)
		for (uint32_t k = i; k && next[k] < next[k - 1]; k--) {
			struct axis axis = lattice->axis[k];
			uint32_t own = next[k];
			lattice->axis[k] = lattice->axis[k - 1];
			lattice->axis[k - 1] = axis;
			next[k] = next[k - 1];
			next[k - 1] = own;
		}
}

static void set_axes(struct lattice *lattice, const struct scene *scene)
{
	uint32_t stride = 1;
	lattice->axes = scene->shape.dimensions;
	for (uint32_t i = 0; i < lattice->axes; i++) {
		lattice->axis[i] = (struct axis){.length = scene->shape.grid[i], .stride = stride};
		stride *= scene->shape.grid[i];
	}
	lattice->origin = NONE;
	for (uint32_t v = 0; v < scene->fabric->nodes; v++)
		if (has_place(scene, v) && (lattice->origin == NONE || scene->rank[v] < scene->rank[lattice->origin]))
			lattice->origin = v;
}

int lattice_find(struct lattice *lattice, const struct scene *scene, struct error *error)
{
	uint32_t nodes = scene->fabric->nodes, places = 1, sum = 0, start[SHAPE_VALUES], named = scene->shape.parameter[0].count;
	*lattice = (struct lattice){.full = !strcmp(scene->shape.kind, "HyperX")};
	for (uint32_t i = 0; i < scene->shape.dimensions; i++)
		places *= scene->shape.grid[i];
	set_axes(lattice, scene);
	uint32_t *at = array_create(places, sizeof *at, error), *line = array_create((size_t)places * 2 + 64, sizeof *line, error);
	lattice->order = array_create((size_t)places * 2 + 64, sizeof *lattice->order, error);
	if (!error->status) {
		memset(at, 0xff, places * sizeof *at);
		for (uint32_t v = 0; v < nodes; v++)
			if (has_place(scene, v))
				at[scene->shape.place[v]] = v;
		for (uint32_t left = lattice->full ? 0 : lattice->axes - named; left; left--)
			join_pair(lattice, scene, at);
		find_rings(lattice, scene);
		for (uint32_t i = 0; i < lattice->axes; i++) {
			lattice->axis[i].order = lattice->order + sum;
			start[i] = sum;
			list_line(lattice, scene, i, line + sum);
			if (lattice->full)
				order_full(scene, &lattice->axis[i], line + sum);
			else
				order_line(scene, &lattice->axis[i], line + sum, lattice->origin);
			sum += lattice->axis[i].length;
		}
		sort_axes(lattice, scene, line, start);
	}
	free(at);
	free(line);
	return error->status ? -1 : 0;
}

void lattice_clear(struct lattice *lattice)
{
	free(lattice->order);
	*lattice = (struct lattice){0};
}
