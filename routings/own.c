/*
 * Every regular topology by the routing function of its own, as orcs computes it where there are no tables. Nothing is done about
 * deadlocks. Time O(hosts * nodes) steps of that function.
 */
#include "routings/placed.h"

static int own_route(const struct routing_task *task, struct routed *routed, struct error *error)
{
	struct placed placed;
	uint32_t detours;
	if (!placed_init(&placed, task, NULL, error) && !placed_route(&placed, routed, NULL, NULL, &detours, error))
		placed_note(&placed, routed, "hosts behind them are reached by shortest ways");
	routed->deadlocks = true;
	placed_clear(&placed);
	return error->status ? -1 : 0;
}

const struct routing routing_own = {
	.name = "own",
	.summary = "every regular topology by the arithmetic of its own",
	.source = "that of the topology",
	.needs = "a topology of orcs-topology that has a routing function, also with gaps or parallel cables",
	.route = own_route,
};
