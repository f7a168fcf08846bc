#include "reroute.h"

#include "route_dot.h"
#include "routing.h"

#include <stdlib.h>

enum { LANES = 8 }; /* as orcs-route uses unless told otherwise */

/* The routed graph as text, to be freed. NULL on errors. */
static char *route_text(
	const char *engine, uint64_t seed, const struct fabric *fabric, const struct dot *dot, size_t *size, struct error *error)
{
	struct routing_graph graph = {0};
	struct routed routed = {0};
	struct routing_task task = {.graph = &graph, .topology = dot_graph_attribute(dot, "topology"), .lanes = LANES, .seed = seed};
	char *text = NULL;
	if (!routing_graph_init(&graph, fabric, error) && !routing_run(&routed, engine, &task, error)) {
		FILE *file = open_memstream(&text, size);
		if (file)
			route_dot_write(&routed, &graph, dot, engine, file, error);
		if (!file || fclose(file))
			error_set(error, STATUS_IO, "out of memory");
	}
	routed_clear(&routed);
	routing_graph_clear(&graph);
	if (!error->status)
		return text;
	free(text);
	return NULL;
}

int reroute(const char *engine, uint64_t seed, unsigned wants, struct fabric **fabric, struct forwarding **forwarding, struct dot **dot,
	struct dot_report *report, struct error *error)
{
	const char *name = (*fabric)->labels->source;
	size_t size;
	char *text = route_text(engine, seed, *fabric, *dot, &size, error);
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
