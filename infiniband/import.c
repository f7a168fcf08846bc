#include "infiniband/import.h"

#include "base/files.h"
#include "infiniband/dump.h"
#include "infiniband/graph_dot.h"
#include "infiniband/node_name_map.h"
#include "infiniband/subnet_dot.h"
#include "infiniband/subnet_levels.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

/* Hosts that a file of service levels does not have as a source, perhaps because it is of another fabric. */
static uint32_t hosts_without_levels(const struct subnet_graph *graph)
{
	const struct subnet *subnet = graph->subnet;
	uint32_t count = 0;
	for (uint32_t host = 0; subnet->levels && host < graph->hosts; host++) {
		unsigned lid = subnet->port[graph->port[graph->node[host].first]].lid;
		count += lid && lid <= LID_LAST && subnet->levels->of_lid[lid] == NONE;
	}
	return count;
}

void import_tell(const struct import *import, const struct subnet_graph *graph, FILE *notes)
{
	fprintf(notes, "%s: note: %" PRIu32 " host%s, %" PRIu32 " switch%s, %" PRIu32 " cable%s", import->program, graph->hosts,
		graph->hosts == 1 ? "" : "s", graph->nodes - graph->hosts, graph->nodes - graph->hosts == 1 ? "" : "es", graph->cables,
		graph->cables == 1 ? "" : "s");
	if (graph->tables)
		fprintf(notes, "; %" PRIu32 " table%s, %" PRIu64 " entries for hosts, %" PRIu64 " for other LIDs\n", graph->tables,
			graph->tables == 1 ? "" : "s", graph->entries, graph->other_entries);
	else
		fputs("; no forwarding tables\n", notes);
	if (graph->levels_unknown)
		fprintf(notes, "%s: note: service levels are unknown, but these tables may need them (see --service-levels)\n",
			import->program);
	uint32_t silent = hosts_without_levels(graph);
	if (silent)
		fprintf(notes, "%s: note: hosts whose service levels are not stated, and taken to be 0: %" PRIu32 " of %" PRIu32 "\n",
			import->program, silent, graph->hosts);
	subnet_tell(graph->subnet, import->program, true, notes);
}

/* Sets an error about all files together, with their name if they have one. */
static int __attribute__((format(printf, 3, 4))) refuse(const struct import *import, struct error *error, const char *format, ...)
{
	char text[400];
	va_list list;
	va_start(list, format);
	vsnprintf(text, sizeof text, format, list);
	va_end(list);
	return import->source->name ? error_at(error, STATUS_FABRIC, import->source->name, 0, "%s", text)
				    : error_set(error, STATUS_FABRIC, "%s", text);
}

/* Reads all files of the import. */
static struct subnet *read_files(const struct import *import, struct files *files, struct error *error)
{
	struct subnet *subnet = subnet_create(error);
	const struct fabric_source *source = import->source;
	bool cabled = false;
	if (subnet)
		subnet->files = files;
	for (size_t i = 0; subnet && i < source->parts && !error->status; i++)
		dump_read(subnet, source->part[i].path, source->part[i].kinds, error);
	if (subnet && source->node_name_map && !error->status)
		node_name_map_subnet(source->node_name_map, subnet, error);
	for (uint32_t p = 0; subnet && p < subnet->ports && !cabled; p++)
		cabled = subnet->port[p].peer != NONE;
	if (!error->status && !cabled)
		refuse(import, error,
			"no cables found; add a topology, for example the output of ibnetdiscover: --topology FILE --lft TABLES");
	return subnet;
}

static struct subnet *read_original(const struct import *import, struct files *files, struct error *error)
{
	struct fabric_source source = {.program = import->program};
	struct subnet *original = NULL;
	if (!fabric_source_add(&source, import->original, DUMPS_ANY, error) && !fabric_source_named(&source, error) &&
		!fabric_source_open(&source, files, error))
		original = subnet_load(&source, files, true, error);
	fabric_source_clear(&source);
	return original;
}

/* Refuses tables of which no entry can be used: they belong to another fabric, or contain too little. */
static int check_entries(const struct import *import, const struct subnet_graph *graph, struct error *error)
{
	const struct subnet *subnet = graph->subnet;
	uint32_t tables = 0;
	for (uint32_t n = 0; n < subnet->nodes; n++)
		tables += subnet->node[n].lft != NULL;
	if (!tables || graph->entries)
		return 0;
	if (!graph->tables)
		return refuse(import, error,
			"none of the %" PRIu32 " tables belongs to a switch of this topology; they are from another fabric", tables);
	if (subnet->oddity[ODD_NO_LID].count == graph->hosts)
		return refuse(import, error,
			"the tables forward LIDs whose owners are unknown; use the output of ibnetdiscover from the routed fabric, or "
			"tables that name destinations (dump_fts without -n)");
	return refuse(import, error,
		"the tables have no entry for any host of this topology; they are from another fabric, or from another time");
}

struct subnet_graph *import_read(const struct import *import, struct files *files, struct error *error)
{
	struct subnet_graph *graph = NULL;
	struct subnet *original = NULL, *subnet = read_files(import, files, error);
	if (!error->status && import->original)
		original = read_original(import, files, error);
	if (!error->status)
		graph = subnet_graph_create(subnet, &import->options, original, error);
	subnet_free(original);
	if (!graph)
		subnet_free(subnet);
	if (graph && (subnet_levels_fill(subnet, import->source->levels, import->notes, error) ||
			     subnet_levels_unknown(subnet, import->source->levels, &graph->levels_unknown, error))) {
		import_free(graph);
		return NULL;
	}
	if (!graph || (!check_entries(import, graph, error) && !(import->strict && subnet_refuse(subnet, error))))
		return graph;
	import_free(graph);
	return NULL;
}

void import_free(struct subnet_graph *graph)
{
	if (!graph)
		return;
	subnet_free(graph->subnet);
	subnet_graph_free(graph);
}

int import_run(const struct import *import, struct fabric_source *source, const char *path, struct error *error)
{
	struct output output = {0};
	struct files files = {0};
	struct subnet_graph *graph = NULL;
	if (!fabric_source_open_dumps(source, &files, error))
		graph = import_read(import, &files, error);
	if (graph && !files_write(&files, &output, path, error) &&
		!(import->list_rails ? subnet_graph_rails_write(graph, output.file, error)
				     : graph_dot_write(graph, output.file, import->comment, error)) &&
		!output_commit(&output, error) && import->notes)
		import_tell(import, graph, import->notes);
	output_discard(&output);
	import_free(graph);
	files_clear(&files);
	return error->status ? -1 : 0;
}
