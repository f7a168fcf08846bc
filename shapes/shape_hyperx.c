/*
 * A product of full meshes (Bhuyan, Agrawal 1984; Ahn, Binkert, Davis, McLaren, Schreiber 2009), and the full mesh itself. Two neighbours
 * of a switch are in the same row if they are linked, otherwise in different rows: the rows through an origin correspond to the lines of a
 * torus. An origin with deviating cables does not work, so several are tried.
 */
#include "base/memory.h"
#include "shapes/shape_grid.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DIMENSIONS = SHAPE_VALUES, ORIGINS = 64, PLACED_ORIGINS = 8 };

struct hyperx {
	const struct part *part;
	uint32_t dimensions, length[DIMENSIONS];
	uint32_t *line; /* [first of switches + DIMENSIONS] all rows one after the other, each with the origin */
	uint32_t *row;  /* [switches] row of a neighbour of the origin, NONE for all others */
};

/* Returns whether the switch is linked to most of a row. */
static bool joined_to_most(const struct part *part, uint32_t v, const uint32_t *row, uint32_t length)
{
	uint32_t joined = 0, apart = 0;
	for (uint32_t i = 0; i < length && 2 * apart < length; i++) {
		bool cable = part_cables(part, v, row[i]) > 0;
		joined += cable;
		apart += !cable;
	}
	return joined > 1 && 2 * joined > length;
}

/* Adds the switches whose cable to the origin is missing: those linked to most others of the row. Returns the row's end. */
static uint32_t complete_row(struct hyperx *x, uint32_t start, uint32_t end)
{
	const struct part *part = x->part;
	uint32_t length = end - start - 1, added = end;
	for (uint32_t from = start + 1; from < end && from < start + 3 && length > 1; from++)
		for (uint32_t v = x->line[from], i = part->first[v]; i < part->first[v + 1]; i++) {
			uint32_t u = part->neighbour[i].to;
			if (u == x->line[start] || x->row[u] != NONE || !joined_to_most(part, u, x->line + start + 1, length))
				continue;
			x->row[u] = x->dimensions;
			x->line[added++] = u;
		}
	return added;
}

/* Finds the rows through the origin. Returns whether their lengths make up all switches, or a few more. */
static bool find_rows(struct hyperx *x, uint32_t origin)
{
	const struct part *part = x->part;
	uint32_t lines = 0;
	uint64_t product = 1;
	x->dimensions = 0;
	memset(x->row, 0xff, part->switches * sizeof *x->row);
	for (uint32_t i = part->first[origin]; i < part->first[origin + 1]; i++)
		x->row[part->neighbour[i].to] = DIMENSIONS; /* in a row not yet known */
	for (uint32_t i = part->first[origin]; i < part->first[origin + 1]; i++) {
		uint32_t start = lines;
		if (x->row[part->neighbour[i].to] != DIMENSIONS)
			continue;
		if (x->dimensions == DIMENSIONS)
			return false;
		x->line[lines++] = origin;
		x->line[lines++] = part->neighbour[i].to;
		x->row[part->neighbour[i].to] = x->dimensions;
		for (uint32_t from = start + 1; from < lines; from++)
			for (uint32_t v = x->line[from], k = part->first[v]; k < part->first[v + 1]; k++)
				if (x->row[part->neighbour[k].to] == DIMENSIONS) {
					x->row[part->neighbour[k].to] = x->dimensions;
					x->line[lines++] = part->neighbour[k].to;
				}
		lines = complete_row(x, start, lines);
		x->length[x->dimensions++] = lines - start;
		product *= lines - start;
		if (product > (uint64_t)part->switches + missing_allowed(part))
			return false;
	}
	return x->dimensions > 1 && product >= part->switches;
}

/* Creates the links of all places, one kind per dimension. Returns 0, or -1. */
static int make_ideal(const struct hyperx *x, struct ideal_place *ideal, struct error *error)
{
	uint32_t places = 1;
	for (uint32_t k = 0; k < x->dimensions; k++)
		places *= x->length[k];
	ideal_init(ideal, places, error);
	for (uint32_t place = 0; place < places && !error->status; place++, ideal_next(ideal))
		for (uint32_t k = 0, stride = 1; k < x->dimensions; stride *= x->length[k++])
			for (uint32_t own = place / stride % x->length[k], y = 0; y < x->length[k]; y++)
				if (y != own)
					ideal_link(ideal, place - own * stride + y * stride, k, error);
	return error->status ? -1 : 0;
}

/* Sorts dimensions by length, then by number of cables. */
static void sort_dimensions(struct hyperx *x, uint32_t *cables)
{
	for (uint32_t i = 1; i < x->dimensions; i++)
		for (uint32_t k = i;
			k && (x->length[k - 1] > x->length[k] || (x->length[k - 1] == x->length[k] && cables[k - 1] > cables[k])); k--) {
			uint32_t length = x->length[k], count = cables[k];
			x->length[k] = x->length[k - 1];
			x->length[k - 1] = length;
			cables[k] = cables[k - 1];
			cables[k - 1] = count;
		}
}

