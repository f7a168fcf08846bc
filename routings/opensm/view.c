#include "routings/opensm/view.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_GUID UINT64_C(0x100000)

struct viewing {
	struct opensm_view *view;
	const struct routing_graph *graph;
	const struct fabric *fabric;
	uint32_t *reverse; /* [channels] */
	uint8_t *number;   /* [channels] port at the tail */
	const char *engine;
	struct error *error;
};

static int refuse(const struct viewing *v, const char *what)
{
	return error_at(v->error, STATUS_FABRIC, v->fabric->labels->source, 0, "%s: OpenSM's %s cannot route it; use %s-orcs", what,
		v->engine, v->engine);
}

/* ---- what InfiniBand cannot have */

static int check(const struct viewing *v)
{
	const struct fabric *fabric = v->fabric;
	if (fabric->nodes > LID_LAST)
		return refuse(v, "more nodes than InfiniBand has LIDs (49151)");
	for (uint32_t h = 0; h < fabric->hosts; h++)
		if (v->graph->forwards[fabric->host_node[h]])
			return refuse(v, "hosts forward for others, which no channel adapter does");
	for (uint32_t c = 0; c < fabric->channels; c++) {
		if (v->reverse[c] == NONE)
			return refuse(v, "channels have one direction only, and InfiniBand's cables have two");
		if (fabric->labels->port[c] > OPENSM_PORTS)
			return refuse(v, "port numbers exceed 254, the limit of InfiniBand");
	}
	for (uint32_t n = 0; n < fabric->nodes; n++)
		if (fabric->first_channel[n + 1] - fabric->first_channel[n] > OPENSM_PORTS)
			return refuse(v, "nodes have more than 254 cables, the limit of InfiniBand");
	return 0;
}

/* ---- ports */

static unsigned stated_port(const struct viewing *v, uint32_t c)
{
	uint32_t number = v->fabric->labels->port[c];
	return number ? number : v->fabric->labels->peer_port[v->reverse[c]];
}

/* Numbers the ports of a node. Returns the highest number. */
static unsigned number_ports(const struct viewing *v, uint32_t n)
{
	const struct fabric *fabric = v->fabric;
	bool used[OPENSM_PORTS + 2] = {true};
	unsigned highest = fabric->node_host[n] == NONE ? 0 : 1, next = 1;
	for (int stated = 1; stated >= 0; stated--)
		for (uint32_t c = fabric->first_channel[n]; c < fabric->first_channel[n + 1]; c++) {
			unsigned number = stated ? stated_port(v, c) : 0;
			if (stated ? !number || number > OPENSM_PORTS || used[number] : v->number[c] != 0)
				continue;
			while (!stated && used[next])
				next++;
			number = stated ? number : next;
			v->number[c] = (uint8_t)number;
			used[number] = true;
			if (number > highest)
				highest = number;
		}
	return highest;
}

static int add_nodes(const struct viewing *v)
{
	const struct fabric *fabric = v->fabric;
	struct opensm_view *view = v->view;
	uint32_t ports = 0;
	for (uint32_t n = 0; n < fabric->nodes; n++) {
		view->node_of[n] = n;
		view->node[n] = (struct opensm_node){.port = ports,
			.ports = (uint8_t)number_ports(v, n),
			.kind = fabric->node_host[n] == NONE ? OPENSM_SWITCH : OPENSM_CA};
		ports += view->node[n].ports + 1U;
	}
	view->port = array_create(ports, sizeof *view->port, v->error);
	view->channel = array_create(ports, sizeof *view->channel, v->error);
	view->subnet = (struct opensm_subnet){.node = view->node, .port = view->port, .nodes = fabric->nodes, .ports = ports};
	return v->error->status ? -1 : 0;
}

static uint32_t port_of(const struct viewing *v, uint32_t node, uint32_t c)
{
	return v->view->node[node].port + v->number[c];
}

