#include "infiniband/subnet_opensm.h"

static enum opensm_kind kind_of(const struct subnet_node *node)
{
	return node->kind == NODE_SWITCH ? OPENSM_SWITCH : node->kind == NODE_ROUTER ? OPENSM_ROUTER : OPENSM_CA;
}

static unsigned port_count(const struct subnet_node *node)
{
	size_t count = node->slots ? node->slots - 1 : 0;
	if (node->ports > count)
		count = node->ports;
	return count < OPENSM_PORTS ? (unsigned)count : OPENSM_PORTS;
}

/* The place of a port of the subnet. */
static uint32_t place_of(const struct opensm_arrays *made, const struct subnet_port *port)
{
	return made->node[port->node].port + port->number;
}

int subnet_opensm(struct opensm_arrays *made, const struct subnet *subnet, struct error *error)
{
	uint32_t ports = 0;
	for (uint32_t n = 0; n < subnet->nodes; n++)
		ports += port_count(&subnet->node[n]) + 1;
	if (opensm_arrays_init(made, subnet->nodes, ports, error))
		return -1;
	ports = 0;
	for (uint32_t n = 0; n < subnet->nodes; n++) {
		const struct subnet_node *node = &subnet->node[n];
		made->node[n] = (struct opensm_node){.guid = node->guid,
			.system_guid = node->system_guid,
			.port = ports,
			.ports = (uint8_t)port_count(node),
			.kind = kind_of(node)};
		ports += made->node[n].ports + 1U;
	}
	for (uint32_t p = 0; p < subnet->ports; p++) {
		const struct subnet_port *port = &subnet->port[p];
		made->port[place_of(made, port)] = (struct opensm_port){.guid = port->guid,
			.peer = port->peer != NONE ? place_of(made, &subnet->port[port->peer])
				: port->loop       ? made->node[port->node].port + port->loop
						   : OPENSM_NONE,
			.lid = port->lid,
			.lmc = port->lmc & 7};
	}
	return 0;
}
