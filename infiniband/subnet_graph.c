/* Steps: settle the LIDs, choose the hosts, name and order the nodes, check the tables. */
#include "infiniband/subnet_graph.h"
#include "infiniband/adaptive_groups.h"

#include "base/memory.h"
#include "infiniband/graph_others.h"
#include "infiniband/subnet_names.h"
#include "infiniband/subnet_rails.h"
#include "infiniband/port_lanes.h"
#include "infiniband/subnet_resolve.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void subnet_graph_free(struct subnet_graph *graph)
{
	if (!graph)
		return;
	free(graph->node);
	free(graph->port);
	free(graph->node_of_port);
	free(graph->component);
	free(graph->other);
	free(graph->link);
	free(graph->other_of_port);
	free(graph->other_names);
	free(graph->names);
	free(graph);
}

/* ---- choice of nodes ---- */

bool subnet_is_aggregation(const struct subnet_node *node)
{
	return node->kind == NODE_CA && (strstr(node->desc, "Aggregation Node") || (node->vendor == 0x2c9 && node->device == 0xcf09));
}

/* Returns whether the graph will have the node; switches are always kept, for the nodes attached to them. */
static bool is_kept(const struct subnet_graph *graph, uint32_t n)
{
	const struct subnet_node *node = &graph->subnet->node[n];
	return node->kind == NODE_SWITCH || (node->kind == NODE_CA && (graph->options.keep_aggregation || !subnet_is_aggregation(node)));
}

static bool is_cabled(const struct subnet_graph *graph, uint32_t p)
{
	uint32_t peer = graph->subnet->port[p].peer;
	return peer != NONE && is_kept(graph, graph->subnet->port[peer].node);
}

/* Sets the kind of nodes that the dumps only mention: a switch if it has several cables or a table, otherwise a channel adapter. */
static void guess_kinds(struct subnet *subnet)
{
	for (uint32_t n = 0; n < subnet->nodes; n++) {
		struct subnet_node *node = &subnet->node[n];
		if (node->kind == NODE_UNKNOWN)
			node->kind = subnet_cables(subnet, node) > 1 || node->lft ? NODE_SWITCH : NODE_CA;
	}
}

static void count_nodes(struct subnet_graph *graph)
{
	struct subnet *subnet = graph->subnet;
	for (uint32_t n = 0; n < subnet->nodes; n++) {
		const struct subnet_node *node = &subnet->node[n];
		const char *name = *node->desc ? node->desc : node->id;
		bool cabled = subnet_cables(subnet, node) > 0;
		if (!cabled && node->lft)
			subnet_odd(subnet, ODD_UNKNOWN_SWITCH, "0x%016" PRIx64, node->guid);
		else if (!cabled)
			subnet_odd(subnet, ODD_NO_CABLE, "'%s'", name);
		else if (node->kind == NODE_ROUTER)
			subnet_odd(subnet, ODD_ROUTER, "'%s'", name);
		else if (!is_kept(graph, n))
			subnet_odd(subnet, ODD_AGGREGATION, "'%s'", name);
	}
}

/* Counts cables stated at one end. In dumps that state every cable once, this is not an anomaly; in those that state each twice, it is. */
static void count_cables(struct subnet_graph *graph)
{
	struct subnet *subnet = graph->subnet;
	uint32_t one_end = 0, cables = 0, first = NONE;
	char text[PORT_NAME_SIZE];
	for (uint32_t p = 0; p < subnet->ports; p++) {
		const struct subnet_port *port = &subnet->port[p];
		if (port->peer == NONE || port->peer < p)
			continue;
		cables++;
		const struct subnet_port *peer = &subnet->port[port->peer];
		if (port->stated && peer->stated)
			continue;
		if (port->stated ? port->twice : peer->twice)
			subnet_odd(subnet, ODD_EARLY, "%s", subnet_port_name(subnet, port->stated ? port->peer : p, text));
		else if (!one_end++)
			first = p;
	}
	if (one_end && one_end < cables) {
		subnet_odd(subnet, ODD_ONE_END, "%s", subnet_port_name(subnet, first, text));
		subnet->oddity[ODD_ONE_END].count = one_end;
	}
}

