#include "infiniband/fabric_rails.h"

#include "base/memory.h"
#include "fabric/chassis.h"

int fabric_rails(struct rails *rails, const struct fabric *fabric, const struct attributes *attributes, struct error *error)
{
	const struct fabric *f = fabric;
	uint32_t ports = 0;
	for (uint32_t h = 0; h < f->hosts; h++)
		ports += f->first_channel[f->host_node[h] + 1] - f->first_channel[f->host_node[h]];
	*rails = (struct rails){.rail = array_create(ports, sizeof *rails->rail, error)};
	for (uint32_t h = 0; rails->rail && h < f->hosts; h++) {
		uint32_t v = f->host_node[h], first = f->first_channel[v], end = f->first_channel[v + 1];
		for (uint32_t c = first; c < end; c++)
			rails->rail[rails->count++] = (struct rail){
				.desc = end - first > 1 ? "" : f->labels->desc[v],
				.system_guid = end - first > 1 ? 0 : node_system_guid(f, attributes, v),
				.guid = f->labels->guid[v],
				.port = c,
				.adapter = v,
				.place = f->labels->port[c],
				.leaf = f->node_host[f->head[c]] == NONE ? f->head[c] : NONE,
			};
	}
	return rails->rail ? rails_find(rails, f->nodes, error) : -1;
}
