#include "infiniband/subnet_rails.h"

#include "infiniband/subnet_resolve.h"

int subnet_rails(struct subnet *subnet, struct rails *rails, struct error *error)
{
	for (uint32_t i = 0; i < rails->count; i++) {
		const struct subnet_port *port = &subnet->port[rails->rail[i].port], *peer = &subnet->port[port->peer];
		const struct subnet_node *node = &subnet->node[port->node];
		rails->rail[i] = (struct rail){
			.desc = node->desc,
			.system_guid = node->system_guid,
			.guid = node->guid,
			.port = rails->rail[i].port,
			.adapter = port->node,
			.place = port->number,
			.leaf = subnet->node[peer->node].kind == NODE_SWITCH ? peer->node : NONE,
		};
	}
	return rails_find(rails, subnet->nodes, error);
}

void subnet_rails_check(struct subnet *subnet, const struct rails *rails)
{
	char one[PORT_NAME_SIZE], two[PORT_NAME_SIZE];
	for (uint32_t i = 0; i < rails->count; i++)
		if (rails_astray(rails, i)) {
			const struct rail *rail = &rails->rail[i];
			subnet_odd(subnet, ODD_ASTRAY, "%s at %s, of rail %s", subnet_port_name(subnet, rail->port, one),
				subnet_port_name(subnet, subnet->port[rail->port].peer, two), rails->name[rails->owner[rail->leaf]]);
		}
}
