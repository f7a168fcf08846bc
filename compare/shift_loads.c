#include "compare/shift_loads.h"

#include "base/memory.h"
#include "fabric/placement.h"
#include "fabric/walk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Returns the largest number of routes on a channel. count: [channels]. route: [nodes]. */
static uint32_t largest_of(
	const struct fabric *f, const struct forwarding *forwarding, const uint32_t *host, uint32_t shift, uint32_t *count, uint32_t *route)
{
	uint32_t largest = 0;
	memset(count, 0, f->channels * sizeof *count);
	for (uint32_t k = 0, to = shift; k < f->hosts; k++, to = to + 1 < f->hosts ? to + 1 : 0) {
		int length = walk_route(f, forwarding, host[k], host[to], route);
		for (int i = 0; i < length; i++)
			if (++count[route[i]] > largest)
				largest = count[route[i]];
	}
	return largest;
}

double shift_loads_mean(const struct fabric *fabric, const struct forwarding *forwarding, struct error *error)
{
	struct placement placement = {0};
	uint32_t *count = array_create(fabric->channels, sizeof *count, error), *route = array_create(fabric->nodes, sizeof *route, error);
	uint32_t all = fabric->hosts - 1, shifts = all < SHIFTS_MOST ? all : SHIFTS_MOST;
	double sum = 0;
	if (!error->status && !placement_init(&placement, fabric, "linear_bfs", "linear", 0, 0, error))
		for (uint32_t i = 0; i < shifts; i++) {
			uint32_t shift = 1 + (uint32_t)((uint64_t)i * all / shifts);
			sum += largest_of(fabric, forwarding, placement.host, shift, count, route);
		}
	placement_clear(&placement);
	free(count);
	free(route);
	return shifts ? sum / shifts : NAN;
}
