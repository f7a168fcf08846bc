/* The table of all routes, and the decision between looking routes up in it and walking along the forwarding tables. */
#ifndef PARALLEL_ROUTE_TABLE_H
#define PARALLEL_ROUTE_TABLE_H

#include "fabric/paths.h"
#include "parallel/comm.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define ROUTE_MEMORY_DEFAULT UINT64_MAX /* half of the free memory */

struct route_table {
	struct paths paths;
	bool used; /* otherwise routes are walked */
};

/*
 * Collective. Makes the table, one copy per machine that its processes fill together, if routing about that many pairs pays for it and it
 * takes at most memory bytes (ROUTE_MEMORY_DEFAULT: half of the free memory). Process 0 writes the decision and its reason to notes (NULL: none). The routes
 * are the same in either case. The copy belongs to comm (see comm_unshare). Returns 0, or -1 in all processes; call route_table_clear() in
 * either case.
 */
int route_table_make(struct route_table *table, struct comm *comm, const struct fabric *fabric, const struct forwarding *forwarding,
	uint64_t pairs, uint64_t memory, FILE *notes, struct error *error);
void route_table_clear(struct route_table *table);

#endif
