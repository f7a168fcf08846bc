/*
 * A product of rings and paths. From a switch, the origin, straight lines go out, one for each dimension: two switches two cables apart in
 * a line have only the one between them as a common neighbour, while those two cables apart round a corner have two. The place of any
 * switch along a line is that of the nearest switch of the line; where a missing cable falsifies a distance, the neighbours outvote it.
 * Origins at which a cable deviates do not work, so several are tried. In a ring of four, opposite switches have two common neighbours as
 * round a corner: it appears as two dimensions of two, and is named a ring where that fits the rest.
 */
#include "shape_part.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DIMENSIONS = SHAPE_VALUES, ORIGINS = 64, PLACED_ORIGINS = 8, ROUNDS = 40 };

struct dimension {
	uint32_t length;
	bool ring;
	uint32_t cables; /* parallel */
};

struct torus {
	const struct part *part;
	uint32_t dimensions;
	struct dimension dimension[DIMENSIONS];
	uint32_t *line;     /* [switches] all lines one after the other, each with the origin */
	uint32_t lines;     /* length of that */
	bool *used;         /* [switches] neighbours of the origin that are on a line */
	uint32_t *distance; /* [switches] */
	uint32_t *nearest;  /* [switches] least distance to a line so far */
	uint32_t *queue;    /* [switches] */
	uint32_t *place;    /* [switches] its coordinates, the first dimension fastest */
	uint32_t *at;       /* [switches] the switch at a place */
	bool *settled;      /* [switches] */
};

static bool adjacent(const struct part *part, uint32_t a, uint32_t b)
{
	return part_cables(part, a, b) > 0;
}

/* The one switch that goes on straight from before through here, on a line that is no ring of three; NONE if there is none, NONE - 1 if
 * there are several. */
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

/* Follows a line from the origin through its neighbour to the end; adds it. Returns whether that is clear; *ring: it came back. */
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

/* The line of the origin's neighbour. */
static bool find_line(struct torus *t, uint32_t origin, uint32_t neighbour, struct dimension *d)
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
		*d = (struct dimension){3, true, 0};
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
	*d = (struct dimension){t->lines - start, ring, 0};
	return true;
}

/* Lines through the origin for all its neighbours. Returns whether their lengths make up all switches. */
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
		struct dimension *d = &t->dimension[t->dimensions++];
		if (!find_line(t, origin, neighbour, d))
			return false;
		product *= d->length;
		if (product > part->switches)
			return false;
	}
	return product == part->switches;
}

static void measure(struct torus *t, uint32_t from)
{
	const struct part *part = t->part;
	uint32_t head = 0, tail = 0;
	memset(t->distance, 0xff, part->switches * sizeof *t->distance);
	t->distance[from] = 0;
	for (t->queue[tail++] = from; head < tail; head++)
		for (uint32_t v = t->queue[head], i = part->first[v]; i < part->first[v + 1]; i++)
			if (t->distance[part->neighbour[i].to] == NONE) {
				t->distance[part->neighbour[i].to] = t->distance[v] + 1;
				t->queue[tail++] = part->neighbour[i].to;
			}
}

static void find_places(struct torus *t)
{
	uint32_t stride = 1, at = 0;
	memset(t->place, 0, t->part->switches * sizeof *t->place);
	for (uint32_t k = 0; k < t->dimensions; k++) {
		memset(t->nearest, 0xff, t->part->switches * sizeof *t->nearest);
		uint32_t *along = t->at; /* for now: the coordinate */
		for (uint32_t x = 0; x < t->dimension[k].length; x++) {
			measure(t, t->line[at++]);
			for (uint32_t v = 0; v < t->part->switches; v++)
				if (t->distance[v] < t->nearest[v]) {
					t->nearest[v] = t->distance[v];
					along[v] = x;
				}
		}
		for (uint32_t v = 0; v < t->part->switches; v++)
			t->place[v] += along[v] * stride;
		stride *= t->dimension[k].length;
	}
}

/* The places next to one; returns how many. dimension: in which each lies; up: by one more. */
static uint32_t next_places(const struct torus *t, uint32_t place, uint32_t *next, uint32_t *dimension)
{
	uint32_t count = 0, stride = 1;
	for (uint32_t k = 0; k < t->dimensions; k++) {
		uint32_t length = t->dimension[k].length, x = place / stride % length;
		if (x + 1 < length || t->dimension[k].ring) {
			dimension[count] = k;
			next[count++] = place - x * stride + (x + 1) % length * stride;
		}
		if ((x || t->dimension[k].ring) && length > 2) {
			dimension[count] = k;
			next[count++] = place - x * stride + (x + length - 1) % length * stride;
		} else if (x) {
			dimension[count] = k;
			next[count++] = place - stride;
		}
		stride *= length;
	}
	return count;
}

