/*
 * Dragonfly: groups of a switches, all joined to one another. Two switches of a group have the other a - 2 in common, two of different
 * groups hardly any. Groups in which all is in order are found first; what is left makes groups by its majority.
 */
#include "shapes/shape_groups.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GUESSES = 6 };

struct dragonfly {
	const struct part *part;
	struct groups groups;
	uint32_t a;
	uint32_t *common; /* [first[switches]] common neighbours of the two ends */
	uint32_t *member; /* [switches] of the group that is looked at */
	uint32_t *inside; /* [switches] its neighbours in that group */
	uint32_t *values; /* [first[switches] + switches] for the while */
};

static uint32_t count_common(struct dragonfly *d)
{
	const struct part *part = d->part;
	uint32_t count = 0;
	for (uint32_t v = 0; v < part->switches; v++)
		for (uint32_t i = part->first[v]; i < part->first[v + 1]; i++) {
			d->common[i] = part_common(part, v, part->neighbour[i].to);
			if (d->common[i])
				d->values[count++] = d->common[i];
		}
	return count;
}

/* The switch and its neighbours without a group that have so many neighbours with it in common. Returns how many. */
static uint32_t gather(struct dragonfly *d, uint32_t v, uint32_t common)
{
	const struct part *part = d->part;
	uint32_t count = 0;
	d->member[count++] = v;
	for (uint32_t i = part->first[v]; i < part->first[v + 1]; i++)
		if (d->common[i] >= common && d->groups.group[part->neighbour[i].to] == NONE)
			d->member[count++] = part->neighbour[i].to;
	return count;
}

static uint32_t count_inside(const struct dragonfly *d, uint32_t v, uint32_t count)
{
	uint32_t inside = 0;
	for (uint32_t i = 0; i < count; i++)
		inside += part_cables(d->part, v, d->member[i]) > 0;
	return inside;
}

/* Takes members away, those with the fewest neighbours among them first, until there are a. */
static uint32_t thin_out(struct dragonfly *d, uint32_t count)
{
	for (uint32_t i = 0; i < count && count > d->a; i++)
		d->inside[i] = count_inside(d, d->member[i], count);
	while (count > d->a) {
		uint32_t worst = 1;
		for (uint32_t i = 2; i < count; i++)
			worst = d->inside[i] < d->inside[worst] ? i : worst;
		uint32_t gone = d->member[worst];
		d->member[worst] = d->member[--count];
		d->inside[worst] = d->inside[count];
		for (uint32_t i = 0; i < count; i++)
			d->inside[i] -= part_cables(d->part, d->member[i], gone) > 0;
	}
	return count;
}

/* Adds neighbours of members that are joined to more than half of them, those to most first, until there are a. */
static uint32_t fill_up(struct dragonfly *d, uint32_t count)
{
	const struct part *part = d->part;
	while (count < d->a) {
		uint32_t best = NONE, most = count / 2;
		for (uint32_t i = 0; i < count && i < 3; i++) /* whoever is joined to most is so to one of these */
			for (uint32_t v = d->member[i], k = part->first[v]; k < part->first[v + 1]; k++) {
				uint32_t u = part->neighbour[k].to, inside = 0;
				bool in = d->groups.group[u] != NONE;
				for (uint32_t m = 0; m < count && !in; m++)
					in = d->member[m] == u;
				inside = in ? 0 : count_inside(d, u, count);
				if (inside > most || (inside == most && best != NONE && inside && u < best)) {
					most = inside;
					best = u;
				}
			}
		if (best == NONE)
			break;
		d->member[count++] = best;
	}
	return count;
}

/* Whether the members are a, with nearly all links: all but one in so many. */
static bool is_group(struct dragonfly *d, uint32_t count, uint32_t one_in)
{
	uint64_t there = 0, all = (uint64_t)d->a * (d->a - 1);
	for (uint32_t i = 0; i < count && count == d->a; i++)
		there += count_inside(d, d->member[i], count);
	return count == d->a && (all - there) * one_in <= all;
}

