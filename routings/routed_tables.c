#include "routings/routed_tables.h"

#include "base/memory.h"
#include "routings/routed_entries.h"

#include <stdlib.h>
#include <string.h>

/* Adds the forwarding set of a channel. */
static void add_set(struct forwarding_builder *builder, struct routed_entries *entries, uint32_t channel)
{
	const struct routing_graph *n = entries->graph;
	if (n->column[n->tail[channel]] == NONE) {
		forwarding_builder_add(builder, channel, "*");
		return;
	}
	for (uint32_t g = 0; g < n->groups; g++)
		for (uint32_t i = n->first_member[g]; (i = routed_next_listed(entries, channel, g, i)) < n->first_member[g + 1]; i++)
			forwarding_builder_add_host(builder, channel, n->member[i]);
	uint32_t count = routed_weigh(entries, channel);
	for (uint32_t i = 0; i < count; i++)
		forwarding_builder_weigh_host(builder, channel, entries->weighed[i].host, entries->weighed[i].weight);
}

/* Returns tables from multipath entries, NULL if out of memory. */
static struct forwarding *of_entries(
	const struct routed *routed, const struct routing_graph *graph, bool all, uint64_t *ambiguous, struct error *error)
{
	const struct fabric *fabric = graph->fabric;
	struct routed_entries entries;
	struct forwarding_oddities odd = {0};
	struct forwarding_builder *builder = forwarding_builder_create(fabric, error);
	if (!routed_entries_init(&entries, routed, graph, error) && all)
		forwarding_builder_keep_all(builder, error);
	for (uint32_t v = 0; v < fabric->nodes && !error->status; v++) {
		for (uint32_t c = fabric->first_channel[v]; c < fabric->first_channel[v + 1]; c++)
			add_set(builder, &entries, c);
		forwarding_builder_end_node(builder, v, error);
	}
	routed_entries_clear(&entries);
	struct forwarding *forwarding = forwarding_builder_finish(builder, !error->status, &odd, error);
	*ambiguous = all ? 0 : odd.ambiguous;
	return forwarding;
}

struct forwarding *routed_forwarding(
	struct routed *routed, const struct routing_graph *graph, bool all, uint64_t *ambiguous, struct error *error)
{
	struct forwarding *forwarding;
	*ambiguous = 0;
	if (routed->routes) {
		forwarding = forwarding_without_entries(graph->fabric, error);
	} else if (routed->distance) {
		forwarding = of_entries(routed, graph, all, ambiguous, error);
	} else {
		forwarding = forwarding_of_tables(graph->fabric, routed->next, graph->column, graph->columns, error);
		routed->next = NULL;
	}
	if (forwarding)
		forwarding->via = routed->via;
	return forwarding;
}

/* A row of service levels. data: struct routed_columns */
static void fill_levels(void *data, uint32_t host, uint8_t *row)
{
	struct routed_columns *columns = data;
	uint32_t column = routing_start_column(columns->graph, host);
	if (column != NONE)
		memcpy(row, routed_levels_from(columns, column), columns->graph->fabric->hosts);
}

static int find_levels(struct service_levels **levels, const struct routed *routed, const struct routing_graph *graph, struct error *error)
{
	struct routed_columns columns;
	if (!routed_columns_init(&columns, routed, graph, true, error))
		service_levels_make(levels, graph->fabric, fill_levels, &columns, error);
	routed_columns_clear(&columns);
	return error->status ? -1 : 0;
}

int routed_lanes(struct virtual_lanes **lanes, const struct routed *routed, const struct routing_graph *graph, struct error *error)
{
	const struct fabric *fabric = graph->fabric;
	struct service_levels *levels = NULL;
	uint8_t *bit = routed->lane_bit ? array_create(fabric->channels, 1, error) : NULL;
	*lanes = NULL;
	for (uint32_t c = 0; bit && c < fabric->channels; c++)
		bit[c] = routing_is_switch(graph, graph->tail[c]) ? routed->lane_bit[c] : LANE_BIT_NONE;
	if (!error->status && routed->level && routed->levels > 1)
		find_levels(&levels, routed, graph, error);
	if (!error->status && (bit || levels))
		virtual_lanes_make(lanes, fabric, bit, levels, error);
	free(bit);
	return error->status ? -1 : 0;
}
