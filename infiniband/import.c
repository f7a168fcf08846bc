#include "infiniband/import.h"

#include "base/files.h"
#include "infiniband/dump.h"
#include "infiniband/graph_dot.h"
#include "infiniband/subnet_dot.h"

#include <inttypes.h>
#include <string.h>

static void tell(const struct import *import, const struct subnet_graph *graph)
{
	fprintf(import->notes, "%s: %" PRIu32 " hosts, %" PRIu32 " switches, %" PRIu32 " cables", import->program, graph->hosts,
		graph->nodes - graph->hosts, graph->cables);
	if (graph->tables)
		fprintf(import->notes, "; %" PRIu32 " tables, %" PRIu64 " entries for hosts\n", graph->tables, graph->entries);
	else
		fputs("; no tables, so the graph is not routed\n", import->notes);
	subnet_tell(graph->subnet, import->program, true, import->notes);
}

/* Reads all files of the import. */
static struct subnet *read_files(const struct import *import, struct files *files, struct error *error)
{
	struct subnet *subnet = subnet_create(error);
	bool cabled = false;
	if (subnet)
		subnet->files = files;
	for (int i = 0; subnet && i < import->files && !error->status; i++)
		dump_read(subnet, import->file[i].path, import->file[i].kinds, error);
	for (uint32_t p = 0; subnet && p < subnet->ports && !cabled; p++)
		cabled = subnet->port[p].peer != NONE;
	if (!error->status && !cabled)
		error_set(
			error, STATUS_FABRIC, "no cable in what was read: the cabling is needed too, such as the output of ibnetdiscover");
	return subnet;
}

static struct subnet *read_original(const struct import *import, struct files *files, struct error *error)
{
	return import->original ? subnet_load(&import->original, 1, files, error) : NULL;
}

/* Tables of which not an entry can be used are those of another fabric, or tell too little. */
static int check_entries(const struct subnet_graph *graph, struct error *error)
{
	const struct subnet *subnet = graph->subnet;
	uint32_t tables = 0;
	for (uint32_t n = 0; n < subnet->nodes; n++)
		tables += subnet->node[n].lft != NULL;
	if (!tables || graph->entries)
		return 0;
	if (!graph->tables)
		return error_set(error, STATUS_FABRIC,
			"none of the %" PRIu32 " tables is of a switch of this cabling: they are of another fabric", tables);
	if (subnet->oddity[ODD_NO_LID].count == graph->hosts)
		return error_set(error, STATUS_FABRIC,
			"the tables forward LIDs, and whose they are is not known: take the output of ibnetdiscover from the routed fabric, or "
			"tables that name destinations (dump_fts without -n)");
	return error_set(error, STATUS_FABRIC,
		"the tables have no entry for any host of this cabling: they are of another fabric, or of another day");
}

int import_run(const struct import *import, const char *path, struct error *error)
{
	struct output output = {0};
	struct files files = {0};
	struct subnet_graph *graph = NULL;
	struct subnet *original = NULL, *subnet = read_files(import, &files, error);
	if (!error->status)
		original = read_original(import, &files, error);
	if (!error->status)
		graph = subnet_graph_create(subnet, &import->options, original, error);
	if (graph && !check_entries(graph, error) && !(import->strict && subnet_refuse(subnet, error)) &&
		!files_write(&files, &output, path, error) && !graph_dot_write(graph, output.file, import->comment, error) &&
		!output_commit(&output, error) && import->notes)
		tell(import, graph);
	output_discard(&output);
	subnet_graph_free(graph);
	subnet_free(subnet);
	subnet_free(original);
	files_clear(&files);
	return error->status ? -1 : 0;
}
