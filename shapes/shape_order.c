/*
 * A canonical numbering: it results in the same graph whatever the order of its switches, so that the recognisers' first choices and votes
 * depend on the cabling alone. Of the refined cells with several switches, one of the smallest is taken and one of its switches singled
 * out, and so on until every cell is one switch (as in McKay: Practical graph isomorphism, 1981). There is no search for the best choice,
 * which could take exponential time. Instead, the switches of a cell with equal refinements must be alike, which is proven by symmetries of
 * the graph, each of which maps the first choice to another one. If they are not alike, or the refinements take too much work, there is no
 * numbering, whatever the order of the switches, as all steps up to there are the same in each order. Switches with the same neighbours,
 * such as the leaves of a pod or the switches of a full mesh, are one vertex whose colour includes their number: they may exchange numbers.
 */
#include "base/memory.h"
#include "shapes/shape_cells.h"
#include "shapes/shape_part.h"

#include <stdlib.h>
#include <string.h>

/* Limit of the cables that refinements follow until all cells are single; proving the symmetries may take about as many again. */
#define WORK UINT64_C(400000000)

struct order {
	const struct part *part;
	uint32_t usual;  /* cables of most links */
	uint64_t *hash;  /* [switches] hash of the neighbours */
	uint32_t *list;  /* [switches] in the order of hosts and hash */
	uint32_t *twin;  /* [switches] the representative of all switches with the same neighbours */
	uint64_t *look;  /* [switches] of representatives: what the colour encodes */
	uint64_t *looks; /* [switches] all different looks, ascending */
	uint32_t *place; /* [switches] of representatives: number in the canonical order */
};

static uint64_t hash_end(uint32_t to, uint32_t cables)
{
	return hash_mix(((uint64_t)to << 32 | cables) + UINT64_C(0x9e3779b97f4a7c15));
}

static int compare_hashes(const void *left, const void *right, void *order)
{
	const struct order *o = order;
	const uint32_t *x = left, *y = right, *hosts = o->part->hosts;
	if (hosts[*x] != hosts[*y])
		return hosts[*x] < hosts[*y] ? -1 : 1;
	if (o->hash[*x] != o->hash[*y])
		return o->hash[*x] < o->hash[*y] ? -1 : 1;
	return *x < *y ? -1 : *x > *y;
}

static int compare_looks(const void *left, const void *right)
{
	const uint64_t *x = left, *y = right;
	return *x < *y ? -1 : *x > *y;
}

static int compare_places(const void *left, const void *right, void *order)
{
	const struct order *o = order;
	const uint32_t *x = left, *y = right;
	uint32_t a = o->place[o->twin[*x]], b = o->place[o->twin[*y]];
	if (a != b)
		return a < b ? -1 : 1;
	return *x < *y ? -1 : *x > *y;
}

/* Makes the first switch with a hash the representative of all with the same neighbours; linked switches count themselves as neighbours. */
static void join_twins(struct order *o, bool joined)
{
	const struct part *part = o->part;
	for (uint32_t v = 0; v < part->switches; v++) {
		o->list[v] = v;
		o->hash[v] = joined ? hash_end(v, o->usual) : 0;
		for (uint32_t i = part->first[v]; i < part->first[v + 1]; i++)
			o->hash[v] += hash_end(part->neighbour[i].to, part->neighbour[i].cables);
	}
	qsort_r(o->list, part->switches, sizeof *o->list, compare_hashes, o);
	for (uint32_t i = 0, first = 0; i < part->switches; i++) {
		uint32_t v = o->list[i], u = o->list[first];
		if (part->hosts[v] != part->hosts[u] || o->hash[v] != o->hash[u] || !part_degree(part, v))
			first = i;
		else if (i > first && (part_cables(part, u, v) > 0) == joined)
			o->twin[v] = u;
	}
}

