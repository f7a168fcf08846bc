#include "infiniband/subnet_dot.h"

#include "base/args.h"
#include "base/memory.h"
#include "fabric/topology_fabric.h"
#include "formats/cache.h"
#include "formats/dot_numbers.h"
#include "fabric/service_levels.h"
#include "infiniband/node_name_map.h"
#include "infiniband/subnet_levels.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

enum { PORTS_MOST = 254 };

struct graph {
	const char *path;
	struct fabric *fabric;
	struct forwarding *forwarding;
	struct attributes *attributes;
	struct subnet *subnet;
	uint32_t *node;    /* [nodes] node of the subnet */
	uint32_t *reverse; /* [channels] channel in the opposite direction, NONE */
	uint32_t *port;    /* [channels] port of the subnet, at the tail */
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
	uint64_t guid;
	return strlen(digits) == 16 && read_guid(digits, &guid) ? guid : 0;
}

/* Refuses port numbers and counts that a graph can have but an InfiniBand switch cannot. */
static int check_ports(const struct graph *graph, uint32_t v)
{
	const struct fabric_labels *labels = graph->fabric->labels;
	const char *ports = attributes_of_node(graph->attributes, v, "ports");
	uint32_t count = 0;
	if (ports && dot_read_port(ports, &count) && count > UINT8_MAX)
		return error_at(graph->error, STATUS_FABRIC, graph->path, 0, "node '%s' has %u ports; InfiniBand allows up to %d",
			labels->name[v], count, PORTS_MOST);
	for (uint32_t c = graph->fabric->first_channel[v]; c < graph->fabric->first_channel[v + 1]; c++)
		if (labels->port[c] > PORTS_MOST || labels->peer_port[c] > PORTS_MOST)
			return error_at(graph->error, STATUS_FABRIC, graph->path, 0,
				"channel %s -> %s uses port %u; InfiniBand allows up to %d ports", labels->name[v],
				labels->name[graph->fabric->head[c]], labels->port[c] > PORTS_MOST ? labels->port[c] : labels->peer_port[c],
				PORTS_MOST);
	return 0;
}

/* Returns the channel adapter that already has another host as a port, NONE if there is none. */
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
	const char *name = graph->fabric->labels->name[v], *ports = attributes_of_node(graph->attributes, v, "ports");
	uint32_t count = 0, before = graph->subnet->nodes, n = subnet_node(graph->subnet, name, strlen(name), graph->error);
	if (n < before) /* long names are truncated */
		error_at(graph->error, STATUS_FABRIC, graph->path, 0,
			"the name of node '%.60s' is too long, or contains the GUID of another node", name);
	if (n == NONE || n < before || subnet_set_guid(graph->subnet, n, guid, graph->error))
		return NONE;
	struct subnet_node *node = &graph->subnet->node[n];
	node->kind = graph->fabric->node_host[v] == NONE ? NODE_SWITCH : NODE_CA;
	node->desc = subnet_text(graph->subnet, desc, strlen(desc), graph->error);
	if (node->desc && !*node->desc) /* only blanks and control characters */
		node->desc = subnet_text(graph->subnet, name, strlen(name), graph->error);
	if (ports && dot_read_port(ports, &count) && count && count <= PORTS_MOST)
		node->ports = count;
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
		return error_at(graph->error, STATUS_FABRIC, graph->path, 0, "node '%s' has %u channels; InfiniBand allows up to %d ports",
			labels->name[v], links, PORTS_MOST);
	if (check_ports(graph, v))
		return -1;
	if (fabric->node_host[v] == NONE)
		return (graph->node[v] = new_node(graph, v, guid, desc)) == NONE ? -1 : 0;
	unsigned number = links ? labels->port[first] : 0;
	if (!number)
		number = 1;
	guid = guid > number ? guid - number : 0;
	uint32_t n = find_adapter(graph->subnet, guid, number, desc);
	if (n == NONE)
		n = new_node(graph, v, guid, desc);
	uint32_t port = n == NONE ? NONE : subnet_port(graph->subnet, n, number, graph->error);
	graph->node[v] = n;
	if (links)
		graph->port[first] = port;
	return port == NONE ? -1 : subnet_set_port_guid(graph->subnet, port, port_guid, graph->error);
}

/* ---- cables */

