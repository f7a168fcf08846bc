/*
 * A product of rings and paths. From a switch, the origin, straight lines extend, one per dimension: two switches two cables apart on a
 * line have only the one between them as a common neighbour, while those two cables apart round a corner have two. The coordinate of any
 * switch along a line is that of the nearest switch of the line. An origin with deviating cables does not work, so several are tried, and
 * if that is not enough, grids grow from them (shape_grow.h). In a ring of four, opposite switches have two common neighbours as round a
 * corner: it appears as two dimensions of two, and is named a ring where that fits the rest.
 */
#include "base/memory.h"
#include "shapes/shape_grid.h"
#include "shapes/shape_grow.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	DIMENSIONS = GRID_DIMENSIONS,
	ORIGINS = 64,
	PLACED_ORIGINS = 8,
	GROWN_SWITCHES = 50000,
	GROWN_LEAST = 6,
	GROWN_MOST = 100,
	TURNS = 4,
	ENOUGH = 2,
	MESHES = 40,
}; /* number of grids to grow: GROWN_SWITCHES divided by the number of switches, within GROWN_LEAST to GROWN_MOST */

struct torus {
	const struct part *part;
	uint32_t dimensions;
	struct shape_dimension dimension[DIMENSIONS];
	uint32_t *line; /* [switches] all lines one after the other, each with the origin */
	uint32_t lines; /* length of line */
	bool *used;     /* [switches] neighbours of the origin that are on a line */
};

static bool adjacent(const struct part *part, uint32_t a, uint32_t b)
{
	return part_cables(part, a, b) > 0;
}

/*
 * Returns the only switch straight on from before through here, on a line that is not a ring of three; NONE if there is none, NONE - 1 if
 * there are several.
 */
static uint32_t straight_on(const struct part *part, uint32_t before, uint32_t here)
{
	uint32_t found = NONE;
	for (uint32_t i = part->first[here]; i < part->first[here + 1]; i++) {
		uint32_t next = part->neighbour[i].to;
		if (next != before && !adjacent(part, before, next) && part_common(part, before, next) == 1 &&
			!part_common(part, here, next))
			found = found == NONE ? next : NONE - 1;
	}
	return found;
}

/*
 * Follows a line from the origin through its neighbour to the end and adds it. Returns whether it is unambiguous; *ring: it came back to
 * the origin.
 */
static bool follow(struct torus *t, uint32_t origin, uint32_t here, bool *ring)
{
	uint32_t before = origin, added = 0;
	*ring = false;
	while (here != NONE) {
		if (here == NONE - 1 || t->lines + 1 >= t->part->switches + DIMENSIONS || ++added > t->part->switches)
			return false;
		t->line[t->lines++] = here;
		uint32_t next = straight_on(t->part, before, here);
		before = here;
		here = next;
		if (here == origin) {
			*ring = true;
			t->used[before] = true;
			return true;
		}
	}
	return true;
}

static void turn(uint32_t *list, uint32_t count)
{
	for (uint32_t i = 0; i < count / 2; i++) {
		uint32_t swap = list[i];
		list[i] = list[count - 1 - i];
		list[count - 1 - i] = swap;
	}
}

/* Finds the line of the origin's neighbour. */
static bool find_line(struct torus *t, uint32_t origin, uint32_t neighbour, struct shape_dimension *d)
{
	const struct part *part = t->part;
	uint32_t start = t->lines, third = NONE;
	t->used[neighbour] = true;
	for (uint32_t i = part->first[origin]; i < part->first[origin + 1]; i++)
		if (adjacent(part, part->neighbour[i].to, neighbour))
			third = third == NONE ? part->neighbour[i].to : NONE - 1;
	if (third == NONE - 1)
		return false;
	if (third != NONE) { /* a ring of three */
		if (t->used[third] || t->lines + 3 > part->switches + DIMENSIONS)
			return false;
		t->used[third] = true;
		t->line[t->lines++] = origin;
		t->line[t->lines++] = neighbour;
		t->line[t->lines++] = third;
		*d = (struct shape_dimension){3, true, 0};
		return true;
	}
	uint32_t back = straight_on(part, neighbour, origin);
	bool ring = false, ignored = false;
	if (back == NONE - 1)
		return false;
	if (!follow(t, origin, neighbour, &ring))
		return false;
	turn(t->line + start, t->lines - start);
	t->line[t->lines++] = origin;
	if (!ring && back != NONE) {
		if (t->used[back])
			return false;
		t->used[back] = true;
		if (!follow(t, origin, back, &ignored) || ignored)
			return false;
	}
	*d = (struct shape_dimension){t->lines - start, ring, 0};
	return true;
}

