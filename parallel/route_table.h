/* Whether routes are looked up in a table of them all or walked along the forwarding tables, and the table. */
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
	bool used; /* else routes are to be walked */
};

/*
 * Collective. Makes the table, one copy per machine that its processes fill together, if about so many pairs to be routed pay for it and it
 * takes no more than memory bytes; the first process writes what it does and why to notes (NULL: nowhere).
 * What is routed is the same either way. The copy belongs to comm (see comm_unshare). Returns 0, or -1 in all processes;
 * route_table_clear() in every case.
 */
int route_table_make(struct route_table *table, struct comm *comm, const struct fabric *fabric, const struct forwarding *forwarding,
	uint64_t pairs, uint64_t memory, FILE *notes, struct error *error);
void route_table_clear(struct route_table *table);

#endif