/* Sets the look of each vertex: the number of switches that it represents, whether they are linked, and their hosts. */
static void find_looks(struct order *o)
{
	const struct part *part = o->part;
	for (uint32_t v = 0; v < part->switches; v++)
		o->twin[v] = v;
	join_twins(o, false);
	join_twins(o, true);
	for (uint32_t v = 0; v < part->switches; v++) {
		uint64_t joined = part_cables(part, v, o->twin[v]) > 0;
		o->look[o->twin[v]] = (o->look[o->twin[v]] | part->hosts[v] | joined << 62) + (UINT64_C(1) << 32);
	}
}

/* ---- the graph of the representatives */

static bool stands(const struct order *o, uint32_t v)
{
	return o->twin[v] == v;
}

/* Returns the colour: the rank of the look. */
static uint32_t colour(const struct order *o, uint32_t v, size_t looks)
{
	const uint64_t *at = bsearch(&o->look[v], o->looks, looks, sizeof *o->looks, compare_looks);
	return (uint32_t)(at - o->looks);
}

static size_t list_looks(struct order *o)
{
	size_t count = 0, kept = 0;
	for (uint32_t v = 0; v < o->part->switches; v++)
		if (stands(o, v))
			o->looks[count++] = o->look[v];
	qsort(o->looks, count, sizeof *o->looks, compare_looks);
	for (size_t i = 0; i < count; i++)
		if (!i || o->looks[i] != o->looks[i - 1])
			o->looks[kept++] = o->looks[i];
	return kept;
}

/* Makes a part of the representatives alone, numbered in their order; hosts are the colours. number: [switches] */
static int make_graph(struct order *o, struct part *graph, uint32_t *number, struct error *error)
{
	const struct part *part = o->part;
	size_t looks = list_looks(o);
	uint32_t end = 0;
	graph->hosts = array_create(part->switches, sizeof *graph->hosts, error);
	graph->first = array_create((size_t)part->switches + 1, sizeof *graph->first, error);
	graph->neighbour = array_create(part->first[part->switches], sizeof *graph->neighbour, error);
	if (error->status)
		return -1;
	for (uint32_t v = 0; v < part->switches; v++)
		if (stands(o, v))
			number[v] = graph->switches++;
	for (uint32_t v = 0; v < part->switches; v++) {
		if (!stands(o, v))
			continue;
		for (uint32_t i = part->first[v]; i < part->first[v + 1]; i++)
			if (stands(o, part->neighbour[i].to))
				graph->neighbour[end++] =
					(struct neighbour){.to = number[part->neighbour[i].to], .cables = part->neighbour[i].cables};
		graph->hosts[number[v]] = colour(o, v, looks);
		graph->first[number[v] + 1] = end;
	}
	return 0;
}

/* ---- choices */

struct choice {
	uint32_t cell, splits; /* the cell chosen from, and the number of splits before */
	size_t first, count;   /* in choices.candidate: switches with equal refinements; the first is taken */
	uint64_t trace;        /* trace of their refinements */
};

struct order_choices {
	struct cells cells;
	struct choice *choice; /* [count] */
	size_t count, choice_capacity;
	uint32_t *candidate; /* [candidates] */
	size_t candidates, candidate_capacity;
	uint32_t *image;  /* [switches] of a symmetry */
	uint32_t *orbit;  /* [switches] another switch that symmetries map it to; itself: the representative */
	uint32_t *place;  /* [switches] once all cells are single */
	uint64_t refined; /* cables followed by the refinements of the switches taken */
};

/* Returns a smallest (or largest) cell of several switches, the first of these; NONE if there is none. */
static uint32_t next_cell(const struct cells *c, bool large)
{
	uint32_t best = NONE;
	for (uint32_t cell = 0; cell < c->graph->switches; cell += c->size[cell])
		if (c->size[cell] > 1 && (best == NONE || (large ? c->size[cell] > c->size[best] : c->size[cell] < c->size[best])))
			best = cell;
	return best;
}

/* Appends the members of a cell to the candidates. Returns 0, or -1. */
static int list_members(struct order_choices *s, uint32_t cell, struct error *error)
{
	uint32_t size = s->cells.size[cell];
	if (array_grow(&s->candidate, &s->candidate_capacity, s->candidates + size, sizeof *s->candidate, error))
		return -1;
	memcpy(s->candidate + s->candidates, s->cells.member + cell, size * sizeof *s->candidate);
	s->candidates += size;
	return 0;
}

