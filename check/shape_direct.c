/* Shapes of switches that all have hosts, and no coordinates: full mesh and dragonfly. */
#include "shape_part.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What most links have. values: [part->first[switches]] for the while. */
static uint32_t usual_cables(const struct part *part, uint32_t *values)
{
	uint32_t count = part->first[part->switches];
	for (uint32_t i = 0; i < count; i++)
		values[i] = part->neighbour[i].cables;
	return most_common(values, count);
}

int shape_full_mesh(const struct part *part, struct plan *plan, struct error *error)
{
	uint64_t pairs = (uint64_t)part->switches * (part->switches - 1) / 2;
	uint32_t *values = array_create(part->first[part->switches], sizeof *values, error);
	if (values && part->switches > 1 && pairs <= part->links + deviations_allowed(part)) {
		uint32_t cables = usual_cables(part, values);
		plan->kind = "full mesh";
		plan->parameter[0] = (struct shape_parameter){"switches", 1, {part->switches}};
		plan->parameter[1] = (struct shape_parameter){"parallel", 1, {cables}};
		snprintf(plan->name, sizeof plan->name, "full mesh of %" PRIu32 " switches", part->switches);
		if (cables > 1)
			snprintf(plan->name + strlen(plan->name), 60, " with %" PRIu32 " cables between two", cables);
		for (uint32_t a = 0; a < part->switches; a++)
			for (uint32_t b = a + 1; b < part->switches && !error->status; b++)
				plan_link(plan, a, b, cables, error);
	}
	free(values);
	return error->status ? -1 : 0;
}

/* ---- dragonfly */

struct dragonfly {
	const struct part *part;
	uint32_t a, h, groups, between; /* between: cables of two groups */
	uint32_t *common;               /* [first[switches]] common neighbours of the two ends */
	uint32_t *group;                /* [switches] */
	uint32_t *size;                 /* [groups] */
	uint32_t *values;               /* [first[switches] + switches] for the while */
};

/* The two ends of a local link have the group's other a - 2 switches in common; most other links have hardly any. */
static void count_common(struct dragonfly *d)
{
	const struct part *part = d->part;
	uint32_t count = 0;
	for (uint32_t v = 0; v < part->switches; v++)
		for (uint32_t i = part->first[v]; i < part->first[v + 1]; i++) {
			d->common[i] = part_common(part, v, part->neighbour[i].to);
			if (d->common[i])
				d->values[count++] = d->common[i];
		}
	d->a = most_common(d->values, count) + 2;
}

/* Whether a switch and its neighbours that may be of its group are one, as it should be; writes them to values. */
static bool is_group(const struct dragonfly *d, uint32_t v)
{
	const struct part *part = d->part;
	uint32_t count = 0;
	d->values[count++] = v;
	for (uint32_t i = part->first[v]; i < part->first[v + 1]; i++)
		if (d->common[i] + 2 >= d->a && d->size[part->neighbour[i].to] == 1)
			d->values[count++] = part->neighbour[i].to;
	if (count != d->a)
		return false;
	for (uint32_t i = 1; i < count; i++)
		for (uint32_t k = 1; k < i; k++)
			if (!part_cables(part, d->values[i], d->values[k]))
				return false;
	return true;
}

/* Groups without a fault; each is called by one of its switches, which also makes a group of every other switch. */
static void find_groups(struct dragonfly *d)
{
	for (uint32_t v = 0; v < d->part->switches; v++) {
		d->group[v] = v;
		d->size[v] = 1;
	}
	for (uint32_t v = 0; v < d->part->switches; v++)
		if (d->size[v] == 1 && is_group(d, v)) {
			for (uint32_t i = 0; i < d->a; i++) {
				d->group[d->values[i]] = v;
				d->size[d->values[i]] = 0;
			}
			d->size[v] = d->a;
		}
}

/* A switch that lacks a local cable, and those beside it, are in pieces of a group, which are put together by what they are joined to most.
 */