/* Finds the lines through the origin for all its neighbours. Returns whether their lengths make up all switches, or a few more. */
static bool find_lines(struct torus *t, uint32_t origin)
{
	const struct part *part = t->part;
	uint64_t product = 1;
	t->lines = t->dimensions = 0;
	memset(t->used, 0, part->switches * sizeof *t->used);
	for (uint32_t i = part->first[origin]; i < part->first[origin + 1]; i++) {
		uint32_t neighbour = part->neighbour[i].to;
		if (t->used[neighbour])
			continue;
		if (t->dimensions == DIMENSIONS || t->lines + 1 >= part->switches + DIMENSIONS)
			return false;
		struct shape_dimension *d = &t->dimension[t->dimensions++];
		if (!find_line(t, origin, neighbour, d))
			return false;
		product *= d->length;
		if (product > (uint64_t)part->switches + missing_allowed(part))
			return false;
	}
	return product >= part->switches;
}

/* Creates the links of all places, one kind per dimension. Returns 0, or -1. */
static int make_ideal(const struct torus *t, struct ideal_place *ideal, struct error *error)
{
	uint32_t places = 1;
	for (uint32_t k = 0; k < t->dimensions; k++)
		places *= t->dimension[k].length;
	ideal_init(ideal, places, error);
	for (uint32_t place = 0; place < places && !error->status; place++, ideal_next(ideal))
		for (uint32_t k = 0, stride = 1; k < t->dimensions; stride *= t->dimension[k++].length) {
			uint32_t length = t->dimension[k].length, x = place / stride % length, low = place - x * stride;
			if (x + 1 < length || (t->dimension[k].ring && length > 2))
				ideal_link(ideal, low + (x + 1) % length * stride, k, error);
			if (x || (t->dimension[k].ring && length > 2))
				ideal_link(ideal, low + (x + length - 1) % length * stride, k, error);
		}
	return error->status ? -1 : 0;
}

static int compare_dimensions(const void *left, const void *right)
{
	const struct shape_dimension *x = left, *y = right;
	if (x->ring != y->ring)
		return x->ring ? -1 : 1;
	if (x->length != y->length)
		return x->length < y->length ? -1 : 1;
	return x->cables < y->cables ? -1 : x->cables > y->cables;
}

/*
 * Names pairs of dimensions of two that may be rings of four as rings, unless all other dimensions are paths. Dimensions of two with twice
 * as many cables as the others are rings, too.
 */
static void name_rings(struct torus *t)
{
	uint32_t twos = 0, paths = 0, rings = 0, least = UINT32_MAX;
	for (uint32_t k = 0; k < t->dimensions; k++) {
		twos += t->dimension[k].length == 2;
		paths += t->dimension[k].length > 2 && !t->dimension[k].ring;
		rings += t->dimension[k].ring;
		least = t->dimension[k].cables < least ? t->dimension[k].cables : least;
	}
	for (uint32_t k = 0; k < t->dimensions; k++)
		if (t->dimension[k].length == 2 && t->dimension[k].cables == 2 * least) {
			t->dimension[k] = (struct shape_dimension){2, true, least};
			rings++;
			twos--;
		}
	qsort(t->dimension, t->dimensions, sizeof *t->dimension, compare_dimensions);
	if (paths || (!rings && twos % 2))
		return;
	uint32_t kept = 0, first = NONE; /* first: index of the first of a pair */
	for (uint32_t k = 0; k < t->dimensions; k++) {
		struct shape_dimension d = t->dimension[k];
		bool two = d.length == 2 && !d.ring;
		if (two && first != NONE && t->dimension[first].cables == d.cables) {
			t->dimension[first] = (struct shape_dimension){4, true, d.cables};
			first = NONE;
			continue;
		}
		if (two)
			first = kept;
		t->dimension[kept++] = d;
	}
	t->dimensions = kept;
	qsort(t->dimension, t->dimensions, sizeof *t->dimension, compare_dimensions);
}

