/* The bit masks are those of the attribute PortInfo (InfiniBand Architecture Specification volume 1, 14.2.5.6). */
#include "infiniband/link_end.h"

int node_note_desc(struct dump_reader *reader, uint32_t node, const char *desc, size_t length)
{
	if (*reader->subnet->node[node].desc)
		return 0;
	const char *text = subnet_text(reader->subnet, desc, length, reader->error);
	if (!text)
		return -1;
	reader->subnet->node[node].desc = text;
	return 0;
}

void port_note_lid(struct dump_reader *reader, uint32_t port, uint32_t lid, uint32_t lmc, bool own)
{
	struct subnet_port *noted = &reader->subnet->port[port];
	if (!lid || lid > LID_LAST)
		return;
	if (noted->lid && noted->lid != lid)
		subnet_odd(reader->subnet, ODD_LID_SAID, "%s: LID %u and LID %u", dump_place(reader), noted->lid, lid);
	if (!noted->lid || (own && !noted->own_lid))
		noted->lid = (uint16_t)lid;
	noted->own_lid |= own;
	if (lmc <= 7 && lmc > noted->lmc)
		noted->lmc = (uint8_t)lmc;
}

void link_note(struct dump_reader *reader, uint32_t port, uint32_t peer, unsigned lanes, enum lane_rate rate)
{
	subnet_cable(reader->subnet, port, peer, dump_place(reader));
	if (reader->subnet->port[port].peer == peer)
		subnet_cable(reader->subnet, peer, port, dump_place(reader));
	subnet_link(reader->subnet, port, lanes, rate);
	subnet_link(reader->subnet, peer, lanes, rate);
}

/* ---- ends */

/* Returns the node of the end; NONE if neither GUID is known. */
static uint32_t known_node(const struct subnet *subnet, const struct link_end *end)
{
	if (end->node_guid)
		return subnet_find_node(subnet, end->node_guid);
	uint32_t port = subnet_find_port(subnet, end->port_guid);
	return port == NONE ? NONE : subnet->port[port].node;
}

/*
 * Returns the node of the end, created if new. A channel adapter of which only a port is known has no node GUID; other nodes then have that
 * of their port.
 */
static uint32_t find_or_make(struct dump_reader *reader, const struct link_end *end)
{
	uint32_t node = known_node(reader->subnet, end);
	if (node != NONE)
		return node;
	if (end->node_guid || end->kind == NODE_SWITCH || end->kind == NODE_UNKNOWN)
		return subnet_node_of_guid(reader->subnet, end->node_guid ? end->node_guid : end->port_guid, end->kind, reader->error);
	uint32_t port = subnet_port_of_guid(reader->subnet, end->port_guid, end->number, reader->error);
	return port == NONE ? NONE : reader->subnet->port[port].node;
}

static void note_numbers(struct subnet_node *node, const struct link_end *end)
{
	if (end->kind != NODE_UNKNOWN && node->kind != NODE_SWITCH)
		node->kind = end->kind;
	if (end->ports > node->ports)
		node->ports = end->ports;
	if (!node->system_guid)
		node->system_guid = end->system_guid;
	if (!node->vendor)
		node->vendor = end->vendor;
	if (!node->device)
		node->device = end->device;
}

uint32_t link_end_port(struct dump_reader *reader, const struct link_end *end)
{
	uint32_t node = find_or_make(reader, end);
	if (node == NONE || node_note_desc(reader, node, end->desc ? end->desc : "", end->desc_length))
		return NONE;
	note_numbers(&reader->subnet->node[node], end);
	uint32_t port = subnet_port(reader->subnet, node, end->number, reader->error), addressed = port;
	if (port == NONE)
		return NONE;
	if (reader->subnet->node[node].kind == NODE_SWITCH) {
		addressed = subnet_port(reader->subnet, node, 0, reader->error);
		if (addressed == NONE || subnet_set_port_guid(reader->subnet, addressed, end->port_guid, reader->error))
			return NONE;
	} else if (!reader->subnet->port[port].guid) {
		reader->subnet->port[port].guid = end->port_guid;
	}
	port_note_lid(reader, addressed, end->lid, 0, false);
	return port;
}

/* ---- kinds */

/* Returns the port GUID that two ports of the node have in common, 0 if there is none. */
static uint64_t shared_guid(const struct subnet *subnet, const struct subnet_node *node)
{
	uint64_t guid = 0;
	for (size_t i = 1; i < node->slots; i++) {
		uint64_t own = node->port[i] == NONE ? 0 : subnet->port[node->port[i]].guid;
		if (own && own == guid)
			return guid;
		if (own)
			guid = own;
	}
	return 0;
}

/* Makes the node a switch: its LID and GUID move from its outer ports to port 0. */
static int make_switch(struct dump_reader *reader, uint32_t node, uint64_t guid)
{
	struct subnet *subnet = reader->subnet;
	uint32_t own = subnet_port(subnet, node, 0, reader->error);
	if (subnet->node[node].kind == NODE_CA)
		subnet_odd(subnet, ODD_MANY_PORTS, "'%s'", subnet->node[node].desc);
	subnet->node[node].kind = NODE_SWITCH;
	if (own == NONE)
		return -1;
	for (size_t i = 1; i < subnet->node[node].slots; i++) {
		uint32_t port = subnet->node[node].port[i];
		if (port == NONE)
			continue;
		port_note_lid(reader, own, subnet->port[port].lid, 0, false);
		subnet->port[port].lid = 0;
		subnet->port[port].guid = 0;
	}
	return subnet_set_port_guid(subnet, own, guid, reader->error);
}

/* Adds the GUIDs of the node's ports to the index. */
static int index_ports(struct dump_reader *reader, const struct subnet_node *node)
{
	for (size_t i = 1; i < node->slots; i++) {
		struct subnet_port *port = node->port[i] == NONE ? NULL : &reader->subnet->port[node->port[i]];
		uint64_t guid = port ? port->guid : 0;
		if (!guid || subnet_find_port(reader->subnet, guid) != NONE)
			continue;
		port->guid = 0;
		if (subnet_set_port_guid(reader->subnet, node->port[i], guid, reader->error))
			return -1;
	}
	return 0;
}

int link_ends_settle(struct dump_reader *reader)
{
	struct subnet *subnet = reader->subnet;
	for (uint32_t n = 0; n < subnet->nodes; n++) {
		struct subnet_node *node = &subnet->node[n];
		uint64_t guid = node->kind == NODE_SWITCH ? 0 : shared_guid(subnet, node);
		if (guid && make_switch(reader, n, guid))
			return -1;
		if (node->kind == NODE_UNKNOWN && node->guid)
			node->kind = NODE_CA;
		if (node->kind != NODE_SWITCH && index_ports(reader, node))
			return -1;
	}
	return 0;
}

/* ---- masks */

unsigned lanes_of_mask(uint32_t mask)
{
	return mask & 16 ? 2 : mask & 8 ? 12 : mask & 4 ? 8 : mask & 2 ? 4 : mask & 1 ? 1 : 0;
}

enum lane_rate rate_of_mask(uint32_t speed, uint32_t extended)
{
	if (extended & 0x1f)
		return extended & 16 ? RATE_XDR : extended & 8 ? RATE_NDR : extended & 4 ? RATE_HDR : extended & 2 ? RATE_EDR : RATE_FDR;
	return speed & 4 ? RATE_QDR : speed & 2 ? RATE_DDR : speed & 1 ? RATE_SDR : RATE_UNKNOWN;
}
