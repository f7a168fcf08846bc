#include "routings/routing_graph.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static uint32_t out_degree(const struct fabric *fabric, uint32_t node)
{
	return fabric->first_channel[node + 1] - fabric->first_channel[node];
}

static uint32_t in_degree(const struct routing_graph *n, uint32_t node)
{
	return n->first_in[node + 1] - n->first_in[node];
}

/* Sorts the channels by their heads. */
static void find_channels(struct routing_graph *n, uint32_t *place)
{
	const struct fabric *fabric = n->fabric;
	for (uint32_t v = 0; v < fabric->nodes; v++)
		for (uint32_t c = fabric->first_channel[v]; c < fabric->first_channel[v + 1]; c++) {
			n->tail[c] = v;
			n->first_in[fabric->head[c] + 1]++;
		}
	for (uint32_t v = 0; v < fabric->nodes; v++) {
		n->first_in[v + 1] += n->first_in[v];
		place[v] = n->first_in[v];
	}
	for (uint32_t c = 0; c < fabric->channels; c++)
		n->in[place[fabric->head[c]]++] = c;
}

static void find_columns(struct routing_graph *n)
{
	const struct fabric *fabric = n->fabric;
	for (uint32_t v = 0; v < fabric->nodes; v++) {
		bool host = fabric->node_host[v] != NONE;
		n->forwards[v] = !host;
		n->column[v] = NONE;
		if (!host || out_degree(fabric, v) > 1) {
			n->node[n->columns] = v;
			n->column[v] = n->columns++;
		}
		if (host && out_degree(fabric, v))
			n->senders[n->column[v] == NONE ? fabric->head[fabric->first_channel[v]] : v]++;
	}
}

/* Returns the only switch with a channel to the host, if it has only one; otherwise the host itself. */
static uint32_t root_of(const struct routing_graph *n, uint32_t host)
{
	uint32_t v = n->fabric->host_node[host];
	if (in_degree(n, v) != 1)
		return v;
	uint32_t tail = n->tail[n->in[n->first_in[v]]];
	return n->fabric->node_host[tail] == NONE ? tail : v;
}

/* Numbers the groups in the order of their first hosts. group_of: [nodes], place: [nodes] */
static void find_groups(struct routing_graph *n, uint32_t *group_of, uint32_t *place)
{
	uint32_t hosts = n->fabric->hosts;
	memset(group_of, 0xff, n->fabric->nodes * sizeof *group_of); /* NONE */
	for (uint32_t h = 0; h < hosts; h++) {
		uint32_t root = root_of(n, h);
		if (group_of[root] == NONE) {
			n->root[n->groups] = root;
			group_of[root] = n->groups++;
		}
		n->first_member[group_of[root] + 1]++;
	}
	for (uint32_t g = 0; g < n->groups; g++) {
		n->first_member[g + 1] += n->first_member[g];
		place[g] = n->first_member[g];
	}
	for (uint32_t h = 0; h < hosts; h++)
		n->member[place[group_of[root_of(n, h)]]++] = h;
}

int routing_graph_init(struct routing_graph *graph, const struct fabric *fabric, struct error *error)
{
	uint32_t *place = array_create(fabric->nodes, sizeof *place, error),
		 *group_of = array_create(fabric->nodes, sizeof *group_of, error);
	*graph = (struct routing_graph){
		.fabric = fabric,
		.forwards = array_create(fabric->nodes, sizeof *graph->forwards, error),
		.column = array_create(fabric->nodes, sizeof *graph->column, error),
		.node = array_create(fabric->nodes, sizeof *graph->node, error),
		.tail = array_create(fabric->channels, sizeof *graph->tail, error),
		.first_in = array_create((size_t)fabric->nodes + 1, sizeof *graph->first_in, error),
		.in = array_create(fabric->channels, sizeof *graph->in, error),
		.senders = array_create(fabric->nodes, sizeof *graph->senders, error),
		.root = array_create(fabric->hosts, sizeof *graph->root, error),
		.member = array_create(fabric->hosts, sizeof *graph->member, error),
		.first_member = array_create((size_t)fabric->hosts + 1, sizeof *graph->first_member, error),
	};
	if (!error->status) {
		find_channels(graph, place);
		find_columns(graph);
		find_groups(graph, group_of, place);
		if (fabric->hosts == fabric->nodes)
			routing_graph_hosts_forward(graph);
	}
	free(place);
	free(group_of);
	return error->status ? -1 : 0;
}

