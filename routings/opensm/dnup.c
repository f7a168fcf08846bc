/* Paths that go down, that is away from the switches with end ports, and then up. */
#include "base/memory.h"
#include "routings/opensm/ranks.h"
#include "routings/opensm/spread.h"

#include <stdlib.h>

enum { UP, DOWN, EQUAL };

struct dnup {
	const struct opensm_fabric *fabric;
	uint32_t *rank; /* [switches] */
	unsigned extra; /* what a forbidden turn costs, 0: it stays forbidden */
};

static bool step(const void *engine, uint32_t from, uint32_t to, uint8_t *state, unsigned *extra)
{
	const struct dnup *dnup = engine;
	uint32_t a = dnup->rank[from], b = dnup->rank[to];
	uint8_t next = a < b ? DOWN : a > b ? UP : EQUAL;
	if (*state == UP && next == DOWN) {
		*extra = dnup->extra;
		if (!dnup->extra)
			return false;
	}
	*state = next;
	return true;
}

static void fill(const void *engine, struct hops *hops, uint32_t to)
{
	hops_reset(hops, to);
	hops_walk(hops, to, DOWN, step, engine);
}

/* The largest number of hops that paths without forbidden turns have between any two switches. */
static unsigned most_hops(const struct dnup *dnup, struct hops *hops)
{
	unsigned most = 0;
	for (uint32_t to = 0; to < dnup->fabric->switches; to++) {
		fill(dnup, hops, to);
		for (uint32_t s = 0; s < dnup->fabric->switches; s++)
			if (hops->least[s] != HOPS_NONE && hops->least[s] > most)
				most = hops->least[s];
	}
	return most;
}

int opensm_dnup(struct opensm_task *task)
{
	const struct opensm_fabric *fabric = task->fabric;
	struct dnup dnup = {.fabric = fabric};
	struct hops hops;
	uint32_t leaves = 0;
	hops_init(&hops, fabric, task->error);
	dnup.rank = array_create(fabric->switches, sizeof *dnup.rank, task->error);
	for (uint32_t s = 0; s < fabric->switches && !task->error->status; s++) {
		dnup.rank[s] = fabric->sw[s].end_ports ? 0 : OPENSM_NONE;
		leaves += fabric->sw[s].end_ports != 0;
	}
	if (!task->error->status && !leaves)
		opensm_refuse(task, "no switch has an end port");
	else if (!task->error->status) {
		opensm_rank(fabric, dnup.rank, hops.queue);
		dnup.extra = task->options->connect_roots ? most_hops(&dnup, &hops) + 1 : 0;
		opensm_spread(task, fill, &dnup, false);
	}
	hops_clear(&hops);
	free(dnup.rank);
	return task->error->status ? -1 : 0;
}
