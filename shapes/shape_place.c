#include "shapes/shape_place.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 40, HOMELESS = 4 }; /* more than one in four without a place of its own is too many */

/* ---- the whole topology */

int ideal_init(struct ideal_place *ideal, uint32_t places, struct error *error)
{
	*ideal = (struct ideal_place){.first = array_create((size_t)places + 1, sizeof *ideal->first, error)};
	return error->status ? -1 : 0;
}

int ideal_link(struct ideal_place *ideal, uint32_t to, uint32_t kind, struct error *error)
{
	if (array_grow(&ideal->link, &ideal->capacity, ideal->links + 1, sizeof *ideal->link, error))
		return -1;
	ideal->link[ideal->links++] = (struct neighbour){.to = to, .kind = kind};
	ideal->kinds = kind >= ideal->kinds ? kind + 1 : ideal->kinds;
	return 0;
}

void ideal_next(struct ideal_place *ideal)
{
	uint32_t first = ideal->first[ideal->places];
	ideal->first[++ideal->places] = (uint32_t)ideal->links;
	if (ideal->links > first)
		qsort(ideal->link + first, ideal->links - first, sizeof *ideal->link, compare_neighbours);
}

void ideal_clear(struct ideal_place *ideal)
{
	free(ideal->first);
	free(ideal->link);
	*ideal = (struct ideal_place){0};
}

/* ---- places */

int places_init(struct places *places, const struct part *part, const struct ideal_place *ideal, struct error *error)
{
	*places = (struct places){
		.part = part,
		.ideal = ideal,
		.place = array_create(part->switches, sizeof *places->place, error),
		.at = array_create(ideal->places, sizeof *places->at, error),
		.fit = array_create(part->switches, sizeof *places->fit, error),
		.votes = array_create(ideal->places, sizeof *places->votes, error),
		.voted = array_create(ideal->places, sizeof *places->voted, error),
		.settled = array_create(part->switches, sizeof *places->settled, error),
	};
	if (error->status)
		return -1;
	memset(places->place, 0xff, part->switches * sizeof *places->place);
	return 0;
}

void places_clear(struct places *places)
{
	free(places->place);
	free(places->at);
	free(places->fit);
	free(places->votes);
	free(places->voted);
	free(places->settled);
	*places = (struct places){0};
}

static uint32_t count_fit(const struct places *p, uint32_t v)
{
	const struct part *part = p->part;
	uint32_t fit = 0;
	for (uint32_t i = part->first[v]; i < part->first[v + 1]; i++) {
		uint32_t place = p->place[part->neighbour[i].to];
		fit += place != NONE && ideal_linked(p->ideal, p->place[v], place);
	}
	return fit;
}

/* Sets `at` for settled switches. Returns the number of unsettled ones. */
static uint32_t find_settled(struct places *p)
{
	const struct part *part = p->part;
	uint32_t unsettled = 0;
	memset(p->at, 0xff, p->ideal->places * sizeof *p->at);
	for (uint32_t v = 0; v < part->switches; v++) {
		p->settled[v] = false;
		if (p->place[v] == NONE)
			continue;
		p->fit[v] = count_fit(p, v);
		uint32_t rival = p->at[p->place[v]];
		uint64_t own = 1, other = 0; /* shares, cross-multiplied */
		if (rival != NONE) {
			own = (uint64_t)p->fit[v] * part_degree(part, rival);
			other = (uint64_t)p->fit[rival] * part_degree(part, v);
			p->settled[rival] = p->settled[rival] && other > own;
		}
		p->settled[v] = 2 * p->fit[v] >= part_degree(part, v) && own > other;
		if (own > other)
			p->at[p->place[v]] = v;
	}
	for (uint32_t place = 0; place < p->ideal->places; place++)
		if (p->at[place] != NONE && !p->settled[p->at[place]])
			p->at[place] = NONE;
	for (uint32_t v = 0; v < part->switches; v++)
		unsettled += !p->settled[v];
	return unsettled;
}

/*
 * Returns the place that is adjacent to most settled neighbours, the first of several. Places of settled switches count only with held.
 * Returns the switch's own place if there is none. *votes: the number of these neighbours.
 */
static uint32_t voted_place(struct places *p, uint32_t v, bool held, uint32_t *votes)
{
	const struct part *part = p->part;
	const struct ideal_place *ideal = p->ideal;
	uint32_t best = p->place[v], voted = 0;
	*votes = 0;
	for (uint32_t i = part->first[v]; i < part->first[v + 1]; i++) {
		uint32_t u = part->neighbour[i].to;
		for (uint32_t place = p->place[u], k = p->settled[u] ? ideal->first[place] : 0;
			p->settled[u] && k < ideal->first[place + 1]; k++)
			if ((held || p->at[ideal->link[k].to] == NONE) && !p->votes[ideal->link[k].to]++)
				p->voted[voted++] = ideal->link[k].to;
	}
	for (uint32_t i = 0; i < voted; i++) {
		uint32_t place = p->voted[i], count = p->votes[place];
		p->votes[place] = 0;
		if (count > *votes || (count == *votes && place < best)) {
			*votes = count;
			best = place;
		}
	}
	return best;
}

