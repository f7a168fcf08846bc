#include "fabric/walk.h"

#include "base/memory.h"
#include "fabric/planes.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

void walk_planes(const struct fabric *fabric, uint32_t source, uint32_t destination, char *text, size_t size)
{
	struct error none = {0};
	struct planes planes;
	*text = '\0';
	if (!planes_find(&planes, fabric, &none)) {
		uint32_t from = planes.of[fabric->host_node[source]], to = planes.of[fabric->host_node[destination]];
		if (from != to)
			snprintf(text, size,
				"; the fabric has %" PRIu32 " planes without a cable between them (%" PRIu32 " and %" PRIu32
				" hosts in the planes of the two hosts)" WALK_ADVICE,
				planes.planes, planes.hosts[from], planes.hosts[to]);
	}
	planes_clear(&planes);
}

int walk_tell(const struct fabric *fabric, uint32_t source, uint32_t destination, uint32_t node, bool loop, struct error *error)
{
	const struct fabric_labels *labels = fabric->labels;
	if (error->status)
		return -1;
	unsigned long line = labels->line_of ? labels->line_of(labels->source, labels->name[node]) : 0;
	char planes[200];
	walk_planes(fabric, source, destination, planes, sizeof planes);
	error_at(error, STATUS_FABRIC, labels->source, line, "no route from '%s' to '%s': %s '%s' %s%s",
		labels->name[fabric->host_node[source]], labels->name[fabric->host_node[destination]],
		fabric->node_host[node] == NONE ? "switch" : "host", labels->name[node],
		loop ? "is entered twice (a loop)" : "has no entry for the destination", planes);
	error->code = ERROR_NO_ROUTE;
	if (*planes)
		error_ends_with(error, WALK_ADVICE);
	return -1;
}

int walk_explain(
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
	return walk_tell(fabric, source, destination, node, channel != NONE, error);
}