static void name_it(struct hyperx *x, uint32_t *cables, struct plan *plan)
{
	size_t length = (size_t)snprintf(plan->name, sizeof plan->name, "HyperX ");
	uint32_t parallel = 1;
	sort_dimensions(x, cables);
	plan->kind = "HyperX";
	plan->parameter[0] = (struct shape_parameter){.name = "dimensions", .count = x->dimensions};
	plan->parameter[1] = (struct shape_parameter){.name = "parallel", .count = x->dimensions};
	for (uint32_t k = 0; k < x->dimensions; k++) {
		plan->parameter[0].value[k] = x->length[k];
		plan->parameter[1].value[k] = cables[k];
		parallel = cables[k] > parallel ? cables[k] : parallel;
		length += (size_t)snprintf(plan->name + length, sizeof plan->name - length, "%s%" PRIu32, k ? "x" : "", x->length[k]);
	}
	if (parallel > 1)
		snprintf(plan->name + length, sizeof plan->name - length, " of up to %" PRIu32 " parallel cables", parallel);
}

/* Makes the plan from the rows of one origin. Returns its cost, UINT64_MAX if the rows do not fit. */
static uint64_t plan_from(struct hyperx *x, struct plan *plan, struct error *error)
{
	uint32_t cables[DIMENSIONS] = {0};
	uint64_t cost = UINT64_MAX;
	struct ideal_place ideal = {0};
	struct places places = {0};
	if (!make_ideal(x, &ideal, error) && !places_init(&places, x->part, &ideal, error) &&
		!places_along(&places, x->line, x->length, x->dimensions, error) && places_settle(&places) &&
		!places_plan(&places, plan, cables, error)) {
		cost = plan_cost(x->part, plan);
		places_keep(&places, plan, x->length, x->dimensions, error);
		name_it(x, cables, plan);
	}
	ideal_clear(&ideal);
	places_clear(&places);
	return error->status ? UINT64_MAX : cost;
}

int shape_hyperx(const struct part *part, struct plan *plan, struct error *error)
{
	uint32_t tries = part->switches < ORIGINS ? part->switches : ORIGINS;
	uint64_t fewest = UINT64_MAX;
	struct hyperx x = {
		.part = part,
		.line = array_create(2 * ((size_t)part->switches + DIMENSIONS), sizeof *x.line, error),
		.row = array_create(part->switches, sizeof *x.row, error),
	};
	bool final = !part_is_direct(part);
	for (uint32_t i = 0, match = 0; i < tries && match < PLACED_ORIGINS && !final && !error->status; i++) {
		struct plan found = {0};
		if (!find_rows(&x, (uint32_t)((uint64_t)i * part->switches / tries)))
			continue;
		match++;
		uint64_t cost = plan_from(&x, &found, error);
		if (cost < fewest) {
			fewest = cost;
			final = plan_is_least(part, &found, cost);
			plan_clear(plan);
			*plan = found;
		} else {
			plan_clear(&found);
		}
	}
	free(x.line);
	free(x.row);
	return error->status ? -1 : 0;
}

/* Returns the number of cables of most links. */
static uint32_t usual_cables(const struct part *part, struct error *error)
{
	uint32_t ends = part->first[part->switches], *values = array_create(ends, sizeof *values, error), usual = 0;
	for (uint32_t i = 0; i < ends && values; i++)
		values[i] = part->neighbour[i].cables;
	if (values)
		usual = most_common(values, ends);
	free(values);
	return usual;
}

int shape_full_mesh(const struct part *part, struct plan *plan, struct error *error)
{
	uint64_t pairs = (uint64_t)part->switches * (part->switches - 1) / 2;
	if (part->switches < 2 || !part->links || pairs > part->links + deviations_allowed(part))
		return 0;
	uint32_t cables = usual_cables(part, error);
	plan->kind = "full mesh";
	plan->parameter[0] = (struct shape_parameter){"switches", 1, {part->switches}};
	plan->parameter[1] = (struct shape_parameter){"parallel", 1, {cables}};
	snprintf(plan->name, sizeof plan->name, "full mesh of %" PRIu32 " switches", part->switches);
	if (cables > 1)
		snprintf(plan->name + strlen(plan->name), 60, " with %" PRIu32 " cables between two", cables);
	for (uint32_t a = 0; a < part->switches; a++)
		for (uint32_t b = a + 1; b < part->switches && !error->status; b++)
			plan_link(plan, a, b, cables, error);
	return error->status ? -1 : 0;
}
