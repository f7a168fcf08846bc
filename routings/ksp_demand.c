/* The routes of ksp and allpath on demand: those of a pair of places are computed when a message first needs them, and kept. */
#include "base/memory.h"
#include "fabric/route_lists.h"
#include "routings/ksp_workspace.h"

#include <stdlib.h>
#include <string.h>

/* A pair of places, and the list of its routes in the builder: NONE if it has none. */
struct pair_found {
	uint64_t pair; /* source place << 32 | destination place, UINT64_MAX: free */
	uint32_t list;
};

struct ksp_demand {
	struct source_demand demand;
	struct ksp engine;
	struct routing_graph graph;
	struct pair_found *found; /* [mask + 1] hash table */
	size_t mask, pairs;
};

static struct pair_found *find_slot(struct pair_found *found, size_t mask, uint64_t pair)
{
	size_t i = (pair * UINT64_C(0x9e3779b97f4a7c15) >> 20) & mask;
	while (found[i].pair != pair && found[i].pair != UINT64_MAX)
		i = (i + 1) & mask;
	return &found[i];
}

/* Doubles the hash table when it is half full; makes it at first. Returns 0, or -1. */
static int grow_found(struct ksp_demand *d, struct error *error)
{
	if (d->found && 2 * d->pairs <= d->mask)
		return 0;
	size_t mask = d->found ? 2 * d->mask + 1 : 1023;
	struct pair_found *found = array_create(mask + 1, sizeof *found, error);
	if (!found)
		return -1;
	for (size_t i = 0; i <= mask; i++)
		found[i].pair = UINT64_MAX;
	for (size_t i = 0; d->found && i <= d->mask; i++)
		if (d->found[i].pair != UINT64_MAX)
			*find_slot(found, mask, d->found[i].pair) = d->found[i];
	free(d->found);
	d->found = found;
	d->mask = mask;
	return 0;
}

/* Computes the routes of two places as find_all() does. Returns the list, NONE: there are none, or error. */
static uint32_t compute_list(struct ksp *e, uint32_t p, uint32_t q, struct error *error)
{
	const struct route_builder *b = &e->builder;
	const struct fabric *f = b->fabric;
	uint32_t host = b->member[b->first_member[q]], source = b->member[b->first_member[p]];
	uint32_t end_node = b->last[host] == NONE ? f->host_node[host] : fabric_tail(f, b->last[host]);
	uint32_t from = b->first[source] == NONE ? f->host_node[source] : f->head[b->first[source]];
	ksp_measure(&e->search, end_node);
	b->lists->records = 0;
	if (ksp_find_routes(e, source, b->member[b->first_member[q] + (p == q)], from, error) || route_lists_end_pair(b->lists, error))
		return NONE;
	return b->lists->records ? b->lists->record[0].list : NONE;
}

static bool find_on_demand(struct source_demand *demand, uint32_t source, uint32_t destination, uint64_t *from, uint64_t *to)
{
	struct ksp_demand *d = (struct ksp_demand *)demand;
	const struct route_builder *b = &d->engine.builder;
	const struct route_lists *l = b->lists;
	*from = *to = 0;
	if (demand->error.status || grow_found(d, &demand->error))
		return false;
	uint64_t pair = (uint64_t)b->place[source] << 32 | b->place[destination];
	struct pair_found *slot = find_slot(d->found, d->mask, pair);
	if (slot->pair != pair) {
		uint32_t list = compute_list(&d->engine, b->place[source], b->place[destination], &demand->error);
		if (demand->error.status)
			return false;
		*slot = (struct pair_found){pair, list};
		d->pairs++;
		demand->set->start = l->start;
		demand->set->share = l->weight;
		demand->set->channel = l->channel;
	}
	if (slot->list == NONE)
		return false;
	*from = l->first[slot->list];
	*to = l->first[slot->list + 1];
	return true;
}

static void free_on_demand(struct source_demand *demand)
{
	struct ksp_demand *d = (struct ksp_demand *)demand;
	ksp_end(&d->engine);
	routing_graph_clear(&d->graph);
	free(d->found);
	free(d);
}

int ksp_prepare_routes(
	const struct ksp *engine, const struct routing_task *task, const char *weights, struct routing_demand *demand, struct error *error)
{
	const struct fabric *fabric = task->graph->fabric;
	struct ksp_demand *d = array_create(1, sizeof *d, error);
	struct source_routes *set = array_create(1, sizeof *set, error);
	if (set && d) {
		d->demand = (struct source_demand){.find = find_on_demand, .free = free_on_demand, .set = set};
		d->engine = *engine;
		if (!routing_graph_init(&d->graph, fabric, error)) {
			memcpy(d->graph.forwards, task->graph->forwards, fabric->nodes * sizeof *d->graph.forwards);
			ksp_begin(&d->engine, task, weights, &d->graph, error);
		}
		set->demand = &d->demand;
		set->shared = true;
		set->hosts = fabric->hosts;
		set->first = d->engine.builder.first;
		set->last = d->engine.builder.last;
		demand->forwarding = error->status ? NULL : forwarding_without_entries(fabric, error);
	} else {
		free(d);
	}
	demand->routes = set;
	return error->status ? -1 : 0;
}
