/*
 * Slim Fly: the graphs of McKay, Miller and Siran (topologies/slimfly.c), of 2 q^2 switches. They have so many symmetries that four
 * switches can be placed freely: (0,0,0); (1,0,0), a line through it; (0,1,0), another point of that line; and (0,0,1), a neighbour of the
 * first in its column; all neighbours of the first are tried for it. Two points of different columns have one line in common, so the other
 * places follow from votes of the placed switches. Where these four only span a part, one or two more are tried.
 */
#include "base/memory.h"
#include "topologies/topology.h"
#include "shapes/shape_place.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Votes that a search may take, absolutely and as a multiple of the votes of all switches. */
#define STEPS UINT64_C(2000000000)
#define GROWTHS UINT64_C(30000)

enum { ORIGINS = 24, LINES = 16, SMALL = 6, FIRST_CHECK = 12 };

struct slimfly {
	const struct part *part;
	struct plan *plan;
	uint32_t q, side; /* side: of the origin's place, 0 or 1 */
	struct ideal_place ideal;
	struct places places;
	uint32_t *claim, *share; /* [places] the switch with most votes for it, NONE: several; and its number of votes */
	uint32_t *saved;         /* [switches] places before a fifth switch was tried */
	uint32_t *placed;        /* [switches] those with a place, in the order of placement */
	uint32_t count;          /* number of these */
	uint32_t lines;          /* lines of an origin, and points of a line, to try */
	uint32_t least;          /* see least_span() */
	int more;
	bool strict;     /* assumes that no cable is surplus */
	uint64_t fewest; /* deviations of the plan, or the limit + 1 */
	uint64_t steps;  /* work left */
};

static uint32_t place_of(const struct slimfly *s, uint32_t side, uint32_t x, uint32_t y)
{
	return ((side ^ s->side) * s->q + x) * s->q + y;
}

static void put(struct slimfly *s, uint32_t v, uint32_t place)
{
	s->places.place[v] = place;
	s->places.at[place] = v;
	s->placed[s->count++] = v;
}

/* Removes all but the first count placements. */
static void take_back(struct slimfly *s, uint32_t count)
{
	while (s->count > count) {
		uint32_t v = s->placed[--s->count];
		s->places.at[s->places.place[v]] = NONE;
		s->places.place[v] = NONE;
	}
}

/* Returns the free place adjacent to most placed neighbours if it is unique and at least two are adjacent; otherwise NONE. */
static uint32_t find_place(struct slimfly *s, uint32_t v, uint32_t *votes)
{
	const struct part *part = s->part;
	struct places *p = &s->places;
	uint32_t best = NONE, voted = 0;
	uint64_t steps = 0;
	*votes = 1;
	for (uint32_t i = part->first[v]; i < part->first[v + 1]; i++) {
		uint32_t place = p->place[part->neighbour[i].to];
		for (uint32_t k = place == NONE ? 0 : s->ideal.first[place]; place != NONE && k < s->ideal.first[place + 1]; k++)
			if (p->at[s->ideal.link[k].to] == NONE && !p->votes[s->ideal.link[k].to]++)
				p->voted[voted++] = s->ideal.link[k].to;
		steps += place == NONE ? 1 : s->ideal.first[place + 1] - s->ideal.first[place];
	}
	s->steps -= steps < s->steps ? steps : s->steps;
	for (uint32_t i = 0; i < voted; i++) {
		uint32_t place = p->voted[i];
		if (p->votes[place] >= *votes)
			best = p->votes[place] > *votes ? place : NONE;
		*votes = p->votes[place] > *votes ? p->votes[place] : *votes;
		p->votes[place] = 0;
	}
	return best;
}

/*
 * Places all switches whose place is clear: by three votes, as a surplus cable can cause two, or by two if there are none with three.
 * Returns their number.
 */
static uint32_t grow_once(struct slimfly *s)
{
	uint32_t before = s->count, needed = 2;
	memset(s->claim, 0xff, s->ideal.places * sizeof *s->claim);
	memset(s->share, 0, s->ideal.places * sizeof *s->share);
	for (uint32_t v = 0; v < s->part->switches; v++) {
		uint32_t votes, place = s->places.place[v] == NONE ? find_place(s, v, &votes) : NONE;
		if (place == NONE || votes < s->share[place])
			continue;
		s->claim[place] = votes > s->share[place] ? v : NONE;
		s->share[place] = votes;
	}
	for (uint32_t place = 0; place < s->ideal.places && needed < 3; place++)
		needed = s->claim[place] != NONE && s->share[place] > 2 ? 3 : 2;
	for (uint32_t place = 0; place < s->ideal.places; place++)
		if (s->claim[place] != NONE && s->share[place] >= needed)
			put(s, s->claim[place], place);
	return s->count - before;
}