/* Returns whether the known ports allow the channels to be the two directions of one cable. */
static bool may_be_opposite(const struct fabric_labels *labels, uint32_t c, uint32_t d)
{
	unsigned here = labels->port[c], there = labels->peer_port[c];
	unsigned back = labels->peer_port[d], from = labels->port[d];
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

/* Returns the port number at the channel's tail as stated by either direction; 0 if neither states it. */
static unsigned number_of(const struct graph *graph, uint32_t c)
{
	const struct fabric_labels *labels = graph->fabric->labels;
	unsigned number = labels->port[c];
	return number || graph->reverse[c] == NONE ? number : labels->peer_port[graph->reverse[c]];
}

/* Returns the lowest number that the node does not use yet. */
static uint32_t free_port(struct graph *graph, uint32_t n)
{
	const struct subnet_node *node = &graph->subnet->node[n];
	for (unsigned number = 1; number <= PORTS_MOST; number++)
		if (number >= node->slots || node->port[number] == NONE)
			return subnet_port(graph->subnet, n, number, graph->error);
	error_at(graph->error, STATUS_FABRIC, graph->path, 0, "node '%s' has more than %d ports, the limit of InfiniBand", node->id,
		PORTS_MOST);
	return NONE;
}

/*
 * Returns the port at the far end of a channel without an opposite one: the stated one, otherwise that of the host, otherwise a new port.
 */
static uint32_t far_port(struct graph *graph, uint32_t c)
{
	uint32_t n = graph->node[graph->fabric->head[c]];
	unsigned number = graph->fabric->labels->peer_port[c];
	const struct subnet_node *node = &graph->subnet->node[n];
	if (number)
		return subnet_port(graph->subnet, n, number, graph->error);
	for (size_t i = 1; node->kind == NODE_CA && i < node->slots; i++)
		if (node->port[i] != NONE && graph->subnet->port[node->port[i]].peer == NONE)
			return node->port[i];
	return free_port(graph, n);
}

/* Sets width and speed: "4x" and 100 Gb/s are EDR. A speed without a width is assumed to be that of four lanes, if possible. */
static void set_link(struct graph *graph, uint32_t c)
{
	static const unsigned widths[] = {4, 1, 2, 8, 12};
	const char *width = attributes_of_channel(graph->attributes, c, "width"),
		   *speed = attributes_of_channel(graph->attributes, c, "speed");
	unsigned lanes = width ? dot_width(width) : 0;
	double gbps = 0;
	enum lane_rate rate = RATE_UNKNOWN;
	if (speed)
		read_number(speed, 0, DBL_MAX, &gbps);
	for (size_t i = 0; i < sizeof widths / sizeof *widths && rate == RATE_UNKNOWN; i++)
		if ((!width || lanes == widths[i]) && gbps > 0) {
			rate = lane_rate_of(gbps / widths[i]);
			lanes = rate == RATE_UNKNOWN ? lanes : widths[i];
		}
	subnet_link(graph->subnet, graph->port[c], rate == RATE_UNKNOWN ? 0 : lanes, rate);
}

static int add_cable(struct graph *graph, uint32_t c)
{
	uint32_t back = graph->reverse[c];
	if (back != NONE && back < c)
		return 0;
	uint32_t peer = back == NONE ? far_port(graph, c) : graph->port[back];
	if (peer == NONE)
		return -1;
	subnet_cable(graph->subnet, graph->port[c], peer, graph->path);
	if (back != NONE)
		subnet_cable(graph->subnet, peer, graph->port[c], graph->path);
	return 0;
}

static int add_cables(struct graph *graph)
{
	const struct fabric *fabric = graph->fabric;
	for (uint32_t v = 0; v < fabric->nodes; v++)
		for (uint32_t c = fabric->first_channel[v]; c < fabric->first_channel[v + 1]; c++)
			if (graph->reverse[c] == NONE)
				find_reverse(graph, v, c);
	for (int numbered = 1; numbered >= 0; numbered--) /* first the ports with a number; the others get the remaining numbers */
		for (uint32_t v = 0; v < fabric->nodes; v++)
			for (uint32_t c = fabric->first_channel[v]; c < fabric->first_channel[v + 1]; c++) {
				unsigned number = number_of(graph, c);
				if (graph->port[c] != NONE || (numbered && !number))
					continue;
				graph->port[c] = number ? subnet_port(graph->subnet, graph->node[v], number, graph->error)
							: free_port(graph, graph->node[v]);
				if (graph->port[c] == NONE)
					return -1;
			}
	for (uint32_t c = 0; c < fabric->channels; c++)
		set_link(graph, c);
	for (uint32_t c = 0; c < fabric->channels; c++)
		if (graph->reverse[c] != NONE && add_cable(graph, c))
			return -1;
	for (uint32_t c = 0; c < fabric->channels; c++)
		if (graph->reverse[c] == NONE && add_cable(graph, c))
			return -1;
	return 0;
}

/* ---- LIDs and tables */

/* Returns the port that has the LID of the node: the first port of a host, port 0 of a switch. */
static uint32_t lid_port(struct graph *graph, uint32_t v)
{
	const struct fabric *fabric = graph->fabric;
	const struct subnet_node *node = &graph->subnet->node[graph->node[v]];
	if (node->kind == NODE_SWITCH)
		return subnet_port(graph->subnet, graph->node[v], 0, graph->error);
	if (fabric->first_channel[v] < fabric->first_channel[v + 1])
		return graph->port[fabric->first_channel[v]];
	return node->port[1];
}

static int set_lids(struct graph *graph)
{
	static const char name[] = "lid";
	bool *used = array_create(LID_LAST + 2, sizeof *used, graph->error);
	uint32_t *port = array_create(graph->fabric->nodes, sizeof *port, graph->error);
	unsigned next = 1;
	for (uint32_t v = 0; used && port && v < graph->fabric->nodes; v++) {
		const char *text = attributes_of_node(graph->attributes, v, name);
		int64_t lid;
		port[v] = lid_port(graph, v);
		if (port[v] == NONE)
			break;
		if (text && read_integer(text, 1, LID_LAST, &lid) && !used[lid]) {
			used[lid] = true;
			graph->subnet->port[port[v]].lid = (uint16_t)lid;
		}
	}
	for (uint32_t v = 0; !graph->error->status && v < graph->fabric->nodes; v++) {
		if (graph->subnet->port[port[v]].lid)
			continue;
		while (used[next] && next <= LID_LAST)
			next++;
		if (next > LID_LAST)
			error_at(graph->error, STATUS_FABRIC, graph->path, 0, "more nodes than InfiniBand has LIDs (%d)", LID_LAST);
		graph->subnet->port[port[v]].lid = (uint16_t)next++;
	}
	free(used);
	free(port);
	return graph->error->status ? -1 : 0;
}

static int add_table(struct graph *graph, uint32_t v)
{
	const struct fabric *fabric = graph->fabric;
	const struct forwarding *forwarding = graph->forwarding;
	uint32_t node = graph->node[v], column = forwarding->column[v];
	if (fabric->node_host[v] != NONE || !forwarding_any(forwarding, v))
		return 0;
	for (uint32_t d = 0; d < fabric->hosts; d++) {
		uint32_t c = forwarding_next(forwarding, v, column, d);
		unsigned lid = graph->subnet->port[lid_port(graph, fabric->host_node[d])].lid;
		if (c != NONE && subnet_entry(graph->subnet, node, lid, graph->subnet->port[graph->port[c]].number, graph->error))
			return -1;
	}
	return subnet_entry(graph->subnet, node, graph->subnet->port[lid_port(graph, v)].lid, 0, graph->error);
}

/* Adds entries for the switches' own LIDs, which a graph does not have, along shortest paths. Time O(switches * channels). */
static int add_switch_entries(struct graph *graph)
{
	const struct fabric *fabric = graph->fabric;
	struct subnet *subnet = graph->subnet;
	uint32_t *seen = array_create(fabric->nodes, sizeof *seen, graph->error); /* last target for which the node was visited, + 1 */
	uint32_t *queue = array_create(fabric->nodes, sizeof *queue, graph->error);
	for (uint32_t target = 0; seen && queue && target < fabric->nodes; target++) {
		uint32_t back = 0;
		if (fabric->node_host[target] != NONE)
			continue;
		unsigned lid = subnet->port[lid_port(graph, target)].lid;
		seen[target] = target + 1;
		queue[back++] = target;
		for (uint32_t front = 0; front < back; front++)
			for (uint32_t c = fabric->first_channel[queue[front]]; c < fabric->first_channel[queue[front] + 1]; c++) {
				uint32_t v = fabric->head[c], peer = subnet->port[graph->port[c]].peer;
				if (fabric->node_host[v] != NONE || seen[v] == target + 1 || peer == NONE)
					continue;
				seen[v] = target + 1;
				queue[back++] = v;
				if (subnet->node[graph->node[v]].lft)
					subnet_entry(subnet, graph->node[v], lid, subnet->port[peer].number, graph->error);
			}
	}
	free(seen);
	free(queue);
	return graph->error->status ? -1 : 0;
}

/* Takes over the service levels: hosts with the same share a row. */
static int add_levels(struct graph *graph)
{
	const struct fabric *fabric = graph->fabric;
	struct service_levels *levels;
	if (service_levels_load(&levels, graph->attributes, fabric, graph->error) || !levels)
		return graph->error->status ? -1 : 0;
	struct lid_list *list = array_create(2, sizeof *list, graph->error);
	for (uint64_t i = 0; list && !graph->error->status && i < (uint64_t)levels->rows * levels->count; i++) {
		uint32_t row = (uint32_t)(i / levels->count), level = (uint32_t)(i % levels->count);
		list[0].count = list[1].count = 0;
		for (uint32_t h = 0; h < fabric->hosts; h++) {
			uint16_t lid = graph->subnet->port[lid_port(graph, fabric->host_node[h])].lid;
			if (levels->row[h] == row)
				list[0].lid[list[0].count++] = lid;
			if (levels->level[(size_t)row * fabric->hosts + h] == level)
				list[1].lid[list[1].count++] = lid;
		}
		subnet_levels_set(graph->subnet, &list[0], &list[1], level, graph->error);
	}
	service_levels_free(levels);
	free(list);
	return graph->error->status ? -1 : 0;
}

static int fill(struct graph *graph)
{
	const struct fabric *fabric = graph->fabric;
	for (uint32_t c = 0; c < fabric->channels; c++)
		graph->reverse[c] = graph->port[c] = NONE;
	for (uint32_t v = 0; v < fabric->nodes; v++)
		if (add_node(graph, v))
			return -1;
	if (add_cables(graph) || set_lids(graph))
		return -1;
	for (uint32_t v = 0; v < fabric->nodes; v++)
		if (add_table(graph, v))
			return -1;
	return add_levels(graph) || add_switch_entries(graph) ? -1 : 0;
}

struct subnet *subnet_of_dot(const char *path, struct error *error)
{
	struct graph graph = {.path = path, .error = error};
	struct dot_report report;
	if (fabric_load(
		    path, DOT_TABLES | DOT_KEEP | DOT_ALLOW_NO_LINK, &graph.fabric, &graph.forwarding, &graph.attributes, &report, error))
		return NULL;
	graph.subnet = subnet_create(error);
	if (graph.subnet)
		graph.subnet->straight = report.straight;
	graph.node = array_create(graph.fabric->nodes, sizeof *graph.node, error);
	graph.reverse = array_create(graph.fabric->channels, sizeof *graph.reverse, error);
	graph.port = array_create(graph.fabric->channels, sizeof *graph.port, error);
	if (!graph.subnet || !graph.node || !graph.reverse || !graph.port || fill(&graph)) {
		subnet_free(graph.subnet);
		graph.subnet = NULL;
	}
	free(graph.node);
	free(graph.reverse);
	free(graph.port);
	attributes_free(graph.attributes);
	forwarding_free(graph.forwarding);
	fabric_free(graph.fabric);
	return graph.subnet;
}

/* ---- graph or dumps */

struct subnet *subnet_load(const struct fabric_source *source, struct files *files, struct error *error)
{
	const char *first = source->form == FORM_SPECIFICATION ? source->file[0].path : source->part[0].path;
	struct subnet *subnet = source->form == FORM_DUMPS ? subnet_create(error) : subnet_of_dot(first, error);
	if (subnet && source->form == FORM_DUMPS)
		subnet->files = files;
	for (size_t i = 0; subnet && source->form == FORM_DUMPS && i < source->parts && !error->status; i++)
		dump_read(subnet, source->part[i].path, source->part[i].kinds, error);
	if (subnet && source->node_name_map && !error->status)
		node_name_map_subnet(source->node_name_map, subnet, error);
	if (!error->status)
		return subnet;
	subnet_free(subnet);
	return NULL;
}