static void add_port(struct subnet_graph *graph, uint32_t *ports, uint32_t port)
{
	struct graph_node *node = &graph->node[graph->nodes];
	if (!node->ports++) {
		node->first = *ports;
		node->node = graph->subnet->port[port].node;
	}
	graph->port[(*ports)++] = port;
}

/* Lists the cabled ports of channel adapters, each a rail of its machine. Returns 0, or -1; rails_clear() in every case. */
static int find_rails(const struct subnet_graph *graph, struct rails *rails, struct error *error)
{
	struct subnet *subnet = graph->subnet;
	*rails = (struct rails){.rail = array_create(subnet->ports, sizeof *rails->rail, error)};
	for (uint32_t p = 0; rails->rail && p < subnet->ports; p++)
		if (subnet->node[subnet->port[p].node].kind == NODE_CA && is_kept(graph, subnet->port[p].node) && is_cabled(graph, p))
			rails->rail[rails->count++].port = p;
	return rails->rail ? subnet_rails(subnet, rails, error) : -1;
}

int subnet_graph_rails_write(const struct subnet_graph *graph, FILE *file, struct error *error)
{
	struct rails rails;
	if (!find_rails(graph, &rails, error))
		rails_write(&rails, file, error);
	rails_clear(&rails);
	return error->status ? -1 : 0;
}

/* Returns whether the options select the rail. named: the rail of their name. */
static bool is_wanted(const struct subnet_graph *graph, const struct rails *rails, uint32_t i, uint32_t named)
{
	const struct rail *rail = &rails->rail[i];
	switch (graph->options.rails) {
	case RAILS_SEPARATE:
	case RAILS_MERGE: return true;
	case RAILS_NAMED: return rail->name == named;
	case RAILS_LEAF: return rail->leaf != NONE && rails->owner[rail->leaf] == named;
	default: return rail->number == (uint32_t)graph->options.rails;
	}
}

/* Counts what is odd of a machine. rail: the last of its rails; chosen: the number of its rails that the options select. */
static void count_rails(struct subnet *subnet, const struct rail *rail, uint32_t chosen)
{
	char text[PORT_NAME_SIZE];
	if (rail->number > 1)
		subnet_odd(subnet, ODD_RAILS, "%u cabled ports, the last %s", rail->number, subnet_port_name(subnet, rail->port, text));
	if (!chosen)
		subnet_odd(subnet, ODD_NO_RAIL, "%s", subnet_port_name(subnet, rail->port, text));
}

/* Adds hosts: every cabled port of a channel adapter is a rail of its machine; the options select which rails make a host. */
static int add_hosts(struct subnet_graph *graph, uint32_t *ports, struct error *error)
{
	const struct subnet_graph_options *o = &graph->options;
	struct rails rails;
	uint32_t chosen = 0, named = NONE;
	memset(graph->node_of_port, 0xff, graph->subnet->ports * sizeof *graph->node_of_port); /* NONE */
	if (find_rails(graph, &rails, error) || (o->rail && (named = rails_named(&rails, o->rail, error)) == NONE)) {
		rails_clear(&rails);
		return -1;
	}
	subnet_rails_check(graph->subnet, &rails);
	for (uint32_t i = 0; i < rails.count; i++) {
		const struct rail *rail = &rails.rail[i];
		bool last = i + 1 == rails.count || rail[1].machine != rail->machine, wanted = is_wanted(graph, &rails, i, named);
		chosen = (rail->number > 1 ? chosen : 0) + wanted;
		if (last)
			count_rails(graph->subnet, rail, chosen);
		if (!wanted)
			continue;
		graph->node_of_port[rail->port] = graph->nodes;
		add_port(graph, ports, rail->port);
		graph->node[graph->nodes].alone = (o->rails != RAILS_SEPARATE && o->rails != RAILS_LEAF) || (rail->number == 1 && last);
		if (o->rails != RAILS_MERGE || last)
			graph->nodes++;
	}
	graph->hosts = graph->nodes;
	rails_clear(&rails);
	return 0;
}

