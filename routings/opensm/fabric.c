#include "routings/opensm/fabric.h"

#include "base/memory.h"

#include <stdlib.h>

static int by_guid(const void *left, const void *right, void *subnet)
{
	const struct opensm_node *node = ((const struct opensm_subnet *)subnet)->node;
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	int order = opensm_guid_order(node[a].guid, node[b].guid);
	return order ? order : (a > b) - (a < b);
}

static int by_load(const void *left, const void *right, void *fabric)
{
	const struct opensm_switch *sw = ((const struct opensm_fabric *)fabric)->sw;
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	if (sw[a].end_ports != sw[b].end_ports)
		return sw[a].end_ports > sw[b].end_ports ? -1 : 1;
	return (a > b) - (a < b);
}

static void count(struct opensm_fabric *fabric, const struct opensm_subnet *subnet)
{
	for (uint32_t n = 0; n < subnet->nodes; n++) {
		const struct opensm_node *node = &subnet->node[n];
		if (node->kind == OPENSM_SWITCH) {
			fabric->switches++;
			fabric->links += node->ports + 1;
		} else {
			fabric->ends += node->ports;
		}
	}
}

static void note_lids(struct opensm_fabric *fabric, uint16_t lid, uint8_t lmc)
{
	if (!lid)
		return;
	if (lid + (1U << lmc) > fabric->lids)
		fabric->lids = lid + (1U << lmc);
	if (lmc > fabric->lmc)
		fabric->lmc = lmc;
}

static void add_switch(struct opensm_fabric *fabric, const struct opensm_subnet *subnet, uint32_t n, uint32_t *number)
{
	const struct opensm_node *node = &subnet->node[n];
	const struct opensm_port *own = &subnet->port[node->port];
	number[n] = fabric->switches;
	fabric->sw[fabric->switches++] = (struct opensm_switch){.guid = node->guid,
		.system_guid = node->system_guid,
		.node = n,
		.link = fabric->links,
		.lid = own->lid,
		.lmc = own->lmc,
		.ports = node->ports,
		.one_sl = own->one_sl};
	fabric->links += node->ports + 1;
	note_lids(fabric, own->lid, own->lmc);
}

/* Only ports with a cable are end ports. */
static void add_ends(struct opensm_fabric *fabric, const struct opensm_subnet *subnet, uint32_t n, uint32_t *end_of_port)
{
	const struct opensm_node *node = &subnet->node[n];
	for (uint32_t p = 1; p <= node->ports; p++) {
		const struct opensm_port *port = &subnet->port[node->port + p];
		if (port->peer == OPENSM_NONE)
			continue;
		end_of_port[node->port + p] = fabric->ends;
		fabric->end[fabric->ends++] = (struct opensm_end){.guid = port->guid,
			.to = OPENSM_NONE,
			.router = node->kind == OPENSM_ROUTER,
			.lid = port->lid,
			.lmc = port->lmc,
			.one_sl = port->one_sl};
		note_lids(fabric, port->lid, port->lmc);
		if (port->lid && port->lid + (1U << port->lmc) > fabric->end_lids)
			fabric->end_lids = port->lid + (1U << port->lmc);
	}
}

/* The switch or end port at the other end of each cable, where both ends agree on it. */
static void join(struct opensm_fabric *fabric, const struct opensm_subnet *subnet, const uint32_t *number, const uint32_t *end_of_port,
	const uint32_t *node_of_port)
{
	for (uint32_t n = 0; n < subnet->nodes; n++) {
		const struct opensm_node *node = &subnet->node[n];
		for (uint32_t p = 1; p <= node->ports; p++) {
			const struct opensm_port *port = &subnet->port[node->port + p];
			if (port->peer == OPENSM_NONE || subnet->port[port->peer].peer != node->port + p)
				continue;
			uint32_t peer = node_of_port[port->peer], at = port->peer - subnet->node[peer].port;
			bool to_switch = subnet->node[peer].kind == OPENSM_SWITCH;
			if (node->kind == OPENSM_SWITCH) {
				struct opensm_switch *sw = &fabric->sw[number[n]];
				struct opensm_link *link = &fabric->link[sw->link + p];
				link->to = to_switch ? number[peer] : OPENSM_NONE;
				link->end = to_switch ? OPENSM_NONE : end_of_port[port->peer];
				link->far = (uint8_t)at;
				link->lanes = port->lanes;
				sw->end_ports += !to_switch;
			} else {
				struct opensm_end *end = &fabric->end[end_of_port[node->port + p]];
				end->to = to_switch ? number[peer] : OPENSM_NONE;
				end->at = (uint8_t)at;
				end->peer = !to_switch;
			}
		}
	}
}

static void list_near(struct opensm_fabric *fabric)
{
	uint32_t count = 0;
	for (uint32_t s = 0; s < fabric->switches; s++) {
		for (unsigned p = 1; p <= fabric->sw[s].ports; p++) {
			const struct opensm_link *link = opensm_port_of(fabric, s, p);
			if (link->to != OPENSM_NONE)
				fabric->near[count++] = (struct opensm_near){.to = link->to, .port = (uint8_t)p, .far = link->far};
		}
		fabric->first_near[s + 1] = count;
	}
}

