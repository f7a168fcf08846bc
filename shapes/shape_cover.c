/*
 * Assigns groups to one switch after another: each time the switch whose best group beats its second best by the largest margin. The cost
 * of a group is the number of links that it lacks plus the deviations of the cables between it and the groups so far. If this leads
 * nowhere, one, two, ... choices on a search path take another group than the best (limited discrepancy search: Harvey, Ginsberg 1995).
 */
#include "shapes/shape_cover.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { BEST = 24, LOOKED_AT = 48, DISCREPANCIES = 7 };

struct cover_candidate {
	uint32_t member[COVER_SIZE], count;
	uint64_t cost;
};

struct candidates {
	struct cover_candidate best[BEST];
	uint32_t count;
};

struct cover {
	struct groups *groups;
	const struct part *part;
	uint32_t a, parallel, between;
	uint32_t left, taken;         /* switches without a group; number of groups */
	uint32_t whole;               /* number of groups without missing switches */
	bool *lacks;                  /* [switches] by group: has missing switches */
	uint32_t missing;             /* members that the remaining groups may still lack */
	uint32_t *cables;             /* [switches] cables from a candidate to each group, 0 between uses */
	uint32_t *touched;            /* [switches] groups */
	struct cover_candidate trial; /* the candidate being built */
	uint64_t *work;
};

static bool is_free(const struct cover *c, uint32_t v)
{
	return c->groups->group[v] == NONE;
}

static void spend(struct cover *c, uint64_t steps)
{
	*c->work -= *c->work < steps ? *c->work : steps;
}

/* Returns the number of missing or surplus cables to existing groups. Cables that a missing switch could have had are not counted. */
static uint64_t pair_cost(struct cover *c, const struct cover_candidate *t)
{
	const struct part *part = c->part;
	uint32_t touched = 0;
	uint64_t cost = 0, steps = 0;
	for (uint32_t i = 0; i < t->count; steps += part_degree(part, t->member[i++]))
		for (uint32_t k = part->first[t->member[i]]; k < part->first[t->member[i] + 1]; k++) {
			uint32_t group = c->groups->group[part->neighbour[k].to];
			if (group == NONE)
				continue;
			if (!c->cables[group])
				c->touched[touched++] = group;
			c->cables[group] += part->neighbour[k].cables;
		}
	uint32_t whole = t->count == c->a ? c->whole : 0; /* groups that include the cables of missing switches */
	for (uint32_t i = 0; i < touched; i++) {
		uint32_t group = c->touched[i], there = c->cables[group];
		bool exact = t->count == c->a && !c->lacks[group];
		cost += there > c->between ? there - c->between : exact ? c->between - there : 0;
		whole -= exact;
		c->cables[group] = 0;
	}
	cost += (uint64_t)whole * c->between;
	spend(c, steps);
	return cost;
}

static void keep_candidate(struct cover *c, struct candidates *list, uint64_t lacking)
{
	struct cover_candidate t = c->trial;
	t.cost = lacking + pair_cost(c, &t);
	uint32_t i = list->count < BEST ? list->count++ : BEST;
	for (; i > 0 && list->best[i - 1].cost > t.cost; i--)
		if (i < BEST)
			list->best[i] = list->best[i - 1];
	if (i < BEST)
		list->best[i] = t;
}

/* Returns the number of missing or surplus cables between a switch and the members. */
static uint64_t link_cost(const struct cover *c, uint32_t v)
{
	uint64_t cost = 0;
	for (uint32_t i = 0; i < c->trial.count; i++) {
		uint32_t there = part_cables(c->part, v, c->trial.member[i]);
		cost += there > c->parallel ? there - c->parallel : c->parallel - there;
	}
	return cost;
}

/*
 * Enumerates sets of members: each new member is linked to the member at `from` or a later one, and to none before that; those linked to
 * the same member are added in ascending order, so each set occurs once.
 */