/* Makes the groups. Returns whether all switches are of one. */
static bool find_groups(struct dragonfly *d)
{
	uint32_t n = d->part->switches, left = n, usual = d->a - 2;
	d->groups.count = 0;
	memset(d->groups.group, 0xff, n * sizeof *d->groups.group);
	for (int pass = 0; pass < 3 && left; pass++) /* without a fault; with few; with some */
		for (uint32_t v = 0; v < n; v++) {
			if (d->groups.group[v] != NONE)
				continue;
			uint32_t count = thin_out(d, gather(d, v, pass == 0 ? usual : pass == 1 ? (3 * usual + 3) / 4 : (usual + 1) / 2));
			count = pass ? fill_up(d, count) : count;
			if (!is_group(d, count, pass == 0 ? UINT32_MAX : pass == 1 ? 4 : 2))
				continue;
			for (uint32_t i = 0; i < count; i++)
				d->groups.group[d->member[i]] = d->groups.count;
			d->groups.count++;
			left -= count;
		}
	return !left;
}

static int plan_links(struct dragonfly *d, struct plan *plan, struct error *error)
{
	const struct part *part = d->part;
	uint32_t count = 0, n = part->switches;
	if (!groups_plan(&d->groups, plan, error))
		return -1;
	for (uint32_t v = 0; v < n; v++)
		for (uint32_t i = part->first[v]; i < part->first[v + 1]; i++)
			if (d->groups.group[part->neighbour[i].to] == d->groups.group[v])
				d->values[count++] = part->neighbour[i].cables;
	uint32_t parallel = most_common(d->values, count), *first = d->inside, *next = d->member; /* switches of each group */
	memset(first, 0xff, n * sizeof *first);
	for (uint32_t v = n; v--;) {
		next[v] = first[d->groups.group[v]];
		first[d->groups.group[v]] = v;
	}
	for (uint32_t v = 0; v < n; v++)
		for (uint32_t u = next[v]; u != NONE && !error->status; u = next[u])
			plan_link(plan, v, u, parallel, error);
	memcpy(d->values, part->hosts, n * sizeof *d->values);
	uint32_t p = most_common(d->values, n);
	plan->kind = "dragonfly";
	plan->parameter[0] = (struct shape_parameter){"p", 1, {p}};
	plan->parameter[1] = (struct shape_parameter){"a", 1, {d->a}};
	plan->parameter[2] = (struct shape_parameter){"h", 1, {d->groups.h}};
	plan->parameter[3] = (struct shape_parameter){"groups", 1, {d->groups.count}};
	plan->parameter[4] = (struct shape_parameter){"parallel", 1, {parallel}};
	snprintf(plan->name, sizeof plan->name, "dragonfly p=%" PRIu32 " a=%" PRIu32 " h=%" PRIu32 " of %" PRIu32 " groups", p, d->a,
		d->groups.h, d->groups.count);
	if (parallel > 1)
		snprintf(plan->name + strlen(plan->name), 60, " of %" PRIu32 " parallel cables", parallel);
	return error->status ? -1 : 0;
}

/* Tries one size of groups. */
static uint64_t guess(struct dragonfly *d, struct plan *plan, struct error *error)
{
	uint64_t allowed = deviations_allowed(d->part);
	bool fine = d->a >= 3 && d->a < d->part->switches && d->part->switches % d->a == 0 && find_groups(d);
	d->groups.size = d->a;
	if (!fine || !groups_measure(&d->groups, error) || plan_links(d, plan, error))
		return UINT64_MAX;
	return plan_deviations(d->part, plan, allowed);
}

