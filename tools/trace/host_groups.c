#include "tools/trace/host_groups.h"

#include "base/memory.h"
#include "infiniband/fabric_rails.h"

#include <stdlib.h>
#include <string.h>

/* Returns the node that names a host's group: its leaf, or itself. */
static uint32_t key_of(const struct fabric *f, uint32_t host, enum trace_group by)
{
	uint32_t node = f->host_node[host], first = f->first_channel[node];
	return by == GROUP_LEAF && first < f->first_channel[node + 1] ? f->head[first] : node;
}

static void group_by_node(struct host_groups *g, const struct fabric *f, enum trace_group by, struct error *error)
{
	uint32_t *group = array_create(f->nodes, sizeof *group, error);
	for (uint32_t h = 0; group && h < f->hosts; h++) {
		uint32_t key = key_of(f, h, by);
		if (!group[key]) {
			g->name[g->groups++] = f->labels->name[key];
			group[key] = g->groups;
		}
		g->of[h] = group[key] - 1;
	}
	free(group);
}

/* Groups by machine; the name of one is the beginning of its ports' description, or the name of its first host. */
static void group_by_machine(struct host_groups *g, const struct fabric *f, const struct attributes *attributes, struct error *error)
{
	struct rails rails = {0};
	size_t size = 1;
	for (uint32_t h = 0; h < f->hosts; h++)
		size += strlen(f->labels->desc[f->host_node[h]]) + 1;
	char *place = g->pool = array_create(size, 1, error);
	uint32_t *group = array_create(f->nodes, sizeof *group, error); /* of the machine, which is the number of an adapter, a node */
	if (!error->status && !fabric_rails(&rails, f, attributes, error))
		for (uint32_t i = 0; i < rails.count; i++) {
			const struct rail *r = &rails.rail[i];
			if (!group[r->machine]) {
				uint32_t node = f->host_node[f->node_host[r->adapter]];
				const char *desc = f->labels->desc[node];
				size_t length = machine_length(desc);
				g->name[g->groups++] = length ? place : f->labels->name[node];
				place = length ? (char *)mempcpy(place, desc, length) + 1 : place;
				group[r->machine] = g->groups;
			}
			g->of[f->node_host[r->adapter]] = group[r->machine] - 1;
		}
	rails_clear(&rails);
	free(group);
}

int host_groups_find(struct host_groups *groups, const struct fabric *fabric, const struct attributes *attributes, enum trace_group by,
	struct error *error)
{
	*groups = (struct host_groups){0};
	groups->of = array_create(fabric->hosts, sizeof *groups->of, error);
	groups->name = array_create(fabric->hosts, sizeof *groups->name, error);
	if (error->status)
		return -1;
	if (by == GROUP_MACHINE)
		group_by_machine(groups, fabric, attributes, error);
	else
		group_by_node(groups, fabric, by, error);
	return error->status ? -1 : 0;
}

void host_groups_clear(struct host_groups *groups)
{
	free(groups->of);
	free(groups->name);
	free(groups->pool);
}