static void join_pieces(struct dragonfly *d)
{
	const struct part *part = d->part;
	for (uint32_t v = 0; v < part->switches; v++) {
		uint32_t best = NONE, most = 0;
		if (d->size[d->group[v]] >= d->a)
			continue;
		for (uint32_t i = part->first[v]; i < part->first[v + 1]; i++) {
			uint32_t g = d->group[part->neighbour[i].to], same = 0;
			if (g == d->group[v] || d->size[g] + d->size[d->group[v]] > d->a)
				continue;
			for (uint32_t k = part->first[v]; k < part->first[v + 1]; k++)
				same += d->group[part->neighbour[k].to] == g;
			if (same > most) {
				most = same;
				best = g;
			}
		}
		uint32_t old = d->group[v];
		if (best == NONE)
			continue;
		for (uint32_t u = 0; u < part->switches; u++)
			if (d->group[u] == old) {
				d->group[u] = best;
				d->size[old]--;
				d->size[best]++;
			}
	}
}

/* Numbers the groups 0.. in the order of their first switches. Returns whether all have a switches. */
static bool number_groups(struct dragonfly *d)
{
	uint32_t *number = d->values;
	memset(number, 0xff, d->part->switches * sizeof *number);
	for (uint32_t v = 0; v < d->part->switches; v++) {
		if (d->size[d->group[v]] != d->a)
			return false;
		if (number[d->group[v]] == NONE)
			number[d->group[v]] = d->groups++;
	}
	for (uint32_t v = 0; v < d->part->switches; v++)
		d->group[v] = number[d->group[v]];
	return d->groups > 1;
}

/* Cables of most switches to other groups, and of most pairs of groups. matrix: [groups][groups] */
static bool count_global(struct dragonfly *d, uint32_t *matrix, struct error *error)
{
	const struct part *part = d->part;
	for (uint32_t v = 0; v < part->switches; v++) {
		d->values[v] = 0;
		for (uint32_t i = part->first[v]; i < part->first[v + 1]; i++) {
			uint32_t g = d->group[v], k = d->group[part->neighbour[i].to];
			if (g == k)
				continue;
			d->values[v] += part->neighbour[i].cables;
			matrix[(size_t)g * d->groups + k] += part->neighbour[i].cables;
		}
	}
	d->h = most_common(d->values, part->switches);
	uint32_t count = 0, *pairs = array_create((size_t)d->groups * d->groups, sizeof *pairs, error);
	for (uint32_t g = 0; g < d->groups && pairs; g++)
		for (uint32_t k = g + 1; k < d->groups; k++)
			pairs[count++] = matrix[(size_t)g * d->groups + k];
	d->between = pairs ? most_common(pairs, count) : 0;
	free(pairs);
	return d->between && (uint64_t)d->a * d->h == (uint64_t)d->between * (d->groups - 1);
}

/* A switch of the group that has fewer cables to other groups than it should; NONE if there is none. */
static uint32_t with_free_port(const struct dragonfly *d, uint32_t group, const uint32_t *global)
{
	for (uint32_t v = 0; v < d->part->switches; v++)
		if (d->group[v] == group && global[v] < d->h)
			return v;
	return NONE;
}

/*
 * All local links; of the cables between two groups those that are there, but no more than there should be: of too many, first those go
 * whose two ends have too many. What is missing is between switches with a free port.
 */