/* Returns whether a port of a switch leads to another switch, or to a port of a chosen host. */
static bool leads_on(const struct subnet_graph *graph, uint32_t p)
{
	uint32_t peer = graph->subnet->port[p].peer;
	return graph->subnet->node[graph->subnet->port[peer].node].kind == NODE_SWITCH || graph->node_of_port[peer] != NONE;
}

static void add_switches(struct subnet_graph *graph, uint32_t *ports)
{
	const struct subnet *subnet = graph->subnet;
	for (uint32_t n = 0; n < subnet->nodes; n++) {
		const struct subnet_node *node = &subnet->node[n];
		if (node->kind != NODE_SWITCH)
			continue;
		for (size_t i = 1; i < node->slots; i++)
			if (node->port[i] != NONE && is_cabled(graph, node->port[i]) && leads_on(graph, node->port[i]))
				add_port(graph, ports, node->port[i]);
		if (graph->node[graph->nodes].ports)
			graph->nodes++;
	}
}

/* Finds the graph node of each port, after the order of the nodes is known. */
static void find_nodes_of_ports(struct subnet_graph *graph)
{
	for (uint32_t p = 0; p < graph->subnet->ports; p++)
		graph->node_of_port[p] = NONE;
	for (uint32_t n = 0; n < graph->nodes; n++)
		for (uint32_t i = 0; i < graph->node[n].ports; i++)
			graph->node_of_port[graph->port[graph->node[n].first + i]] = n;
}

/* Ranks the switches: breadth-first search from all switches that have hosts. */
static int rank_switches(struct subnet_graph *graph, struct error *error)
{
	uint32_t *queue = array_create(graph->nodes, sizeof *queue, error);
	uint32_t front = 0, back = 0;
	if (!queue)
		return -1;
	for (uint32_t n = 0; n < graph->nodes; n++) {
		graph->node[n].rank = n < graph->hosts ? 0 : NONE;
		if (n < graph->hosts)
			queue[back++] = n;
	}
	for (; front < back; front++) {
		const struct graph_node *node = &graph->node[queue[front]];
		for (uint32_t i = 0; i < node->ports; i++) {
			uint32_t to = graph->node_of_port[graph->subnet->port[graph->port[node->first + i]].peer];
			if (to == NONE || graph->node[to].rank != NONE)
				continue;
			graph->node[to].rank = node->rank + (queue[front] >= graph->hosts);
			queue[back++] = to;
		}
	}
	free(queue);
	return 0;
}

static int compare_nodes(const void *a, const void *b)
{
	const struct graph_node *x = a, *y = b;
	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	return compare_names(x->name, y->name);
}

/* ---- cables ---- */

struct subnet_link {
	uint32_t from, to;
	double speed;
};

static int compare_links(const void *a, const void *b)
{
	const struct subnet_link *x = a, *y = b;
	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	return x->to < y->to ? -1 : x->to > y->to;
}

/* Counts all cables, those parallel to another, and trunks of different speeds. */
static int count_cabling(struct subnet_graph *graph, struct error *error)
{
	struct subnet *subnet = graph->subnet;
	struct subnet_link *link = array_create(subnet->ports, sizeof *link, error);
	uint32_t links = 0;
	if (!link)
		return -1;
	for (uint32_t p = 0; p < subnet->ports; p++) {
		uint32_t from = graph->node_of_port[p],
			 to = subnet->port[p].peer == NONE ? NONE : graph->node_of_port[subnet->port[p].peer];
		if (from != NONE && to != NONE && from < to)
			link[links++] = (struct subnet_link){from, to, subnet_speed(subnet, p)};
	}
	graph->cables = links;
	qsort(link, links, sizeof *link, compare_links);
	bool odd = false;
	for (uint32_t i = 1; i < links; i++) {
		if (compare_links(&link[i - 1], &link[i])) {
			odd = false;
			continue;
		}
		const char *one = graph->node[link[i].from].name, *two = graph->node[link[i].to].name;
		subnet_odd(subnet, ODD_PARALLEL, "%s and %s", one, two);
		if (link[i].speed < link[i - 1].speed || link[i].speed > link[i - 1].speed) {
			if (!odd)
				subnet_odd(
					subnet, ODD_TRUNK_SPEED, "%s and %s: %g and %g Gb/s", one, two, link[i - 1].speed, link[i].speed);
			odd = true;
		}
	}
	free(link);
	return 0;
}