/* Returns whether nearly all cables between placed switches are links. */
static bool is_sound(const struct slimfly *s)
{
	const struct part *part = s->part;
	uint64_t there = 0, linked = 0;
	for (uint32_t i = 0; i < s->count; i++)
		for (uint32_t v = s->placed[i], k = part->first[v]; k < part->first[v + 1]; k++) {
			uint32_t place = s->places.place[part->neighbour[k].to];
			there += place != NONE;
			linked += place != NONE && ideal_linked(&s->ideal, s->places.place[v], place);
		}
	return s->strict ? linked == there : 16 * (there - linked) <= there + 32;
}

/* Returns whether most switches are placed in the end. */
static bool grow(struct slimfly *s)
{
	while (s->steps && grow_once(s))
		if (s->count > FIRST_CHECK && !is_sound(s))
			return false;
	return 8 * (uint64_t)s->count >= 7 * (uint64_t)s->part->switches;
}

static void name_it(const struct slimfly *s, uint32_t cables, struct plan *plan)
{
	plan->kind = "Slim Fly";
	plan->parameter[0] = (struct shape_parameter){"q", 1, {s->q}};
	plan->parameter[1] = (struct shape_parameter){"parallel", 1, {cables}};
	snprintf(plan->name, sizeof plan->name, "Slim Fly q=%" PRIu32, s->q);
	if (cables > 1)
		snprintf(plan->name + strlen(plan->name), 60, " of %" PRIu32 " parallel cables", cables);
}

/* Settles all switches and makes the plan. If q is not 4 w + 1, other units also fit except for a link or two of every switch, so the plan
 * with the fewest deviations is kept. Returns whether it has fewer deviations than these would have. */
static bool finish(struct slimfly *s, struct error *error)
{
	uint32_t cables[1] = {0};
	struct plan plan = {0};
	memcpy(s->saved, s->places.place, s->part->switches * sizeof *s->saved);
	uint64_t deviations = places_settle(&s->places) && !places_plan(&s->places, &plan, cables, error)
				      ? plan_deviations(s->part, &plan, s->fewest)
				      : UINT64_MAX;
	if (deviations < s->fewest) {
		s->fewest = deviations;
		name_it(s, cables[0], &plan);
		plan_clear(s->plan);
		*s->plan = plan;
	} else {
		plan_clear(&plan);
	}
	memcpy(s->places.place, s->saved, s->part->switches * sizeof *s->saved);
	memset(s->places.at, 0xff, s->ideal.places * sizeof *s->places.at);
	for (uint32_t i = 0; i < s->count; i++)
		s->places.at[s->places.place[s->placed[i]]] = s->placed[i];
	return s->plan->kind && s->fewest < (uint64_t)s->q * s->q;
}

/*
 * Returns the least number of switches that the first four span if they do not span all: the plane of p elements of q = p^e; where -1 is a
 * square, as q is 4 w + 1, only a ring of five. *more: how many more switches then span all: one for such a ring, one if e has no divisors,
 * otherwise two.
 */
static uint32_t least_span(uint32_t q, int *more)
{
	uint32_t p = 2, e = 0;
	while (q % p)
		p++;
	for (uint32_t rest = q; rest > 1; rest /= p)
		e++;
	*more = (q % 4 == 1) + (q == 5) + (e > 1) + (e > 3 && e % 2 == 0);
	return q % 4 == 1 ? 5 : p < q ? p * p : UINT32_MAX;
}

/*
 * Grows from the placed switches; if they span only a part of the whole, tries each place for one more neighbour of the first, and so on.
 */
static bool try_placed(struct slimfly *s, int more, struct error *error)
{
	const struct part *part = s->part;
	bool found = grow(s) && finish(s, error);
	uint32_t spanned = s->count, origin = s->placed[0], place = s->places.place[origin], next = NONE;
	if (found || !more || spanned < s->least || !is_sound(s) || 8 * (uint64_t)spanned >= 7 * (uint64_t)part->switches)
		return found;
	for (uint32_t i = part->first[origin]; i < part->first[origin + 1]; i++)
		if (s->places.place[part->neighbour[i].to] == NONE && next == NONE)
			next = part->neighbour[i].to;
	for (uint32_t k = s->ideal.first[place]; k < s->ideal.first[place + 1] && next != NONE && !found && !error->status; k++) {
		if (s->places.at[s->ideal.link[k].to] != NONE)
			continue;
		put(s, next, s->ideal.link[k].to);
		found = try_placed(s, more - 1, error);
		take_back(s, spanned);
	}
	return found;
}

/*
 * Returns whether the link may connect columns (across), or lie within one: only the latter are in triangles; none for q = 4 and 5, not all
 * for 8.
 */
static bool may_be(const struct slimfly *s, uint32_t a, uint32_t b, bool across)
{
	return s->q < SMALL || (s->q == 8 && !across) || (part_common(s->part, a, b) == 0) == across;
}

/* Returns a place in the origin's column that is adjacent to it. */
static uint32_t unit_place(const struct slimfly *s)
{
	uint32_t y = 1;
	while (y < s->q - 1 && !ideal_linked(&s->ideal, place_of(s, 0, 0, 0), place_of(s, 0, 0, y)))
		y++;
	return place_of(s, 0, 0, y);
}

