#include "infiniband/export.h"

#include "base/files.h"
#include "base/memory.h"
#include "base/shown.h"
#include "infiniband/slurm.h"
#include "infiniband/subnet_dot.h"
#include "infiniband/subnet_levels.h"
#include "infiniband/subnet_write.h"

#include <inttypes.h>
#include <stdlib.h>

const char *const export_forms[] = {
	[EXPORT_IBNETDISCOVER] = "ibnetdiscover",
	[EXPORT_IBSIM] = "ibsim",
	[EXPORT_LFTS] = "lfts",
	[EXPORT_LEVELS] = "sls",
	[EXPORT_ROOT_GUIDS] = "root-guids",
	[EXPORT_CN_GUIDS] = "cn-guids",
	[EXPORT_SLURM_TREE] = "slurm-tree",
	[EXPORT_SLURM_BLOCK] = "slurm-block",
	[EXPORT_SLURM_YAML] = "slurm-yaml",
	NULL,
};

static void tell(const struct export *export, uint32_t count, const char *what)
{
	if (count && export->notes)
		fprintf(export->notes, "%s: %" PRIu32 " %s\n", export->program, count, what);
}

static void tell_changes(const struct export *export, const struct ibsim_changes *changes)
{
	tell(export, changes->guids, "node GUIDs changed: ibsim requires unique GUIDs of nodes and ports (node + number)");
	tell(export, changes->speeds, "cables with a speed that ibsim does not know (FDR10, NDR, XDR) lowered to the next known speed");
	tell(export, changes->names, "node descriptions changed: at most 63 bytes, without quotes");
	tell(export, changes->lids, "LIDs left out: another port has them, or they are not unicast LIDs");
	tell(export, changes->links, "cables of unknown width or speed written as 4x or EDR");
}

/* ---- hosts that forward packets for others, as in server-centric networks */

struct passing {
	uint32_t hosts, first; /* their number, and the first one: a node of the subnet */
	bool entries;          /* switches forward packets for other hosts to them */
};

static void add_host(struct passing *passing, bool *known, uint32_t node)
{
	if (known[node])
		return;
	known[node] = true;
	if (!passing->hosts++)
		passing->first = node;
}

/* Returns the node at the other end of a switch's port; NONE without a cable. */
static uint32_t behind(const struct subnet *s, const struct subnet_node *node, unsigned number)
{
	uint32_t port = number < node->slots ? node->port[number] : NONE, peer = port == NONE ? NONE : s->port[port].peer;
	return peer == NONE ? NONE : s->port[peer].node;
}

/* Finds hosts to which a switch sends packets for another host, and hosts with several cables of which one leads to a host. */
static int find_passing(const struct subnet *s, struct passing *passing, struct error *error)
{
	bool *known = array_create(s->nodes, sizeof *known, error);
	uint32_t *owner = array_create(LID_LAST + 1, sizeof *owner, error); /* node + 1 */
	*passing = (struct passing){.first = NONE};
	for (uint32_t p = 0; !error->status && p < s->ports; p++) {
		const struct subnet_port *port = &s->port[p];
		for (unsigned i = 0; port->lid && i < 1U << port->lmc && port->lid + i <= LID_LAST; i++)
			owner[port->lid + i] = port->node + 1;
		if (port->peer != NONE && s->node[port->node].kind == NODE_CA && s->node[s->port[port->peer].node].kind == NODE_CA &&
			subnet_cables(s, &s->node[port->node]) > 1)
			add_host(passing, known, port->node);
	}
	for (uint32_t v = 0; !error->status && v < s->nodes; v++)
		for (unsigned lid = 1; lid < s->node[v].lft_size && lid <= LID_LAST; lid++) {
			unsigned out = subnet_lookup(&s->node[v], lid);
			uint32_t next = out == LFT_NO_PORT || !owner[lid] ? NONE : behind(s, &s->node[v], out);
			if (next == NONE || s->node[next].kind != NODE_CA || next == owner[lid] - 1)
				continue;
			add_host(passing, known, next);
			passing->entries = true;
		}
	free(known);
	free(owner);
	return error->status ? -1 : 0;
}

/* Refuses tables that lead through hosts; for a topology alone, only warns. */
static int check_passing(const struct export *export, const struct subnet *subnet, struct error *error)
{
	static const char why[] = "hosts must forward packets for others, which InfiniBand hosts do not";
	struct passing passing;
	if (find_passing(subnet, &passing, error))
		return -1;
	const char *first = passing.hosts ? subnet->node[passing.first].desc : "";
	if (passing.entries && export->form == EXPORT_LFTS)
		return error_at(error, STATUS_FABRIC, export->source->file[0].path, 0, "%s: %" PRIu32 " (the first: '%s')", why,
			passing.hosts, first);
	if (passing.hosts && export->notes)
		fprintf(export->notes, "%s: warning: %s: %" PRIu32 " (the first: '%s')\n", export->program, why, passing.hosts,
			SHOWN(first));
	return 0;
}

/* Refuses what tables alone would lose. */
static int check_levels(const struct export *export, const struct subnet *subnet, struct error *error)
{
	bool lanes = subnet->has_lanes, levels = subnet->levels != NULL;
	for (uint32_t n = 0; n < subnet->nodes; n++)
		lanes |= subnet->node[n].sl2vl != NULL;
	if (export->form != EXPORT_LFTS || export->drop_levels || !(levels || lanes))
		return 0;
	return error_at(error, STATUS_FABRIC, export->source->file[0].path, 0,
		"the fabric has %s, which the tables of opensm -R file cannot carry; --drop-service-levels writes the tables without them",
		levels && lanes ? "service levels and SL-to-VL tables"
		: lanes         ? "SL-to-VL tables"
				: "service levels");
}