void routing_graph_hosts_forward(const struct routing_graph *graph)
{
	for (uint32_t v = 0; v < graph->fabric->nodes; v++)
		graph->forwards[v] = graph->column[v] != NONE;
}

bool routing_some_host_forwards(const struct routing_graph *graph)
{
	for (uint32_t h = 0; h < graph->fabric->hosts; h++)
		if (graph->forwards[graph->fabric->host_node[h]])
			return true;
	return false;
}

void routing_graph_clear(struct routing_graph *graph)
{
	free(graph->forwards);
	free(graph->column);
	free(graph->node);
	free(graph->tail);
	free(graph->first_in);
	free(graph->in);
	free(graph->senders);
	free(graph->root);
	free(graph->member);
	free(graph->first_member);
}

int choices_init(struct choices *choices, const struct routing_graph *graph, struct error *error)
{
	const struct fabric *fabric = graph->fabric;
	*choices = (struct choices){
		.graph = graph,
		.distance = array_create(fabric->nodes, sizeof *choices->distance, error),
		.order = array_create(fabric->nodes, sizeof *choices->order, error),
		.first = array_create((size_t)fabric->nodes + 1, sizeof *choices->first, error),
		.channel = array_create(fabric->channels, sizeof *choices->channel, error),
	};
	return error->status ? -1 : 0;
}

void choices_clear(struct choices *choices)
{
	free(choices->distance);
	free(choices->order);
	free(choices->first);
	free(choices->channel);
}

void choices_start(struct choices *choices, uint32_t root)
{
	memset(choices->distance, 0xff, choices->graph->fabric->nodes * sizeof *choices->distance); /* NONE */
	choices->root = root;
	choices->distance[root] = 0;
	choices->count = 0;
}

void choices_reach(struct choices *choices, uint32_t node, uint32_t distance)
{
	choices->distance[node] = distance;
	choices->order[choices->count++] = node;
}

/* Reaches the nodes directly before v. */
static void extend(struct choices *choices, uint32_t v)
{
	const struct routing_graph *n = choices->graph;
	for (uint32_t i = n->first_in[v]; i < n->first_in[v + 1]; i++) {
		uint32_t u = n->tail[n->in[i]];
		if (choices->distance[u] == NONE && n->column[u] != NONE)
			choices_reach(choices, u, choices->distance[v] + 1);
	}
}

void choices_shortest(struct choices *choices, uint32_t root)
{
	const struct fabric *fabric = choices->graph->fabric;
	uint32_t total = 0;
	choices_start(choices, root);
	extend(choices, root);
	for (uint32_t i = 0; i < choices->count; i++)
		if (choices_passes(choices, choices->order[i]))
			extend(choices, choices->order[i]);
	for (uint32_t i = 0; i < choices->count; i++) {
		uint32_t u = choices->order[i], wanted = choices->distance[u] - 1;
		choices->first[i] = total;
		for (uint32_t c = fabric->first_channel[u]; c < fabric->first_channel[u + 1]; c++)
			if (choices->distance[fabric->head[c]] == wanted && choices_passes(choices, fabric->head[c]))
				choices->channel[total++] = c;
	}
	choices->first[choices->count] = total;
}

uint32_t routing_start_column(const struct routing_graph *n, uint32_t host)
{
	uint32_t node = n->fabric->host_node[host], first = n->fabric->first_channel[node];
	if (n->column[node] != NONE || first == n->fabric->first_channel[node + 1])
		return n->column[node];
	return n->column[n->fabric->head[first]];
}
