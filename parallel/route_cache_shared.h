/* The table of all routes, and the decision between looking routes up in it and walking along the forwarding tables. */
#ifndef PARALLEL_ROUTE_CACHE_SHARED_H
#define PARALLEL_ROUTE_CACHE_SHARED_H

#include "fabric/route_cache.h"
#include "parallel/comm.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define ROUTE_MEMORY_DEFAULT UINT64_MAX /* half of the free memory */

struct shared_route_cache {
	struct route_cache route_cache;
	bool used; /* otherwise routes are walked */
};

/*
 * Collective. Makes the table, one copy per machine that its processes fill together, if routing about that many pairs pays for it and it
 * takes at most memory bytes (ROUTE_MEMORY_DEFAULT: half of the free memory). Process 0 writes the decision and its reason to notes (NULL:
 * none). The routes are the same in either case. The copy belongs to comm (see comm_unshare). Returns 0, or -1 in all processes; call
 * shared_route_cache_clear() in either case.
 */
int shared_route_cache_make(struct shared_route_cache *table, struct comm *comm, const struct fabric *fabric,
	const struct forwarding *forwarding, uint64_t pairs, uint64_t memory, FILE *notes, struct error *error);
void shared_route_cache_clear(struct shared_route_cache *table);

#endif
