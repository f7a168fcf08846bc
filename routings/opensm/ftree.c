/*
 * Fat trees: from each destination a main path climbs to the least used root, and on each switch that it meets all switches below get their
 * entries. Zahavi: D-Mod-K Routing Providing Non-Blocking Traffic for Shift Permutations on Real Life Fat Trees, Technion 2010.
 */
#include "routings/opensm/ftree.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NO_HOPS = UINT16_MAX };

struct climb {
	struct ftree tree;
	struct opensm_task *task;
	uint32_t lid;   /* of the destination, 0: none, for counting only */
	uint32_t at;    /* switch of the destination */
	uint16_t *hops; /* [switches] of the entry for it, NO_HOPS */
	bool shuffles;  /* routes lead on from a leaf, see sorts_by_address() */
};

/* ---- groups by use ---- */

static bool is_after(const struct ftree *tree, uint32_t left, uint32_t right, int counter)
{
	const struct ftree_group *a = &tree->group[left], *b = &tree->group[right];
	uint32_t used_a = counter == FTREE_UP ? a->up : a->down, used_b = counter == FTREE_UP ? b->up : b->down;
	return used_a != used_b ? used_a > used_b : tree->place[a->to] > tree->place[b->to];
}

/* The groups of a switch in a direction, the least used first by that counter, then by place. Returns where they begin in tree->sorted;
 * *end is where they end. Time O(groups) where few moved. */
static uint32_t sort(struct ftree *tree, uint32_t s, int direction, int counter, uint32_t *end)
{
	const uint32_t *first = &tree->first[s * FTREE_DIRECTIONS + (uint32_t)direction];
	for (uint32_t i = first[0] + 1; i < first[1]; i++) {
		uint32_t group = tree->sorted[i], at = i;
		for (; at > first[0] && is_after(tree, tree->sorted[at - 1], group, counter); at--)
			tree->sorted[at] = tree->sorted[at - 1];
		tree->sorted[at] = group;
	}
	*end = first[1];
	return first[0];
}

static struct ftree_cable *least_up(struct ftree *tree, const struct ftree_group *group)
{
	struct ftree_cable *best = &tree->cable[group->cable];
	for (uint32_t i = 1; i < group->cables; i++)
		if (tree->cable[group->cable + i].up < best->up)
			best = &tree->cable[group->cable + i];
	return best;
}

static struct ftree_cable *least_down(struct ftree *tree, const struct ftree_group *group)
{
	struct ftree_cable *best = &tree->cable[group->cable];
	for (uint32_t i = 1; i < group->cables; i++)
		if (tree->cable[group->cable + i].down < best->down)
			best = &tree->cable[group->cable + i];
	return best;
}

/* ---- entries ---- */

static bool is_shorter(const struct climb *climb, uint32_t s, unsigned hops)
{
	return climb->hops[s] == NO_HOPS || hops < climb->hops[s];
}

static void set(struct climb *climb, uint32_t s, unsigned port, unsigned hops)
{
	climb->hops[s] = (uint16_t)hops;
	if (climb->lid)
		opensm_set(climb->task, s, climb->lid, port);
}

/*
 * Whether OpenSM sorts the CAs of a leaf by memory addresses once a route has led on from it. It walks that list for its compute nodes at
 * the same time, and so leaves out some.
 */
static bool sorts_by_address(const struct ftree *tree, uint32_t s)
{
	const uint32_t *below = &tree->first[s * FTREE_DIRECTIONS + FTREE_DOWN];
	return tree->compute[s] && tree->compute[s] + tree->other[s] + (below[1] - below[0]) > 1;
}

/*
 * Gives the switches below s, and beside it, their entries; not the one that the path came from. Returns whether CAs are there. A switch
 * with nothing below it goes on to none beside it.
 */