static bool contains(const uint32_t *list, uint32_t count, uint32_t number)
{
	while (count--)
		if (list[count] == number)
			return true;
	return false;
}

/*
 * A switch is settled if at least half of its neighbours are where its neighbours should be, and no other at its place fits as well. Sets
 * t->at for the settled ones. Returns how many are not.
 */
static uint32_t find_settled(struct torus *t)
{
	const struct part *part = t->part;
	uint32_t next[2 * DIMENSIONS], dimension[2 * DIMENSIONS], unsettled = 0, *fit = t->queue;
	memset(t->at, 0xff, part->switches * sizeof *t->at);
	for (uint32_t v = 0; v < part->switches; v++) {
		uint32_t count = next_places(t, t->place[v], next, dimension), rival = t->at[t->place[v]];
		fit[v] = 0;
		for (uint32_t i = part->first[v]; i < part->first[v + 1]; i++)
			fit[v] += contains(next, count, t->place[part->neighbour[i].to]);
		uint64_t own = 0, other = 0; /* shares, crosswise */
		if (rival != NONE) {
			own = (uint64_t)fit[v] * part_degree(part, rival);
			other = (uint64_t)fit[rival] * part_degree(part, v);
			t->settled[rival] = t->settled[rival] && other > own;
		}
		t->settled[v] = 2 * fit[v] >= part_degree(part, v) && (rival == NONE || own > other);
		if (rival == NONE || own > other)
			t->at[t->place[v]] = v;
	}
	for (uint32_t v = 0; v < part->switches; v++) {
		unsettled += !t->settled[v];
		if (t->at[v] != NONE && !t->settled[t->at[v]])
			t->at[v] = NONE;
	}
	return unsettled;
}

/* The place, held by no settled switch, that most settled neighbours are next to. */
static uint32_t voted_place(const struct torus *t, uint32_t v)
{
	const struct part *part = t->part;
	uint32_t candidate[2 * DIMENSIONS], next[2 * DIMENSIONS], dimension[2 * DIMENSIONS], best = t->place[v], most = 0;
	for (uint32_t i = part->first[v]; i < part->first[v + 1]; i++) {
		if (!t->settled[part->neighbour[i].to])
			continue;
		uint32_t candidates = next_places(t, t->place[part->neighbour[i].to], candidate, dimension);
		for (uint32_t c = 0; c < candidates; c++) {
			uint32_t count = next_places(t, candidate[c], next, dimension), votes = 0;
			for (uint32_t k = part->first[v]; k < part->first[v + 1] && t->at[candidate[c]] == NONE; k++)
				votes += t->settled[part->neighbour[k].to] && contains(next, count, t->place[part->neighbour[k].to]);
			if (votes > most) {
				most = votes;
				best = candidate[c];
			}
		}
	}
	return best;
}

/* Returns whether in the end every place has one switch. */
static bool settle(struct torus *t)
{
	uint32_t unsettled = find_settled(t);
	for (int round = 0; round < ROUNDS && unsettled; round++) {
		bool moved = false;
		for (uint32_t v = 0; v < t->part->switches; v++) {
			uint32_t place = t->settled[v] ? t->place[v] : voted_place(t, v);
			moved |= place != t->place[v];
			t->place[v] = place;
		}
		if (!moved)
			break;
		unsettled = find_settled(t);
	}
	memset(t->at, 0xff, t->part->switches * sizeof *t->at);
	for (uint32_t v = 0; v < t->part->switches; v++) {
		if (t->at[t->place[v]] != NONE)
			return false;
		t->at[t->place[v]] = v;
	}
	return true;
}

/* How many cables most links of each dimension have. */
static int count_parallel(struct torus *t, struct error *error)
{
	uint32_t next[2 * DIMENSIONS], dimension[2 * DIMENSIONS];
	uint32_t *values = array_create((size_t)t->part->switches * 2, sizeof *values, error);
	for (uint32_t k = 0; k < t->dimensions && values; k++) {
		uint32_t found = 0;
		for (uint32_t v = 0; v < t->part->switches; v++)
			for (uint32_t i = next_places(t, t->place[v], next, dimension); i--;)
				if (dimension[i] == k && adjacent(t->part, v, t->at[next[i]]))
					values[found++] = part_cables(t->part, v, t->at[next[i]]);
		t->dimension[k].cables = most_common(values, found);
	}
	free(values);
	return error->status ? -1 : 0;
}

