#include "routings/opensm/dfsssp_graph.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

int dfsssp_graph_init(struct dfsssp_graph *graph, const struct opensm_fabric *fabric, struct error *error)
{
	*graph = (struct dfsssp_graph){.fabric = fabric, .root = OPENSM_NONE};
	graph->left = array_create(fabric->links, sizeof *graph->left, error);
	graph->right = array_create(fabric->links, sizeof *graph->right, error);
	graph->first_edge = array_create(fabric->links, sizeof *graph->first_edge, error);
	graph->known = array_create(fabric->links, sizeof *graph->known, error);
	if (error->status)
		return -1;
	memset(graph->left, 0xff, fabric->links * sizeof *graph->left); /* OPENSM_NONE */
	memset(graph->right, 0xff, fabric->links * sizeof *graph->right);
	memset(graph->first_edge, 0xff, fabric->links * sizeof *graph->first_edge);
	return 0;
}

void dfsssp_graph_clear(struct dfsssp_graph *graph)
{
	for (size_t e = 0; e < graph->edges; e++)
		free(graph->edge[e].flow);
	free(graph->edge);
	free(graph->left);
	free(graph->right);
	free(graph->first_edge);
	free(graph->known);
	*graph = (struct dfsssp_graph){0};
}

/* OpenSM's number of a channel: the LIDs and ports of both ends. The owner of the link is the switch that the other end leads to. */
static uint64_t number_of(const struct opensm_fabric *fabric, uint32_t channel)
{
	const struct opensm_link *link = &fabric->link[channel];
	const struct opensm_switch *to = &fabric->sw[link->to];
	const struct opensm_link *back = &fabric->link[to->link + link->far];
	return (uint64_t)fabric->sw[back->to].lid << 48 | (uint64_t)back->far << 32 | (uint64_t)to->lid << 16 | link->far;
}

void dfsssp_graph_channel(struct dfsssp_graph *graph, uint32_t channel)
{
	uint32_t *place = &graph->root;
	if (graph->known[channel])
		return;
	uint64_t number = number_of(graph->fabric, channel);
	while (*place != OPENSM_NONE)
		place = number < number_of(graph->fabric, *place) ? &graph->left[*place] : &graph->right[*place];
	*place = channel;
	graph->known[channel] = true;
}

/* Edges stand in the order in which they came. */
int dfsssp_graph_edge(struct dfsssp_graph *graph, uint32_t from, uint32_t to, struct dfsssp_flow flow, uint32_t paths, struct error *error)
{
	uint32_t e = graph->first_edge[from], last = OPENSM_NONE;
	while (e != OPENSM_NONE && graph->edge[e].to != to) {
		last = e;
		e = graph->edge[e].next;
	}
	if (e == OPENSM_NONE) {
		if (array_grow(&graph->edge, &graph->edge_capacity, graph->edges + 1, sizeof *graph->edge, error))
			return -1;
		e = (uint32_t)graph->edges++;
		graph->edge[e] = (struct dfsssp_edge){.to = to, .next = OPENSM_NONE};
		*(last == OPENSM_NONE ? &graph->first_edge[from] : &graph->edge[last].next) = e;
	}
	struct dfsssp_edge *edge = &graph->edge[e];
	if (array_grow(&edge->flow, &edge->capacity, edge->flows + 1, sizeof *edge->flow, error))
		return -1;
	edge->flow[edge->flows++] = flow;
	edge->paths += paths;
	return 0;
}

struct dfsssp_edge *dfsssp_graph_find(const struct dfsssp_graph *graph, uint32_t from, uint32_t to)
{
	uint32_t e = graph->first_edge[from];
	while (e != OPENSM_NONE && graph->edge[e].to != to)
		e = graph->edge[e].next;
	return e == OPENSM_NONE ? NULL : &graph->edge[e];
}

uint32_t dfsssp_graph_preorder(const struct dfsssp_graph *graph, uint32_t *order, uint32_t *stack)
{
	uint32_t count = 0, waiting = 0;
	if (graph->root != OPENSM_NONE)
		stack[waiting++] = graph->root;
	while (waiting) {
		uint32_t channel = stack[--waiting];
		order[count++] = channel;
		if (graph->right[channel] != OPENSM_NONE)
			stack[waiting++] = graph->right[channel];
		if (graph->left[channel] != OPENSM_NONE)
			stack[waiting++] = graph->left[channel];
	}
	return count;
}
