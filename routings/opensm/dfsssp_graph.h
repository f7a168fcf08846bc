/* The channels of one lane, and which pairs of them packets use one after the other. A channel is a link of the fabric. */
#ifndef ROUTINGS_OPENSM_DFSSSP_GRAPH_H
#define ROUTINGS_OPENSM_DFSSSP_GRAPH_H

#include "routings/opensm/fabric.h"

/* All paths from the CAs of a switch to a target. */
struct dfsssp_flow {
	uint32_t from, target;
};

/* From one channel to the next on a path. */
struct dfsssp_edge {
	uint32_t to;              /* channel */
	uint32_t next;            /* edge from the same channel, OPENSM_NONE */
	uint64_t paths;           /* that are on the lane still */
	struct dfsssp_flow *flow; /* [flows] that ever were */
	size_t flows, capacity;
	bool cut;
};

struct dfsssp_graph {
	const struct opensm_fabric *fabric;
	uint32_t *left, *right;   /* [links] the tree of channels by number, OPENSM_NONE */
	uint32_t *first_edge;     /* [links] OPENSM_NONE */
	bool *known;              /* [links] */
	uint32_t root;            /* of the tree, the channel that came first; OPENSM_NONE: there is none */
	struct dfsssp_edge *edge; /* [edges] */
	size_t edges, edge_capacity;
};

int dfsssp_graph_init(struct dfsssp_graph *graph, const struct opensm_fabric *fabric, struct error *error);
void dfsssp_graph_clear(struct dfsssp_graph *graph);

/* Adds a channel, unless it is there. */
void dfsssp_graph_channel(struct dfsssp_graph *graph, uint32_t channel);

/* Adds a number of paths of a flow to the edge between two channels that are there. Returns 0, or -1. Time O(edges of a channel). */
int dfsssp_graph_edge(struct dfsssp_graph *graph, uint32_t from, uint32_t to, struct dfsssp_flow flow, uint32_t paths, struct error *error);

/* The edge between two channels; NULL. */
struct dfsssp_edge *dfsssp_graph_find(const struct dfsssp_graph *graph, uint32_t from, uint32_t to);

/* Writes all channels to order[links], each before those left of it in the tree, and those before those right of it; returns how many. */
uint32_t dfsssp_graph_preorder(const struct dfsssp_graph *graph, uint32_t *order, uint32_t *stack);

#endif
