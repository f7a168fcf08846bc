#include "orcs/reroute.h"

#include "base/text_file.h"
#include "fabric/whole_fabric.h"
#include "routings/routed_tables.h"
#include "formats/route_dot.h"

#include <stdlib.h>

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
	struct routing_task task = {.graph = &m->graph,
		.topology = attributes_of_graph(attributes, "topology"),
		.lanes = ROUTING_LANES_USUAL,
		.seed = r->seed,
		.files = r->files,
		.attributes = attributes,
		.whole = r->graph || r->written};
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

int reroute(const struct rerouting *r, struct fabric *fabric, struct attributes **attributes, struct rerouted *rerouted,
	struct dot_report *report, struct error *error)
{
	struct making m;
	uint64_t ambiguous = 0;
	*rerouted = (struct rerouted){0};
	whole_fabric_forget(*attributes, fabric);
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
