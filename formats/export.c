#include "export.h"

#include "output.h"
#include "subnet_dot.h"
#include "subnet_write.h"

#include <inttypes.h>

const char *const export_forms[] = {
	[EXPORT_IBNETDISCOVER] = "ibnetdiscover",
	[EXPORT_IBSIM] = "ibsim",
	[EXPORT_LFTS] = "lfts",
	[EXPORT_ROOT_GUIDS] = "root-guids",
	[EXPORT_CN_GUIDS] = "cn-guids",
	NULL,
};

static void tell(const struct export *export, uint32_t count, const char *what)
{
	if (count && !export->quiet)
		fprintf(stderr, "%s: %" PRIu32 " %s\n", export->program, count, what);
}

static void tell_changes(const struct export *export, const struct ibsim_changes *changes)
{
	tell(export, changes->guids, "node GUIDs changed: ibsim wants those of nodes and ports (node + number) unique");
	tell(export, changes->speeds, "cables of a speed that ibsim does not know (FDR10, NDR, XDR) lowered to the next that it does");
	tell(export, changes->names, "node descriptions changed: at most 63 bytes, without quotes");
	tell(export, changes->lids, "LIDs left out: another port has them, or they are no unicast LIDs");
	tell(export, changes->links, "cables of unknown width or speed written as 4x or EDR");
}

static int write_form(const struct export *export, const struct subnet_graph *graph, FILE *file, struct error *error)
{
	struct ibsim_changes changes = {0};
	int result = 0;
	switch (export->form) {
	case EXPORT_IBNETDISCOVER: subnet_write_ibnetdiscover(graph->subnet, file); break;
	case EXPORT_IBSIM: result = subnet_write_ibsim(graph->subnet, file, &changes, error); break;
	case EXPORT_LFTS: result = subnet_write_lfts(graph->subnet, file, error); break;
	case EXPORT_ROOT_GUIDS:
		subnet_write_roots(graph, file);
		if (!graph->node[graph->nodes - 1].rank && !export->quiet)
			fprintf(stderr, "%s: note: all switches have hosts, so none is a root\n", export->program);
		break;
	case EXPORT_CN_GUIDS: subnet_write_hosts(graph, file); break;
	}
	if (!result)
		tell_changes(export, &changes);
	return result;
}

static void tell_all(const struct export *export, const struct subnet *subnet, uint32_t guids)
{
	tell(export, guids, "nodes without a GUID of their own got one");
	if (!export->quiet)
		subnet_tell(subnet, export->program, false, stderr);
}

int export_run(const struct export *export, const char *path, struct error *error)
{
	const struct subnet_graph_options options = {0};
	struct subnet *subnet = subnet_load(export->file, export->files, error);
	struct subnet_graph *graph = NULL;
	struct output output = {0};
	uint32_t guids = 0;
	if (subnet && !subnet_fill_guids(subnet, &guids, error))
		graph = subnet_graph_create(subnet, &options, NULL, error);
	if (graph && !output_open(&output, path, error) && !write_form(export, graph, output.file, error) && !output_commit(&output, error))
		tell_all(export, subnet, guids);
	output_discard(&output);
	subnet_graph_free(graph);
	subnet_free(subnet);
	return error->status ? -1 : 0;
}