static int plan_links(struct dragonfly *d, uint32_t *matrix, struct plan *plan, struct error *error)
{
	const struct part *part = d->part;
	uint32_t *global = array_create(part->switches, sizeof *global, error);
	for (uint32_t v = 0; v < part->switches && global; v++)
		for (uint32_t i = part->first[v]; i < part->first[v + 1]; i++)
			if (d->group[part->neighbour[i].to] != d->group[v])
				global[v] += part->neighbour[i].cables;
	for (uint32_t v = 0; v < part->switches && !error->status; v++)
		for (uint32_t i = part->first[v]; i < part->first[v + 1] && !error->status; i++) {
			uint32_t u = part->neighbour[i].to, cables = part->neighbour[i].cables;
			if (u < v || d->group[u] == d->group[v])
				continue;
			uint32_t *pair = &matrix[(size_t)d->group[v] * d->groups + d->group[u]];
			uint32_t *turned = &matrix[(size_t)d->group[u] * d->groups + d->group[v]];
			for (; cables && *pair > d->between && global[u] > d->h && global[v] > d->h; cables--) {
				--*pair;
				--*turned;
				global[u]--;
				global[v]--;
			}
			if (cables)
				plan_link(plan, v, u, cables, error);
		}
	for (uint32_t v = 0; v < part->switches && !error->status; v++)
		for (uint32_t u = v + 1; u < part->switches && !error->status; u++)
			if (d->group[u] == d->group[v])
				plan_link(plan, v, u, 1, error);
	for (uint32_t g = 0; g < d->groups && !error->status; g++)
		for (uint32_t k = g + 1; k < d->groups && !error->status; k++)
			while (matrix[(size_t)g * d->groups + k] < d->between && !error->status) {
				uint32_t v = with_free_port(d, g, global), u = with_free_port(d, k, global);
				if (v == NONE || u == NONE || part_cables(part, v, u)) {
					plan->kind = NULL; /* no way to tell which cable should be there */
					g = d->groups;
					break;
				}
				global[v]++;
				global[u]++;
				matrix[(size_t)g * d->groups + k]++;
				plan_link(plan, v, u, 1, error);
			}
	free(global);
	return error->status ? -1 : 0;
}

/* Whether every pair of groups that has another number of cables than most is within what may deviate. */
static bool is_near(const struct dragonfly *d, const uint32_t *matrix)
{
	uint64_t off = 0;
	for (uint32_t g = 0; g < d->groups; g++)
		for (uint32_t k = g + 1; k < d->groups; k++) {
			uint32_t cables = matrix[(size_t)g * d->groups + k];
			off += cables > d->between ? cables - d->between : d->between - cables;
		}
	return off <= deviations_allowed(d->part);
}

static int recognise(struct dragonfly *d, struct plan *plan, struct error *error)
{
	count_common(d);
	if (d->a < 3 || d->a >= d->part->switches)
		return 0;
	find_groups(d);
	join_pieces(d);
	if (!number_groups(d))
		return 0;
	uint32_t *matrix = array_create((size_t)d->groups * d->groups, sizeof *matrix, error);
	if (matrix && count_global(d, matrix, error) && is_near(d, matrix)) {
		memcpy(d->values, d->part->hosts, d->part->switches * sizeof *d->values);
		uint32_t p = most_common(d->values, d->part->switches);
		plan->kind = "dragonfly";
		plan->parameter[0] = (struct shape_parameter){"p", 1, {p}};
		plan->parameter[1] = (struct shape_parameter){"a", 1, {d->a}};
		plan->parameter[2] = (struct shape_parameter){"h", 1, {d->h}};
		plan->parameter[3] = (struct shape_parameter){"groups", 1, {d->groups}};
		snprintf(plan->name, sizeof plan->name, "dragonfly p=%" PRIu32 " a=%" PRIu32 " h=%" PRIu32 " of %" PRIu32 " groups", p,
			d->a, d->h, d->groups);
		plan_links(d, matrix, plan, error);
	}
	free(matrix);
	return error->status ? -1 : 0;
}

int shape_dragonfly(const struct part *part, struct plan *plan, struct error *error)
{
	size_t n = part->switches, ends = part->first[n];
	struct dragonfly d = {
		.part = part,
		.common = array_create(ends, sizeof *d.common, error),
		.group = array_create(n, sizeof *d.group, error),
		.size = array_create(n, sizeof *d.size, error),
		.values = array_create(ends + n, sizeof *d.values, error),
	};
	if (!error->status)
		recognise(&d, plan, error);
	free(d.common);
	free(d.group);
	free(d.size);
	free(d.values);
	return error->status ? -1 : 0;
}
