/* The table of all routing engines. To add one, write its file and add a line here. */
#include "base/memory.h"
#include "base/spelling.h"
#include "topologies/topology.h"
#include "routings/routing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROUTINGS(X) \
	X(minhop) \
	X(updn) \
	X(dnup) \
	X(ftree) \
	X(sssp) \
	X(dfsssp) \
	X(lash) \
	X(osm_dor) \
	X(minhop_orcs) \
	X(updn_orcs) \
	X(dnup_orcs) \
	X(ftree_orcs) \
	X(sssp_orcs) \
	X(dfsssp_orcs) \
	X(lash_orcs) \
	X(best) \
	X(nue) \
	X(bfs) \
	X(ecmp) \
	X(dmodk) \
	X(dor) \
	X(min) \
	X(own) \
	X(valiant) \
	X(ksp) \
	X(allpath)

#define DECLARE(name) extern const struct routing routing_##name;
#define LIST(name) &routing_##name,

ROUTINGS(DECLARE)
const struct routing *const routings[] = {ROUTINGS(LIST) NULL};

bool routing_begins(const char *list)
{
	for (const struct routing *const *r = routings; *r; r++)
		if (spec_begins(list, (*r)->name))
			return true;
	return false;
}

const struct routing *routing_find(const char *spec, struct error *error)
{
	const char *names[sizeof routings / sizeof *routings];
	size_t length = spec_name_length(spec), count = 0;
	char name[64];
	for (; routings[count]; count++) {
		names[count] = routings[count]->name;
		if (strlen(names[count]) == length && !strncmp(spec, names[count], length))
			return routings[count];
	}
	snprintf(name, sizeof name, "%.*s", (int)length, spec);
	error_unknown(error, "routing engine", name, names, count);
	return NULL;
}

int routing_run(struct routed *routed, const char *spec, struct routing_task *task, struct error *error)
{
	const struct routing *routing = routing_find(spec, error);
	const char *colon = strchr(spec, ':');
	struct arg_values args = {0};
	*routed = (struct routed){.levels = 1, .lanes = 1};
	if (!routing)
		return -1;
	if (task->root_count && !routing->roots)
		return error_set(error, STATUS_USAGE, "%s does not take roots: omit --roots", routing->name);
	if (routing->source_routes != task->source_routes)
		return error_set(error, STATUS_USAGE,
			routing->source_routes ? "%s computes source routes: write them to a file with orcs-route --routes FILE"
					       : "%s computes forwarding tables, not source routes: omit --routes",
			routing->name);
	if (task->topology && topology_hosts_forward(task->topology))
		routing_graph_hosts_forward(task->graph);
	if (!args_parse(&args, routing->args, colon ? colon + 1 : NULL, "routing engine", routing->name, error)) {
		if (routing->source_routes || routing->opensm || !routed_make_tables(routed, task->graph, error)) {
			task->args = args.value;
			routing->route(task, routed, error);
			task->args = NULL;
		}
	}
	args_clear(&args);
	return error->status ? -1 : 0;
}
