#include "tools/bound/bound_tiers.h"

#include "base/memory.h"
#include "fabric/described.h"
#include "shapes/tree_levels.h"

#include <math.h>
#include <stdlib.h>

int bound_find_shares(struct bounds *bounds, struct error *error)
{
	const struct fabric *f = bounds->fabric;
	double *routes = array_create(f->channels, sizeof *routes, error);
	uint32_t *level = tree_levels_make(f, error);
	for (uint32_t c = 0; c < f->channels && routes; c++)
		routes[c] = (double)bounds->loads.load[c].routes;
	if (routes && level)
		fair_share_find(&bounds->fair, f, routes, level, error);
	free(routes);
	free(level);
	return error->status ? -1 : 0;
}

double bound_rivals(const struct bounds *bounds, uint32_t channel)
{
	struct rivals rivals = {0};
	rivals_add(&rivals, &bounds->loads.load[channel], bounds->loads.hosts);
	return rivals_mean(&rivals);
}

static void tier_row(struct row *row, size_t index, const void *data)
{
	const struct bounds *b = data;
	const struct load_tier *t = &b->fair.tier[index];
	struct rivals rivals = {0};
	char from[30], to[30];
	for (uint32_t c = 0; c < b->fabric->channels; c++)
		if (b->fair.tier_of[c] == index)
			rivals_add(&rivals, &b->loads.load[c], b->loads.hosts);
	row_print(row, "%s -> %s", level_name(t->from, from, sizeof from), level_name(t->to, to, sizeof to));
	row_put(row, level_value(t->from));
	row_put(row, level_value(t->to));
	row_count(row, t->channels);
	row_count(row, t->count[LOAD_UNUSED]);
	row_number(row, t->mean, "%.4f");
	row_number(row, t->most, "%.4f");
	row_number(row, t->share, "%.4f");
	row_count(row, t->above);
	row_number(row, t->hottest != NONE ? t->excess : NAN, "%.4f");
	row_number(row, rivals_mean(&rivals), "%.4f");
}

void bound_tiers_add(struct node *to, const struct bounds *bounds)
{
	static const struct column columns[] = {
		{.title = "load of all-to-all", .width = -20},
		{.key = "from"},
		{.key = "to"},
		{.key = "channels", .title = "channels", .width = 8},
		{.key = "unused", .title = "unused", .width = 7},
		{.key = "mean", .title = "mean", .width = 8},
		{.key = "most", .title = "largest", .width = 8},
		{.key = "share", .title = "fair share", .width = 10},
		{.key = "above", .title = "above", .width = 6},
		{.key = "excess", .title = "times", .width = 7},
		{.key = "rivals", .title = "rivals", .width = 7},
	};
	const struct table table = {columns, sizeof columns / sizeof *columns, bounds->fair.tiers, tier_row, bounds};
	struct document *d = document_of(to);
	add_table(to, "tiers", table);
	putc('\n', d->text);
	say_table(d, table);
}
