/* Dragonfly+: groups of leaves, which have the hosts, linked to all spines of the group; spines are linked to spines of other groups. */
#include "base/memory.h"
#include "shapes/shape_groups.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Groups leaves with one that has no group yet: those linked to more than half of its spines. votes: [switches] all 0 */
static void gather_leaves(const struct part *part, struct groups *g, uint32_t leaf, uint32_t *votes)
{
	for (int count = 1; count >= 0; count--) /* first pass counts, second decides and resets */
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

/* Puts a spine into the group of most of its leaves. Returns whether it has leaves. */
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

/*
 * Finds the largest numbers per group: leaves in size[0], spines in size[switches]; missing switches are added to other groups. size:
 * [2][switches]. Returns whether these are not too many.
 */
static bool count_sizes(const struct part *part, struct groups *g, uint32_t *size)
{
	uint32_t n = part->switches, most[2] = {0};
	memset(size, 0, 2 * (size_t)n * sizeof *size);
	for (uint32_t v = 0; v < n; v++) {
		uint32_t *count = &size[(g->global[v] ? n : 0) + g->group[v]];
		++*count;
		most[g->global[v]] = *count > most[g->global[v]] ? *count : most[g->global[v]];
	}
	g->missing = 0;
	for (int spines = 0; spines < 2; spines++)
		for (uint32_t i = 0; i < g->count; i++)
			for (uint32_t there = size[spines * (size_t)n + i]; there < most[spines]; there++) {
				if (g->missing == missing_allowed(part))
					return false;
				g->global[n + g->missing] = spines;
				g->group[n + g->missing++] = i;
			}
	size[0] = most[0];
	size[n] = most[1];
	return size[0] > 1 && size[n] > 1;
}

static bool find_leaf_groups(const struct part *part, struct groups *g, uint32_t *size)
{
	memset(g->group, 0xff, part->switches * sizeof *g->group);
	memset(size, 0, part->switches * sizeof *size);
	for (uint32_t v = 0; v < part->switches; v++)
		g->global[v] = part->hosts[v] > 0; /* leaves only, so far */
	part_mark_alike(part, g->global, size);
	for (uint32_t v = 0; v < part->switches; v++)
		g->global[v] = !g->global[v];
	for (uint32_t v = 0; v < part->switches; v++)
		if (!g->global[v] && g->group[v] == NONE)
			gather_leaves(part, g, v, size);
	for (uint32_t v = 0; v < part->switches; v++)
		if (g->global[v] && !place_spine(part, g, v))
			return false;
	return g->count > 1 && count_sizes(part, g, size);
}

/* Plans the links within groups: each leaf with each spine. Returns 0, or -1. */
static int plan_leaves(const struct part *part, const struct groups *g, struct plan *plan, uint32_t *values, struct error *error)
{
	uint32_t count = 0, n = part->switches, places = n + g->missing, *first = values + part->first[n], *next = first + places;
	for (uint32_t v = 0; v < n; v++)
		for (uint32_t i = part->first[v]; i < part->first[v + 1]; i++)
			if (!g->global[v] && g->global[part->neighbour[i].to] && g->group[part->neighbour[i].to] == g->group[v])
				values[count++] = part->neighbour[i].cables;
	uint32_t parallel = most_common(values, count);
	memset(first, 0xff, places * sizeof *first);
	for (uint32_t v = places; v--;)
		if (g->global[v]) {
			next[v] = first[g->group[v]];
			first[g->group[v]] = v;
		}
	for (uint32_t v = 0; v < places; v++)
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
	size_t n = part->switches, places = n + missing_allowed(part);
	uint64_t fewest = deviations_allowed(part) + 1;
	uint32_t *size = array_create(2 * n, sizeof *size, error);
	uint32_t *values = array_create(part->first[n] + 2 * places, sizeof *values, error);
	bool fine = !groups_init(&g, part, error) && size && values && find_leaf_groups(part, &g, size);
	g.size = fine ? size[n] : 0;
	for (int guess = 0; guess < GROUPS_GUESSES && fine && fewest && !error->status; guess++) {
		struct plan found = {0};
		if (groups_measure(&g, guess, error) && groups_plan(&g, &found, error) && !plan_leaves(part, &g, &found, values, error))
			name_plus(part, &g, size, values, &found);
		groups_keep(part, plan, &found, &fewest);
	}
	groups_clear(&g);
	free(size);
	free(values);
	return error->status ? -1 : 0;
}