/* Lets the best fitting switch of each place keep it. Returns the number of switches that have none. */
static uint32_t keep_best(struct places *p)
{
	uint32_t homeless = 0;
	memset(p->at, 0xff, p->ideal->places * sizeof *p->at);
	for (uint32_t v = 0; v < p->part->switches; v++) {
		uint32_t *at = p->place[v] == NONE ? NULL : &p->at[p->place[v]];
		if (at && (*at == NONE || p->fit[v] > p->fit[*at]))
			*at = v;
	}
	for (uint32_t v = 0; v < p->part->switches; v++) {
		p->settled[v] = p->place[v] != NONE && p->at[p->place[v]] == v;
		p->place[v] = p->settled[v] ? p->place[v] : NONE;
		homeless += !p->settled[v];
	}
	return homeless;
}

static void move(struct places *p, uint32_t v, uint32_t place)
{
	p->place[v] = place;
	p->at[place] = v;
	p->settled[v] = true;
}

/* Gives switches without a place a free one: by their neighbours while that is possible, then any. */
static void house(struct places *p, uint32_t homeless)
{
	uint32_t before = 0, votes, next = 0;
	for (bool any = false; homeless; any = homeless == before) {
		before = homeless;
		for (uint32_t v = 0; v < p->part->switches && homeless; v++) {
			uint32_t place = p->settled[v] ? NONE : voted_place(p, v, false, &votes);
			while (any && !p->settled[v] && place == NONE)
				place = p->at[next] == NONE ? next : NONE, next++;
			if (place == NONE)
				continue;
			move(p, v, place);
			homeless--;
			any = false;
		}
	}
}

/* Exchanges a switch with the one at the place that more of its neighbours are adjacent to. Returns whether more cables fit then. */
static bool exchange(struct places *p, uint32_t v)
{
	uint32_t votes, own = p->place[v], place = voted_place(p, v, true, &votes), other = p->at[place];
	if (place == own || votes <= count_fit(p, v))
		return false;
	uint32_t before = count_fit(p, v) + (other == NONE ? 0 : count_fit(p, other));
	p->at[own] = NONE;
	if (other != NONE)
		move(p, other, own);
	move(p, v, place);
	if (count_fit(p, v) + (other == NONE ? 0 : count_fit(p, other)) > before)
		return true;
	p->at[place] = NONE;
	if (other != NONE)
		move(p, other, place);
	move(p, v, own);
	return false;
}

static void improve(struct places *p)
{
	bool better = true;
	for (int round = 0; round < ROUNDS && better; round++) {
		better = false;
		for (uint32_t v = 0; v < p->part->switches; v++)
			better |= count_fit(p, v) < part_degree(p->part, v) && exchange(p, v);
	}
}

bool places_settle(struct places *places)
{
	struct places *p = places;
	uint32_t unsettled = find_settled(p), votes;
	for (int round = 0; round < ROUNDS && unsettled; round++) {
		bool moved = false;
		for (uint32_t v = 0; v < p->part->switches; v++) {
			uint32_t place = p->settled[v] ? p->place[v] : voted_place(p, v, false, &votes);
			moved |= place != p->place[v];
			p->place[v] = place;
		}
		if (!moved)
			break;
		unsettled = find_settled(p);
	}
	uint32_t homeless = keep_best(p);
	if (homeless > p->part->switches / HOMELESS)
		return false;
	house(p, homeless);
	improve(p);
	return true;
}

/* ---- the plan */

/* Counts the cables of most existing links of each kind. Returns 0, or -1. */
static int count_cables(const struct places *p, uint32_t *cables, struct error *error)
{
	const struct ideal_place *ideal = p->ideal;
	uint32_t *values = array_create(ideal->links, sizeof *values, error);
	for (uint32_t kind = 0; kind < ideal->kinds && values; kind++) {
		uint32_t count = 0;
		for (uint32_t place = 0; place < ideal->places; place++)
			for (uint32_t v = p->at[place], k = ideal->first[place]; v != NONE && k < ideal->first[place + 1]; k++) {
				uint32_t u = p->at[ideal->link[k].to];
				uint32_t there = ideal->link[k].kind == kind && u != NONE ? part_cables(p->part, v, u) : 0;
				if (there)
					values[count++] = there;
			}
		cables[kind] = count ? most_common(values, count) : 1;
	}
	free(values);
	return error->status ? -1 : 0;
}

int places_plan(const struct places *places, struct plan *plan, uint32_t *cables, struct error *error)
{
	const struct ideal_place *ideal = places->ideal;
	uint32_t n = places->part->switches, missing = n;
	if (count_cables(places, cables, error))
		return -1;
	plan->links = 0;
	for (uint32_t place = 0; place < ideal->places; place++)
		if (places->at[place] == NONE)
			places->at[place] = missing++;
	for (uint32_t place = 0; place < ideal->places && !error->status; place++)
		for (uint32_t k = ideal->first[place]; k < ideal->first[place + 1] && !error->status; k++)
			if (ideal->link[k].to > place)
				plan_link(plan, places->at[place], places->at[ideal->link[k].to], cables[ideal->link[k].kind], error);
	plan->missing = missing - n;
	return error->status ? -1 : 0;
}

int places_keep(const struct places *places, struct plan *plan, const uint32_t *length, uint32_t dimensions, struct error *error)
{
	plan->place = array_copy(places->place, places->part->switches, sizeof *plan->place, error);
	plan->dimensions = dimensions;
	memcpy(plan->grid, length, dimensions * sizeof *length);
	return plan->place ? 0 : -1;
}
