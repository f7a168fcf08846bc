/*
 * OpenSM's engines by their own names: for the same GUIDs, LIDs, ports and options the tables are those of OpenSM 3.3.23, see
 * opensm/opensm.h. Where OpenSM refuses a fabric, so do they; lenient takes OpenSM's fallback then, minhop.
 */
#include "base/memory.h"
#include "base/shown.h"
#include "fabric/node_list.h"
#include "routings/opensm/view.h"
#include "routings/opensm/failing.h"
#include "routings/routing.h"
#include "routings/usual_lists.h"
#include "shapes/fat_tree.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROOTS "roots"
#define COMPUTE_NODES "compute-nodes"
#define IO_NODES "io-nodes"
#define CONNECT_ROOTS "connect-roots"
#define LENIENT "lenient"
#define SEVERAL_LIDS "lmc"

struct opensm_run {
	const struct routing_task *task;
	const char *engine;
	const struct arg *table;
	struct opensm_view view;
	struct opensm_options options;
	uint64_t *guid[3]; /* of roots, compute nodes, I/O nodes */
	struct routed *routed;
	struct error *error;
};

/* ---- parameters */

static const struct arg_value *value_of(const struct opensm_run *r, const char *key)
{
	for (const struct arg *arg = r->table; arg->type != ARG_END; arg++)
		if (!strcmp(arg->key, key))
			return &r->task->args[arg - r->table];
	return NULL;
}

static bool has_flag(const struct opensm_run *r, const char *key)
{
	const struct arg_value *value = value_of(r, key);
	return value && value->integer;
}

/* Appends to the warning. */
static void warn(struct routed *routed, const char *text)
{
	size_t used = strlen(routed->warning);
	snprintf(routed->warning + used, sizeof routed->warning - used, "%s%s", used ? "; " : "", text);
}

/* Names the roots at the top of the fat tree, and the switches that do not fit it. */
static void tell_tree(const struct fat_tree *tree, const struct fabric *fabric, char *text, size_t size)
{
	enum { NAMED = 3 };
	const size_t rest = sizeof "; 4294967295 switches do not fit: ";
	snprintf(text, size, "%" PRIu32 " root%s at the top of a fat tree of %" PRIu32 " levels: ", tree->roots,
		tree->roots == 1 ? "" : "s", tree->levels);
	for (int misfits = 0; misfits < 2; misfits++) {
		uint32_t count = misfits ? tree->misfits : tree->roots;
		uint32_t named = 0;
		if (misfits && count)
			append_whole(text, size, "; %" PRIu32 " switch%s not fit: ", count, count == 1 ? " does" : "es do");
		while (named < count && named < NAMED &&
			append_whole(text, size - 3 * rest, "%s%s", named ? ", " : "",
				SHOWN(fabric->labels->name[misfits ? tree->misfit[named].node : tree->root[named]])))
			named++;
		if (count > named)
			append_whole(text, size, "%s%" PRIu32 " more", named ? " and " : "", count - named);
	}
}

static int take_guids(struct opensm_run *r, struct opensm_guids *guids, int place, const struct node_list *list)
{
	uint64_t *guid = r->guid[place] = array_create(list->count, sizeof *guid, r->error);
	for (size_t i = 0; guid && i < list->count; i++) {
		uint32_t node = list->listed[i].node;
		guid[i] = node == NONE ? list->listed[i].guid
			  : place      ? r->view.arrays.port[r->view.whole->lid_port[node]].guid
				       : r->view.arrays.node[r->view.whole->node_of[node]].guid;
	}
	*guids = (struct opensm_guids){.guid = guid, .count = (uint32_t)list->count, .given = true};
	return guid ? 0 : -1;
}

static int add_listed(struct node_list *list, uint32_t node, struct error *error)
{
	if (array_grow(&list->listed, &list->capacity, list->count + 1, sizeof *list->listed, error))
		return -1;
	list->listed[list->count++] = (struct listed_node){.node = node};
	return 0;
}

