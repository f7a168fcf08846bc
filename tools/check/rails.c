#include "tools/check/rails.h"

#include "base/memory.h"

#include <stdlib.h>

/* Returns the system GUID of a node: graphs state it where it is not the GUID of the node. */
static uint64_t system_guid(const struct fabric *f, const struct attribute *const attribute[2], uint32_t node)
{
	const char *text = attribute_get(attribute[0], node) ? attribute_get(attribute[0], node) : attribute_get(attribute[1], node);
	return text ? strtoull(text, NULL, 16) : f->labels->guid[node];
}

int fabric_rails(struct rails *rails, const struct fabric *fabric, const struct attributes *attributes, struct error *error)
{
	const struct fabric *f = fabric;
	const struct attribute *const guid[] = {
		attributes ? attributes_find(attributes, ATTRIBUTE_NODE, "system_guid") : NULL,
		attributes ? attributes_find(attributes, ATTRIBUTE_NODE, "node_guid") : NULL,
	};
	uint32_t ports = 0;
	for (uint32_t h = 0; h < f->hosts; h++)
		ports += f->first_channel[f->host_node[h] + 1] - f->first_channel[f->host_node[h]];
	*rails = (struct rails){.rail = array_create(ports, sizeof *rails->rail, error)};
	for (uint32_t h = 0; rails->rail && h < f->hosts; h++) {
		uint32_t v = f->host_node[h], first = f->first_channel[v], end = f->first_channel[v + 1];
		for (uint32_t c = first; c < end; c++)
			rails->rail[rails->count++] = (struct rail){
				.desc = end - first > 1 ? "" : f->labels->desc[v],
				.system_guid = end - first > 1 ? 0 : system_guid(f, guid, v),
				.guid = f->labels->guid[v],
				.port = c,
				.adapter = v,
				.place = f->labels->port[c],
				.leaf = f->node_host[f->head[c]] == NONE ? f->head[c] : NONE,
			};
	}
	return rails->rail ? rails_find(rails, f->nodes, error) : -1;
}
