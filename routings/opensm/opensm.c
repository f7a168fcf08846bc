/* The engines, and what all of them share. */
#include "routings/opensm/opensm.h"

#include "base/memory.h"
#include "routings/opensm/fabric.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct opensm_engine opensm_engine_table[] = {
	{"minhop", "shortest paths, on each switch spread over its ports", opensm_minhop},
	{"updn", "paths that go up towards root switches, then down", opensm_updn},
	{"dnup", "paths that go down from the switches with hosts, then up", opensm_dnup},
	{"ftree", "fat trees, congestion-free for shifts", opensm_ftree},
	{"dor", "shortest paths that keep to the first neighbour by port number", opensm_dor},
	{"lash", "one shortest path per pair of switches, on virtual lanes that keep them free of deadlocks", opensm_lash},
	{"sssp", "shortest paths by weights that grow with the paths of each link", opensm_sssp},
	{"dfsssp", "sssp, on virtual lanes that keep it free of deadlocks", opensm_dfsssp},
	{0},
};

int opensm_arrays_init(struct opensm_arrays *arrays, uint32_t nodes, uint32_t ports, struct error *error)
{
	*arrays = (struct opensm_arrays){
		.node = array_create(nodes, sizeof *arrays->node, error), .port = array_create(ports, sizeof *arrays->port, error)};
	if (error->status)
		return -1;
	for (uint32_t p = 0; p < ports; p++)
		arrays->port[p].peer = OPENSM_NONE;
	arrays->subnet = (struct opensm_subnet){.node = arrays->node, .port = arrays->port, .nodes = nodes, .ports = ports};
	return 0;
}

void opensm_arrays_clear(struct opensm_arrays *arrays)
{
	free(arrays->node);
	free(arrays->port);
	*arrays = (struct opensm_arrays){0};
}

int opensm_refuse(struct opensm_task *task, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(task->tables->refusal, sizeof task->tables->refusal, format, arguments);
	va_end(arguments);
	return 0;
}

static const struct opensm_engine *find(const char *name)
{
	for (const struct opensm_engine *engine = opensm_engine_table; engine->name; engine++)
		if (!strcmp(engine->name, name))
			return engine;
	return NULL;
}

/* dfsssp routes to switches in any case, for its lanes. */
static bool needs_switches(const struct opensm_engine *engine, const struct opensm_options *options)
{
	return !options->ends_only || engine->route == opensm_dfsssp;
}

static int tables_init(struct opensm_tables *tables, const struct opensm_fabric *fabric, uint32_t lids, uint32_t nodes, struct error *error)
{
	size_t entries = (size_t)fabric->switches * lids;
	tables->switches = fabric->switches;
	tables->lids = lids;
	tables->node = array_create(fabric->switches, sizeof *tables->node, error);
	tables->number = array_create(nodes, sizeof *tables->number, error);
	tables->entry = array_create(entries, 1, error);
	if (error->status)
		return -1;
	memset(tables->number, 0xff, nodes * sizeof *tables->number); /* OPENSM_NONE */
	memset(tables->entry, OPENSM_NO_PORT, entries);
	for (uint32_t s = 0; s < fabric->switches; s++) {
		tables->node[s] = fabric->sw[s].node;
		tables->number[tables->node[s]] = s;
	}
	return 0;
}

int opensm_compute_tables(struct opensm_tables *tables, const char *name, const struct opensm_subnet *subnet,
	const struct opensm_options *options, struct error *error)
{
	struct opensm_fabric fabric;
	const struct opensm_engine *engine = find(name);
	*tables = (struct opensm_tables){.sls = {1}, .lanes = 1};
	if (!engine)
		return error_set(error, STATUS_USAGE, "OpenSM has no routing engine '%s'", name);
	struct opensm_task task = {&fabric, options, tables, error};
	if (!opensm_fabric_init(&fabric, subnet, options, error) &&
		!tables_init(tables, &fabric, needs_switches(engine, options) ? fabric.lids : fabric.end_lids, subnet->nodes, error))
		engine->route(&task);
	opensm_fabric_clear(&fabric);
	return error->status ? -1 : 0;
}

void opensm_tables_clear(struct opensm_tables *tables)
{
	free(tables->node);
	free(tables->number);
	free(tables->entry);
	free(tables->lane);
	free(tables->row_of_lid);
	*tables = (struct opensm_tables){0};
}
