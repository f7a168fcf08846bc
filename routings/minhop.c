/*
 * Shortest paths, found by one breadth-first search per switch with hosts. minhop balances them: for each destination, in the order of the
 * switches with hosts, every node takes the shortest path whose channel the fewest destinations use so far (the Min Hop algorithm of
 * OpenSM, see opensm(8)). bfs takes the first shortest path, ecmp all, optionally with weights that give all shortest paths of a pair the
 * same share. None of them avoids deadlocks. Time O(switches with hosts * channels + hosts * choices).
 */
#include "base/memory.h"
#include "base/spelling.h"
#include "routings/routing.h"

#include <stdlib.h>
#include <string.h>

static int minhop_route(const struct routing_task *task, struct routed *routed, struct error *error)
{
	const struct routing_graph *n = task->graph;
	struct choices choices;
	uint32_t *usage = array_create(n->fabric->channels, sizeof *usage, error);
	if (!choices_init(&choices, n, error) && usage)
		for (uint32_t g = 0; g < n->groups; g++) {
			choices_shortest(&choices, n->root[g]);
			for (uint32_t i = n->first_member[g]; i < n->first_member[g + 1]; i++)
				routed_least_used(routed, &choices, g, n->member[i], usage);
		}
	routed->deadlocks = true;
	choices_clear(&choices);
	free(usage);
	return error->status ? -1 : 0;
}

/* Stores the distance of each node from the root of the choices. */
static void keep_distances(struct routed *routed, const struct choices *choices, uint32_t group)
{
	const struct routing_graph *n = choices->graph;
	uint32_t *distance = routed->distance + (size_t)group * n->columns;
	for (uint32_t i = 0; i < n->columns; i++)
		distance[i] = choices->distance[n->node[i]];
}

/* Counts the shortest paths from each node to the root of the choices: exactly up to 2^53. paths: [columns] */
static void count_paths(const struct choices *choices, double *paths)
{
	const struct routing_graph *n = choices->graph;
	if (n->column[choices->root] != NONE)
		paths[n->column[choices->root]] = 1;
	for (uint32_t i = 0; i < choices->count; i++)
		for (uint32_t k = choices->first[i]; k < choices->first[i + 1]; k++) {
			uint32_t head = n->fabric->head[choices->channel[k]];
			paths[n->column[choices->order[i]]] += head == choices->root ? 1 : paths[n->column[head]];
		}
}

static int bfs_route(const struct routing_task *task, struct routed *routed, struct error *error)
{
	const struct routing_graph *n = task->graph;
	struct choices choices;
	for (uint32_t g = choices_init(&choices, n, error) ? n->groups : 0; g < n->groups; g++) {
		choices_shortest(&choices, n->root[g]);
		uint32_t *row = routed_row(routed, n, n->member[n->first_member[g]]);
		for (uint32_t i = 0; i < choices.count; i++)
			row[n->column[choices.order[i]]] = choices.channel[choices.first[i]];
		routed_copy_group(routed, n, g);
		if (routed->distance)
			keep_distances(routed, &choices, g);
		if (routed->paths)
			count_paths(&choices, routed->paths + (size_t)g * n->columns);
	}
	routed->deadlocks = true;
	choices_clear(&choices);
	return error->status ? -1 : 0;
}

static const char *const weight_rules[] = {"equal", "paths"};

static int ecmp_route(const struct routing_task *task, struct routed *routed, struct error *error)
{
	const char *weights = task->args[0].text;
	size_t entries = (size_t)task->graph->groups * task->graph->columns;
	bool by_paths = !strcmp(weights, weight_rules[1]);
	if (!by_paths && strcmp(weights, weight_rules[0]))
		return error_unknown(error, "rule for weights", weights, weight_rules, 2);
	routed->distance = array_create(entries, sizeof *routed->distance, error);
	if (by_paths)
		routed->paths = array_create(entries, sizeof *routed->paths, error);
	return error->status ? -1 : bfs_route(task, routed, error);
}

/* all: all shortest paths. */
static int prepare(const struct routing_task *task, bool all, struct routing_demand *demand, struct error *error)
{
	const struct fabric *fabric = task->graph->fabric;
	struct shortest_routes *shortest = shortest_routes_create(fabric, routing_some_host_forwards(task->graph), all, error);
	demand->forwarding = shortest ? forwarding_without_entries(fabric, error) : NULL;
	if (demand->forwarding)
		forwarding_compute(demand->forwarding, fabric, NULL, shortest);
	else
		shortest_routes_free(shortest);
	return error->status ? -1 : 0;
}

static int bfs_prepare(const struct routing_task *task, struct routing_demand *demand, struct error *error)
{
	return prepare(task, false, demand, error);
}

static int ecmp_prepare(const struct routing_task *task, struct routing_demand *demand, struct error *error)
{
	return strcmp(task->args[0].text, weight_rules[0]) ? 0 : prepare(task, true, demand, error);
}

const struct routing routing_minhop_orcs = {
	.name = "minhop-orcs",
	.summary = "shortest paths, balanced over the ports by counting destinations",
	.source = "orcs, after OpenSM's Min Hop",
	.needs = "any fabric",
	.route = minhop_route,
};

const struct routing routing_bfs = {
	.name = "bfs",
	.summary = "shortest paths, by the first port of each switch that is on one",
	.source = "breadth-first search",
	.needs = "any fabric",
	.route = bfs_route,
	.demand = bfs_prepare,
};

static const struct arg ecmp_args[] = {
	{"weights", ARG_WORD, "equal", 0, 0,
		"weights of the channels of a switch: equal, or paths (number of shortest paths through each)"},
	{"hash", ARG_FLAG, NULL, 0, 0, "each pair draws a path in each run, as --multipath random of orcs"},
	{"qps", ARG_INTEGER, "1", 1, 256, "queue pairs of each connection that draw a path, as --queue-pairs of orcs --engine flow"},
	{.type = ARG_END},
};

bool ecmp_hashes(const char *spec, uint32_t *pairs)
{
	static const char name[] = "ecmp:";
	struct arg_values values;
	struct error wrong = {0};
	if (!spec || strncmp(spec, name, strlen(name)) != 0)
		return false;
	bool read = !args_parse(&values, ecmp_args, spec + strlen(name), "routing engine", "ecmp", &wrong),
	     hashes = read && values.value[1].integer;
	*pairs = hashes ? (uint32_t)values.value[2].integer : 1;
	args_clear(&values);
	return hashes;
}

const struct routing routing_ecmp = {
	.name = "ecmp",
	.summary = "all shortest paths: multipath entries",
	.source = "breadth-first search",
	.needs = "any fabric",
	.args = ecmp_args,
	.route = ecmp_route,
	.demand = ecmp_prepare,
};
