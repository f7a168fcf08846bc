/* The routes of ksp and allpath on demand: those of a pair of places are computed when a message first needs them, and kept. */
#include "base/memory.h"
#include "base/number_table.h"
#include "fabric/route_lists.h"
#include "routings/ksp_workspace.h"

#include <stdlib.h>
#include <string.h>

struct ksp_demand {
	struct source_demand demand;
	struct ksp engine;
	struct routing_graph graph;
	struct number_table
		found; /* source place << 32 | destination place: the list of their routes in the builder, NONE if there are none */
};

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
	if (demand->error.status || number_table_reserve(&d->found, d->found.count + 1, &demand->error))
		return false;
	uint64_t pair = (uint64_t)b->place[source] << 32 | b->place[destination];
	uint64_t list = number_table_find(&d->found, pair);
	if (list == NUMBER_NONE) {
		list = compute_list(&d->engine, b->place[source], b->place[destination], &demand->error);
		if (demand->error.status)
			return false;
		number_table_add(&d->found, pair, list);
		demand->set->start = l->start;
		demand->set->share = l->weight;
		demand->set->channel = l->channel;
	}
	if (list == NONE)
		return false;
	*from = l->first[list];
	*to = l->first[list + 1];
	return true;
}

static void free_on_demand(struct source_demand *demand)
{
	struct ksp_demand *d = (struct ksp_demand *)demand;
	ksp_end(&d->engine);
	routing_graph_clear(&d->graph);
	number_table_clear(&d->found);
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
