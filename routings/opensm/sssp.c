/*
 * Shortest paths by weights: from each destination Dijkstra's algorithm, then the weight of every channel grows by the end ports whose
 * paths it has. Hoefler, Schneider, Lumsdaine: Optimized Routing for Large-Scale InfiniBand Networks, Hot Interconnects 2009.
 */
#include "routings/opensm/sssp.h"

#include "base/memory.h"
#include "routings/opensm/heap.h"

#include <stdio.h>
#include <stdlib.h>

struct dijkstra {
	const struct sssp *sssp;
	struct opensm_task *task;
	struct heap heap;
	uint64_t *weight; /* [links] of the channel that leaves by that port */
	uint64_t *paths;  /* [switches] loads of the switches whose paths lead through it */
	uint32_t *from;   /* [switches] link by which it was reached, OPENSM_NONE */
	uint32_t *owner;  /* [links] switch */
	uint32_t *order;  /* [switches] in which they were reached */
	uint64_t farthest;
};

static int by_load(const void *left, const void *right, void *load)
{
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	uint32_t load_a = ((const uint32_t *)load)[a], load_b = ((const uint32_t *)load)[b];
	return load_a != load_b ? (load_a < load_b) - (load_a > load_b) : (a > b) - (a < b);
}

static void add_lids(struct sssp *sssp, uint32_t to, unsigned at, uint16_t lid, uint8_t lmc, bool one_sl)
{
	for (unsigned k = 0; lid && k < 1U << lmc; k++)
		sssp->target[sssp->targets++] =
			(struct sssp_target){.to = to, .lid = (uint16_t)(lid + k), .at = (uint8_t)at, .one_sl = one_sl};
}

/* Compute nodes come before io nodes, and those before the others; routers are no destinations. */
static int class_of(const struct opensm_end *end)
{
	return end->router ? -1 : end->compute ? 0 : end->io ? 1 : 2;
}

static int find_targets(struct sssp *sssp, struct error *error)
{
	const struct opensm_fabric *fabric = sssp->fabric;
	size_t most = ((size_t)fabric->switches + fabric->ends) << fabric->lmc;
	uint32_t *order = array_create(fabric->switches, sizeof *order, error);
	sssp->load = array_create(fabric->switches, sizeof *sssp->load, error);
	sssp->target = array_create(most, sizeof *sssp->target, error);
	if (!error->status) {
		for (uint32_t s = 0; s < fabric->switches; s++) {
			order[s] = s;
			sssp->load[s] = 1U << fabric->sw[s].lmc;
		}
		for (uint32_t e = 0; e < fabric->ends; e++)
			if (fabric->end[e].to != OPENSM_NONE)
				sssp->load[fabric->end[e].to] += 1U << fabric->end[e].lmc;
		qsort_r(order, fabric->switches, sizeof *order, by_load, sssp->load);
		for (int class = 0; class < 3; class ++)
			for (uint32_t i = 0; i < fabric->switches; i++)
				for (unsigned p = 1; p <= fabric->sw[order[i]].ports; p++) {
					const struct opensm_link *link = opensm_port_of(fabric, order[i], p);
					const struct opensm_end *end = link->end == OPENSM_NONE ? NULL : &fabric->end[link->end];
					if (end && class_of(end) == class)
						add_lids(sssp, order[i], p, end->lid, end->lmc, end->one_sl);
				}
		for (uint32_t i = 0; i < fabric->switches; i++) {
			const struct opensm_switch *sw = &fabric->sw[order[i]];
			add_lids(sssp, order[i], 0, sw->lid, sw->lmc, sw->one_sl);
		}
	}
	free(order);
	return error->status ? -1 : 0;
}

