#include "base/memory.h"
#include "shapes/shape_part.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int single_switch(const struct part *part, struct plan *plan, struct error *error)
{
	(void)error;
	if (part->switches == 1) {
		plan->kind = "single switch";
		snprintf(plan->name, sizeof plan->name, "%s", plan->kind);
	}
	return 0;
}

/* Finds the plan with the fewest deviations, the first of several. Its kind is NULL if none is near enough. Returns 0, or -1. */
static int search_plans(const struct part *part, struct plan *best, struct error *error)
{
	static int (*const recogniser[])(const struct part *, struct plan *, struct error *) = {single_switch, shape_tree, shape_full_mesh,
		shape_torus, shape_hyperx, shape_dragonfly, shape_dragonfly_plus, shape_slimfly};
	uint64_t fewest = UINT64_MAX;
	*best = (struct plan){0};
	for (size_t i = 0;
		i < sizeof recogniser / sizeof *recogniser && fewest && !error->status && part->strays <= deviations_allowed(part); i++) {
		struct plan plan = {0};
		recogniser[i](part, &plan, error);
		uint64_t all = plan.kind && !error->status ? plan_cost(part, &plan) : UINT64_MAX;
		if (all < fewest) {
			fewest = all;
			plan_clear(best);
			*best = plan;
		} else {
			plan_clear(&plan);
		}
	}
	return error->status ? -1 : 0;
}

/*
 * Finds the plan. A first search looks for shapes without any deviation, which does not depend on the order of the switches. A shape with
 * deviations requires an order that depends on the cabling alone; if there is none, the part has no shape, so that the result never depends
 * on the order.
 */
static int find_plan(struct part *part, struct plan *best, struct error *error)
{
	part->whole = true;
	if (search_plans(part, best, error) || best->kind)
		return error->status ? -1 : 0;
	part->whole = false;
	int ordered = part_renumber(part, error);
	return ordered > 0 ? 0 : ordered ? -1 : search_plans(part, best, error);
}

/* The cables between two nodes, by their channels: the first channel of each cable, and where the search for the next one starts. */
struct cables_between {
	uint32_t u, v, at;
	bool turned;
};

/* Returns the next cable's channel, which must exist. */
static uint32_t next_cable(struct cables_between *b, const struct fabric *f, const uint32_t *reverse)
{
	for (;; b->turned = true, b->at = f->first_channel[b->v])
		for (uint32_t from = b->turned ? b->v : b->u, to = b->turned ? b->u : b->v; b->at < f->first_channel[from + 1]; b->at++)
			if (f->head[b->at] == to && reverse[b->at] != NONE && reverse[b->at] > b->at)
				return b->at++;
}

static int keep(struct shape *shape, size_t *capacity, struct deviation deviation, struct error *error)
{
	if (array_grow(&shape->deviation, capacity, (size_t)shape->deviations + 1, sizeof *shape->deviation, error))
		return -1;
	shape->deviation[shape->deviations++] = deviation;
	return 0;
}

static int keep_deviations(struct shape *shape, size_t *capacity, const struct cabling_parts *parts, const struct part *part,
	const struct plan *plan, struct error *error)
{
	const struct fabric *f = parts->fabric;
	struct walk_links walk = {.part = part, .plan = plan};
	struct difference d;
	for (uint32_t i = 0; i < part->strays; i++)
		keep(shape, capacity, (struct deviation){fabric_tail(f, part->stray[i]), f->head[part->stray[i]], part->stray[i]}, error);
	while (!error->status && next_difference(&walk, &d)) {
		uint32_t from = d.a < part->switches ? part->node[d.a] : NONE, to = d.b < part->switches ? part->node[d.b] : NONE;
		struct cables_between between = {from, to, 0, false};
		if (d.there) {
			between.at = f->first_channel[from];
			for (uint32_t k = 0; k < d.wanted && k < d.there; k++)
				next_cable(&between, f, parts->reverse);
		}
		for (uint32_t k = d.there; k < d.wanted; k++)
			keep(shape, capacity, (struct deviation){from < to ? from : to, from < to ? to : from, NONE}, error);
		for (uint32_t k = d.wanted; k < d.there && !error->status; k++)
			keep(shape, capacity, (struct deviation){from, to, next_cable(&between, f, parts->reverse)}, error);
	}
	shape->missing_switches += plan->missing;
	return error->status ? -1 : 0;
}