/* ---- forwarding ---- */

void forwarding_sets_clear(struct forwarding_sets *sets)
{
	free(sets->host);
	free(sets->first);
	free(sets->lid);
	free(sets->other_lid);
	*sets = (struct forwarding_sets){0};
}

/* The LIDs of a host that count within a component: those of its first port there. */
struct lids {
	uint32_t first, count;
};

static struct lids host_lids(const struct subnet_graph *graph, uint32_t host, uint32_t component)
{
	const struct graph_node *node = &graph->node[host];
	for (uint32_t i = 0; i < node->ports; i++) {
		uint32_t p = graph->port[node->first + i];
		const struct subnet_port *port = &graph->subnet->port[p];
		if (graph->component[p] == component && port->lid)
			return (struct lids){port->lid, graph->options.all_lids ? 1U << port->lmc : 1};
	}
	return (struct lids){0, 0};
}

/* Finds the place of each port number among the cabled ports of the node; NONE for ports without a cable. */
static void number_ports(const struct subnet_graph *graph, const struct graph_node *node, uint32_t place[256])
{
	for (unsigned i = 0; i < 256; i++)
		place[i] = NONE;
	for (uint32_t i = 0; i < node->ports; i++)
		place[graph->subnet->port[graph->port[node->first + i]].number] = i;
}

/* Lists a host at a port, unless it is there already. */
static void list_host(struct forwarding_sets *sets, uint32_t hosts, uint32_t place, uint32_t host)
{
	uint32_t *last = &sets->first[place];
	if (!*last || sets->host[(size_t)place * hosts + *last - 1] != host)
		sets->host[(size_t)place * hosts + (*last)++] = host;
}

/* Lists a host at the ports by which the node forwards its LID: one, or those of a group. */
static void list_lid(const struct graph_node *node, const struct subnet_graph *graph, const uint32_t place[256],
	struct forwarding_sets *sets, unsigned lid, uint32_t host)
{
	const struct subnet_node *owner = &graph->subnet->node[node->node];
	uint32_t at = place[subnet_lookup(owner, lid)];
	if (at != NONE)
		list_host(sets, graph->hosts, at, host);
	for (uint32_t i = 0; owner->adaptive && i < node->ports; i++)
		if (i != at && adaptive_groups_forward(owner->adaptive, lid, graph->subnet->port[graph->port[node->first + i]].number))
			list_host(sets, graph->hosts, i, host);
}

/* Lists the LIDs that are not base LIDs of hosts of the component; with all_lids, all. */
static int list_lids(const struct subnet_graph *graph, uint32_t component, struct forwarding_sets *sets, struct error *error)
{
	if (sets->other_lid && sets->component == component)
		return 0;
	bool *host_lid = array_create(LID_LAST + 1, sizeof *host_lid, error);
	if (!sets->other_lid)
		sets->other_lid = array_create(LID_LAST, sizeof *sets->other_lid, error);
	if (error->status) {
		free(host_lid);
		return -1;
	}
	for (uint32_t host = 0; host < graph->hosts && !graph->options.all_lids; host++)
		host_lid[host_lids(graph, host, component).first] = true;
	sets->component = component;
	sets->other_lids = 0;
	for (uint32_t lid = 1; lid <= LID_LAST; lid++)
		if (!host_lid[lid])
			sets->other_lid[sets->other_lids++] = (uint16_t)lid;
	free(host_lid);
	return 0;
}

/* Fills the LIDs of the table that are not base LIDs of hosts, by ports; component: of the switch. */
static int fill_lids(const struct subnet_graph *graph, const struct subnet_node *owner, uint32_t component, struct forwarding_sets *sets,
	struct error *error)
{
	if (list_lids(graph, component, sets, error) ||
		array_grow(&sets->lid, &sets->lid_capacity, owner->lft_size, sizeof *sets->lid, error))
		return -1;
	uint32_t *first = sets->first_lid, count = 0;
	memset(first, 0, sizeof sets->first_lid);
	for (; count < sets->other_lids && sets->other_lid[count] < owner->lft_size; count++)
		first[owner->lft[sets->other_lid[count]] + 2]++;
	first[LFT_NO_PORT + 2] = 0;
	for (unsigned port = 0; port < LFT_NO_PORT; port++)
		first[port + 2] += first[port + 1];
	for (uint32_t i = 0; i < count; i++) {
		uint16_t lid = sets->other_lid[i];
		if (owner->lft[lid] != LFT_NO_PORT)
			sets->lid[first[owner->lft[lid] + 1]++] = lid;
	}
	return 0;
}