static int plan_links(const struct torus *t, struct plan *plan, struct error *error)
{
	uint32_t next[2 * DIMENSIONS], dimension[2 * DIMENSIONS];
	for (uint32_t v = 0; v < t->part->switches; v++)
		for (uint32_t i = next_places(t, t->place[v], next, dimension); i--;)
			if (t->at[next[i]] > v && plan_link(plan, v, t->at[next[i]], t->dimension[dimension[i]].cables, error))
				return -1;
	return 0;
}

/* Pairs of dimensions of two that may be rings of four are, unless all others are paths. Dimensions of two with twice as many cables as the
 * others are rings, too. */
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
			t->dimension[k] = (struct dimension){2, true, least};
			rings++;
			twos--;
		}
	if (paths || (!rings && twos % 2))
		return;
	uint32_t kept = 0, first = NONE; /* first: the place of the first of a pair */
	for (uint32_t k = 0; k < t->dimensions; k++) {
		struct dimension d = t->dimension[k];
		bool two = d.length == 2 && !d.ring;
		if (two && first != NONE && t->dimension[first].cables == d.cables) {
			t->dimension[first] = (struct dimension){4, true, d.cables};
			first = NONE;
			continue;
		}
		if (two)
			first = kept;
		t->dimension[kept++] = d;
	}
	t->dimensions = kept;
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
		const struct dimension *d = &t->dimension[k];
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

static int try_origins(struct torus *t, struct plan *best, struct error *error)
{
	const struct part *part = t->part;
	uint64_t fewest = deviations_allowed(part) + 1;
	uint32_t tries = part->switches < ORIGINS ? part->switches : ORIGINS;
	for (uint32_t i = 0, placed = 0; i < tries && placed < PLACED_ORIGINS && fewest > 1; i++) {
		struct plan plan = {0};
		if (!find_lines(t, (uint32_t)((uint64_t)i * part->switches / tries)))
			continue;
		find_places(t);
		if (!settle(t))
			continue;
		placed++;
		uint64_t deviations =
			count_parallel(t, error) || plan_links(t, &plan, error) ? UINT64_MAX : plan_deviations(part, &plan, fewest);
		if (deviations < fewest) {
			fewest = deviations;
			name_it(t, &plan);
			plan_clear(best);
			*best = plan;
		} else {
			plan_clear(&plan);
		}
		if (error->status)
			return -1;
		if (deviations == 0)
			break;
	}
	return 0;
}

/* Room for a part, then the search. */
static int search(const struct part *part, struct plan *plan, struct error *error)
{
	size_t n = part->switches;
	struct torus t = {
		.part = part,
		.line = array_create(n + DIMENSIONS, sizeof *t.line, error),
		.used = array_create(n, sizeof *t.used, error),
		.distance = array_create(n, sizeof *t.distance, error),
		.nearest = array_create(n, sizeof *t.nearest, error),
		.queue = array_create(n, sizeof *t.queue, error),
		.place = array_create(n, sizeof *t.place, error),
		.at = array_create(n, sizeof *t.at, error),
		.settled = array_create(n, sizeof *t.settled, error),
	};
	if (!error->status)
		try_origins(&t, plan, error);
	free(t.line);
	free(t.used);
	free(t.distance);
	free(t.nearest);
	free(t.queue);
	free(t.place);
	free(t.at);
	free(t.settled);
	return error->status ? -1 : 0;
}

/* The two switches that alone have more neighbours than most, if they are neighbours. */
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

/* The search without the link of two switches that alone have more neighbours than most: in a single ring, no line is clear of it. */
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
	uint64_t with_hosts = 0;
	for (uint32_t v = 0; v < part->switches; v++) {
		with_hosts += part->hosts[v] > 0;
		if (part_degree(part, v) > 2 * DIMENSIONS)
			return 0;
	}
	if (part->switches < 3 || 2 * with_hosts < part->switches)
		return 0;
	if (search(part, plan, error) || plan->kind)
		return error->status ? -1 : 0;
	return search_without_surplus(part, plan, error);
}
