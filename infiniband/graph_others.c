#include "infiniband/graph_others.h"

#include "base/memory.h"
#include "infiniband/subnet_rails.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OTHER_NAME_SIZE = 40 };

static bool is_cabled(const struct subnet_graph *graph, uint32_t p)
{
	return p != NONE && graph->subnet->port[p].peer != NONE;
}

/* Adds the cabled ports that no node of the graph has, and the switches that have such ports alone. */
static void add_nodes(struct subnet_graph *graph)
{
	const struct subnet *s = graph->subnet;
	for (uint32_t n = 0; n < s->nodes; n++) {
		const struct subnet_node *node = &s->node[n];
		uint32_t vertex = NONE; /* of a switch */
		for (size_t i = 1; i < node->slots && node->kind == NODE_SWITCH; i++)
			if (is_cabled(graph, node->port[i]) && graph->node_of_port[node->port[i]] != NONE)
				vertex = graph->node_of_port[node->port[i]];
		for (size_t i = 1; i < node->slots; i++) {
			uint32_t p = node->port[i];
			if (!is_cabled(graph, p) || graph->node_of_port[p] != NONE)
				continue;
			if (node->kind != NODE_SWITCH || vertex == NONE) {
				enum whole_other type = node->kind == NODE_SWITCH     ? WHOLE_SPARE
							: node->kind == NODE_ROUTER   ? WHOLE_ROUTER
							: subnet_is_aggregation(node) ? WHOLE_AGGREGATION
										      : WHOLE_PORT;
				graph->other[graph->others] = (struct graph_other){.type = type,
					.added = graph->others,
					.node = n,
					.port = node->kind == NODE_SWITCH ? node->port[0] : p};
				graph->other_of_port[p] = graph->nodes + graph->others++;
				if (node->kind == NODE_SWITCH)
					vertex = graph->other_of_port[p];
			} else {
				graph->other_of_port[p] = vertex;
			}
		}
	}
}

/* Names them by a letter and their GUIDs, or LIDs, such as A0002c90300a1b2c3. */
static int name_nodes(struct subnet_graph *graph, struct error *error)
{
	static const char letters[] = {[WHOLE_AGGREGATION] = 'A', [WHOLE_ROUTER] = 'R', [WHOLE_PORT] = 'P', [WHOLE_SPARE] = 'S'};
	struct name_table names;
	char(*name)[OTHER_NAME_SIZE] = array_create(graph->others, sizeof *name, error);
	graph->other_names = (char *)name;
	if (!name || name_table_init(&names, (size_t)graph->nodes + graph->others, error))
		return -1;
	for (uint32_t n = 0; n < graph->nodes; n++)
		name_table_add(&names, graph->node[n].name, n);
	for (uint32_t i = 0; i < graph->others; i++) {
		struct graph_other *other = &graph->other[i];
		const struct subnet_port *port = other->port == NONE ? NULL : &graph->subnet->port[other->port];
		uint64_t guid = port && port->guid && other->type != WHOLE_SPARE ? port->guid : graph->subnet->node[other->node].guid;
		int length = guid ? snprintf(name[i], sizeof name[i], "%c%016" PRIx64, letters[other->type], guid)
				  : snprintf(name[i], sizeof name[i], "%c_lid%u", letters[other->type], port ? port->lid : 0);
		for (unsigned k = 2; name_table_add(&names, name[i], graph->nodes + i) != graph->nodes + i; k++)
			snprintf(name[i] + length, sizeof name[i] - (size_t)length, "_%u", k);
		other->name = name[i];
	}
	name_table_clear(&names);
	return 0;
}

static int compare_others(const void *a, const void *b)
{
	const struct graph_other *x = a, *y = b;
	return x->type != y->type ? (x->type < y->type ? -1 : 1) : compare_names(x->name, y->name);
}

/* Sorts them by types and names, so that they do not depend on the order of the dumps. */
static int sort_nodes(struct subnet_graph *graph, struct error *error)
{
	uint32_t *place = array_create(graph->others, sizeof *place, error);
	if (!place)
		return -1;
	qsort(graph->other, graph->others, sizeof *graph->other, compare_others);
	for (uint32_t i = 0; i < graph->others; i++)
		place[graph->other[i].added] = i;
	for (uint32_t p = 0; p < graph->subnet->ports; p++) {
		uint32_t *n = &graph->other_of_port[p];
		if (*n != NONE && *n >= graph->nodes)
			*n = graph->nodes + place[*n - graph->nodes];
	}
	free(place);
	return 0;
}

