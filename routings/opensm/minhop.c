/* Shortest paths: minhop takes any port on one, dor keeps to one neighbour. */
#include "routings/opensm/spread.h"

static void fill(const void *engine, struct hops *hops, uint32_t to)
{
	(void)engine;
	hops_shortest(hops, to);
}

int opensm_minhop(struct opensm_task *task)
{
	return opensm_spread(task, fill, NULL, false);
}

int opensm_dor(struct opensm_task *task)
{
	return opensm_spread(task, fill, NULL, true);
}
