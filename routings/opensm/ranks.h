/* Distances from a set of switches. */
#ifndef ROUTINGS_OPENSM_RANKS_H
#define ROUTINGS_OPENSM_RANKS_H

#include "routings/opensm/fabric.h"

/* rank[s] is 0 for the switches to start from, OPENSM_NONE for all others; these get their distance, those that no cable leads to stay.
 * queue: [switches] scratch. Returns the largest. Time O(links). */
uint32_t opensm_rank(const struct opensm_fabric *fabric, uint32_t *rank, uint32_t *queue);

#endif
