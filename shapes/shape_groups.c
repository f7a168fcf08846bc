#include "shapes/shape_groups.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

int groups_init(struct groups *groups, const struct part *part, struct error *error)
{
	size_t places = (size_t)part->switches + missing_allowed(part);
	*groups = (struct groups){
		.part = part,
		.group = array_create(places, sizeof *groups->group, error),
		.global = array_create(places, sizeof *groups->global, error),
		.ends = array_create(places, sizeof *groups->ends, error),
	};
	return error->status ? -1 : 0;
}

void groups_clear(struct groups *groups)
{
	free(groups->group);
	free(groups->global);
	free(groups->ends);
	free(groups->matrix);
	*groups = (struct groups){0};
}

static uint32_t *pair(const struct groups *g, uint32_t a, uint32_t b)
{
	return &g->matrix[(size_t)a * g->count + b];
}

/* Returns whether a neighbour is at the other end of a cable between groups. */
static bool is_global(const struct groups *g, uint32_t v, uint32_t u)
{
	return g->group[v] != g->group[u] && g->global[v] && g->global[u];
}

static void count_ends(struct groups *g)
{
	const struct part *part = g->part;
	memset(g->ends, 0, (part->switches + (size_t)g->missing) * sizeof *g->ends);
	memset(g->matrix, 0, (size_t)g->count * g->count * sizeof *g->matrix);
	for (uint32_t v = 0; v < part->switches; v++)
		for (uint32_t i = part->first[v]; i < part->first[v + 1]; i++) {
			const struct neighbour *n = &part->neighbour[i];
			if (!is_global(g, v, n->to))
				continue;
			g->ends[v] += n->cables;
			*pair(g, g->group[v], g->group[n->to]) += n->cables;
		}
}

/*
 * Sets the most common numbers; in later guesses, between is the largest number. h follows from between or, in odd guesses, is the maximum
 * over the switches, for fabrics in which some ports have no cable. values: [count * count + ends of links]
 */
static void find_usual(struct groups *g, int guess, uint32_t *values)
{
	const struct part *part = g->part;
	uint32_t count = 0, links = 0, most = 0, largest = 0;
	for (uint32_t a = 0; a < g->count; a++)
		for (uint32_t b = a + 1; b < g->count; b++) {
			values[count++] = *pair(g, a, b);
			largest = *pair(g, a, b) > largest ? *pair(g, a, b) : largest;
		}
	g->between = guess < 2 ? most_common(values, count) : largest;
	for (uint32_t v = 0; v < part->switches; v++)
		for (uint32_t i = part->first[v]; i < part->first[v + 1]; i++)
			if (is_global(g, v, part->neighbour[i].to))
				values[links++] = part->neighbour[i].cables;
	g->parallel = most_common(values, links);
	for (uint32_t v = 0; v < part->switches; v++)
		most = g->ends[v] > most ? g->ends[v] : most;
	uint64_t wanted = (uint64_t)g->between * (g->count - 1);
	g->h = guess % 2 || wanted % g->size ? most : (uint32_t)(wanted / g->size);
}

bool groups_measure(struct groups *groups, int guess, struct error *error)
{
	struct groups *g = groups;
	const struct part *part = g->part;
	uint64_t pairs = (uint64_t)g->count * (g->count - 1) / 2, off = 0;
	if (g->count < 2 || pairs > part->cables + deviations_allowed(part) + part->switches)
		return false;
	free(g->matrix);
	g->matrix = array_create((size_t)g->count * g->count, sizeof *g->matrix, error);
	uint32_t *values = array_create((size_t)pairs + part->first[part->switches] + part->switches, sizeof *values, error);
	if (!error->status) {
		count_ends(g);
		find_usual(g, guess, values);
	}
	free(values);
	if (error->status || !g->between || (uint64_t)g->size * g->h / (g->count - 1) != g->between)
		return false;
	for (uint32_t a = 0; a < g->count; a++)
		for (uint32_t b = a + 1; b < g->count; b++)
			off += *pair(g, a, b) > g->between ? *pair(g, a, b) - g->between : g->between - *pair(g, a, b);
	return off <= deviations_allowed(part) + (uint64_t)g->missing * g->h;
}

static void add(struct groups *g, uint32_t v, uint32_t u, int number)
{
	*pair(g, g->group[v], g->group[u]) += (uint32_t)number;
	*pair(g, g->group[u], g->group[v]) += (uint32_t)number;
	g->ends[v] += (uint32_t)number;
	g->ends[u] += (uint32_t)number;
}

/*
 * Keeps the existing links, without the surplus cables between two groups: first those with a surplus at both ends, then at one end, then
 * any.
 */