static void name_it(struct torus *t, struct plan *plan)
{
	char text[2][100] = {"", ""}; /* paths, rings */
	uint32_t all_twos = 1, parallel = 0;
	bool some[2] = {false, false};
	plan->parameter[0].name = "dimensions";
	plan->parameter[1].name = "ring";
	plan->parameter[2].name = "parallel";
	name_rings(t);
	for (uint32_t k = 0; k < t->dimensions; k++) {
		const struct shape_dimension *d = &t->dimension[k];
		size_t length = strlen(text[d->ring]);
		snprintf(text[d->ring] + length, sizeof text[0] - length, "%s%" PRIu32, length ? "x" : "", d->length);
		some[d->ring] = true;
		all_twos = all_twos && d->length == 2;
		parallel = d->cables > parallel ? d->cables : parallel;
		plan->parameter[0].value[plan->parameter[0].count++] = d->length;
		plan->parameter[1].value[plan->parameter[1].count++] = d->ring;
		plan->parameter[2].value[plan->parameter[2].count++] = d->cables;
	}
	plan->kind = some[true] ? "torus" : "mesh";
	snprintf(plan->name, sizeof plan->name, "%s%s%s%s%s", some[true] ? "torus " : "", text[true],
		some[true] && some[false] ? " x " : "", some[false] ? "mesh " : "", text[false]);
	if (!some[true] && all_twos)
		strcat(plan->name, " (hypercube)");
	if (parallel > 1)
		snprintf(plan->name + strlen(plan->name), 40, " of up to %" PRIu32 " parallel cables", parallel);
}

/* The best plan so far. */
struct search {
	struct torus *torus;
	struct plan *best;
	uint64_t fewest; /* its cost */
	uint32_t again;  /* number of other plans with the same cost */
	bool final;      /* no plan costs less */
};

/* Takes the plan of switches near their places if it is better than the best. Returns 0, or -1. */
static int take_plan(struct search *s, const struct ideal_place *ideal, struct places *places, struct error *error)
{
	struct torus *t = s->torus;
	uint32_t cables[DIMENSIONS] = {0}, length[DIMENSIONS];
	struct plan plan = {0};
	if (places_settle(places) && !places_plan(places, &plan, cables, error)) {
		uint64_t cost = plan_cost(t->part, &plan);
		for (uint32_t k = 0; k < ideal->kinds; k++)
			t->dimension[k].cables = cables[k];
		s->final = plan_is_least(t->part, &plan, cost);
		s->again += s->best->kind && cost == s->fewest;
		if (cost < s->fewest) {
			s->fewest = cost;
			s->again = 0;
			for (uint32_t k = 0; k < t->dimensions; k++)
				length[k] = t->dimension[k].length;
			places_keep(places, &plan, length, t->dimensions, error);
			name_it(t, &plan);
			plan_clear(s->best);
			*s->best = plan;
			return error->status ? -1 : 0;
		}
	}
	plan_clear(&plan);
	return error->status ? -1 : 0;
}

/* Makes the plan from the lines of one origin. Returns 0, or -1. */
static int plan_lines(struct search *s, struct error *error)
{
	struct torus *t = s->torus;
	uint32_t length[DIMENSIONS];
	struct ideal_place ideal = {0};
	struct places places = {0};
	for (uint32_t k = 0; k < t->dimensions; k++)
		length[k] = t->dimension[k].length;
	if (!make_ideal(t, &ideal, error) && !places_init(&places, t->part, &ideal, error) &&
		!places_along(&places, t->line, length, t->dimensions, error))
		take_plan(s, &ideal, &places, error);
	ideal_clear(&ideal);
	places_clear(&places);
	return error->status ? -1 : 0;
}

static int try_origins(struct search *s, struct error *error)
{
	uint32_t n = s->torus->part->switches, tries = n < ORIGINS ? n : ORIGINS;
	for (uint32_t i = 0, placed = 0; i < tries && placed < PLACED_ORIGINS && !s->final && !error->status; i++) {
		if (!find_lines(s->torus, (uint32_t)((uint64_t)i * n / tries)))
			continue;
		placed++;
		plan_lines(s, error);
	}
	return error->status ? -1 : 0;
}

/* Makes the plan of a grown grid. Returns 0, or -1. */
static int plan_growth(struct search *s, const struct growth *growth, struct error *error)
{
	struct torus *t = s->torus;
	struct ideal_place ideal = {0};
	struct places places = {0};
	t->dimensions = growth->dimensions;
	memcpy(t->dimension, growth->dimension, sizeof t->dimension);
	if (!make_ideal(t, &ideal, error) && !places_init(&places, t->part, &ideal, error)) {
		memcpy(places.place, growth->place, t->part->switches * sizeof *places.place);
		take_plan(s, &ideal, &places, error);
	}
	ideal_clear(&ideal);
	places_clear(&places);
	return error->status ? -1 : 0;
}