static bool route_down(struct climb *climb, uint32_t s, uint32_t from, unsigned hops)
{
	struct ftree *tree = &climb->tree;
	const uint32_t *below = &tree->first[s * FTREE_DIRECTIONS + FTREE_DOWN];
	bool reached = tree->compute[s] + tree->other[s] > 0;
	if (!reached && below[0] == below[1])
		return false;
	for (int direction = FTREE_DOWN; direction <= (climb->lid ? FTREE_SIDE : FTREE_DOWN); direction++) {
		uint32_t end, i = sort(tree, s, direction, FTREE_UP, &end);
		for (; i < end; i++) {
			struct ftree_group *group = &tree->group[tree->sorted[i]];
			if (group->to == from || group->to == climb->at || !is_shorter(climb, group->to, hops + 1))
				continue;
			struct ftree_cable *cable = least_up(tree, group);
			set(climb, group->to, cable->far, hops + 1);
			if (!route_down(climb, group->to, OPENSM_NONE, hops + 1))
				continue;
			cable->up++;
			group->up++;
			reached = true;
			climb->shuffles |= sorts_by_address(tree, s);
		}
	}
	return reached;
}

static bool route_up(struct climb *climb, uint32_t s, uint32_t from, bool main, unsigned hops);

/* Through the group to a switch above or beside, if that is shorter. Returns whether CAs were reached. */
static bool route_through(struct climb *climb, uint32_t s, const struct ftree_group *group, unsigned hops, struct ftree_cable **cable)
{
	if (!is_shorter(climb, group->to, hops + 1))
		return false;
	*cable = least_down(&climb->tree, group);
	set(climb, group->to, (*cable)->far, hops + 1);
	return route_up(climb, group->to, s, false, hops + 1);
}

/* The main path always goes on, and counts. */
static void route_main(struct climb *climb, uint32_t s, struct ftree_group *group, unsigned hops)
{
	struct ftree_cable *cable = least_down(&climb->tree, group);
	group->down++;
	cable->down++;
	if (is_shorter(climb, group->to, hops + 1))
		set(climb, group->to, cable->far, hops + 1);
	route_up(climb, group->to, s, true, hops + 1);
}

/* Everything below s, then the same for the switches above and beside. */
static bool route_up(struct climb *climb, uint32_t s, uint32_t from, bool main, unsigned hops)
{
	struct ftree *tree = &climb->tree;
	struct ftree_cable *cable;
	bool reached = route_down(climb, s, from, hops);
	if (!tree->rank[s])
		return reached;
	uint32_t end, up = sort(tree, s, FTREE_UP, FTREE_DOWN, &end), i = up;
	if (main && i < end)
		route_main(climb, s, &tree->group[tree->sorted[i++]], hops);
	struct ftree_group *preferred = up < end ? &tree->group[tree->sorted[up]] : NULL;
	for (; i < end; i++)
		reached |= route_through(climb, s, &tree->group[tree->sorted[i]], hops, &cable);
	for (i = sort(tree, s, FTREE_SIDE, FTREE_DOWN, &end); i < end; i++) {
		if (!route_through(climb, s, &tree->group[tree->sorted[i]], hops, &cable))
			continue;
		reached = true;
		cable->down++;
		if (preferred)
			preferred->down++; /* as OpenSM does, not the group's own */
	}
	return reached;
}

/* ---- destinations ---- */

/* Nothing has an entry for the destination, not even its own switch. */
static void start(struct climb *climb, uint32_t lid, uint32_t at)
{
	climb->lid = lid;
	climb->at = at;
	memset(climb->hops, 0xff, climb->tree.fabric->switches * sizeof *climb->hops); /* NO_HOPS */
}

static void route_ca(struct climb *climb, const struct opensm_end *end)
{
	if (!end->lid)
		return;
	start(climb, end->lid, end->to);
	set(climb, end->to, end->at, 1);
	route_up(climb, end->to, OPENSM_NONE, true, 1);
}

