#include "parallel/route_table.h"

#include "base/memory.h"
#include "base/shown.h"
#include "cli/terminal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/*
 * The cost of computing an entry: a quarter of what a look-up saves compared with a walk, and twice what it saves compared with computing
 * the route, see bench/.
 */
enum { PER_ENTRY_WALKED_INVERSE = 4, PER_ENTRY_COMPUTED = 2 };

/* Decides, in process 0, whether the table pays off; notes get the reason if it does not. */
static bool is_worth_it(const struct paths *paths, const struct forwarding *forwarding, uint64_t pairs, uint64_t memory, FILE *notes)
{
	const struct computed *computed = forwarding->computed;
	uint64_t entries = (uint64_t)paths->hosts * paths->starts;
	uint64_t least = computed ? entries * PER_ENTRY_COMPUTED : entries / PER_ENTRY_WALKED_INVERSE;
	double bytes = (double)paths_bytes(paths);
	uint64_t limit = memory == ROUTE_MEMORY_DEFAULT ? memory_available() / 2 : memory;
	if (pairs >= least && bytes <= (double)limit)
		return true;
	if (notes && computed)
		fprintf(notes, "routes are computed (%s on %s): ", computed->routing, SHOWN(computed->spec));
	else if (notes)
		fputs("routes are walked: ", notes);
	if (notes && pairs < least)
		fprintf(notes, "about %" PRIu64 " routes are too few for a table of %" PRIu64 " entries\n", pairs, entries);
	else if (notes)
		fprintf(notes, "their table takes %.3g MB, more than the limit of %.3g MB (--route-memory)\n", bytes / 1e6,
			(double)limit / 1e6);
	return false;
}

int route_table_make(struct route_table *table, struct comm *comm, const struct fabric *fabric, const struct forwarding *forwarding,
	uint64_t pairs, uint64_t memory, FILE *notes, struct error *error)
{
	struct paths *paths = &table->paths;
	bool first = !comm_rank(comm);
	double started = now();
	*table = (struct route_table){0};
	paths_plan(paths, fabric, forwarding, error);
	if (comm_agree(comm, error))
		return -1;
	if (first)
		table->used = is_worth_it(paths, forwarding, pairs, memory, notes);
	comm_broadcast(comm, &table->used, sizeof table->used);
	if (!table->used)
		return 0;
	int part, parts;
	paths->entry = comm_memory(comm, paths_bytes(paths), &part, &parts, error);
	if (!paths->entry)
		return -1;
	paths_fill(paths, fabric, forwarding, (uint32_t)((uint64_t)paths->hosts * (uint64_t)part / (uint64_t)parts),
		(uint32_t)((uint64_t)paths->hosts * ((uint64_t)part + 1) / (uint64_t)parts));
	if (comm_agree(comm, error)) /* waits until all parts are complete */
		return -1;
	if (notes && first)
		fprintf(notes,
			"routes are looked up: a table of %" PRIu32 " x %" PRIu32 " with %" PRIu32
			" channels each, %.0f MB, made in %.2f s\n",
			paths->hosts, paths->starts, paths->inner, (double)paths_bytes(paths) / 1e6, now() - started);
	return 0;
}

void route_table_clear(struct route_table *table)
{
	paths_clear(&table->paths);
	table->used = false;
}