int subnet_graph_lids(const struct subnet_graph *graph, uint32_t n, struct forwarding_sets *sets, struct error *error)
{
	const struct subnet_node *owner =
		&graph->subnet->node[n < graph->nodes ? graph->node[n].node : graph->other[n - graph->nodes].node];
	for (size_t i = 1; i < owner->slots; i++)
		if (owner->port[i] != NONE)
			return fill_lids(graph, owner, graph->component[owner->port[i]], sets, error);
	return 0;
}

int subnet_graph_sets(const struct subnet_graph *graph, uint32_t n, struct forwarding_sets *sets, struct error *error)
{
	const struct graph_node *node = &graph->node[n];
	const struct subnet_node *owner = &graph->subnet->node[node->node];
	uint32_t place[256], component = graph->component[graph->port[node->first]];
	if (array_grow(&sets->first, &sets->first_capacity, (size_t)node->ports + 1, sizeof *sets->first, error) ||
		array_grow(&sets->host, &sets->host_capacity, (size_t)node->ports * graph->hosts, sizeof *sets->host, error))
		return -1;
	if (fill_lids(graph, owner, component, sets, error))
		return -1;
	memset(sets->first, 0, ((size_t)node->ports + 1) * sizeof *sets->first);
	number_ports(graph, node, place);
	for (uint32_t host = 0; host < graph->hosts; host++) {
		struct lids lids = host_lids(graph, host, component);
		for (uint32_t i = 0; i < lids.count; i++)
			list_lid(node, graph, place, sets, lids.first + i, host);
	}
	uint32_t end = 0; /* lists are moved together */
	for (uint32_t i = 0; i <= node->ports; i++) {
		uint32_t count = sets->first[i];
		memmove(sets->host + end, sets->host + (size_t)i * graph->hosts, count * sizeof *sets->host);
		sets->first[i] = end;
		end += count;
	}
	return 0;
}

/* Checks every entry once: counts missing ones and those that lead nowhere. */
static void check_table(struct subnet_graph *graph, struct graph_node *node)
{
	struct subnet *subnet = graph->subnet;
	const struct subnet_node *owner = &subnet->node[node->node];
	uint32_t place[256], component = graph->component[graph->port[node->first]];
	number_ports(graph, node, place);
	for (uint32_t host = 0; host < graph->hosts; host++) {
		struct lids lids = host_lids(graph, host, component);
		for (uint32_t i = 0; i < lids.count; i++) {
			unsigned port = subnet_lookup(owner, lids.first + i);
			if (port == LFT_NO_PORT)
				subnet_odd(subnet, node->rank ? ODD_NO_ENTRY_INNER : ODD_NO_ENTRY, "%s has none for %s (LID %u)",
					node->name, graph->node[host].name, lids.first + i);
			else if (place[port] == NONE)
				subnet_odd(subnet, ODD_DEAD_PORT, "%s, port %u for %s (LID %u)", node->name, port, graph->node[host].name,
					lids.first + i);
			else
				graph->entries++;
		}
	}
}

/* Returns whether a host has several ports in a subnet; host_lids() uses the first. */
static bool shares_subnet(const struct subnet_graph *graph, uint32_t host)
{
	const struct graph_node *node = &graph->node[host];
	for (uint32_t i = 1; i < node->ports; i++)
		for (uint32_t k = 0; k < i; k++)
			if (graph->component[graph->port[node->first + i]] == graph->component[graph->port[node->first + k]])
				return true;
	return false;
}

