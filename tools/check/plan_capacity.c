#include "tools/check/plan_capacity.h"

#include "base/memory.h"

#include <stdlib.h>

struct node_capacity {
	uint32_t node, level;
	double planned, found;
	const char *name; /* see struct cable */
};

/* ---- levels */

/* Gives the neighbours of hosts a level; moved cables do not count. */
static void find_leaves(uint32_t *level, const struct cable_list *list, const bool *hosts)
{
	for (uint32_t c = 0; c < list->cables + list->others; c++)
		for (int i = 0; i < 2; i++) {
			const struct cable *cable = &list->cable[c];
			uint32_t *other = &level[cable->end[1 - i].node];
			if (hosts[cable->end[i].node] && *other == NO_LEVEL && (cable->match == NONE || cable->how == CABLE_SAME))
				*other = 1;
		}
}

/* Gives the nodes without a level one more than their neighbours have. */
static void spread(uint32_t *level, const struct cable_list *list, uint32_t nodes)
{
	bool more = true;
	for (uint32_t near = 0; near < nodes && more; near++) {
		more = false;
		for (uint32_t c = 0; c < list->cables + list->others; c++)
			for (int i = 0; i < 2; i++) {
				uint32_t at = level[list->cable[c].end[i].node];
				uint32_t *other = &level[list->cable[c].end[1 - i].node];
				if (at == near && *other == NO_LEVEL)
					*other = near + 1;
				more |= (at != NO_LEVEL && at > near) || (at == near && *other == near + 1);
			}
	}
}

static uint32_t *find_levels(
	const struct cable_list *planned, const struct cable_list *found, const bool *hosts, uint32_t nodes, struct error *error)
{
	uint32_t *level = array_create(nodes, sizeof *level, error);
	for (uint32_t v = 0; v < nodes && level; v++)
		level[v] = hosts[v] ? 0 : NO_LEVEL;
	if (level) {
		find_leaves(level, found, hosts);
		spread(level, planned, nodes);
		spread(level, found, nodes);
	}
	return level;
}

/* Sets *low and *high to the levels of a cable. */
static void levels_of(const struct plan_capacities *c, const struct cable *cable, uint32_t *low, uint32_t *high)
{
	uint32_t a = c->level[cable->end[0].node], b = c->level[cable->end[1].node];
	*low = a < b ? a : b;
	*high = a < b ? b : a;
}

/* Returns a pair of levels, added if new; NULL if out of memory. There are few. */
static struct level_pair *pair_of(struct plan_capacities *c, uint32_t low, uint32_t high, struct error *error)
{
	uint32_t i = 0;
	while (i < c->pairs && (c->pair[i].level[0] != low || c->pair[i].level[1] != high))
		i++;
	if (i == c->pairs) {
		if (array_grow(&c->pair, &c->pair_room, (size_t)c->pairs + 1, sizeof *c->pair, error))
			return NULL;
		c->pair[c->pairs++] = (struct level_pair){.level = {low, high}};
	}
	return &c->pair[i];
}

/* ---- speeds */

/* The speed of a cable between two levels. */
struct speed {
	uint32_t low, high;
	double gbps;
};

static int compare_speeds(const void *left, const void *right)
{
	const struct speed *a = left, *b = right;
	if (a->low != b->low)
		return a->low < b->low ? -1 : 1;
	if (a->high != b->high)
		return a->high < b->high ? -1 : 1;
	return (a->gbps > b->gbps) - (a->gbps < b->gbps);
}

/* The most common speed of each pair of levels, in place. Returns the number of pairs. */
static uint32_t most_common_speeds(struct speed *list, uint32_t count)
{
	uint32_t kept = 0, best = 0;
	if (count)
		qsort(list, count, sizeof *list, compare_speeds);
	for (uint32_t i = 0, run; i < count; i += run) {
		struct speed speed = list[i];
		for (run = 1; i + run < count && !compare_speeds(&speed, &list[i + run]); run++)
			;
		bool same = kept && list[kept - 1].low == speed.low && list[kept - 1].high == speed.high;
		if (!same || run >= best) {
			list[kept - same] = speed;
			kept += !same;
			best = run;
		}
	}
	return kept;
}

/* Sets the speeds that cables count with, also those without one. Returns 0, or -1 if out of memory. */
static int find_speeds(struct plan_capacities *c, const struct cable_list *planned, const struct cable_list *found, struct error *error)
{
	struct speed *list = array_create((size_t)found->cables, sizeof *list, error),
		     *all = array_create(found->cables, sizeof *all, error);
	uint32_t count = 0, cables = planned->cables + found->cables + found->others;
	c->gbps = array_create(cables, sizeof *c->gbps, error);
	for (uint32_t i = 0; i < found->cables && !error->status; i++)
		if (found->cable[i].gbps > 0) {
			levels_of(c, &found->cable[i], &list[count].low, &list[count].high);
			list[count].gbps = all[count].gbps = found->cable[i].gbps;
			count++;
		}
	if (!error->status) {
		c->speeds = most_common_speeds(all, count);
		c->unit = c->speeds ? all[0].gbps : 1;
		count = most_common_speeds(list, count);
		for (uint32_t i = 0; i < cables; i++) {
			const struct cable *cable = i < planned->cables ? &planned->cable[i] : &found->cable[i - planned->cables];
			const struct cable *match =
				cable->match == NONE ? NULL : &(i < planned->cables ? found : planned)->cable[cable->match];
			uint32_t low, high, k = 0;
			levels_of(c, cable, &low, &high);
			while (k < count && (list[k].low != low || list[k].high != high))
				k++;
			c->gbps[i] = cable->gbps > 0            ? cable->gbps
				     : match && match->gbps > 0 ? match->gbps
				     : k < count                ? list[k].gbps
								: c->unit;
			c->speeds |= cable->gbps > 0;
		}
	}
	free(list);
	free(all);
	return error->status ? -1 : 0;
}