/* The hosts at the distance from the roots where most are. */
static int find_compute_nodes(struct opensm_run *r, struct node_list *list)
{
	const struct fabric *fabric = r->task->graph->fabric;
	uint32_t *root = array_create(fabric->nodes, sizeof *root, r->error), roots = 0, count = 0;
	for (uint32_t v = 0; v < fabric->nodes && root; v++)
		for (uint32_t i = 0; i < r->options.roots.count; i++)
			if (fabric->node_host[v] == NONE && r->view.arrays.node[r->view.whole->node_of[v]].guid == r->options.roots.guid[i])
				root[roots++] = v;
	uint32_t *node = root ? compute_nodes_usual(fabric, root, roots, &count, r->error) : NULL;
	for (uint32_t i = 0; i < count && node; i++)
		add_listed(list, node[i], r->error);
	free(root);
	free(node);
	return r->error->status ? -1 : 0;
}

/* The top of the fat tree. */
static int find_top(struct opensm_run *r, struct node_list *list)
{
	const struct fabric *fabric = r->task->graph->fabric;
	char text[sizeof r->routed->warning / 2];
	struct fat_tree tree = {0};
	uint32_t count = 0, *root = roots_usual(fabric, strcmp(r->engine, "ftree") != 0, &tree, &count, r->error);
	for (uint32_t i = 0; i < count && root; i++)
		add_listed(list, root[i], r->error);
	if (root && tree.roots)
		tell_tree(&tree, fabric, text, sizeof text);
	else
		snprintf(text, sizeof text, "the switches do not form a fat tree; roots: %" PRIu32 ", the farthest from the hosts", count);
	if (root)
		warn(r->routed, text);
	fat_tree_clear(&tree);
	free(root);
	return r->error->status ? -1 : 0;
}

static int read_roots(struct opensm_run *r)
{
	const struct arg_value *value = value_of(r, ROOTS);
	const char *text = value && value->text && *value->text ? value->text : NULL;
	struct node_list list = {0};
	if (text && r->task->root_count)
		return error_set(r->error, STATUS_USAGE, "%s: roots are given twice, by --roots and by roots=", r->engine);
	for (uint32_t i = 0; i < r->task->root_count; i++)
		add_listed(&list, r->task->roots[i], r->error);
	if (text && !strcmp(text, "auto"))
		find_top(r, &list);
	else if (text)
		node_list_read(&list, text, NODES_SWITCHES, ROOTS, r->task->graph->fabric, r->task->files, r->error);
	if (!r->error->status && list.count)
		take_guids(r, &r->options.roots, 0, &list);
	node_list_clear(&list);
	return r->error->status ? -1 : 0;
}

static int read_hosts(struct opensm_run *r, struct opensm_guids *guids, int place, const char *key)
{
	const struct arg_value *value = value_of(r, key);
	struct node_list list = {0};
	if (!value || !value->text || !*value->text)
		return 0;
	if (place == 1 && !strcmp(value->text, "auto")) {
		if (!find_compute_nodes(r, &list) && list.count)
			take_guids(r, guids, place, &list);
	} else if (!node_list_read(&list, value->text, NODES_HOSTS, key, r->task->graph->fabric, r->task->files, r->error))
		take_guids(r, guids, place, &list);
	node_list_clear(&list);
	return r->error->status ? -1 : 0;
}

static int read_options(struct opensm_run *r)
{
	r->options.connect_roots = has_flag(r, CONNECT_ROOTS);
	r->options.lanes = r->task->lanes;
	r->options.ends_only = !r->task->whole;
	return read_roots(r) || read_hosts(r, &r->options.compute_nodes, 1, COMPUTE_NODES) ||
			       read_hosts(r, &r->options.io_nodes, 2, IO_NODES)
		       ? -1
		       : 0;
}

/* ---- tables */

/* Whether roots=auto finds roots, which OpenSM lacks. */
static bool roots_would_help(struct opensm_run *r, const char *refusal)
{
	const struct fabric *fabric = r->task->graph->fabric;
	struct fat_tree tree = {0};
	uint32_t *reverse = NULL;
	if (value_of(r, ROOTS) && !r->options.roots.given && strstr(refusal, "root switches") &&
		(reverse = fabric_reverse(fabric, r->error)))
		fat_tree_find(&tree, fabric, reverse, r->error);
	bool found = tree.roots;
	fat_tree_clear(&tree);
	free(reverse);
	return found;
}

