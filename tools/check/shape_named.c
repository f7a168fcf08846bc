#include "tools/check/shape_named.h"

#include "routings/topology_match.h"

#include <stdio.h>

/* Names a fabric that is not exactly the topology that it states. */
static void tell_difference(struct shape *shape, const struct topology_match *match, const char *topology, const struct error *error)
{
	char missing[MISSING_SIZE];
	if (error->status) {
		snprintf(shape->name, sizeof shape->name, "irregular: %.950s", error->text + error->reason); /* the file is named above */
		return;
	}
	topology_match_missing(match, missing, sizeof missing);
	snprintf(shape->name, sizeof shape->name, "%.200s, but for missing channels: %s", topology, missing);
}

int shape_name(struct shape *shape, const struct fabric *fabric, const char *topology, struct error *error)
{
	struct routing_graph graph = {0};
	struct topology_match match = {0};
	struct error difference = {0};
	if (!topology || (shape->regular && !topology_hosts_forward(topology)) || routing_graph_init(&graph, fabric, error)) {
		routing_graph_clear(&graph);
		return error->status ? -1 : 0;
	}
	if (topology_match_compare(&match, &graph, topology, &difference) && difference.status == STATUS_IO) {
		*error = difference;
	} else {
		struct shape named = {.kind = "irregular", .planes = 1, .least_hosts = shape->least_hosts, .most_hosts = shape->most_hosts};
		shape_clear(shape);
		*shape = named;
		if (difference.status || match.missing) {
			tell_difference(shape, &match, topology, &difference);
		} else {
			shape->kind = "topology";
			shape->regular = true;
			snprintf(shape->name, sizeof shape->name, "%s", topology);
		}
	}
	topology_match_clear(&match);
	routing_graph_clear(&graph);
	return error->status ? -1 : 0;
}