/* Sizes by how many links have that many common neighbours. */
static void try_sizes(struct dragonfly *d, struct plan *best, struct error *error)
{
	uint32_t count = count_common(d);
	uint64_t fewest = deviations_allowed(d->part) + 1;
	for (int i = 0; i < GUESSES && count && fewest && !error->status; i++) {
		struct plan plan = {0};
		uint32_t usual = most_common(d->values, count), kept = 0;
		d->a = usual + 2;
		uint32_t *rest = d->values + d->part->first[d->part->switches] + d->part->switches; /* a second half of values */
		for (uint32_t k = 0; k < count; k++)
			if (d->values[k] != usual)
				rest[kept++] = d->values[k];
		uint64_t deviations = guess(d, &plan, error);
		memcpy(d->values, rest, kept * sizeof *rest);
		count = kept;
		if (deviations < fewest) {
			fewest = deviations;
			plan_clear(best);
			*best = plan;
		} else {
			plan_clear(&plan);
		}
	}
}

int shape_dragonfly(const struct part *part, struct plan *plan, struct error *error)
{
	size_t n = part->switches, ends = part->first[n];
	struct dragonfly d = {
		.part = part,
		.common = array_create(ends, sizeof *d.common, error),
		.member = array_create(n + 1, sizeof *d.member, error),
		.inside = array_create(n + 1, sizeof *d.inside, error),
		.values = array_create(2 * (ends + n), sizeof *d.values, error),
	};
	if (!error->status && !groups_init(&d.groups, part, error) && n > 3 && part_is_direct(part)) {
		memset(d.groups.global, true, n);
		try_sizes(&d, plan, error);
	}
	groups_clear(&d.groups);
	free(d.common);
	free(d.member);
	free(d.inside);
	free(d.values);
	return error->status ? -1 : 0;
}

/* ---- dragonfly+ */

/* Leaves of the group of one that has none yet: those with more than half of its spines. votes: [switches] all 0 */
static void gather_leaves(const struct part *part, struct groups *g, uint32_t leaf, uint32_t *votes)
{
	for (int count = 1; count >= 0; count--) /* counts, then judges and sets back */
		for (uint32_t i = part->first[leaf]; i < part->first[leaf + 1]; i++) {
			uint32_t spine = part->neighbour[i].to;
			for (uint32_t k = part->first[spine]; k < part->first[spine + 1] && g->global[spine]; k++) {
				uint32_t u = part->neighbour[k].to;
				if (count)
					votes[u]++;
				else if (!g->global[u] && g->group[u] == NONE && 2 * votes[u] > part_degree(part, leaf))
					g->group[u] = g->count;
			}
		}
	for (uint32_t i = part->first[leaf]; i < part->first[leaf + 1]; i++)
		for (uint32_t spine = part->neighbour[i].to, k = part->first[spine]; k < part->first[spine + 1]; k++)
			votes[part->neighbour[k].to] = 0;
	g->group[leaf] = g->count++;
}

/* A spine is of the group of most of its leaves. Returns whether it has any. */
static bool place_spine(const struct part *part, struct groups *g, uint32_t spine)
{
	uint32_t lead = 0;
	for (uint32_t i = part->first[spine]; i < part->first[spine + 1]; i++) {
		uint32_t leaf = part->neighbour[i].to;
		if (g->global[leaf])
			continue;
		g->group[spine] = lead ? g->group[spine] : g->group[leaf];
		lead = g->group[spine] == g->group[leaf] ? lead + 1 : lead - 1;
	}
	return g->group[spine] != NONE;
}

/* Whether all groups have as many leaves, and as many spines. size: [2][switches] */
static bool count_sizes(const struct part *part, const struct groups *g, uint32_t *size)
{
	memset(size, 0, 2 * (size_t)part->switches * sizeof *size);
	for (uint32_t v = 0; v < part->switches; v++)
		size[(g->global[v] ? part->switches : 0) + g->group[v]]++;
	for (uint32_t i = 1; i < g->count; i++)
		if (size[i] != size[0] || size[part->switches + i] != size[part->switches])
			return false;
	return size[0] > 1 && size[part->switches] > 1;
}

