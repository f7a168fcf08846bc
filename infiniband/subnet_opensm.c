#include "infiniband/subnet_opensm.h"

#include "base/memory.h"

#include <stdlib.h>

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

static void fill_port(struct subnet_opensm *made, const struct subnet *subnet, uint32_t p)
{
	const struct subnet_port *port = &subnet->port[p], *peer = port->peer == NONE ? NULL : &subnet->port[port->peer];
	made->port[made->node[port->node].port + port->number] = (struct opensm_port){.guid = port->guid,
		.peer = peer         ? made->node[peer->node].port + peer->number
			: port->loop ? made->node[port->node].port + port->loop
				     : OPENSM_NONE,
		.lid = port->lid,
		.lmc = port->lmc & 7};
}

int subnet_opensm_init(struct subnet_opensm *made, const struct subnet *subnet, struct error *error)
{
	uint32_t ports = 0;
	*made = (struct subnet_opensm){.node = array_create(subnet->nodes, sizeof *made->node, error)};
	for (uint32_t n = 0; made->node && n < subnet->nodes; n++) {
		const struct subnet_node *node = &subnet->node[n];
		made->node[n] = (struct opensm_node){.guid = node->guid,
			.system_guid = node->system_guid,
			.port = ports,
			.ports = (uint8_t)port_count(node),
			.kind = kind_of(node)};
		ports += made->node[n].ports + 1U;
	}
	made->port = array_create(ports, sizeof *made->port, error);
	if (error->status)
		return -1;
	for (uint32_t p = 0; p < ports; p++)
		made->port[p] = (struct opensm_port){.peer = OPENSM_NONE};
	for (uint32_t p = 0; p < subnet->ports; p++)
		fill_port(made, subnet, p);
	made->subnet = (struct opensm_subnet){.node = made->node, .port = made->port, .nodes = subnet->nodes, .ports = ports};
	return 0;
}

void subnet_opensm_clear(struct subnet_opensm *made)
{
	free(made->node);
	free(made->port);
	*made = (struct subnet_opensm){0};
}