/* Tries all switches of the cell and takes one. Returns 0, 1 if that is too much work, or -1. */
static int choose(struct order_choices *s, uint32_t cell, struct error *error)
{
	struct choice choice = {.cell = cell, .splits = s->cells.splits, .first = s->candidates};
	if (list_members(s, cell, error) || array_grow(&s->choice, &s->choice_capacity, s->count + 1, sizeof *s->choice, error))
		return -1;
	for (size_t i = choice.first; i < s->candidates; i++) {
		uint32_t v = s->candidate[i];
		cells_single_out(&s->cells, v);
		if (!choice.count || s->cells.trace > choice.trace) {
			choice.count = 0;
			choice.trace = s->cells.trace;
		}
		if (s->cells.trace == choice.trace)
			s->candidate[choice.first + choice.count++] = v;
		cells_undo(&s->cells, choice.splits);
		if (s->cells.work > WORK)
			return 1;
	}
	s->candidates = choice.first + choice.count;
	s->choice[s->count++] = choice;
	uint64_t before = s->cells.work;
	cells_single_out(&s->cells, s->candidate[choice.first]);
	s->refined += s->cells.work - before;
	return 0;
}

static uint32_t find_orbit(uint32_t *orbit, uint32_t v)
{
	while (orbit[v] != v)
		v = orbit[v] = orbit[orbit[v]];
	return v;
}

/* Returns whether the image of every cable is a cable. */
static bool is_symmetry(const struct order_choices *s)
{
	const struct part *graph = s->cells.graph;
	for (uint32_t v = 0; v < graph->switches; v++) {
		uint32_t u = s->image[v];
		if (u == v)
			continue;
		if (part_degree(graph, u) != part_degree(graph, v))
			return false;
		for (uint32_t i = graph->first[v]; i < graph->first[v + 1]; i++)
			if (part_cables(graph, u, s->image[graph->neighbour[i].to]) != graph->neighbour[i].cables)
				return false;
	}
	return true;
}

/* Singles out a switch of the cell whose refinement equals that of the choice. Returns whether there is one. */
static bool follow(struct order_choices *s, const struct choice *choice, struct error *error)
{
	size_t candidates = s->candidates;
	bool found = false;
	if (s->cells.cell[s->cells.member[choice->cell]] != choice->cell || s->cells.size[choice->cell] < 2 ||
		list_members(s, choice->cell, error))
		return false;
	for (size_t i = candidates; i < s->candidates && !found; i++) {
		uint32_t splits = s->cells.splits;
		cells_single_out(&s->cells, s->candidate[i]);
		found = s->cells.trace == choice->trace;
		if (!found)
			cells_undo(&s->cells, splits);
	}
	s->candidates = candidates;
	return found;
}

/* Returns whether a symmetry maps the switch that a choice took to another one, and fixes the switches taken before. */
static bool map_choice(struct order_choices *s, size_t index, uint32_t v, struct error *error)
{
	uint32_t n = s->cells.graph->switches;
	bool fine = true;
	cells_single_out(&s->cells, v);
	for (size_t i = index + 1; i < s->count && fine; i++)
		fine = follow(s, &s->choice[i], error);
	fine = fine && s->cells.count == n;
	for (uint32_t u = 0; u < n && fine; u++)
		s->image[u] = s->cells.member[s->place[u]];
	cells_undo(&s->cells, s->choice[index].splits);
	if (!fine || !is_symmetry(s))
		return false;
	for (uint32_t u = 0; u < n; u++)
		s->orbit[find_orbit(s->orbit, u)] = find_orbit(s->orbit, s->image[u]);
	return true;
}

/* Returns the maximum number of symmetries that the proof needs: each at least doubles those that map a candidate to others. */
static uint64_t count_proofs(const struct order_choices *s)
{
	uint64_t proofs = 0;
	for (size_t i = 0; i < s->count; i++)
		for (size_t count = s->choice[i].count; count > 1; count /= 2)
			proofs++;
	return proofs;
}

