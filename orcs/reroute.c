#include "orcs/reroute.h"

#include "base/hash.h"
#include "base/text_file.h"
#include "fabric/whole_fabric.h"
#include "routings/routed_tables.h"
#include "formats/route_dot.h"

#include <stdlib.h>
#include <string.h>

/* A routing being computed. */
struct making {
	struct routing_graph graph;
	struct routed routed;
};

static void clear(struct making *m)
{
	routed_clear(&m->routed);
	routing_graph_clear(&m->graph);
}

/* Returns 0, or -1. clear() in every case. */
static int route(
	struct making *m, const struct rerouting *r, const struct fabric *fabric, const struct attributes *attributes, struct error *error)
{
	*m = (struct making){0};
	bool written = r->graph || r->written;
	struct routing_task task = {.graph = &m->graph,
		.lanes_use = !r->few_pairs || r->lanes ? LANES_NEEDED
			     : written                 ? LANES_OPTIONAL
						       : LANES_NOT_NEEDED,
		.topology = attributes_of_graph(attributes, "topology"),
		.lanes = ROUTING_LANES_USUAL,
		.seed = r->seed,
		.files = r->files,
		.attributes = attributes,
		.whole = written};
	const struct routing *routing = routing_find(r->engine, error);
	if (!routing || routing_graph_init(&m->graph, fabric, error))
		return -1;
	task.source_routes = routing->source_routes;
	return routing_run(&m->routed, r->engine, &task, error);
}

/* Replaces the attributes by those that orcs-route would write. */
static int take_attributes(
	const struct rerouting *r, const struct making *m, const struct fabric *fabric, struct attributes **attributes, struct error *error)
{
	struct text_file text;
	struct attributes *routed = NULL;
	if (!text_file_open(&text, error))
		route_dot_write(&m->routed, &m->graph, *attributes, r->engine, text.file, error);
	if (!text_file_close(&text, error))
		routed = dot_keep(&(struct dot_text){dot_read_memory, &(struct dot_memory){text.text, text.size}, fabric->labels->source},
			fabric, error);
	free(text.text);
	if (!routed)
		return -1;
	attributes_free(*attributes);
	*attributes = routed;
	return 0;
}

/* Reports the anomalies that reading the routed graph would find. */
static void note(struct dot_report *report, const struct routed *routed, uint64_t ambiguous)
{
	report->forwarding = (struct forwarding_oddities){.ambiguous = ambiguous};
	report->straight = routed->via;
	report->hint = routed->routes ? DOT_ROUTES_ELSEWHERE : NULL;
}

/* The hash of routes on demand covers their tables up to so many entries, of routing functions and of searches. */
#define FUNCTION_ENTRIES ((uint64_t)1 << 24)
#define SEARCH_ENTRIES ((uint64_t)1 << 27)

/* Sets the hash of the fabric to that of the tables, or, if they are too large, one of the engine and its seed. */
static int hash_demand(const struct rerouting *r, struct fabric *fabric, const struct routing_graph *graph,
	const struct forwarding *forwarding, uint64_t *ambiguous, struct error *error)
{
	uint64_t entries = (uint64_t)fabric->hosts * graph->columns, *hash = &fabric->labels->hash;
	bool all = forwarding->shortest && forwarding->shortest->all;
	*ambiguous = all;
	if (entries <= (forwarding->function ? FUNCTION_ENTRIES : SEARCH_ENTRIES) && (forwarding->function || forwarding->shortest))
		return forwarding_hash_of_demand(fabric, forwarding, hash, ambiguous, error);
	*hash = forwarding_hash(fabric, forwarding);
	if (forwarding->shortest || forwarding->function)
		*hash = hash_words(hash_words(*hash, r->engine, strlen(r->engine)), &r->seed, sizeof r->seed);
	return 0;
}