static void check_tables(struct subnet_graph *graph)
{
	for (uint32_t n = graph->hosts; n < graph->nodes; n++)
		graph->tables += graph->node[n].routed = graph->subnet->node[graph->node[n].node].lft != NULL;
	for (uint32_t n = graph->hosts; n < graph->nodes && graph->tables; n++) {
		if (graph->node[n].routed)
			check_table(graph, &graph->node[n]);
		else
			subnet_odd(graph->subnet, ODD_NO_TABLE, "%s", graph->node[n].name);
	}
	for (uint32_t n = 0; n < graph->hosts; n++) {
		const struct subnet_port *port = &graph->subnet->port[graph->port[graph->node[n].first]];
		if (!port->lid && graph->tables)
			subnet_odd(graph->subnet, ODD_NO_LID, "%s", graph->node[n].name);
		if (graph->tables && shares_subnet(graph, n))
			subnet_odd(graph->subnet, ODD_MERGED, "%s", graph->node[n].name);
		if (port->lmc)
			subnet_odd(graph->subnet, ODD_LMC, "%s has %u", graph->node[n].name, 1U << port->lmc);
	}
}

/* ---- all together ---- */

static void count_components(struct subnet_graph *graph)
{
	uint32_t with_hosts = 0, last = NONE;
	bool *seen = calloc(graph->components, 1);
	for (uint32_t n = 0; seen && n < graph->hosts; n++) {
		uint32_t component = graph->component[graph->port[graph->node[n].first]];
		if (!seen[component])
			with_hosts++;
		seen[component] = true;
		last = n;
	}
	free(seen);
	if (with_hosts > 1) {
		subnet_odd(graph->subnet, ODD_SUBNETS, "no path between %s and %s", graph->node[0].name, graph->node[last].name);
		graph->subnet->oddity[ODD_SUBNETS].count = with_hosts;
	}
}

static void refuse_no_hosts(const struct subnet_graph *graph, struct error *error)
{
	const struct subnet_graph_options *o = &graph->options;
	if (o->rails == RAILS_LEAF)
		error_set(error, STATUS_FABRIC,
			"no leaf belongs to the rail '%s': the column own of --rails list counts the leaves of each", o->rail);
	else if (o->rails > 1)
		error_set(error, STATUS_FABRIC, "no machine has %d cabled ports; --rails list lists the rails", o->rails);
	else
		error_set(error, STATUS_FABRIC, "no host has a cable, so there is no fabric; check the topology");
}

struct subnet_graph *subnet_graph_create(
	struct subnet *subnet, const struct subnet_graph_options *options, const struct subnet *original, struct error *error)
{
	struct subnet_graph *graph = array_create(1, sizeof *graph, error);
	uint32_t ports = 0;
	if (!graph)
		return NULL;
	graph->subnet = subnet;
	graph->options = *options;
	guess_kinds(subnet);
	if (!subnet_resolve_lids(subnet, error))
		subnet_infer_lids(subnet);
	if (!error->status && !port_lanes_resolve(subnet, error) && !(original && subnet_restore(subnet, original, error)) &&
		!subnet_components(subnet, &graph->component, &graph->components, error) &&
		!subnet_check_lids(subnet, graph->component, graph->components, error)) {
		graph->node = array_create((size_t)subnet->ports + 1, sizeof *graph->node, error);
		graph->port = array_create(subnet->ports, sizeof *graph->port, error);
		graph->node_of_port = array_create(subnet->ports, sizeof *graph->node_of_port, error);
	}
	if (graph->node && graph->port && graph->node_of_port && !add_hosts(graph, &ports, error)) {
		add_switches(graph, &ports);
		find_nodes_of_ports(graph);
		count_nodes(graph);
		count_cables(graph);
		if (!graph->hosts)
			refuse_no_hosts(graph, error);
		else if (!rank_switches(graph, error) && !subnet_graph_names(graph, error)) {
			qsort(graph->node, graph->hosts, sizeof *graph->node, compare_nodes);
			qsort(graph->node + graph->hosts, graph->nodes - graph->hosts, sizeof *graph->node, compare_nodes);
			find_nodes_of_ports(graph);
			count_components(graph);
			check_tables(graph);
			if (!subnet_graph_add_others(graph, error))
				count_cabling(graph, error);
		}
	}
	if (!error->status)
		return graph;
	subnet_graph_free(graph);
	return NULL;
}
