#include "infiniband/adaptive_groups.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

struct adaptive_groups *subnet_adaptive(struct subnet *subnet, uint32_t node, struct error *error)
{
	struct adaptive_groups **groups = &subnet->node[node].adaptive;
	if (!*groups && (*groups = array_create(1, sizeof **groups, error)))
		memset((*groups)->of_lid, 0xff, sizeof(*groups)->of_lid); /* NO_ADAPTIVE_GROUP */
	return *groups;
}

void adaptive_groups_free(struct adaptive_groups *groups)
{
	if (groups)
		free(groups->ports);
	free(groups);
}

int adaptive_groups_add(struct adaptive_groups *groups, uint32_t group, uint32_t port, struct error *error)
{
	size_t room = groups->groups;
	if (group >= groups->groups) {
		if (array_grow(&groups->ports, &room, (size_t)group + 1, sizeof *groups->ports, error))
			return -1;
		memset(groups->ports + groups->groups, 0, (room - groups->groups) * sizeof *groups->ports);
		groups->groups = room;
	}
	groups->ports[group][port / 64] |= UINT64_C(1) << port % 64;
	return 0;
}

void adaptive_groups_set(struct adaptive_groups *groups, unsigned lid, uint32_t group)
{
	groups->of_lid[lid] = (uint16_t)group;
}

bool adaptive_groups_has(const struct adaptive_groups *groups, uint32_t group, uint32_t port)
{
	return group < groups->groups && port < LFT_NO_PORT && groups->ports[group][port / 64] >> port % 64 & 1;
}

unsigned adaptive_groups_first(const struct adaptive_groups *groups, uint32_t group)
{
	for (unsigned port = 0; port < LFT_NO_PORT; port++)
		if (adaptive_groups_has(groups, group, port))
			return port;
	return LFT_NO_PORT;
}
