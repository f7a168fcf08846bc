#include "reroute.h"

#include "route_dot.h"
#include "routing.h"
#include "text_file.h"

#include <stdlib.h>

enum { LANES = 8 }; /* as orcs-route uses unless told otherwise */

int reroute_write(const char *engine, uint64_t seed, const struct fabric *fabric, const struct dot *dot, FILE *file,
	struct route_set **routes, struct error *error)
{
	struct routing_graph graph = {0};
	struct routed routed = {0};
	struct routing_task task = {.graph = &graph, .topology = dot_graph_attribute(dot, "topology"), .lanes = LANES, .seed = seed};
	const struct routing *routing = routing_find(engine, error);
	task.source_routes = routes && routing && routing->source_routes;
	if (!error->status && !routing_graph_init(&graph, fabric, error) && !routing_run(&routed, engine, &task, error))
		route_dot_write(&routed, &graph, dot, engine, file, error);
	if (!error->status && task.source_routes) {
		*routes = routed.routes;
		routed.routes = NULL;
	}
	routed_clear(&routed);
	routing_graph_clear(&graph);
	return error->status ? -1 : 0;
}

/* The routed graph as text, to be freed. NULL on errors. */
static char *route_text(const char *engine, uint64_t seed, const struct fabric *fabric, const struct dot *dot, size_t *size,
	struct route_set **routes, struct error *error)
{
	struct text_file text;
	if (!text_file_open(&text, error))
		reroute_write(engine, seed, fabric, dot, text.file, routes, error);
	text_file_close(&text, error);
	*size = text.size;
	return text.text;
}

int reroute(const char *engine, uint64_t seed, unsigned wants, struct fabric **fabric, struct forwarding **forwarding,
	struct route_set **routes, struct dot **dot, struct dot_report *report, struct error *error)
{
	const char *name = (*fabric)->labels->source;
	size_t size;
	char *text = route_text(engine, seed, *fabric, *dot, &size, routes, error);
	if (!text)
		return -1;
	fabric_free(*fabric);
	forwarding_free(*forwarding);
	dot_free(*dot);
	struct dot_memory memory = {text, size};
	dot_load_text(&(struct dot_text){dot_read_memory, &memory, name}, wants, fabric, forwarding, dot, report, error);
	free(text);
	return error->status ? -1 : 0;
}
