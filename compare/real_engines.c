#include "compare/real_engines.h"

#include "base/memory.h"
#include "base/program.h"
#include "compare/opensm.h"
#include "fabric/virtual_lanes.h"

#include <stdlib.h>
#include <string.h>

/* Finds the numbers of the present fabric: node [nodes], of the routed one; NONE: it has none of this name. */
static int find_nodes(const struct fabric *now, const struct fabric *routed, uint32_t *node)
{
	for (uint32_t v = 0; v < routed->nodes; v++) {
		const char *name = routed->labels->name[v];
		node[v] = name_table_find(&now->labels->names, name, strlen(name));
	}
	return 0;
}

/* Whether two channels out of nodes of one name are the same, by the other end and, where both state it, the port. */
static bool is_same(const struct fabric *now, uint32_t old, const struct fabric *routed, uint32_t new, const uint32_t *node)
{
	if (old == NONE || new == NONE)
		return old == new;
	uint32_t a = now->labels->port[old], b = routed->labels->port[new];
	return now->head[old] == node[routed->head[new]] && (!a || !b || a == b);
}

/* Counts the entries of switches, and those that differ from the base's. */
static void count_entries(
	const struct advice_run *run, struct advice *a, const struct fabric *routed, const struct forwarding *tables, const uint32_t *node)
{
	const struct fabric *f = run->fabric;
	const struct forwarding *now = run->forwarding ? run->forwarding : run->run[run->result.base].forwarding;
	for (uint32_t v = 0; v < routed->nodes; v++)
		for (uint32_t h = 0; h < routed->hosts && routed->node_host[v] == NONE && node[v] != NAME_NONE; h++) {
			uint32_t to = node[routed->host_node[h]], host = to == NAME_NONE ? NONE : f->node_host[to];
			uint32_t new = forwarding_next(tables, v, tables->column[v], h);
			uint32_t old = now && host != NONE ? forwarding_next(now, node[v], now->column[node[v]], host) : NONE;
			a->entries += new != NONE || old != NONE;
			a->changed += !is_same(f, old, routed, new, node);
		}
}

/* Reads what OpenSM has routed. */
static int take(struct advice_run *run, int i, struct error *error)
{
	struct advice *a = &run->result.advice[i];
	struct fabric *fabric;
	struct forwarding *tables;
	struct attributes *attributes;
	struct dot_report odd;
	struct fabric_source *source = &run->real[i];
	char *path = run->real_path[i];
	if (fabric_source_add(source, engine_path(path, sizeof run->real_path[i], run->run[i].file), DUMPS_ANY, error) ||
		fabric_source_named(source, error) || fabric_source_open(source, run->setup.files, error) ||
		fabric_source_load(source, DOT_TABLES | DOT_KEEP | DOT_ALLOW_NO_LINK, run->setup.files, NULL, &fabric, &tables, &attributes,
			&odd, error))
		return -1;
	uint32_t *node = array_create(fabric->nodes, sizeof *node, error);
	if (!error->status && attributes_have_lanes(attributes))
		virtual_lanes_load(&run->lanes[i], attributes, fabric, true, error);
	if (!error->status && !find_nodes(run->fabric, fabric, node) && !advice_examine(run, a, fabric, tables, run->lanes[i], error))
		count_entries(run, a, fabric, tables, node);
	a->hottest = NONE; /* it has another number in the present fabric */
	a->hash = run->run[i].hash = fabric->labels->hash;
	run->comparison.routing[i].source = source;
	if (run->lanes[i]) /* its ports are those of the fabric, which ends here */
		run->lanes[i]->in_port = NULL;
	attributes_free(attributes);
	forwarding_free(tables);
	fabric_free(fabric);
	free(node);
	return error->status ? -1 : 0;
}

_Static_assert(sizeof((struct advice *)0)->refusal == sizeof((struct engine_run *)0)->failure, "reasons are copied");

int real_engines_route(struct advice_run *run, struct error *error)
{
	static const volatile sig_atomic_t never = 0;
	char path[40];
	FILE *topology = program_file(error);
	if (!topology)
		return -1;
	dot_write(run->fabric, run->attributes, topology, NULL, NULL);
	if (fflush(topology))
		error_set(error, STATUS_IO, "cannot write a temporary file");
	const struct opensm_setup setup = {
		.topology = engine_path(path, sizeof path, fileno(topology)), .files = run->setup.files, .notes = NULL, .stop = &never};
	for (int i = 0; i < run->result.kinds && !error->status; i++) {
		struct engine_run *engine = &run->run[i];
		if (!run->setup.kind[i].real)
			continue;
		engine->opensm = true;
		if (opensm_route(&setup, engine, 1, error))
			break;
		*run->result.advice[i].refusal = '\0';
		run->result.torus = run->setup.kind[i].torus ? engine->torus : run->result.torus;
		if (engine->file >= 0)
			take(run, i, error);
		else
			memcpy(run->result.advice[i].refusal, engine->failure, sizeof engine->failure);
	}
	fclose(topology);
	return error->status ? -1 : 0;
}