static int by_value(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
	return (a > b) - (a < b);
}

static bool lists(const uint64_t *sorted, uint32_t count, uint64_t guid)
{
	return bsearch(&guid, sorted, count, sizeof guid, by_value) != NULL;
}

/* What the lists of GUIDs say of switches and end ports. */
static void mark(struct opensm_fabric *fabric, const struct opensm_options *options, struct error *error)
{
	const struct opensm_guids *list[] = {&options->roots, &options->compute_nodes, &options->io_nodes};
	uint64_t *sorted[3] = {0};
	for (int i = 0; i < 3 && !error->status; i++) {
		sorted[i] = array_copy(list[i]->guid, list[i]->count, sizeof(uint64_t), error);
		if (sorted[i])
			qsort(sorted[i], list[i]->count, sizeof(uint64_t), by_value);
	}
	for (uint32_t s = 0; s < fabric->switches && !error->status; s++)
		fabric->sw[s].root = lists(sorted[0], list[0]->count, fabric->sw[s].guid);
	for (uint32_t e = 0; e < fabric->ends && !error->status; e++) {
		fabric->end[e].compute = lists(sorted[1], list[1]->count, fabric->end[e].guid);
		fabric->end[e].io = lists(sorted[2], list[2]->count, fabric->end[e].guid);
	}
	for (int i = 0; i < 3; i++)
		free(sorted[i]);
}

int opensm_fabric_init(
	struct opensm_fabric *fabric, const struct opensm_subnet *subnet, const struct opensm_options *options, struct error *error)
{
	*fabric = (struct opensm_fabric){.lids = 1, .end_lids = 1};
	count(fabric, subnet);
	fabric->sw = array_create(fabric->switches, sizeof *fabric->sw, error);
	fabric->link = array_create(fabric->links, sizeof *fabric->link, error);
	fabric->end = array_create(fabric->ends, sizeof *fabric->end, error);
	fabric->near = array_create(fabric->links, sizeof *fabric->near, error);
	fabric->first_near = array_create((size_t)fabric->switches + 1, sizeof *fabric->first_near, error);
	fabric->by_load = array_create(fabric->switches, sizeof *fabric->by_load, error);
	uint32_t *order = array_create(subnet->nodes, sizeof *order, error);
	uint32_t *number = array_create(subnet->nodes, sizeof *number, error);
	uint32_t *end_of_port = array_create(subnet->ports, sizeof *end_of_port, error);
	uint32_t *node_of_port = array_create(subnet->ports, sizeof *node_of_port, error);
	if (!error->status) {
		for (uint32_t l = 0; l < fabric->links; l++)
			fabric->link[l] = (struct opensm_link){.to = OPENSM_NONE, .end = OPENSM_NONE};
		fabric->switches = fabric->links = fabric->ends = 0;
		for (uint32_t n = 0; n < subnet->nodes; n++) {
			order[n] = n;
			for (uint32_t p = 0; p <= subnet->node[n].ports; p++)
				node_of_port[subnet->node[n].port + p] = n;
		}
		qsort_r(order, subnet->nodes, sizeof *order, by_guid, (void *)subnet);
		for (uint32_t i = 0; i < subnet->nodes; i++)
			if (subnet->node[order[i]].kind == OPENSM_SWITCH)
				add_switch(fabric, subnet, order[i], number);
			else
				add_ends(fabric, subnet, order[i], end_of_port);
		join(fabric, subnet, number, end_of_port, node_of_port);
		list_near(fabric);
		for (uint32_t s = 0; s < fabric->switches; s++)
			fabric->by_load[s] = s;
		qsort_r(fabric->by_load, fabric->switches, sizeof *fabric->by_load, by_load, fabric);
		mark(fabric, options, error);
	}
	free(order);
	free(number);
	free(end_of_port);
	free(node_of_port);
	return error->status ? -1 : 0;
}

void opensm_fabric_clear(struct opensm_fabric *fabric)
{
	free(fabric->sw);
	free(fabric->link);
	free(fabric->end);
	free(fabric->near);
	free(fabric->first_near);
	free(fabric->by_load);
}

unsigned opensm_lanes(const struct opensm_task *task)
{
	const struct opensm_fabric *fabric = task->fabric;
	unsigned fewest = task->options->lanes ? task->options->lanes : OPENSM_LANES, usual = 8;
	bool known = false;
	for (uint32_t l = 0; l < fabric->links; l++) {
		unsigned lanes = fabric->link[l].to == OPENSM_NONE ? 0 : fabric->link[l].lanes;
		known |= lanes != 0;
		if (lanes && lanes < fewest)
			fewest = lanes;
	}
	return !known && usual < fewest ? usual : fewest;
}
