/*
 * One shortest path from every switch to every other, on lanes. Skeie, Lysne, Theiss: Layered Shortest Path (LASH) Routing in Irregular
 * System Area Networks, IPDPS 2002.
 */
#include "base/memory.h"
#include "routings/opensm/lash_lanes.h"

#include <stdlib.h>
#include <string.h>

/* A tree of shortest paths from a root: every switch on a path takes it to all below that it has no path to yet. */
static void grow(const struct opensm_fabric *fabric, uint32_t root, uint8_t *port, uint32_t *queue, uint32_t *parent, uint8_t *by)
{
	uint32_t count = 0;
	memset(parent, 0xff, fabric->switches * sizeof *parent); /* OPENSM_NONE */
	parent[root] = root;
	queue[count++] = root;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t u = queue[i];
		for (uint32_t k = fabric->first_near[u]; k < fabric->first_near[u + 1]; k++) {
			uint32_t v = fabric->near[k].to;
			if (parent[v] != OPENSM_NONE)
				continue;
			parent[v] = u;
			by[v] = fabric->near[k].port;
			queue[count++] = v;
		}
		for (uint32_t v = u; v != root; v = parent[v]) {
			uint8_t *entry = &port[(size_t)parent[v] * fabric->switches + u];
			if (!*entry)
				*entry = by[v];
		}
	}
}

static void fill_lid(struct opensm_task *task, const uint8_t *port, uint32_t to, unsigned at, uint16_t lid, uint8_t lmc)
{
	uint32_t switches = task->fabric->switches;
	for (unsigned k = 0; lid && k < 1U << lmc; k++) {
		for (uint32_t s = 0; s < switches; s++)
			if (s == to)
				opensm_set(task, s, lid + k, at);
			else if (lash_port(port, switches, s, to))
				opensm_set(task, s, lid + k, lash_port(port, switches, s, to));
		task->tables->row_of_lid[lid + k] = to;
	}
}

static void fill(struct opensm_task *task, const uint8_t *port)
{
	const struct opensm_fabric *fabric = task->fabric;
	for (uint32_t s = 0; s < fabric->switches && !task->options->ends_only; s++)
		fill_lid(task, port, s, 0, fabric->sw[s].lid, fabric->sw[s].lmc);
	for (uint32_t e = 0; e < fabric->ends; e++) {
		const struct opensm_end *end = &fabric->end[e];
		if (end->to != OPENSM_NONE)
			fill_lid(task, port, end->to, end->at, end->lid, end->lmc);
	}
}

int opensm_lash(struct opensm_task *task)
{
	const struct opensm_fabric *fabric = task->fabric;
	struct opensm_tables *tables = task->tables;
	size_t pairs = (size_t)fabric->switches * fabric->switches;
	uint8_t *port = array_create(pairs, 1, task->error), *by = array_create(fabric->switches, 1, task->error);
	uint32_t *queue = array_create(fabric->switches, sizeof *queue, task->error);
	uint32_t *parent = array_create(fabric->switches, sizeof *parent, task->error);
	tables->lane = array_create(pairs, 1, task->error);
	tables->row_of_lid = array_create(tables->lids, sizeof *tables->row_of_lid, task->error);
	if (!task->error->status) {
		memset(tables->row_of_lid, 0xff, tables->lids * sizeof *tables->row_of_lid); /* OPENSM_NONE */
		for (uint32_t root = 0; root < fabric->switches; root++)
			grow(fabric, root, port, queue, parent, by);
		fill(task, port);
		unsigned available = opensm_lanes(task);
		lash_lanes(task, port, available > task->options->start_lane ? available - task->options->start_lane : 0, tables->lane,
			&tables->lanes);
		for (unsigned i = 0; i < tables->lanes; i++) {
			tables->first_sl[i] = (uint8_t)(i + task->options->start_lane);
			tables->sls[i] = 1;
		}
	}
	free(port);
	free(by);
	free(queue);
	free(parent);
	return task->error->status ? -1 : 0;
}