static void keep_links(struct groups *g, struct plan *plan, struct error *error)
{
	const struct part *part = g->part;
	size_t first = plan->links;
	for (uint32_t v = 0; v < part->switches; v++)
		for (uint32_t i = part->first[v]; i < part->first[v + 1]; i++)
			if (part->neighbour[i].to > v && is_global(g, v, part->neighbour[i].to) &&
				plan_link(plan, v, part->neighbour[i].to, part->neighbour[i].cables, error))
				return;
	for (int needed = 2; needed >= 0; needed--)
		for (size_t k = first; k < plan->links; k++) {
			struct link *l = &plan->link[k];
			while (l->cables && *pair(g, g->group[l->a], g->group[l->b]) > g->between &&
				(g->ends[l->a] > g->h) + (g->ends[l->b] > g->h) >= needed) {
				l->cables--;
				add(g, l->a, l->b, -1);
			}
		}
}

/* Returns the next switch of the group in the list that lacks a cable, NONE if there is none. list: switches with free ports, ascending. */
static uint32_t next_free(const struct groups *g, const uint32_t *list, uint32_t count, uint32_t *at, uint32_t group)
{
	for (; *at < count; ++*at)
		if (g->group[list[*at]] == group && g->ends[list[*at]] < g->h)
			return list[(*at)++];
	return NONE;
}

/*
 * Finds two switches of two groups that lack a cable. Prefers a missing switch at one end (all of its cables are missing), then at both;
 * then, if cables are parallel, two linked switches; then any.
 */
static bool find_ends(const struct groups *g, const uint32_t *list, uint32_t count, uint32_t a, uint32_t b, uint32_t *v, uint32_t *u)
{
	uint32_t n = g->part->switches;
	for (int kind = g->missing ? 0 : g->parallel > 1 ? 2 : 3; kind < 4; kind++)
		for (uint32_t i = 0; (*v = next_free(g, list, count, &i, a)) != NONE;)
			for (uint32_t k = 0; (*u = next_free(g, list, count, &k, b)) != NONE;) {
				int missing = (*v >= n) + (*u >= n);
				if (kind < 2 ? missing == kind + 1 : !missing && (part_cables(g->part, *v, *u) > 0) == (kind == 2))
					return true;
			}
	return false;
}

/* Adds a cable to the plan, which may have others between the two switches: as a new link after `added` if they are not linked. */
static void add_cable(struct groups *g, struct plan *plan, size_t added, uint32_t v, uint32_t u, struct error *error)
{
	uint32_t low = v < u ? v : u, high = v < u ? u : v;
	add(g, v, u, 1);
	for (size_t k = high < g->part->switches && part_cables(g->part, low, high) ? 0 : added; k < plan->links; k++)
		if (plan->link[k].a == low && plan->link[k].b == high) {
			plan->link[k].cables++;
			return;
		}
	plan_link(plan, v, u, 1, error);
}

static bool add_missing(struct groups *g, struct plan *plan, struct error *error)
{
	uint32_t count = 0, v, u, places = g->part->switches + g->missing, *list = array_create(places, sizeof *list, error);
	size_t added = plan->links;
	bool whole = list;
	for (v = 0; v < places && list; v++)
		if (g->global[v] && g->ends[v] < g->h)
			list[count++] = v;
	for (uint32_t a = 0; a < g->count && whole; a++)
		for (uint32_t b = a + 1; b < g->count && whole; b++)
			while (*pair(g, a, b) < g->between && whole && !error->status) {
				whole = find_ends(g, list, count, a, b, &v, &u);
				if (whole)
					add_cable(g, plan, added, v, u, error);
			}
	free(list);
	return whole && !error->status;
}

bool groups_plan(struct groups *groups, struct plan *plan, struct error *error)
{
	struct groups *g = groups;
	size_t kept = 0;
	keep_links(g, plan, error);
	for (size_t k = 0; k < plan->links; k++) /* a link without cables is removed */
		if (plan->link[k].cables)
			plan->link[kept++] = plan->link[k];
	plan->links = kept;
	if (error->status || !add_missing(g, plan, error))
		return false;
	plan->missing = g->missing;
	plan->place = array_copy(g->group, g->part->switches, sizeof *plan->place, error);
	for (uint32_t v = 0; v < g->part->switches; v++)
		if (g->global[v] && g->ends[v] > g->h)
			return false;
	return true;
}

void groups_keep(const struct part *part, struct plan *best, struct plan *found, uint64_t *fewest)
{
	uint64_t deviations = found->kind ? plan_deviations(part, found, *fewest) : UINT64_MAX;
	if (deviations < *fewest) {
		*fewest = deviations;
		plan_clear(best);
		*best = *found;
	} else {
		plan_clear(found);
	}
}
