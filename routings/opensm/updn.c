#include "routings/opensm/updn.h"

#include "base/memory.h"
#include "routings/opensm/ranks.h"
#include "routings/opensm/root_search.h"

#include <stdlib.h>

enum { UP, DOWN };

/* Sets the ranks of roots to 0 and all others' to OPENSM_NONE; returns how many there are. */
static uint32_t find_roots(const struct updn *updn, struct hops *hops)
{
	const struct opensm_fabric *fabric = updn->fabric;
	uint32_t roots = 0;
	for (uint32_t s = 0; s < fabric->switches; s++) {
		uint32_t at[HOPS_LIMIT] = {0};
		hops_shortest(hops, s);
		for (uint32_t t = 0; t < fabric->switches; t++)
			if (hops->least[t] != HOPS_NONE)
				at[hops->least[t]] += fabric->sw[t].end_ports;
		updn->rank[s] = root_search_is_root(at, fabric->ends) ? 0 : OPENSM_NONE;
		roots += !updn->rank[s];
	}
	return roots;
}

static uint32_t take_roots(const struct updn *updn)
{
	uint32_t roots = 0;
	for (uint32_t s = 0; s < updn->fabric->switches; s++) {
		updn->rank[s] = updn->fabric->sw[s].root ? 0 : OPENSM_NONE;
		roots += updn->fabric->sw[s].root;
	}
	return roots;
}

static bool is_up(const struct updn *updn, uint32_t from, uint32_t to)
{
	uint32_t a = updn->rank[from], b = updn->rank[to];
	if (a != b)
		return a > b;
	return !a || updn->fabric->sw[from].guid > updn->fabric->sw[to].guid;
}

static bool step(const void *engine, uint32_t from, uint32_t to, uint8_t *state, unsigned *extra)
{
	(void)extra;
	bool up = is_up(engine, from, to);
	if (up && *state == DOWN)
		return false;
	*state = up ? UP : DOWN;
	return true;
}

void updn_fill(const void *engine, struct hops *hops, uint32_t to)
{
	const struct updn *updn = engine;
	if (updn->keep_root_hops && !updn->rank[to]) {
		hops_shortest(hops, to);
		return;
	}
	hops_reset(hops, to);
	hops_walk(hops, to, UP, step, updn);
}

void updn_rank(struct updn *updn, uint32_t roots, const struct opensm_options *options, struct hops *hops)
{
	updn->keep_root_hops = options->connect_roots && (!options->roots.given || roots > 1);
	if (roots)
		opensm_rank(updn->fabric, updn->rank, hops->queue);
}

uint32_t updn_begin(struct updn *updn, const struct opensm_options *options, struct hops *hops)
{
	uint32_t roots = options->roots.given ? take_roots(updn) : find_roots(updn, hops);
	updn_rank(updn, roots, options, hops);
	return roots;
}

int opensm_updn(struct opensm_task *task)
{
	struct updn updn = {.fabric = task->fabric};
	struct hops hops;
	uint32_t roots = 0;
	updn.rank = array_create(task->fabric->switches, sizeof *updn.rank, task->error);
	if (!hops_init(&hops, task->fabric, task->error))
		roots = updn_begin(&updn, task->options, &hops);
	if (!task->error->status && !roots)
		opensm_refuse(task, "no root nodes were found: no switch has nearly all end ports at one distance; list root switches");
	else if (!task->error->status)
		opensm_spread(task, updn_fill, &updn, false);
	hops_clear(&hops);
	free(updn.rank);
	return task->error->status ? -1 : 0;
}