/* Prepares routes on demand. rerouted->forwarding is NULL if tables are needed. Returns 0, or -1. */
static int prepare(const struct rerouting *r, struct fabric *fabric, const struct attributes *attributes, struct rerouted *rerouted,
	struct dot_report *report, struct error *error)
{
	struct routing_graph graph = {0};
	struct routing_demand demand = {0};
	struct routed like = {0};
	uint64_t ambiguous = 0;
	const struct routing *routing = routing_find(r->engine, error);
	struct routing_task task = {.graph = &graph, .topology = attributes_of_graph(attributes, "topology"), .seed = r->seed};
	task.source_routes = routing && routing->source_routes;
	if (routing && !routing_graph_init(&graph, fabric, error) && !routing_prepare(&demand, r->engine, &task, error) &&
		demand.forwarding && !hash_demand(r, fabric, &graph, demand.forwarding, &ambiguous, error)) {
		like.via = demand.forwarding->via;
		like.routes = demand.routes;
		note(report, &like, r->all ? 0 : ambiguous);
		if (demand.forwarding->shortest && (!r->all || !ambiguous)) /* as if only the first channels had been read */
			demand.forwarding->shortest->all = false;
		*rerouted = (struct rerouted){.forwarding = demand.forwarding, .routes = demand.routes, .demand = true};
		demand = (struct routing_demand){0};
	}
	routing_demand_clear(&demand);
	routing_graph_clear(&graph);
	return error->status ? -1 : 0;
}

int reroute_again(const char *engine, uint64_t seed, const struct fabric *fabric, const char *topology, struct forwarding *forwarding,
	struct source_routes **routes, struct error *error)
{
	struct routing_graph graph = {0};
	struct routing_demand demand = {0};
	const struct routing *routing = routing_find(engine, error);
	struct routing_task task = {.graph = &graph, .topology = topology, .seed = seed};
	task.source_routes = routing && routing->source_routes;
	if (routing && !routing_graph_init(&graph, fabric, error) && !routing_prepare(&demand, engine, &task, error) && demand.forwarding) {
		forwarding->shortest = demand.forwarding->shortest;
		demand.forwarding->shortest = NULL;
		if (demand.routes) { /* otherwise those of a file stay */
			*routes = demand.routes;
			demand.routes = NULL;
		}
	}
	routing_demand_clear(&demand);
	routing_graph_clear(&graph);
	return error->status ? -1 : 0;
}

int reroute(const struct rerouting *r, struct fabric *fabric, struct attributes **attributes, struct rerouted *rerouted,
	struct dot_report *report, struct error *error)
{
	struct making m;
	uint64_t ambiguous = 0;
	*rerouted = (struct rerouted){0};
	whole_fabric_forget(*attributes, fabric);
	if (r->few_pairs && !r->lanes && !r->graph && !r->written &&
		(prepare(r, fabric, *attributes, rerouted, report, error) || rerouted->forwarding))
		return error->status ? -1 : 0;
	if (!route(&m, r, fabric, *attributes, error) && !(m.routed.whole && whole_fabric_keep(m.routed.whole, *attributes, error)) &&
		!(r->graph && route_dot_write(&m.routed, &m.graph, *attributes, r->engine, r->graph, error)) &&
		!(r->written && take_attributes(r, &m, fabric, attributes, error)) &&
		!(r->lanes && routed_lanes(&rerouted->lanes, &m.routed, &m.graph, error)))
		rerouted->forwarding = routed_forwarding(&m.routed, &m.graph, r->all, &ambiguous, error);
	if (!error->status) {
		note(report, &m.routed, ambiguous);
		rerouted->routes = m.routed.routes;
		rerouted->opensm = m.routed.opensm;
		rerouted->uncertain = m.routed.uncertain;
		rerouted->fallback = m.routed.fallback;
		snprintf(rerouted->warning, sizeof rerouted->warning, "%s", m.routed.warning);
		m.routed.routes = NULL;
		fabric->labels->hash = forwarding_hash(fabric, rerouted->forwarding);
	} else {
		virtual_lanes_free(rerouted->lanes);
		*rerouted = (struct rerouted){0};
	}
	clear(&m);
	return error->status ? -1 : 0;
}