/* Returns whether all candidates of each choice are alike. Starts at the last choice, as its symmetries also serve the choices before. */
static bool prove(struct order_choices *s, struct error *error)
{
	bool proven = count_proofs(s) * (s->refined + s->cells.graph->switches) <= 4 * WORK;
	for (size_t index = s->count; index-- && proven;) {
		const struct choice *choice = &s->choice[index];
		cells_undo(&s->cells, choice->splits);
		for (size_t i = 1; i < choice->count && proven; i++) {
			uint32_t u = s->candidate[choice->first], v = s->candidate[choice->first + i];
			if (find_orbit(s->orbit, u) != find_orbit(s->orbit, v))
				proven = map_choice(s, index, v, error);
		}
	}
	return proven;
}

/* Chooses from small or from large cells, starting after the first `refined` splits. Returns 0, 1 if that leads to no order, or -1. */
static int choose_all(struct order_choices *s, uint32_t refined, bool large, struct error *error)
{
	uint32_t n = s->cells.graph->switches;
	int found = 0;
	cells_undo(&s->cells, refined);
	s->count = s->candidates = 0;
	s->cells.work = s->refined = 0;
	for (uint32_t cell; !found && (cell = next_cell(&s->cells, large)) != NONE;)
		found = choose(s, cell, error);
	for (uint32_t v = 0; v < n && !found; v++) {
		s->place[v] = s->cells.at[v];
		s->orbit[v] = v;
	}
	if (!found && !prove(s, error))
		found = 1;
	return error->status ? -1 : found;
}

/* Numbers the whole graph. Returns 0, 1 if there is no such order, or -1. */
static int place_all(struct order_choices *s, const struct part *graph, struct error *error)
{
	uint32_t n = graph->switches;
	cells_init(&s->cells, graph, error);
	uint32_t refined = s->cells.splits;
	s->image = array_create(n, sizeof *s->image, error);
	s->orbit = array_create(n, sizeof *s->orbit, error);
	s->place = array_create(n, sizeof *s->place, error);
	if (error->status)
		return -1;
	int found = choose_all(s, refined, false, error);
	return found > 0 ? choose_all(s, refined, true, error) : found;
}

static int find_order(struct order *o, uint32_t *order, struct error *error)
{
	struct part graph = {0};
	struct order_choices choices = {0};
	uint32_t *number = o->list, n = o->part->switches;
	find_looks(o);
	int found = make_graph(o, &graph, number, error);
	if (!found)
		found = place_all(&choices, &graph, error);
	for (uint32_t v = 0; v < n && !found; v++) {
		order[v] = v;
		if (stands(o, v))
			o->place[v] = choices.place[number[v]];
	}
	if (!found)
		qsort_r(order, n, sizeof *order, compare_places, o);
	cells_clear(&choices.cells);
	free(choices.choice);
	free(choices.candidate);
	free(choices.image);
	free(choices.orbit);
	free(choices.place);
	part_clear(&graph);
	return found;
}

int part_order(const struct part *part, uint32_t *order, struct error *error)
{
	size_t n = part->switches, ends = part->first[n];
	struct order o = {
		.part = part,
		.hash = array_create(n, sizeof *o.hash, error),
		.list = array_create(n, sizeof *o.list, error),
		.twin = array_create(n, sizeof *o.twin, error),
		.look = array_create(n, sizeof *o.look, error),
		.looks = array_create(n, sizeof *o.looks, error),
		.place = array_create(n, sizeof *o.place, error),
	};
	uint32_t *cables = array_create(ends, sizeof *cables, error);
	for (size_t i = 0; i < ends && !error->status; i++)
		cables[i] = part->neighbour[i].cables;
	o.usual = error->status ? 0 : most_common(cables, ends);
	free(cables);
	int found = error->status ? -1 : find_order(&o, order, error);
	free(o.hash);
	free(o.list);
	free(o.twin);
	free(o.look);
	free(o.looks);
	free(o.place);
	return found;
}