/* Compares for qsort: missing cables first, by their ends, then the others by their channels. */
static int compare_deviations(const void *left, const void *right)
{
	const struct deviation *x = left, *y = right;
	if ((x->channel == NONE) != (y->channel == NONE))
		return x->channel == NONE ? -1 : 1;
	if (x->channel != y->channel)
		return x->channel < y->channel ? -1 : 1;
	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	return x->to < y->to ? -1 : x->to > y->to;
}

static void count_host_range(struct shape *shape, const struct cabling_parts *parts, uint32_t index)
{
	for (uint32_t i = parts->first[index]; i < parts->first[index + 1]; i++) {
		uint32_t hosts = parts->switch_hosts[parts->member[i]];
		if (hosts && (!shape->least_hosts || hosts < shape->least_hosts))
			shape->least_hosts = hosts;
		if (hosts > shape->most_hosts)
			shape->most_hosts = hosts;
	}
}

/* Returns whether a switch has no hosts: allowed only for a leaf of a tree. */
static bool has_bare_leaf(const struct shape *shape, const struct fabric *fabric, const struct cabling_parts *parts)
{
	bool bare = false;
	for (uint32_t v = 0; v < fabric->nodes && shape->level && !bare; v++)
		bare = parts->part[v] != NONE && !shape->level[v] && !parts->switch_hosts[v];
	return bare;
}

static bool same_parameters(const struct shape_parameter *a, const struct shape_parameter *b)
{
	for (int i = 0; i < SHAPE_PARAMETERS; i++)
		if (a[i].count != b[i].count || memcmp(a[i].value, b[i].value, a[i].count * sizeof *a[i].value))
			return false;
	return true;
}

/* Adds the result of one part. Returns whether all parts so far have the same shape. */
static bool add_plan(
	struct shape *shape, const struct fabric *fabric, const struct part *part, const struct plan *plan, struct error *error)
{
	if (!plan->kind || (shape->planes && (strcmp(shape->name, plan->name) || !same_parameters(shape->parameter, plan->parameter))))
		return false;
	if (!shape->planes++) {
		shape->kind = plan->kind;
		shape->regular = true;
		snprintf(shape->name, sizeof shape->name, "%s", plan->name);
		memcpy(shape->parameter, plan->parameter, sizeof shape->parameter);
		if (plan->level)
			shape->level = array_create(fabric->nodes, sizeof *shape->level, error);
		if (plan->place)
			shape->place = array_create(fabric->nodes, sizeof *shape->place, error);
		shape->dimensions = plan->dimensions;
		memcpy(shape->grid, plan->grid, sizeof shape->grid);
	}
	for (uint32_t a = 0; a < part->switches && shape->level; a++)
		shape->level[part->node[a]] = plan->level[a];
	for (uint32_t a = 0; a < part->switches && shape->place && plan->place; a++)
		shape->place[part->node[a]] = plan->place[a];
	return true;
}

int shape_find(struct shape *shape, const struct fabric *fabric, const uint32_t *reverse, struct error *error)
{
	struct cabling_parts parts;
	size_t capacity = 0;
	*shape = (struct shape){.kind = "irregular", .name = "no switches"};
	bool regular = !parts_find(&parts, fabric, reverse, error) && parts.planes;
	for (uint32_t i = 0; i < parts.parts && !error->status; i++) {
		struct part part = {0};
		struct plan plan = {0};
		count_host_range(shape, &parts, i);
		regular = regular && !part_make(&part, &parts, i, error) && !find_plan(&part, &plan, error) &&
			  add_plan(shape, fabric, &part, &plan, error) && !keep_deviations(shape, &capacity, &parts, &part, &plan, error);
		plan_clear(&plan);
		part_clear(&part);
	}
	if (regular && has_bare_leaf(shape, fabric, &parts))
		shape->least_hosts = 0;
	if (shape->deviations)
		qsort(shape->deviation, shape->deviations, sizeof *shape->deviation, compare_deviations);
	if (!regular) {
		uint32_t least = shape->least_hosts, most = shape->most_hosts;
		shape_clear(shape);
		*shape = (struct shape){
			.kind = "irregular", .name = "irregular", .planes = parts.parts, .least_hosts = least, .most_hosts = most};
		if (!parts.planes) { /* one network, not several planes */
			snprintf(shape->name, sizeof shape->name, "irregular%s", parts.parts ? ": hosts join hosts or switches" : "");
			shape->planes = 1;
		}
	}
	shape_parts_clear(&parts);
	return error->status ? -1 : 0;
}

void shape_clear(struct shape *shape)
{
	free(shape->deviation);
	free(shape->level);
	free(shape->place);
	*shape = (struct shape){0};
}