static void extend(struct cover *c, struct candidates *list, uint32_t size, uint32_t from, uint64_t lacking, uint64_t most)
{
	struct cover_candidate *t = &c->trial;
	const struct part *part = c->part;
	uint32_t least = t->count > 1 ? t->member[t->count - 1] + 1 : 0;
	if (t->count == size) {
		keep_candidate(c, list, lacking);
		return;
	}
	for (; from < t->count && *c->work; from++, least = 0)
		for (uint32_t v = t->member[from], i = part->first[v]; i < part->first[v + 1] && *c->work; i++) {
			uint32_t u = part->neighbour[i].to;
			uint64_t cost;
			bool seen = u < least || !is_free(c, u) || u == t->member[0];
			for (uint32_t k = 0; k < from && !seen; k++)
				seen = part_cables(part, u, t->member[k]) > 0;
			for (uint32_t k = from + 1; k < t->count && !seen; k++)
				seen = t->member[k] == u;
			spend(c, 4 * (uint64_t)t->count);
			if (seen || lacking + (cost = link_cost(c, u)) > most)
				continue;
			t->member[t->count++] = u;
			extend(c, list, size, from, lacking + cost, most);
			t->count--;
		}
}

/* Lists the best groups of a switch, of all permitted sizes. */
static void list_candidates(struct cover *c, uint32_t v, uint64_t allowed, struct candidates *list)
{
	list->count = 0;
	for (uint32_t size = c->a; size >= 2 && size + c->missing >= c->a && *c->work; size--) {
		uint64_t spare = (uint64_t)(size - 1) * (size - 2) / 2 * c->parallel; /* cables of a group beyond a spanning tree */
		c->trial = (struct cover_candidate){.member = {v}, .count = 1};
		extend(c, list, size, 0, 0, allowed < spare ? allowed : spare);
	}
}

/* Finds the switch to assign next, and its candidates. Returns false if some switch has none. */
static bool choose(struct cover *c, uint64_t allowed, struct candidates *best)
{
	uint64_t most = 0;
	uint32_t looked_at = 0;
	best->count = 0;
	for (uint32_t v = 0; v < c->part->switches && looked_at < LOOKED_AT && *c->work; v++) {
		struct candidates list;
		if (!is_free(c, v))
			continue;
		looked_at++;
		list_candidates(c, v, allowed, &list);
		while (list.count && list.best[list.count - 1].cost > allowed)
			list.count--;
		if (!list.count)
			return false;
		uint64_t lead = list.count > 1 ? list.best[1].cost - list.best[0].cost : allowed + 1;
		if (!best->count || lead > most) {
			most = lead;
			*best = list;
		}
		if (lead > allowed)
			break;
	}
	return *c->work > 0;
}

static void take(struct cover *c, const struct cover_candidate *t, bool back)
{
	for (uint32_t i = 0; i < t->count; i++)
		c->groups->group[t->member[i]] = back ? NONE : c->taken;
	c->left += back ? t->count : -t->count;
	c->missing += back ? c->a - t->count : t->count - c->a;
	c->lacks[c->taken] = t->count < c->a;
	c->whole += t->count < c->a ? 0 : back ? -1U : 1U;
}

static bool search(struct cover *c, uint64_t allowed, int discrepancies)
{
	struct candidates list;
	if (!c->left)
		return true;
	if (!choose(c, allowed, &list))
		return false;
	for (uint32_t i = 0; i < list.count && (!i || discrepancies) && *c->work; i++) {
		take(c, &list.best[i], false);
		c->taken++;
		if (search(c, allowed - list.best[i].cost, discrepancies - (i > 0)))
			return true;
		c->taken--;
		take(c, &list.best[i], true);
	}
	return false;
}

bool cover_find(
	struct groups *groups, uint32_t a, uint32_t parallel, uint32_t between, uint64_t allowed, uint64_t *work, struct error *error)
{
	uint32_t n = groups->part->switches;
	struct cover c = {
		.groups = groups,
		.part = groups->part,
		.a = a,
		.parallel = parallel,
		.between = between,
		.left = n,
		.missing = groups->missing,
		.cables = array_create(n, sizeof *c.cables, error),
		.touched = array_create(n, sizeof *c.touched, error),
		.lacks = array_create(n, sizeof *c.lacks, error),
		.work = work,
	};
	bool found = false;
	memset(groups->group, 0xff, n * sizeof *groups->group);
	for (int d = 0; d <= DISCREPANCIES && !found && !error->status && *work; d++)
		found = search(&c, allowed, d);
	free(c.cables);
	free(c.touched);
	free(c.lacks);
	return found && !error->status;
}
