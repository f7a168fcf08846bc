#include "orcs/reroute.h"

#include "formats/route_dot.h"
#include "routings/routing.h"
#include "base/text_file.h"

#include <stdlib.h>

enum { LANES = 8 }; /* as orcs-route uses unless told otherwise */

/* levels: those of the pairs are wanted too. */
static int write_routed(const char *engine, uint64_t seed, bool levels, const struct fabric *fabric, const struct attributes *attributes, FILE *file,
	struct route_set **routes, struct error *error)
{
	struct routing_graph graph = {0};
	struct routed routed = {0};
	struct routing_task task = {.graph = &graph, .topology = attributes_of_graph(attributes, "topology"), .lanes = LANES, .seed = seed};
	const struct routing *routing = routing_find(engine, error);
	task.source_routes = routes && routing && routing->source_routes;
	if (!error->status && !routing_graph_init(&graph, fabric, error) && !routing_run(&routed, engine, &task, error)) {
		routed.levels = levels ? routed.levels : 1;
		route_dot_write(&routed, &graph, attributes, engine, file, error);
	}
	if (!error->status && task.source_routes) {
		*routes = routed.routes;
		routed.routes = NULL;
	}
	routed_clear(&routed);
	routing_graph_clear(&graph);
	return error->status ? -1 : 0;
}

int reroute_write(const char *engine, uint64_t seed, const struct fabric *fabric, const struct attributes *attributes, FILE *file,
	struct route_set **routes, struct error *error)
{
	return write_routed(engine, seed, true, fabric, attributes, file, routes, error);
}

/* The routed graph as text, to be freed. NULL on errors. */
static char *route_text(const char *engine, uint64_t seed, bool levels, const struct fabric *fabric, const struct attributes *attributes, size_t *size,
	struct route_set **routes, struct error *error)
{
	struct text_file text;
	if (!text_file_open(&text, error))
		write_routed(engine, seed, levels, fabric, attributes, text.file, routes, error);
	text_file_close(&text, error);
	*size = text.size;
	return text.text;
}

int reroute(const char *engine, uint64_t seed, unsigned wants, struct fabric **fabric, struct forwarding **forwarding,
	struct route_set **routes, struct attributes **attributes, struct dot_report *report, struct error *error)
{
	const char *name = (*fabric)->labels->source;
	size_t size;
	bool levels =
		wants & (DOT_KEEP | DOT_KEEP_LANES | DOT_KEEP_READ | DOT_KEEP_PLACES); /* else they are not kept, but read: for nothing */
	char *text = route_text(engine, seed, levels, *fabric, *attributes, &size, routes, error);
	if (!text)
		return -1;
	fabric_free(*fabric);
	forwarding_free(*forwarding);
	attributes_free(*attributes);
	struct dot_memory memory = {text, size};
	dot_load_text(&(struct dot_text){dot_read_memory, &memory, name}, wants, fabric, forwarding, attributes, report, error);
	free(text);
	return error->status ? -1 : 0;
}