/* Returns a step near the golden section of n and coprime to it: multiples of it visit all numbers, successive ones far apart. */
static uint32_t scatter_step(uint32_t n)
{
	for (uint32_t step = (uint32_t)(n * 0.618) + 1;; step++) {
		uint32_t a = n, b = step;
		while (b) {
			uint32_t rest = a % b;
			a = b;
			b = rest;
		}
		if (a == 1)
			return step;
	}
}

/* Grows grids, for fabrics with missing cables on all lines. An origin may be tried several times. */
static int try_growing(struct search *s, struct error *error)
{
	const struct part *part = s->torus->part;
	struct growth growth;
	struct sizes sizes[MESHES];
	uint32_t meshes = mesh_sizes(part, sizes, MESHES), n = part->switches, grown = 0, most = GROWN_SWITCHES / n;
	uint64_t step = scatter_step(n);
	s->again = 0; /* lines with a missing cable find a path instead of a ring, again and again */
	most = most < GROWN_LEAST ? GROWN_LEAST : most > GROWN_MOST ? GROWN_MOST : most;
	if (!growth_init(&growth, part, error))
		for (uint64_t i = 0;
			i < TURNS * (uint64_t)n * (meshes + 1) + 400 && grown < most && !s->final && s->again < ENOUGH && !error->status;
			i++) {
			uint64_t turn = i / 2 % (meshes + 1);
			bool sized = growth_from(&growth, (uint32_t)(i / 2 / (meshes + 1) * step % n), turn ? &sizes[turn - 1] : NULL, i);
			grown += growth.work > 0;
			if (sized)
				plan_growth(s, &growth, error);
		}
	growth_clear(&growth);
	return error->status ? -1 : 0;
}

/* Allocates for a part, then searches. Returns 0, or -1. */
static int search(const struct part *part, struct plan *plan, struct error *error)
{
	size_t n = part->switches;
	struct torus t = {
		.part = part,
		.line = array_create(n + DIMENSIONS, sizeof *t.line, error),
		.used = array_create(n, sizeof *t.used, error),
	};
	struct search s = {.torus = &t, .best = plan, .fewest = UINT64_MAX};
	if (!error->status && !try_origins(&s, error) && !s.final)
		try_growing(&s, error);
	free(t.line);
	free(t.used);
	return error->status ? -1 : 0;
}

/* Finds the two neighbouring switches that alone have more neighbours than most. Returns whether they exist. */
static bool find_surplus(const struct part *part, uint32_t usual, uint32_t *ends)
{
	uint32_t count = 0;
	for (uint32_t v = 0; v < part->switches; v++)
		if (part_degree(part, v) > usual) {
			if (count == 2)
				return false;
			ends[count++] = v;
		}
	return count == 2 && adjacent(part, ends[0], ends[1]);
}

/*
 * Searches without the link of two switches that alone have more neighbours than most: in a single ring, every line includes it. Returns 0,
 * or -1.
 */
static int search_without_surplus(const struct part *part, struct plan *plan, struct error *error)
{
	uint32_t ends[2] = {0}, to = 0;
	struct part less = *part;
	less.first = array_create((size_t)part->switches + 1, sizeof *less.first, error);
	less.neighbour = array_create(part->first[part->switches], sizeof *less.neighbour, error);
	if (!error->status) {
		for (uint32_t v = 0; v < part->switches; v++)
			less.first[v] = part_degree(part, v);
		if (find_surplus(part, most_common(less.first, part->switches), ends)) {
			for (uint32_t v = 0; v < part->switches; v++) {
				less.first[v] = to;
				for (uint32_t i = part->first[v]; i < part->first[v + 1]; i++)
					if ((v != ends[0] || part->neighbour[i].to != ends[1]) &&
						(v != ends[1] || part->neighbour[i].to != ends[0]))
						less.neighbour[to++] = part->neighbour[i];
			}
			less.first[part->switches] = to;
			less.links--;
			less.cables -= part_cables(part, ends[0], ends[1]);
			search(&less, plan, error);
		}
	}
	free(less.first);
	free(less.neighbour);
	return error->status ? -1 : 0;
}

int shape_torus(const struct part *part, struct plan *plan, struct error *error)
{
	for (uint32_t v = 0; v < part->switches; v++)
		if (part_degree(part, v) > 2 * DIMENSIONS)
			return 0;
	if (part->switches < 3 || !part_is_direct(part))
		return 0;
	if (search(part, plan, error) || plan->kind)
		return error->status ? -1 : 0;
	return search_without_surplus(part, plan, error);
}