static bool find_leaf_groups(const struct part *part, struct groups *g, uint32_t *size)
{
	memset(g->group, 0xff, part->switches * sizeof *g->group);
	memset(size, 0, part->switches * sizeof *size);
	for (uint32_t v = 0; v < part->switches; v++)
		g->global[v] = !part->hosts[v];
	for (uint32_t v = 0; v < part->switches; v++)
		if (!g->global[v] && g->group[v] == NONE)
			gather_leaves(part, g, v, size);
	for (uint32_t v = 0; v < part->switches; v++)
		if (g->global[v] && !place_spine(part, g, v))
			return false;
	return g->count > 1 && count_sizes(part, g, size);
}

/* Within groups: each leaf with each spine. */
static int plan_leaves(const struct part *part, const struct groups *g, struct plan *plan, uint32_t *values, struct error *error)
{
	uint32_t count = 0, n = part->switches, *first = values + part->first[n], *next = first + n;
	for (uint32_t v = 0; v < n; v++)
		for (uint32_t i = part->first[v]; i < part->first[v + 1]; i++)
			if (!g->global[v] && g->global[part->neighbour[i].to] && g->group[part->neighbour[i].to] == g->group[v])
				values[count++] = part->neighbour[i].cables;
	uint32_t parallel = most_common(values, count);
	memset(first, 0xff, n * sizeof *first);
	for (uint32_t v = n; v--;)
		if (g->global[v]) {
			next[v] = first[g->group[v]];
			first[g->group[v]] = v;
		}
	for (uint32_t v = 0; v < n; v++)
		for (uint32_t u = g->global[v] ? NONE : first[g->group[v]]; u != NONE && !error->status; u = next[u])
			plan_link(plan, v, u, parallel, error);
	plan->parameter[5] = (struct shape_parameter){"parallel", 1, {parallel}};
	return error->status ? -1 : 0;
}

static void name_plus(const struct part *part, const struct groups *g, const uint32_t *size, uint32_t *values, struct plan *plan)
{
	uint32_t count = 0, leaves = size[0], spines = size[part->switches], parallel = plan->parameter[5].value[0];
	for (uint32_t v = 0; v < part->switches; v++)
		if (part->hosts[v])
			values[count++] = part->hosts[v];
	uint32_t p = most_common(values, count);
	plan->kind = "dragonfly+";
	plan->parameter[0] = (struct shape_parameter){"p", 1, {p}};
	plan->parameter[1] = (struct shape_parameter){"leaves", 1, {leaves}};
	plan->parameter[2] = (struct shape_parameter){"spines", 1, {spines}};
	plan->parameter[3] = (struct shape_parameter){"h", 1, {g->h}};
	plan->parameter[4] = (struct shape_parameter){"groups", 1, {g->count}};
	snprintf(plan->name, sizeof plan->name,
		"dragonfly+ p=%" PRIu32 " of %" PRIu32 " groups of %" PRIu32 " leaves and %" PRIu32 " spines h=%" PRIu32, p, g->count,
		leaves, spines, g->h);
	if (parallel > 1)
		snprintf(plan->name + strlen(plan->name), 60, " of %" PRIu32 " parallel cables", parallel);
}

int shape_dragonfly_plus(const struct part *part, struct plan *plan, struct error *error)
{
	struct groups g;
	size_t n = part->switches;
	uint32_t *size = array_create(2 * n, sizeof *size, error), *values = array_create(part->first[n] + 2 * n, sizeof *values, error);
	if (!groups_init(&g, part, error) && find_leaf_groups(part, &g, size)) {
		g.size = size[n];
		if (groups_measure(&g, error) && groups_plan(&g, plan, error) && !plan_leaves(part, &g, plan, values, error))
			name_plus(part, &g, size, values, plan);
	}
	groups_clear(&g);
	free(size);
	free(values);
	return error->status ? -1 : 0;
}
