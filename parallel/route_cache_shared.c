#include "parallel/route_cache_shared.h"

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
static bool is_worth_it(
	const struct route_cache *route_cache, const struct forwarding *forwarding, uint64_t pairs, uint64_t memory, FILE *notes)
{
	const struct routing_function *function = forwarding->function;
	uint64_t entries = (uint64_t)route_cache->hosts * route_cache->starts;
	uint64_t least = function ? entries * PER_ENTRY_COMPUTED : entries / PER_ENTRY_WALKED_INVERSE;
	double bytes = (double)route_cache_bytes(route_cache);
	uint64_t limit = memory == ROUTE_MEMORY_DEFAULT ? memory_available() / 2 : memory;
	if (pairs >= least && bytes <= (double)limit)
		return true;
	if (notes && function)
		fprintf(notes, "routes are computed (%s on %s): ", function->routing, SHOWN(function->spec));
	else if (notes)
		fputs("routes are walked: ", notes);
	if (notes && pairs < least)
		fprintf(notes, "about %" PRIu64 " routes are too few for a table of %" PRIu64 " entries\n", pairs, entries);
	else if (notes)
		fprintf(notes, "their table takes %.3g MB, more than the limit of %.3g MB (--route-memory)\n", bytes / 1e6,
			(double)limit / 1e6);
	return false;
}

int shared_route_cache_make(struct shared_route_cache *table, struct comm *comm, const struct fabric *fabric,
	const struct forwarding *forwarding, uint64_t pairs, uint64_t memory, FILE *notes, struct error *error)
{
	struct route_cache *route_cache = &table->route_cache;
	bool first = !comm_rank(comm);
	double started = now();
	*table = (struct shared_route_cache){0};
	route_cache_plan(route_cache, fabric, forwarding, error);
	if (comm_agree(comm, error))
		return -1;
	if (route_cache->tree) {
		table->used = true;
		if (notes && first)
			fprintf(notes, "routes are computed (%s on %s)\n", forwarding->function->routing,
				SHOWN(forwarding->function->spec));
		return 0;
	}
	if (first)
		table->used = is_worth_it(route_cache, forwarding, pairs, memory, notes);
	comm_broadcast(comm, &table->used, sizeof table->used);
	if (!table->used)
		return 0;
	int part, parts;
	route_cache->entry = comm_memory(comm, route_cache_bytes(route_cache), &part, &parts, error);
	if (!route_cache->entry)
		return -1;
	route_cache_fill(route_cache, fabric, forwarding, (uint32_t)((uint64_t)route_cache->hosts * (uint64_t)part / (uint64_t)parts),
		(uint32_t)((uint64_t)route_cache->hosts * ((uint64_t)part + 1) / (uint64_t)parts));
	if (comm_agree(comm, error)) /* waits until all parts are complete */
		return -1;
	if (notes && first)
		fprintf(notes,
			"routes are looked up: a table of %" PRIu32 " x %" PRIu32 " with %" PRIu32
			" channels each, %.0f MB, made in %.2f s\n",
			route_cache->hosts, route_cache->starts, route_cache->inner, (double)route_cache_bytes(route_cache) / 1e6,
			now() - started);
	return 0;
}

void shared_route_cache_clear(struct shared_route_cache *table)
{
	route_cache_clear(&table->route_cache);
	table->used = false;
}
