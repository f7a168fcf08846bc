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
	X(valiant_group) \
	X(smodk) \
	X(updown) \
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

/* Checks that the engine does what the task wants. Returns 0, or -1. */
static int check(const struct routing *routing, const struct routing_task *task, struct error *error)
{
	if (task->root_count && !routing->roots)
		return error_set(error, STATUS_USAGE, "%s does not take roots: omit --roots", routing->name);
	if (routing->source_routes != task->source_routes)
		return error_set(error, STATUS_USAGE,
			routing->source_routes ? "%s computes source routes: write them to a file with orcs-route --routes FILE"
					       : "%s computes forwarding tables, not source routes: omit --routes",
			routing->name);
	return 0;
}

int routing_run(struct routed *routed, const char *spec, struct routing_task *task, struct error *error)
{
	const struct routing *routing = routing_find(spec, error);
	const char *colon = strchr(spec, ':');
	struct arg_values args = {0};
	*routed = (struct routed){.levels = 1, .lanes = 1};
	if (!routing || check(routing, task, error))
		return -1;
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

int routing_prepare(struct routing_demand *demand, const char *spec, struct routing_task *task, struct error *error)
{
	const struct routing *routing = routing_find(spec, error);
	const char *colon = strchr(spec, ':');
	struct arg_values args = {0};
	*demand = (struct routing_demand){0};
	if (!routing || check(routing, task, error))
		return -1;
	if (!routing->demand)
		return 0;
	if (task->topology && topology_hosts_forward(task->topology))
		routing_graph_hosts_forward(task->graph);
	if (!args_parse(&args, routing->args, colon ? colon + 1 : NULL, "routing engine", routing->name, error)) {
		task->args = args.value;
		routing->demand(task, demand, error);
		task->args = NULL;
	}
	args_clear(&args);
	if (demand->forwarding)
		demand->forwarding->demand = true;
	if (!error->status)
		return 0;
	routing_demand_clear(demand);
	return -1;
}

void routing_demand_clear(struct routing_demand *demand)
{
	forwarding_free(demand->forwarding);
	source_routes_free(demand->routes);
	*demand = (struct routing_demand){0};
}

int routing_prepare_function(const struct routing_task *task, const char *routing, struct routing_demand *demand, struct error *error)
{
	const struct fabric *fabric = task->graph->fabric;
	const struct topology_kind *kind = task->topology ? topology_find(task->topology) : NULL;
	const char *own = kind ? kind->routing : NULL;
	struct error other = {0};
	if (!own || (routing && strcmp(own, routing) != 0))
		return 0; /* the engine states what is missing */
	struct routing_function *function = routing_function_create(fabric, task->topology, own, &other);
	if (!function)
		return 0;
	demand->forwarding = forwarding_without_entries(fabric, error);
	if (!demand->forwarding) {
		routing_function_free(function);
		return -1;
	}
	forwarding_compute(demand->forwarding, fabric, function, NULL);
	return 0;
}
