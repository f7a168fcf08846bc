#include "subnet_dot.h"

#include "args.h"
#include "dot.h"
#include "dump.h"
#include "input.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PORTS_MOST = 254 };

struct graph {
	const char *path;
	struct fabric *fabric;
	struct forwarding *forwarding;
	struct dot *dot;
	struct subnet *subnet;
	uint32_t *node;    /* [nodes] of the subnet */
	uint32_t *reverse; /* [channels] the channel of the opposite direction, NONE */
	uint32_t *port;    /* [channels] of the subnet, at the tail */
	struct error *error;
};

/* ---- nodes */

static uint64_t node_guid(const struct fabric_labels *labels, uint32_t v)
{
	const char *digits = labels->name[v];
	if (labels->guid[v])
		return labels->guid[v];
	if (strspn(digits, "HSR-") < 3)
		digits += strspn(digits, "HSR-");
	return strlen(digits) == 16 && strspn(digits, "0123456789abcdefABCDEF") == 16 ? strtoull(digits, NULL, 16) : 0;
}

static unsigned told_port(uint32_t number)
{
	return number <= PORTS_MOST ? number : 0;
}

/* The channel adapter of which another host was a port already, NONE. */
static uint32_t find_adapter(const struct subnet *subnet, uint64_t guid, unsigned number, const char *desc)
{
	uint32_t n = subnet_find_node(subnet, guid);
	if (n == NONE)
		return NONE;
	const struct subnet_node *node = &subnet->node[n];
	bool taken = number < node->slots && node->port[number] != NONE;
	return node->kind == NODE_CA && !taken && !strcmp(node->desc, desc) ? n : NONE;
}

static uint32_t new_node(struct graph *graph, uint32_t v, uint64_t guid, const char *desc)
{
	const char *name = graph->fabric->labels->name[v], *ports = dot_node_attribute(graph->dot, v, "ports");
	int64_t count;
	uint32_t n = subnet_node(graph->subnet, name, strlen(name), graph->error);
	if (n == NONE || subnet_set_guid(graph->subnet, n, guid, graph->error))
		return NONE;
	struct subnet_node *node = &graph->subnet->node[n];
	node->kind = graph->fabric->node_host[v] == NONE ? NODE_SWITCH : NODE_CA;
	node->desc = subnet_text(graph->subnet, desc, strlen(desc), graph->error);
	if (ports && read_integer(ports, 1, PORTS_MOST, &count))
		node->ports = (uint32_t)count;
	return node->desc ? n : NONE;
}

static int add_node(struct graph *graph, uint32_t v)
{
	const struct fabric *fabric = graph->fabric;
	const struct fabric_labels *labels = fabric->labels;
	uint32_t first = fabric->first_channel[v], links = fabric->first_channel[v + 1] - first;
	const char *desc = *labels->desc[v] ? labels->desc[v] : labels->name[v];
	uint64_t guid = node_guid(labels, v), port_guid = guid;
	if (links > PORTS_MOST)
		return error_at(graph->error, STATUS_FABRIC, graph->path, 0, "node '%s' has %u channels, and InfiniBand no more than %d ports",
			labels->name[v], links, PORTS_MOST);
	if (fabric->node_host[v] == NONE)
		return (graph->node[v] = new_node(graph, v, guid, desc)) == NONE ? -1 : 0;
	unsigned number = links ? told_port(labels->port[first]) : 0;
	if (!number)
		number = 1;
	guid = guid > number ? guid - number : 0;
	uint32_t n = find_adapter(graph->subnet, guid, number, desc);
	if (n == NONE)
		n = new_node(graph, v, guid, desc);
	uint32_t port = n == NONE ? NONE : subnet_port(graph->subnet, n, number, graph->error);
	graph->node[v] = n;
	return port == NONE ? -1 : subnet_set_port_guid(graph->subnet, port, port_guid, graph->error);
}

/* ---- cables */

/* Whether what is known of the ports lets the channels be the two directions of one cable. */
static bool may_be_opposite(const struct fabric_labels *labels, uint32_t c, uint32_t d)
{
	unsigned here = told_port(labels->port[c]), there = told_port(labels->peer_port[c]);
	unsigned back = told_port(labels->peer_port[d]), from = told_port(labels->port[d]);
	return (!here || !back || here == back) && (!there || !from || there == from);
}

static void find_reverse(struct graph *graph, uint32_t v, uint32_t c)
{
	const struct fabric *fabric = graph->fabric;
	uint32_t to = fabric->head[c];
	for (uint32_t d = fabric->first_channel[to]; d < fabric->first_channel[to + 1]; d++)
		if (fabric->head[d] == v && d != c && graph->reverse[d] == NONE && may_be_opposite(fabric->labels, c, d)) {
			graph->reverse[c] = d;
			graph->reverse[d] = c;
			return;
		}
}

/* The number that the channel's port at its tail has by either direction, 0. */
static unsigned number_of(const struct graph *graph, uint32_t c)
{
	const struct fabric_labels *labels = graph->fabric->labels;
	unsigned number = told_port(labels->port[c]);
	return number || graph->reverse[c] == NONE ? number : told_port(labels->peer_port[graph->reverse[c]]);
}

static uint32_t free_port(struct graph *graph, uint32_t node)
{
	for (unsigned number = 1; number <= PORTS_MOST; number++) {
		const struct subnet_node *owner = &graph->subnet->node[node];
		uint32_t port = number < owner->slots ? owner->port[number] : NONE;
		bool waiting = port != NONE && owner->kind == NODE_CA && graph->subnet->port[port].guid && graph->subnet->port[port].peer == NONE;
		if (port == NONE || (waiting && !owner->port[0]))
			return subnet_port(graph->subnet, node, number, graph->error);
	}
	error_at(graph->error, STATUS_FABRIC, graph->path, 0, "node '%s' has more than %d ports", graph->subnet->node[node].id, PORTS_MOST);
	return NONE;
}