/* All leaves count as many compute nodes as the one that has most. */
static void route_leaves(struct climb *climb)
{
	const struct opensm_fabric *fabric = climb->tree.fabric;
	uint32_t most = 0;
	for (uint32_t i = 0; i < climb->tree.leaves; i++)
		if (climb->tree.compute[climb->tree.leaf[i]] > most)
			most = climb->tree.compute[climb->tree.leaf[i]];
	for (uint32_t i = 0; i < climb->tree.leaves; i++) {
		uint32_t s = climb->tree.leaf[i];
		for (unsigned p = 1; p <= fabric->sw[s].ports; p++) {
			uint32_t end = opensm_port_of(fabric, s, p)->end;
			if (end != OPENSM_NONE && ftree_computes(climb->task->options, &fabric->end[end]))
				route_ca(climb, &fabric->end[end]);
		}
		for (uint32_t missing = most - climb->tree.compute[s]; missing; missing--) {
			start(climb, 0, s); /* routes that go sideways come back to s, as in OpenSM */
			route_up(climb, s, OPENSM_NONE, true, 1);
		}
	}
}

static void route_others(struct climb *climb)
{
	const struct opensm_fabric *fabric = climb->tree.fabric;
	for (uint32_t e = 0; e < fabric->ends; e++) {
		const struct opensm_end *end = &fabric->end[e];
		if (!end->router && end->to != OPENSM_NONE && !ftree_computes(climb->task->options, end))
			route_ca(climb, end);
	}
}

static void route_switches(struct climb *climb)
{
	const struct opensm_fabric *fabric = climb->tree.fabric;
	for (uint32_t s = 0; s < fabric->switches; s++) {
		if (!fabric->sw[s].lid)
			continue;
		start(climb, fabric->sw[s].lid, s);
		set(climb, s, 0, 0);
		route_up(climb, s, OPENSM_NONE, false, 0);
	}
}

/* Switches above the leaves reach others that are neither below nor above them through the last leaf, if that reaches these. */
static void connect_roots(struct climb *climb)
{
	const struct ftree *tree = &climb->tree;
	const struct opensm_fabric *fabric = tree->fabric;
	const struct opensm_tables *tables = climb->task->tables;
	uint32_t leaf = tree->leaf[tree->leaves - 1];
	for (uint32_t t = 0; t < fabric->switches; t++) {
		uint32_t lid = fabric->sw[t].lid;
		if (!lid || opensm_entry(tables, leaf, lid) == OPENSM_NO_PORT)
			continue;
		for (uint32_t s = 0; s < fabric->switches; s++)
			if (tree->rank[s] < tree->leaf_rank && opensm_entry(tables, s, lid) == OPENSM_NO_PORT)
				opensm_set(climb->task, s, lid, opensm_entry(tables, s, fabric->sw[leaf].lid));
	}
}

static void warn(struct opensm_tables *tables)
{
	snprintf(tables->warning, sizeof tables->warning,
		"routes lead on from switches with several hosts, to switches beside or below them: OpenSM's ftree leaves hosts without entries "
		"there, and which ones depends on memory addresses; here all have entries, and some may differ. Choose other roots or compute "
		"nodes");
}

/* Finds the tree. Returns whether it can be routed: otherwise the refusal is set, or it is out of memory. */
static bool find_tree(struct ftree *tree, struct opensm_task *task)
{
	if (ftree_init(tree, task) || *task->tables->refusal || ftree_index(tree, task->error))
		return false;
	if (!tree->listed)
		ftree_check_symmetry(tree, task);
	return !*task->tables->refusal;
}

int opensm_ftree(struct opensm_task *task)
{
	struct climb climb = {.task = task, .hops = array_create(task->fabric->switches, sizeof(uint16_t), task->error)};
	if (find_tree(&climb.tree, task) && climb.hops) {
		route_leaves(&climb);
		route_others(&climb);
		if (!task->options->ends_only)
			route_switches(&climb);
		if (task->options->connect_roots && !task->options->ends_only)
			connect_roots(&climb);
		if (climb.shuffles)
			warn(task->tables);
	}
	ftree_clear(&climb.tree);
	free(climb.hops);
	return task->error->status ? -1 : 0;
}
