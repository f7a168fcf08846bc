#include "routings/opensm/ranks.h"

uint32_t opensm_rank(const struct opensm_fabric *fabric, uint32_t *rank, uint32_t *queue)
{
	uint32_t count = 0, largest = 0;
	for (uint32_t s = 0; s < fabric->switches; s++)
		if (!rank[s])
			queue[count++] = s;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t u = queue[i];
		largest = rank[u];
		for (uint32_t k = fabric->first_near[u]; k < fabric->first_near[u + 1]; k++) {
			uint32_t v = fabric->near[k].to;
			if (rank[v] != OPENSM_NONE)
				continue;
			rank[v] = rank[u] + 1;
			queue[count++] = v;
		}
	}
	return largest;
}