static int write_form(const struct export *export, const struct subnet_graph *graph, FILE *file, struct error *error)
{
	struct ibsim_changes changes = {0};
	int result = 0;
	switch (export->form) {
	case EXPORT_IBNETDISCOVER: subnet_write_ibnetdiscover(graph->subnet, file); break;
	case EXPORT_IBSIM: result = subnet_write_ibsim(graph->subnet, file, &changes, error); break;
	case EXPORT_LFTS:
		result = subnet_write_lfts(graph->subnet, file, error);
		if (graph->subnet->straight && export->notes)
			fprintf(export->notes,
				"%s: warning: packets travel via random switches (via), but these tables send them directly\n",
				export->program);
		if (graph->subnet->multipath && export->notes)
			fprintf(export->notes,
				"%s: warning: entries of several channels: %" PRIu64 "; these tables have the first channel of each\n",
				export->program, graph->subnet->multipath);
		break;
	case EXPORT_LEVELS: result = subnet_levels_write(graph->subnet, file, error); break;
	case EXPORT_ROOT_GUIDS:
		subnet_write_roots(graph, file);
		if (!graph->node[graph->nodes - 1].rank && export->notes)
			fprintf(export->notes, "%s: note: all switches have hosts, so the list of roots is empty\n", export->program);
		break;
	case EXPORT_CN_GUIDS: subnet_write_hosts(graph, file); break;
	default: break; /* Slurm's need no graph */
	}
	if (!result)
		tell_changes(export, &changes);
	return result;
}

/* Finds the service levels for the format that needs them. */
static int find_levels(const struct export *export, struct subnet *subnet, struct error *error)
{
	bool unknown;
	if (export->form != EXPORT_LEVELS)
		return 0;
	if (subnet_levels_fill(subnet, export->source->levels, export->notes, error) ||
		subnet_levels_unknown(subnet, export->source->levels, &unknown, error))
		return -1;
	if (unknown)
		return error_at(error, STATUS_FABRIC, export->source->file[0].path, 0,
			"the service levels are unknown, but the tables may need them; add --service-levels");
	return 0;
}

static void tell_all(const struct export *export, const struct subnet *subnet, uint32_t guids)
{
	tell(export, guids, "nodes without a GUID; GUIDs were assigned");
	if (export->notes)
		subnet_tell(subnet, export->program, false, export->notes);
}

/* ---- Slurm */

static void tell_machines(const struct export *export, const struct slurm_topology *topology)
{
	if (!export->notes)
		return;
	if (topology->unnamed)
		fprintf(export->notes, "%s: note: ports whose description names no machine, left out: %" PRIu64 " (the first: '%s')\n",
			export->program, topology->unnamed, SHOWN(topology->first_unnamed));
	if (topology->tops > 1)
		fprintf(export->notes,
			"%s: warning: no switch is above all machines: the tree has %" PRIu32
			" tops, and Slurm starts no job across them\n",
			export->program, topology->tops);
}

static int export_slurm(
	const struct export *export, const struct subnet *subnet, struct files *files, const char *path, struct error *error)
{
	static const enum slurm_form forms[] = {
		[EXPORT_SLURM_TREE] = SLURM_TREE, [EXPORT_SLURM_BLOCK] = SLURM_BLOCK, [EXPORT_SLURM_YAML] = SLURM_YAML};
	struct machine_rules rules;
	struct slurm_topology topology = {0};
	struct output output = {0};
	if (!machine_rules_init(&rules, export->machine_name, export->ports, error) &&
		!slurm_topology_find(&topology, subnet, &rules, export->source->file[0].path, error) &&
		!files_write(files, &output, path, error) && !slurm_topology_write(&topology, forms[export->form], output.file, error) &&
		!output_commit(&output, error))
		tell_machines(export, &topology);
	output_discard(&output);
	slurm_topology_clear(&topology);
	machine_rules_clear(&rules);
	return error->status ? -1 : 0;
}

int export_run(const struct export *export, const char *path, struct error *error)
{
	const struct subnet_graph_options options = {0};
	struct files files = {0};
	bool slurm = export->form >= EXPORT_SLURM_TREE;
	struct subnet *subnet = NULL;
	if (!fabric_source_open(export->source, &files, error))
		subnet = subnet_load(export->source, &files, !slurm, error);
	struct subnet_graph *graph = NULL;
	struct output output = {0};
	uint32_t guids = 0;
	if (subnet && slurm)
		export_slurm(export, subnet, &files, path, error);
	else if (subnet && !subnet_fill_guids(subnet, &guids, error) && !check_levels(export, subnet, error) &&
		 !check_passing(export, subnet, error))
		graph = subnet_graph_create(subnet, &options, NULL, error);
	if (graph && !find_levels(export, subnet, error) && !files_write(&files, &output, path, error) &&
		!write_form(export, graph, output.file, error) && !output_commit(&output, error))
		tell_all(export, subnet, guids);
	output_discard(&output);
	subnet_graph_free(graph);
	subnet_free(subnet);
	files_clear(&files);
	return error->status ? -1 : 0;
}