static int compute(struct opensm_run *r, struct opensm_tables *tables, const char *engine)
{
	char text[sizeof tables->refusal + 200];
	if (opensm_compute_tables(tables, engine, &r->view.arrays.subnet, &r->options, r->error))
		return -1;
	if (!*tables->refusal)
		return 0;
	if (!has_flag(r, LENIENT)) {
		snprintf(text, sizeof text, roots_would_help(r, tables->refusal) ? "%s:roots=auto, " : "", engine);
		return error_at(r->error, STATUS_FABRIC, r->task->graph->fabric->labels->source, 0,
			"OpenSM refuses %s: %s; use %s%s-orcs, or %s:lenient for OpenSM's fallback, minhop", engine, tables->refusal, text,
			engine, engine);
	}
	snprintf(text, sizeof text, "OpenSM refuses %s (%s) and falls back to minhop, whose tables these are", engine, tables->refusal);
	warn(r->routed, text);
	r->routed->fallback = "minhop";
	opensm_tables_clear(tables);
	r->routed->deadlocks = true;
	return opensm_compute_tables(tables, "minhop", &r->view.arrays.subnet, &r->options, r->error);
}

/* The entries of all LIDs. */
static int keep(struct opensm_run *r, const struct opensm_tables *tables)
{
	struct whole_fabric *whole = r->view.whole;
	if (whole_fabric_blank(whole, tables->lids, r->error))
		return -1;
	for (uint32_t s = 0; s < tables->switches; s++)
		for (uint32_t lid = 1; lid < tables->lids; lid++)
			whole_set(whole, tables->node[s], lid, opensm_entry(tables, s, lid));
	r->routed->whole = whole;
	r->view.whole = NULL;
	return 0;
}

/* Hands over what routes the fabric again once something fails. */
static void keep_for_failures(struct opensm_run *r)
{
	struct opensm_failing *failing = r->task->failing;
	*failing = (struct opensm_failing){.graph = r->task->graph, .engine = r->engine, .view = r->view, .options = r->options};
	memcpy(failing->guid, r->guid, sizeof r->guid);
	memset(r->guid, 0, sizeof r->guid);
	r->view = (struct opensm_view){0};
	opensm_failing_begin(failing, r->routed, r->error);
}

/* table: of the engine's parameters. */
static int route_by(const struct routing_task *task, struct routed *routed, const char *engine, const struct arg *table, bool deadlocks,
	struct error *error)
{
	struct opensm_run run = {.task = task, .engine = engine, .table = table, .routed = routed, .error = error};
	struct opensm_tables tables = {0};
	routed->deadlocks = deadlocks;
	routed->opensm = true;
	const struct arg_value *lmc = value_of(&run, SEVERAL_LIDS);
	if (!opensm_view_init(&run.view, task->graph, task->attributes, task->lanes, lmc ? (unsigned)lmc->integer : 0, engine, error) &&
		!routed_make_tables(routed, task->graph, error) && !read_options(&run) && !compute(&run, &tables, engine) &&
		!opensm_fill_routed(routed, &run.view, task->graph, &tables, error)) {
		routed->uncertain = *tables.warning;
		if (*tables.warning)
			warn(routed, tables.warning);
		if (task->whole)
			keep(&run, &tables);
		else if (task->failing)
			keep_for_failures(&run);
	}
	opensm_tables_clear(&tables);
	opensm_view_clear(&run.view);
	for (int i = 0; i < 3; i++)
		free(run.guid[i]);
	return error->status ? -1 : 0;
}

/* ---- the engines */

#define ARG_ROOTS \
	{ \
		ROOTS, ARG_WORD, "", 0, 0, \
			"root switches (opensm -a): a file, names with + between them, or auto: the top of the fat tree" \
	}
#define ARG_CONNECT_ROOTS \
	{ \
		CONNECT_ROOTS, ARG_FLAG, NULL, 0, 0, "paths between the roots, too (opensm -z)" \
	}
#define ARG_COMPUTE_NODES \
	{ \
		COMPUTE_NODES, ARG_WORD, "", 0, 0, \
			"compute nodes (opensm -u): a file, names with + between them, or auto: those at the usual distance from the roots" \
	}