static int dijkstra_init(struct dijkstra *d, const struct sssp *sssp, struct opensm_task *task)
{
	const struct opensm_fabric *fabric = sssp->fabric;
	*d = (struct dijkstra){.sssp = sssp, .task = task};
	d->weight = array_create(fabric->links, sizeof *d->weight, task->error);
	d->paths = array_create(fabric->switches, sizeof *d->paths, task->error);
	d->from = array_create(fabric->switches, sizeof *d->from, task->error);
	d->owner = array_create(fabric->links, sizeof *d->owner, task->error);
	d->order = array_create(fabric->switches, sizeof *d->order, task->error);
	if (heap_init(&d->heap, fabric->switches + 1, task->error) || task->error->status)
		return -1;
	for (uint32_t l = 0; l < fabric->links; l++)
		d->weight[l] = (uint64_t)sssp->targets * sssp->targets;
	for (uint32_t s = 0; s < fabric->switches; s++)
		for (unsigned p = 0; p <= fabric->sw[s].ports; p++)
			d->owner[fabric->sw[s].link + p] = s;
	return 0;
}

static void dijkstra_clear(struct dijkstra *d)
{
	heap_clear(&d->heap);
	free(d->weight);
	free(d->paths);
	free(d->from);
	free(d->owner);
	free(d->order);
}

static void reach(struct dijkstra *d, uint32_t v, uint64_t key, uint32_t link)
{
	if (key >= d->heap.key[v])
		return;
	heap_lower(&d->heap, v, key);
	d->from[v] = link;
}

static void expand(struct dijkstra *d, uint32_t u)
{
	const struct opensm_fabric *fabric = d->sssp->fabric;
	for (uint32_t i = fabric->first_near[u]; i < fabric->first_near[u + 1]; i++) {
		uint32_t l = fabric->sw[u].link + fabric->near[i].port;
		reach(d, fabric->near[i].to, d->heap.key[u] + d->weight[l], l);
	}
}

/* All switches in the order of their distance from the target; returns how many are reached. */
static uint32_t search(struct dijkstra *d, const struct sssp_target *target)
{
	uint32_t ca = d->sssp->fabric->switches, count = 0;
	heap_fill(&d->heap, target->at ? ca + 1 : ca);
	heap_lower(&d->heap, target->at ? ca : target->to, 0);
	for (uint32_t s = 0; s < ca; s++)
		d->from[s] = OPENSM_NONE;
	while (d->heap.count) {
		uint32_t u = heap_take(&d->heap);
		if (d->heap.key[u] == HEAP_FAR)
			break;
		if (u == ca) {
			reach(d, target->to, 1, OPENSM_NONE);
		} else {
			d->order[count++] = u;
			expand(d, u);
		}
	}
	return count;
}

static void route(struct dijkstra *d, const struct sssp_target *target)
{
	const struct opensm_fabric *fabric = d->sssp->fabric;
	uint32_t count = search(d, target);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t s = d->order[i];
		d->paths[s] = d->sssp->load[s];
		opensm_set(d->task, s, target->lid, s == target->to ? target->at : fabric->link[d->from[s]].far);
		if (d->heap.key[s] > d->farthest)
			d->farthest = d->heap.key[s];
	}
	for (uint32_t i = count; i-- > 1;) {
		uint32_t s = d->order[i];
		d->weight[d->from[s]] += d->paths[s];
		d->paths[d->owner[d->from[s]]] += d->paths[s];
	}
}

int sssp_route(struct sssp *sssp, struct opensm_task *task, bool ends_only)
{
	struct dijkstra d;
	*sssp = (struct sssp){.fabric = task->fabric};
	if (find_targets(sssp, task->error))
		return -1;
	if (!dijkstra_init(&d, sssp, task))
		for (uint32_t t = 0; t < sssp->targets; t++)
			if (sssp->target[t].at || !ends_only)
				route(&d, &sssp->target[t]);
	if (d.farthest >= INT32_MAX)
		snprintf(task->tables->warning, sizeof task->tables->warning,
			"%u LIDs overflow OpenSM's 32-bit distances: it leaves destinations without entries, here 64 bits are used",
			sssp->targets);
	dijkstra_clear(&d);
	return task->error->status ? -1 : 0;
}

void sssp_clear(struct sssp *sssp)
{
	free(sssp->load);
	free(sssp->target);
}

int opensm_sssp(struct opensm_task *task)
{
	struct sssp sssp;
	sssp_route(&sssp, task, task->options->ends_only);
	sssp_clear(&sssp);
	return task->error->status ? -1 : 0;
}
