#include "routes.h"

#include <stdbool.h>
#include <stdlib.h>

int routes_tell(
	const struct fabric *fabric, uint32_t source, uint32_t destination, uint32_t node, bool loop, struct error *error)
{
	const struct fabric_labels *labels = fabric->labels;
	unsigned long line = labels->line_of ? labels->line_of(labels->source, labels->name[node]) : 0;
	return error_at(error, STATUS_FABRIC, labels->source, line, "no route from '%s' to '%s': %s '%s' %s",
		labels->name[fabric->host_node[source]], labels->name[fabric->host_node[destination]],
		fabric->node_host[node] == NONE ? "switch" : "host", labels->name[node],
		loop ? "is entered twice, a loop" : "has no entry for it");
}

int routes_explain(
	const struct fabric *fabric, const struct forwarding *forwarding, uint32_t source, uint32_t destination, struct error *error)
{
	uint32_t node = fabric->host_node[source], target = fabric->host_node[destination];
	bool *entered = array_create(fabric->nodes, sizeof *entered, error);
	if (!entered)
		return -1;
	uint32_t channel = 0;
	while (node != target && !entered[node]) {
		entered[node] = true;
		channel = forwarding_next(forwarding, node, forwarding->column[node], destination);
		if (channel == NONE)
			break;
		node = fabric->head[channel];
	}
	free(entered);
	return routes_tell(fabric, source, destination, node, channel != NONE, error);
}