/* Tries all neighbours of the origin in addition to these three. */
static bool try_units(struct slimfly *s, uint32_t origin, uint32_t line, uint32_t point, struct error *error)
{
	const struct part *part = s->part;
	bool found = false;
	for (uint32_t i = part->first[origin]; i < part->first[origin + 1] && !found && s->steps && !error->status; i++) {
		uint32_t unit = part->neighbour[i].to;
		if (unit == line || unit == point || !may_be(s, origin, unit, false))
			continue;
		put(s, origin, place_of(s, 0, 0, 0));
		put(s, line, place_of(s, 1, 0, 0));
		put(s, point, place_of(s, 0, 1, 0));
		put(s, unit, unit_place(s));
		found = try_placed(s, s->more, error);
		take_back(s, 0);
	}
	return found;
}

static bool try_origin(struct slimfly *s, uint32_t origin, struct error *error)
{
	const struct part *part = s->part;
	uint32_t lines = 0, most = s->q < SMALL ? UINT32_MAX : s->lines;
	for (uint32_t i = part->first[origin]; i < part->first[origin + 1] && lines < most && !error->status; i++) {
		uint32_t line = part->neighbour[i].to, points = 0;
		if (!may_be(s, origin, line, true))
			continue;
		lines++;
		for (uint32_t k = part->first[line]; k < part->first[line + 1] && points < most && !error->status; k++) {
			uint32_t point = part->neighbour[k].to;
			if (point == origin || !may_be(s, line, point, true))
				continue;
			points++;
			if (try_units(s, origin, line, point, error))
				return true;
		}
	}
	return false;
}

/* Creates the graph itself. Returns whether there is one for this q. */
static bool make_ideal(struct slimfly *s, struct error *error)
{
	char spec[40];
	struct error none = {0};
	snprintf(spec, sizeof spec, "slimfly:q=%" PRIu32, s->q);
	struct topology *t = topology_create(spec, &none);
	if (none.status == STATUS_IO)
		*error = none;
	if (!t)
		return false;
	ideal_init(&s->ideal, t->switches, error);
	for (uint32_t v = 0; v < t->switches && !error->status; v++, ideal_next(&s->ideal))
		for (uint32_t port = 0; port < t->kind->ports(t, false, v); port++) {
			struct topology_port peer = t->kind->peer(t, (struct topology_port){false, v, port});
			if (!peer.host)
				ideal_link(&s->ideal, peer.node, 0, error);
		}
	topology_free(t);
	return !error->status;
}

/* Returns whether most switches have the right number of neighbours. */
static bool fits(struct slimfly *s, uint32_t *values)
{
	for (uint32_t v = 0; v < s->part->switches; v++)
		values[v] = part_degree(s->part, v);
	return most_common(values, s->part->switches) == s->ideal.first[1];
}

/* Searches first as if no cable were surplus, then without that assumption, until the work is used up. */
static void search(struct slimfly *s, struct error *error)
{
	uint32_t n = s->part->switches, tries = n < ORIGINS ? n : ORIGINS;
	uint64_t whole = (uint64_t)n * s->ideal.first[1] * s->ideal.first[1]; /* approximate votes if all are placed at once */
	bool found = false;
	memset(s->places.at, 0xff, s->ideal.places * sizeof *s->places.at);
	s->least = least_span(s->q, &s->more);
	s->fewest = deviations_allowed(s->part) + 1;
	for (int strict = 1; strict >= 0 && !found; strict--) {
		s->strict = strict;
		s->steps = STEPS / whole < GROWTHS ? STEPS : GROWTHS * whole;
		for (s->lines = 1; s->lines <= (s->q < SMALL ? 1 : LINES) && !found; s->lines *= 4)
			for (uint32_t i = 0; i < tries && !found && s->steps && !error->status; i++)
				for (s->side = 0; s->side < 2 && !found && !error->status; s->side++)
					found = try_origin(s, (uint32_t)((uint64_t)i * n / tries), error);
	}
}

int shape_slimfly(const struct part *part, struct plan *plan, struct error *error)
{
	struct slimfly s = {.part = part, .plan = plan, .q = 3};
	while (2 * (uint64_t)s.q * s.q < part->switches)
		s.q++;
	if (part->switches < 2 * 9 - 1 || 2 * s.q * s.q > part->switches + missing_allowed(part) || s.q % 4 == 2 || !part_is_direct(part))
		return 0;
	if (make_ideal(&s, error) && !places_init(&s.places, part, &s.ideal, error)) {
		s.claim = array_create(s.ideal.places, sizeof *s.claim, error);
		s.share = array_create(s.ideal.places, sizeof *s.share, error);
		s.saved = array_create(part->switches, sizeof *s.saved, error);
		s.placed = array_create(part->switches, sizeof *s.placed, error);
		if (!error->status && fits(&s, s.saved))
			search(&s, error);
		free(s.claim);
		free(s.share);
		free(s.saved);
		free(s.placed);
	}
	places_clear(&s.places);
	ideal_clear(&s.ideal);
	return error->status ? -1 : 0;
}
