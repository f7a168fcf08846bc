/*
 * Dragonfly: groups of a switches, all linked to one another. Two switches of a group have the other a - 2 as common neighbours, two of
 * different groups hardly any. Groups without deviations are found first; the remaining switches are grouped by majority. If groups are so
 * small that this may fail, they are searched for (shape_cover.h).
 */
#include "base/memory.h"
#include "shapes/shape_cover.h"
#include "shapes/shape_groups.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* LACKING: switches that a group may lack. */
enum { GUESSES = 6, LACKING = 2 };

/* Limits of the search, in all and for one kind of groups; and of grouping by majority. */
#define WORK UINT64_C(100000000)
#define STEPS UINT64_C(1000000000)
#define WORK_AT_ONCE UINT64_C(20000000)

struct dragonfly {
	const struct part *part;
	struct groups groups;
	uint32_t a;
	uint32_t parallel; /* cables of most links */
	uint64_t fewest;   /* deviations of the plan, or the limit + 1 */
	uint64_t work;     /* left for the search */
	uint64_t steps;    /* left for grouping by majority */
	uint32_t *votes;   /* [switches] number of members that are neighbours of the switch; 0 between groups */
	bool *in;          /* [switches] is a member */
	uint32_t *common;  /* [first[switches]] common neighbours of the two ends */
	uint32_t *member;  /* [switches] members of the current group */
	uint32_t *inside;  /* [switches] temporary */
	uint32_t *values;  /* [first[switches] + switches] temporary */
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

/* Lists the switch and its ungrouped neighbours that have at least that many common neighbours with it. Returns their number. */
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

static void spend(struct dragonfly *d, uint64_t steps)
{
	d->steps -= steps < d->steps ? steps : d->steps;
}

/* Updates, for each switch, the number of members that are its neighbours: plus or minus one. */
static void vote(struct dragonfly *d, uint32_t member, bool more)
{
	const struct part *part = d->part;
	for (uint32_t i = part->first[member]; i < part->first[member + 1]; i++)
		d->votes[part->neighbour[i].to] += more ? 1U : UINT32_MAX;
	d->in[member] = more;
	spend(d, part->first[member + 1] - part->first[member]);
}

static void vote_all(struct dragonfly *d, uint32_t count, bool more)
{
	for (uint32_t i = 0; i < count; i++)
		vote(d, d->member[i], more);
}

/* Removes members, those with the fewest neighbours among the members first, until size are left. All members have voted. */
static uint32_t thin_out(struct dragonfly *d, uint32_t count, uint32_t size)
{
	for (; count > size; count--) {
		uint32_t worst = 1;
		for (uint32_t i = 2; i < count; i++)
			worst = d->votes[d->member[i]] < d->votes[d->member[worst]] ? i : worst;
		vote(d, d->member[worst], false);
		d->member[worst] = d->member[count - 1];
		spend(d, count);
	}
	return count;
}

/* Adds neighbours of members that are linked to more than half of the members, those linked to most first, until there are size members. */
static uint32_t fill_up(struct dragonfly *d, uint32_t count, uint32_t size)
{
	const struct part *part = d->part;
	while (count < size) {
		uint32_t best = NONE, most = count / 2;
		for (uint32_t i = 0; i < count && i < 3; i++) /* a neighbour of most members is a neighbour of one of these */
			for (uint32_t v = d->member[i], k = part->first[v]; k < part->first[v + 1]; k++) {
				uint32_t u = part->neighbour[k].to, inside = d->in[u] || d->groups.group[u] != NONE ? 0 : d->votes[u];
				if (inside > most || (inside == most && best != NONE && inside && u < best)) {
					most = inside;
					best = u;
				}
			}
		if (best == NONE)
			break;
		d->member[count++] = best;
		vote(d, best, true);
	}
	return count;
}

/* Returns whether there are size members, who have voted, with all but one in one_in of their links. */
static bool is_group(const struct dragonfly *d, uint32_t count, uint32_t size, uint32_t one_in)
{
	uint64_t there = 0, all = (uint64_t)size * (size - 1);
	for (uint32_t i = 0; i < count && count == size; i++)
		there += d->votes[d->member[i]];
	return count == size && (all - there) * one_in <= all;
}

/*
 * Groups ungrouped switches: in pass 0 without deviations, in later passes with few, then with some. Returns the number of switches
 * grouped.
 */
static uint32_t make_groups(struct dragonfly *d, uint32_t size, int pass)
{
	uint32_t usual = d->a - 2, made = 0, least = pass == 0 ? usual : pass == 1 ? (3 * usual + 3) / 4 : (usual + 1) / 2;
	least = least > d->a - size ? least - (d->a - size) : 0;
	for (uint32_t v = 0; v < d->part->switches && d->steps; v++) {
		if (d->groups.group[v] != NONE)
			continue;
		uint32_t count = gather(d, v, least);
		vote_all(d, count, true);
		count = thin_out(d, count, size);
		count = pass ? fill_up(d, count, size) : count;
		bool group = is_group(d, count, size, pass == 0 ? UINT32_MAX : pass == 1 ? 4 : 2);
		vote_all(d, count, false);
		if (!group)
			continue;
		for (uint32_t i = 0; i < count; i++)
			d->groups.group[d->member[i]] = d->groups.count;
		d->groups.count++;
		made += count;
	}
	return made;
}

/* Groups all switches; groups that lack a switch come last. Returns whether all switches have a group. */
static bool find_groups(struct dragonfly *d)
{
	uint32_t n = d->part->switches, left = n;
	d->groups.count = 0;
	memset(d->groups.group, 0xff, n * sizeof *d->groups.group);
	uint32_t most = missing_allowed(d->part) < LACKING ? missing_allowed(d->part) : LACKING;
	for (int pass = 0; pass < (d->part->whole ? 1 : 3) && left; pass++)
		for (uint32_t lacking = 0; lacking <= (pass ? most : 0) && lacking + 2 < d->a && left; lacking++)
			left -= make_groups(d, d->a - lacking, pass);
	return !left;
}

/* Adds missing switches to incomplete groups. Returns whether that completes all groups. */
static bool add_switches(struct dragonfly *d)
{
	struct groups *g = &d->groups;
	uint32_t n = d->part->switches, *size = d->inside, next = n;
	if ((uint64_t)g->count * d->a < n || (uint64_t)g->count * d->a - n > missing_allowed(d->part))
		return false;
	g->missing = g->count * d->a - n;
	memset(size, 0, g->count * sizeof *size);
	for (uint32_t v = 0; v < n; v++)
		size[g->group[v]]++;
	for (uint32_t i = 0; i < g->count; i++)
		for (; size[i] < d->a; size[i]++) {
			if (next == n + g->missing)
				return false;
			g->global[next] = true;
			g->group[next++] = i;
		}
	return true;
}

static int plan_links(struct dragonfly *d, struct plan *plan, struct error *error)
{
	const struct part *part = d->part;
	uint32_t count = 0, n = part->switches, places = n + d->groups.missing;
	if (!groups_plan(&d->groups, plan, error))
		return -1;
	for (uint32_t v = 0; v < n; v++)
		for (uint32_t i = part->first[v]; i < part->first[v + 1]; i++)
			if (d->groups.group[part->neighbour[i].to] == d->groups.group[v])
				d->values[count++] = part->neighbour[i].cables;
	uint32_t parallel = most_common(d->values, count), *first = d->inside, *next = d->member; /* switches of each group */
	memset(first, 0xff, places * sizeof *first);
	for (uint32_t v = places; v--;) {
		next[v] = first[d->groups.group[v]];
		first[d->groups.group[v]] = v;
	}
	for (uint32_t v = 0; v < places; v++)
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

/* Makes plans for the groups and keeps the one with the fewest deviations. */
static void try_groups(struct dragonfly *d, struct plan *best, struct error *error)
{
	d->groups.size = d->a;
	if (!add_switches(d))
		return;
	for (int guess = 0; guess < GROUPS_GUESSES && d->fewest && !error->status; guess++) {
		struct plan plan = {0};
		if (groups_measure(&d->groups, guess, error))
			plan_links(d, &plan, error);
		groups_keep(d->part, best, &plan, &d->fewest);
	}
}

/* Tries group sizes, in the order of how many links have that number of common neighbours. */
static void try_sizes(struct dragonfly *d, struct plan *best, struct error *error)
{
	uint32_t count = count_common(d);
	for (int i = 0; i < GUESSES && count && d->fewest && !error->status; i++) {
		uint32_t usual = most_common(d->values, count), kept = 0;
		uint32_t *rest = d->values + d->part->first[d->part->switches] + 2 * d->part->switches; /* the second half of values */
		for (uint32_t k = 0; k < count; k++)
			if (d->values[k] != usual)
				rest[kept++] = d->values[k];
		d->a = usual + 2;
		if (d->a < d->part->switches && find_groups(d))
			try_groups(d, best, error);
		memcpy(d->values, rest, kept * sizeof *rest);
		count = kept;
	}
}

/* Returns the number of cables between any two groups if the groups are full meshes, with `more` cables added. */
static uint64_t cables_between(const struct dragonfly *d, uint64_t more)
{
	uint64_t n = d->part->switches, count = d->groups.count, inside = n * (d->a - 1) / 2 * d->parallel;
	return d->part->cables + more < inside ? 0 : (d->part->cables + more - inside) / (count * (count - 1) / 2);
}

/* Searches for small groups with that many cables between any two: first without deviations, then with more and more. */
static void try_cover(struct dragonfly *d, uint32_t between, struct plan *best, struct error *error)
{
	uint64_t most = deviations_allowed(d->part), allowed = 0;
	do {
		uint64_t some = d->work < WORK_AT_ONCE ? d->work : WORK_AT_ONCE, left = some;
		if (cover_find(&d->groups, d->a, d->parallel, between, allowed, &left, error))
			try_groups(d, best, error);
		d->work -= some - left;
		allowed = allowed ? 2 * allowed : 1;
		allowed = allowed > most && allowed < 2 * most ? most : allowed;
	} while (allowed <= most && allowed < d->fewest && d->work && !error->status);
}

static void try_covers(struct dragonfly *d, struct plan *best, struct error *error)
{
	uint32_t n = d->part->switches;
	uint64_t allowed = deviations_allowed(d->part);
	for (uint32_t i = 0; i < d->part->first[n]; i++)
		d->values[i] = d->part->neighbour[i].cables;
	d->parallel = most_common(d->values, d->part->first[n]);
	for (uint32_t a = 3; a <= COVER_SIZE && d->fewest && d->work; a++)
		for (uint32_t missing = (a - n % a) % a; missing <= missing_allowed(d->part) && a < n; missing += a) {
			d->a = a;
			d->groups.missing = missing;
			d->groups.count = (n + missing) / a;
			uint64_t most = cables_between(d, allowed + (uint64_t)missing * n / a), between = cables_between(d, 0);
			for (between += !between; between <= most && d->fewest && !error->status; between++)
				try_cover(d, (uint32_t)between, best, error);
		}
}

/* Returns the least number of deviations: cables that switches have fewer than most have. */
static uint64_t count_lacking(struct dragonfly *d)
{
	const struct part *part = d->part;
	uint64_t lacking = 0;
	for (uint32_t v = 0; v < part->switches; v++)
		for (uint32_t i = part->first[v] + (d->inside[v] = 0); i < part->first[v + 1]; i++)
			d->inside[v] += part->neighbour[i].cables;
	memcpy(d->values, d->inside, part->switches * sizeof *d->values);
	uint32_t usual = most_common(d->values, part->switches);
	for (uint32_t v = 0; v < part->switches; v++)
		lacking += d->inside[v] < usual ? usual - d->inside[v] : 0;
	return (lacking + 1) / 2;
}

int shape_dragonfly(const struct part *part, struct plan *plan, struct error *error)
{
	size_t n = part->switches, ends = part->first[n], places = n + missing_allowed(part);
	struct dragonfly d = {
		.part = part,
		.fewest = deviations_allowed(part) + 1,
		.work = part->switches <= COVER_SWITCHES ? WORK : 0,
		.steps = STEPS,
		.votes = array_create(n, sizeof *d.votes, error),
		.in = array_create(n, sizeof *d.in, error),
		.common = array_create(ends, sizeof *d.common, error),
		.member = array_create(places + 1, sizeof *d.member, error),
		.inside = array_create(places + 1, sizeof *d.inside, error),
		.values = array_create(2 * (ends + 2 * n), sizeof *d.values, error),
	};
	if (!error->status && !groups_init(&d.groups, part, error) && n > 3 && part_is_direct(part)) {
		memset(d.groups.global, true, n);
		try_sizes(&d, plan, error);
		if (!plan->kind || d.fewest > count_lacking(&d))
			try_covers(&d, plan, error);
	}
	groups_clear(&d.groups);
	free(d.votes);
	free(d.in);
	free(d.common);
	free(d.member);
	free(d.inside);
	free(d.values);
	return error->status ? -1 : 0;
}