/* Adds the channels out of a node of the subnet from or to other nodes. */
static void add_links(struct subnet_graph *graph, uint32_t tail, const struct subnet_node *node)
{
	for (size_t i = 1; i < node->slots; i++) {
		uint32_t p = node->port[i];
		if (is_cabled(graph, p) && graph->other_of_port[p] == tail &&
			(tail >= graph->nodes || graph->other_of_port[graph->subnet->port[p].peer] >= graph->nodes))
			graph->link[graph->links++] = (struct graph_link){tail, p};
	}
}

/* Adds the channels out of a host, whose ports can be on several adapters. */
static void add_host_links(struct subnet_graph *graph, uint32_t host)
{
	const struct graph_node *node = &graph->node[host];
	for (uint32_t i = 0; i < node->ports; i++) {
		uint32_t p = graph->port[node->first + i];
		if (graph->other_of_port[graph->subnet->port[p].peer] >= graph->nodes)
			graph->link[graph->links++] = (struct graph_link){host, p};
	}
}

/* Reports the entries for ports without a cable of LIDs that are not base LIDs of hosts. */
static int report_dead(struct subnet_graph *graph, uint32_t n, const struct subnet_node *node, const bool *live, struct error *error)
{
	struct forwarding_sets sets = {0};
	if (!subnet_graph_lids(graph, n, &sets, error))
		for (unsigned port = 1; port < LFT_NO_PORT; port++)
			for (uint32_t i = sets.first_lid[port]; !live[port] && i < sets.first_lid[port + 1]; i++)
				subnet_odd(graph->subnet, ODD_DEAD_LID, "'%s', port %u for LID %u", *node->desc ? node->desc : node->id,
					port, sets.lid[i]);
	forwarding_sets_clear(&sets);
	return error->status ? -1 : 0;
}

/* Counts the entries of a table by a port with a cable, or for the switch itself. */
static int count_table(struct subnet_graph *graph, uint32_t n, const struct subnet_node *node, struct error *error)
{
	uint32_t count[256] = {0};
	bool live[256] = {true}, dead = false;
	for (size_t lid = 1; lid < node->lft_size && lid <= LID_LAST; lid++)
		count[node->lft[lid]]++;
	for (unsigned port = 0; port < LFT_NO_PORT; port++) {
		live[port] |= port < node->slots && is_cabled(graph, node->port[port]);
		graph->other_entries += live[port] ? count[port] : 0;
		dead |= !live[port] && count[port];
	}
	return dead ? report_dead(graph, n, node, live, error) : 0;
}

/* Counts the entries of all tables that are not counted as those for hosts. */
static int count_entries(struct subnet_graph *graph, struct error *error)
{
	for (uint32_t n = graph->hosts; n < graph->nodes + graph->others; n++) {
		const struct subnet_node *node =
			&graph->subnet->node[n < graph->nodes ? graph->node[n].node : graph->other[n - graph->nodes].node];
		if (node->kind == NODE_SWITCH && node->lft && count_table(graph, n, node, error))
			return -1;
	}
	graph->other_entries -= graph->entries;
	return 0;
}

int subnet_graph_add_others(struct subnet_graph *graph, struct error *error)
{
	const struct subnet *s = graph->subnet;
	graph->other = array_create(s->ports, sizeof *graph->other, error);
	graph->link = array_create(s->ports, sizeof *graph->link, error);
	graph->other_of_port = array_copy(graph->node_of_port, s->ports, sizeof *graph->other_of_port, error);
	if (error->status)
		return -1;
	add_nodes(graph);
	if (name_nodes(graph, error) || sort_nodes(graph, error))
		return -1;
	for (uint32_t n = 0; n < graph->nodes; n++) {
		if (n < graph->hosts)
			add_host_links(graph, n);
		else
			add_links(graph, n, &s->node[graph->node[n].node]);
	}
	for (uint32_t i = 0; i < graph->others; i++)
		add_links(graph, graph->nodes + i, &s->node[graph->other[i].node]);
	return graph->tables ? count_entries(graph, error) : 0;
}
