#include "routings/opensm/view.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static int refuse(const struct fabric *fabric, const char *engine, const char *what, struct error *error)
{
	return error_at(error, STATUS_FABRIC, fabric->labels->source, 0, "%s: OpenSM's %s cannot route it; use %s-orcs", what, engine,
		strcmp(engine, "dor") != 0 ? engine : "minhop");
}

/* What InfiniBand cannot have. */
static int check(const struct routing_graph *graph, const char *engine, struct error *error)
{
	const struct fabric *fabric = graph->fabric;
	if (fabric->nodes > LID_LAST)
		return refuse(fabric, engine, "more nodes than InfiniBand has LIDs (49151)", error);
	for (uint32_t h = 0; h < fabric->hosts; h++)
		if (graph->forwards[fabric->host_node[h]])
			return refuse(fabric, engine, "hosts forward for others, which no channel adapter does", error);
	for (uint32_t v = 0; v < fabric->nodes; v++)
		if (fabric->first_channel[v + 1] - fabric->first_channel[v] > OPENSM_PORTS)
			return refuse(fabric, engine, "nodes have more than 254 cables, the limit of InfiniBand", error);
	uint32_t *reverse = fabric_reverse(fabric, error);
	for (uint32_t c = 0; reverse && c < fabric->channels && !error->status; c++)
		if (reverse[c] == NONE)
			refuse(fabric, engine, "channels have one direction only, and InfiniBand's cables have two", error);
	free(reverse);
	return error->status ? -1 : 0;
}

/* The graph's own subnet, also of a graph without attributes. */
static struct whole_fabric *make_whole(const struct fabric *fabric, const struct attributes *attributes, struct error *error)
{
	struct attributes *none = attributes ? NULL : attributes_create(fabric->nodes, fabric->channels, error);
	struct whole_fabric *whole = NULL;
	if (none)
		none->name = fabric->labels->name;
	if (!error->status)
		whole = whole_fabric_create(fabric, NULL, attributes ? attributes : none, error);
	attributes_free(none);
	return whole;
}

static enum opensm_kind kind_of(const struct whole_node *node)
{
	return node->kind == WHOLE_SWITCH ? OPENSM_SWITCH : node->kind == WHOLE_IS_ROUTER ? OPENSM_ROUTER : OPENSM_CA;
}

/* Graphs omit the GUID of a system where it is that of the node. */
static void fill(struct opensm_arrays *arrays, const struct whole_fabric *whole, unsigned lanes)
{
	for (uint32_t n = 0; n < whole->nodes; n++) {
		const struct whole_node *from = &whole->node[n];
		arrays->node[n] = (struct opensm_node){.guid = from->guid,
			.system_guid = from->system_guid ? from->system_guid : from->guid,
			.port = from->port,
			.ports = from->ports,
			.kind = kind_of(from)};
	}
	for (uint32_t p = 0; p < whole->ports; p++) {
		const struct whole_port *from = &whole->port[p];
		arrays->port[p] = (struct opensm_port){.guid = from->guid,
			.peer = from->peer != NONE ? from->peer
				: from->loop       ? whole->node[from->node].port + from->loop
						   : OPENSM_NONE,
			.lid = from->lid,
			.lmc = from->lmc,
			.lanes = (uint8_t)lanes};
	}
}

int opensm_view_init(struct opensm_view *view, const struct routing_graph *graph, const struct attributes *attributes, unsigned lanes,
	unsigned lmc, const char *engine, struct error *error)
{
	*view = (struct opensm_view){0};
	if (check(graph, engine, error) || !(view->whole = make_whole(graph->fabric, attributes, error)) ||
		whole_fabric_fill_guids(view->whole, error) || (lmc && whole_fabric_set_lmc(view->whole, lmc, error)))
		return -1;
	if (!opensm_arrays_init(&view->arrays, view->whole->nodes, view->whole->ports, error))
		fill(&view->arrays, view->whole, lanes);
	return error->status ? -1 : 0;
}

void opensm_view_clear(struct opensm_view *view)
{
	whole_fabric_free(view->whole);
	opensm_arrays_clear(&view->arrays);
}