#define ARG_IO_NODES \
	{ \
		IO_NODES, ARG_WORD, "", 0, 0, "the I/O nodes (opensm -G), likewise" \
	}
#define ARG_LENIENT \
	{ \
		LENIENT, ARG_FLAG, NULL, 0, 0, "OpenSM's fallback, minhop, where it refuses the engine" \
	}

#define ARG_LMC \
	{ \
		SEVERAL_LIDS, ARG_INTEGER, "0", 0, LMC_MOST, \
			"LMC of end ports (opensm -l): 2^lmc LIDs each, assigned in the order of the LIDs; 0: as the fabric has them" \
	}

static const struct arg no_args[] = {{.type = ARG_END}};
static const struct arg plain_args[] = {ARG_LMC, {.type = ARG_END}};
static const struct arg updn_args[] = {ARG_ROOTS, ARG_CONNECT_ROOTS, ARG_LENIENT, ARG_LMC, {.type = ARG_END}};
static const struct arg dnup_args[] = {ARG_CONNECT_ROOTS, ARG_LENIENT, ARG_LMC, {.type = ARG_END}};
static const struct arg ftree_args[] = {
	ARG_ROOTS, ARG_COMPUTE_NODES, ARG_IO_NODES, ARG_CONNECT_ROOTS, ARG_LENIENT, ARG_LMC, {.type = ARG_END}};
static const struct arg sssp_args[] = {ARG_COMPUTE_NODES, ARG_IO_NODES, ARG_LMC, {.type = ARG_END}};
static const struct arg dfsssp_args[] = {ARG_COMPUTE_NODES, ARG_IO_NODES, ARG_LENIENT, ARG_LMC, {.type = ARG_END}};
static const struct arg lash_args[] = {ARG_LENIENT, ARG_LMC, {.type = ARG_END}};

#define OPENSM "OpenSM 3.3.23"
#define ANY "a fabric of channel adapters and switches, with bidirectional cables and up to 49,151 nodes"

#define ENGINE(id, engine, table, deadlock, takes_roots, what, requires) \
	static int id##_route(const struct routing_task *task, struct routed *routed, struct error *error) \
	{ \
		return route_by(task, routed, engine, table, deadlock, error); \
	} \
	const struct routing routing_##id = { \
		.name = engine, \
		.summary = what, \
		.source = OPENSM, \
		.needs = requires, \
		.args = table, \
		.roots = takes_roots, \
		.opensm = true, \
		.route = id##_route, \
	}

ENGINE(minhop, "minhop", plain_args, true, false, "shortest paths, on each switch balanced over its ports by counting destinations", ANY);
ENGINE(updn, "updn", updn_args, false, true, "up, then down, ranked by distance from the roots: deadlock-free on one virtual lane",
	ANY "; roots from --roots, or switches with nearly all hosts at one distance");
ENGINE(dnup, "dnup", dnup_args, true, false, "down, then up, ranked by distance from the switches with hosts", ANY);
ENGINE(ftree, "ftree", ftree_args, true, true, "fat trees: congestion-free for shifts in complete ones",
	"a fat tree; roots from --roots, otherwise a symmetric one");
ENGINE(sssp, "sssp", sssp_args, true, false, "shortest paths by weights that grow with the paths of each channel", ANY);
ENGINE(dfsssp, "dfsssp", dfsssp_args, false, false, "sssp, deadlock-free on virtual lanes", ANY "; lanes");
ENGINE(lash, "lash", lash_args, false, false, "one shortest path per pair of switches, deadlock-free on virtual lanes", ANY "; lanes");

int routing_opensm_dor(const struct routing_task *task, struct routed *routed, struct error *error)
{
	return route_by(task, routed, "dor", no_args, true, error);
}

static int osm_dor_route(const struct routing_task *task, struct routed *routed, struct error *error)
{
	return route_by(task, routed, "dor", plain_args, true, error);
}

const struct routing routing_osm_dor = {
	.name = "osm-dor",
	.summary = "shortest paths that keep to the first neighbour by port number; dor where the graph states no topology",
	.source = OPENSM "'s dor",
	.needs = ANY,
	.args = plain_args,
	.opensm = true,
	.route = osm_dor_route,
};