/* ---- capacities */

static int compare_capacities(const void *left, const void *right)
{
	const struct node_capacity *a = left, *b = right;
	if (a->node != b->node)
		return a->node < b->node ? -1 : 1;
	return (a->level > b->level) - (a->level < b->level);
}

static void add_ends(struct plan_capacities *c, const struct cable *cable, double planned, double found)
{
	for (int i = 0; i < 2; i++)
		c->at[c->ats++] =
			(struct node_capacity){cable->end[i].node, c->level[cable->end[1 - i].node], planned, found, cable->name[i]};
}

/* Adds up the capacities of each node to each level. */
static void sum(struct plan_capacities *c)
{
	size_t kept = 0;
	if (c->ats)
		qsort(c->at, c->ats, sizeof *c->at, compare_capacities);
	for (size_t i = 1; i < c->ats; i++)
		if (compare_capacities(&c->at[kept], &c->at[i])) {
			c->at[++kept] = c->at[i];
		} else {
			c->at[kept].planned += c->at[i].planned;
			c->at[kept].found += c->at[i].found;
		}
	c->ats = c->ats ? kept + 1 : 0;
}

static struct plan_cost cost_of(const struct node_capacity *at)
{
	double lost = at->planned - at->found;
	bool some = lost > 1e-9 * at->planned;
	return (struct plan_cost){some ? lost / at->planned : 0, some ? lost : 0, at->node, at->level, at->name};
}

struct plan_cost plan_cable_cost(const struct plan_capacities *capacity, const struct cable *planned)
{
	struct plan_cost most = {0};
	for (int i = 0; i < 2; i++) {
		struct node_capacity key = {.node = planned->end[i].node, .level = capacity->level[planned->end[1 - i].node]};
		const struct node_capacity *at = bsearch(&key, capacity->at, capacity->ats, sizeof key, compare_capacities);
		struct plan_cost cost = at ? cost_of(at) : most;
		if (cost.share > most.share)
			most = cost;
	}
	return most;
}

static int compare_pairs(const void *left, const void *right)
{
	const struct level_pair *a = left, *b = right;
	if (a->level[0] != b->level[0])
		return a->level[0] < b->level[0] ? -1 : 1;
	return (a->level[1] > b->level[1]) - (a->level[1] < b->level[1]);
}

/* Adds up the cables of each pair of levels, and finds the node of each that lacks most. */
static int sum_pairs(struct plan_capacities *c, const struct cable_list *planned, const struct cable_list *found, struct error *error)
{
	for (uint32_t i = 0; i < planned->cables + found->cables; i++) {
		bool is_planned = i < planned->cables;
		const struct cable *cable = is_planned ? &planned->cable[i] : &found->cable[i - planned->cables];
		uint32_t low, high;
		levels_of(c, cable, &low, &high);
		struct level_pair *pair = pair_of(c, low, high, error);
		if (!pair)
			return -1;
		pair->planned += is_planned;
		pair->found += !is_planned;
		*(is_planned ? &pair->planned_gbps : &pair->found_gbps) += c->gbps[i];
		struct plan_cost cost = is_planned ? plan_cable_cost(c, cable) : pair->worst;
		if (cost.share > pair->worst.share)
			pair->worst = cost;
	}
	for (size_t i = 0; i < c->ats; i++)
		if (c->level[c->at[i].node] <= c->at[i].level) /* of equal levels, a cable counts at both of its ends */
			pair_of(c, c->level[c->at[i].node], c->at[i].level, error)->lost +=
				cost_of(&c->at[i]).gbps / (c->level[c->at[i].node] == c->at[i].level ? 2 : 1);
	for (uint32_t i = 0; i < c->pairs; i++)
		c->pair[i].lost = c->pair[i].planned_gbps > 0 ? c->pair[i].lost / c->pair[i].planned_gbps : 0;
	if (c->pairs)
		qsort(c->pair, c->pairs, sizeof *c->pair, compare_pairs);
	return 0;
}

int plan_capacity(struct plan_capacities *capacity, const struct cable_list *planned, const struct cable_list *found, const bool *hosts,
	uint32_t nodes, struct error *error)
{
	struct plan_capacities *c = capacity;
	*c = (struct plan_capacities){.level = find_levels(planned, found, hosts, nodes, error)};
	c->at = array_create(2 * ((size_t)planned->cables + found->cables), sizeof *c->at, error);
	if (!error->status && !find_speeds(c, planned, found, error)) {
		for (uint32_t i = 0; i < planned->cables; i++)
			add_ends(c, &planned->cable[i], c->gbps[i], 0);
		for (uint32_t i = 0; i < found->cables; i++)
			add_ends(c, &found->cable[i], 0, c->gbps[planned->cables + i]);
		sum(c);
		sum_pairs(c, planned, found, error);
	}
	return error->status ? -1 : 0;
}

void plan_capacity_clear(struct plan_capacities *capacity)
{
	free(capacity->level);
	free(capacity->at);
	free(capacity->gbps);
	free(capacity->pair);
	*capacity = (struct plan_capacities){0};
}