static void add_ports(const struct viewing *v, unsigned lanes)
{
	const struct fabric *fabric = v->fabric;
	struct opensm_view *view = v->view;
	for (uint32_t p = 0; p < view->subnet.ports; p++) {
		view->port[p] = (struct opensm_port){.peer = OPENSM_NONE, .lanes = (uint8_t)lanes};
		view->channel[p] = NONE;
	}
	for (uint32_t n = 0; n < fabric->nodes; n++) {
		uint32_t first = fabric->first_channel[n], end = fabric->first_channel[n + 1];
		view->lid_port[n] = view->node[n].port;
		if (fabric->node_host[n] != NONE)
			view->lid_port[n] += first < end ? v->number[first] : 1;
		for (uint32_t c = first; c < end; c++) {
			view->channel[port_of(v, n, c)] = c;
			view->port[port_of(v, n, c)].peer = port_of(v, fabric->head[c], v->reverse[c]);
		}
	}
}

/* ---- GUIDs and LIDs */

static void set_guids(const struct viewing *v)
{
	const struct fabric *fabric = v->fabric;
	const uint64_t *stated = fabric->labels->guid;
	uint64_t next = FIRST_GUID, end = FIRST_GUID + v->view->subnet.ports, highest = 0;
	bool coincide = false;
	for (uint32_t n = 0; n < fabric->nodes; n++) {
		coincide |= stated[n] >= FIRST_GUID && stated[n] < end;
		highest = stated[n] > highest ? stated[n] : highest;
	}
	if (coincide)
		next = highest + 1;
	for (uint32_t n = 0; n < fabric->nodes; n++) {
		struct opensm_node *node = &v->view->node[n];
		uint32_t own = v->view->lid_port[n] - node->port;
		node->guid = stated[n] ? stated[n] - own : next;
		for (uint32_t p = 0; p <= node->ports; p++)
			v->view->port[node->port + p].guid = node->guid + p;
		if (!stated[n])
			next += node->ports + 1U;
	}
}

static int set_lids(const struct viewing *v)
{
	const struct fabric *fabric = v->fabric;
	bool *used = array_create(LID_LAST + 2, sizeof *used, v->error);
	uint32_t next = 1;
	for (uint32_t n = 0; used && n < fabric->nodes; n++) {
		uint16_t lid = fabric->labels->lid[n];
		if (lid && lid <= LID_LAST && !used[lid])
			v->view->port[v->view->lid_port[n]].lid = lid;
		used[lid <= LID_LAST ? lid : 0] = true;
	}
	for (uint32_t n = 0; used && n < fabric->nodes; n++) {
		struct opensm_port *port = &v->view->port[v->view->lid_port[n]];
		while (!port->lid && used[next])
			next++;
		if (!port->lid)
			port->lid = (uint16_t)next++;
	}
	free(used);
	return v->error->status ? -1 : 0;
}

int opensm_view_init(struct opensm_view *view, const struct routing_graph *graph, unsigned lanes, const char *engine, struct error *error)
{
	const struct fabric *fabric = graph->fabric;
	struct viewing v = {.view = view, .graph = graph, .fabric = fabric, .engine = engine, .error = error};
	*view = (struct opensm_view){0};
	if (fabric->nodes > LID_LAST)
		return check(&v);
	v.reverse = fabric_reverse(fabric, error);
	v.number = array_create(fabric->channels, sizeof *v.number, error);
	view->node = array_create(fabric->nodes, sizeof *view->node, error);
	view->node_of = array_create(fabric->nodes, sizeof *view->node_of, error);
	view->lid_port = array_create(fabric->nodes, sizeof *view->lid_port, error);
	if (!error->status && !check(&v) && !add_nodes(&v)) {
		add_ports(&v, lanes);
		set_guids(&v);
		set_lids(&v);
	}
	free(v.reverse);
	free(v.number);
	return error->status ? -1 : 0;
}

void opensm_view_clear(struct opensm_view *view)
{
	free(view->node);
	free(view->port);
	free(view->channel);
	free(view->node_of);
	free(view->lid_port);
}
