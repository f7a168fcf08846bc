/*
 * Formats the attributes of the graph of a subnet as text, see orcs-dot(5), for graph_dot.c, which writes them, and graph_attributes.c,
 * which keeps them.
 */
#ifndef INFINIBAND_GRAPH_TEXT_H
#define INFINIBAND_GRAPH_TEXT_H

#include "base/error.h"
#include "infiniband/subnet_graph.h"

#include <stddef.h>

/* A growing text. */
struct text {
	char *characters; /* [length], without a NUL */
	size_t length, capacity;
};

/* Names of the attributes, in the order in which they are written; end with NULL. The forwarding set is the last attribute of a channel. */
extern const char *const graph_node_keys[], *const graph_channel_keys[];
enum { GRAPH_NODE_KEYS = 12, GRAPH_CHANNEL_KEYS = 15, GRAPH_COMMENT = GRAPH_CHANNEL_KEYS - 1 };

/*
 * Puts the value of an attribute of a node, or nodes + an other, into text, "" for none; sets: result of subnet_graph_lids() for a switch
 * with a table. Returns 0, or -1 if out of memory.
 */
int graph_node_text(const struct subnet_graph *graph, uint32_t node, int key, const struct forwarding_sets *sets, struct text *text,
	struct error *error);

/* Fills the LIDs if the node, or nodes + an other, is a switch with a table. Returns 0, or -1 if out of memory. Time O(LIDs). */
int graph_node_lids(const struct subnet_graph *graph, uint32_t node, struct forwarding_sets *sets, struct error *error);

/*
 * Returns whether the i-th port of a node is a channel of the graph: for an adapter without a switch, the other end can be a rail that was
 * left out.
 */
bool graph_is_channel(const struct subnet_graph *graph, uint32_t node, uint32_t i);

/* Returns the node to which that channel leads. */
uint32_t graph_head(const struct subnet_graph *graph, uint32_t node, uint32_t i);

/*
 * Puts the value of an attribute of that channel into text, "" for none; sets: result of subnet_graph_sets() for the node, if it has a
 * table. Returns 0, or -1 if out of memory.
 */
int graph_channel_text(const struct subnet_graph *graph, uint32_t node, uint32_t i, int key, const struct forwarding_sets *sets,
	struct text *text, struct error *error);

/* The same for a channel from or to an other node; sets: result of graph_node_lids() for its tail. */
int graph_link_text(const struct subnet_graph *graph, const struct graph_link *link, int key, const struct forwarding_sets *sets,
	struct text *text, struct error *error);

/* Returns the name of a node, or nodes + an other. */
const char *graph_name(const struct subnet_graph *graph, uint32_t node);

/* Returns the node, or nodes + an other, to which that channel leads. */
uint32_t graph_link_head(const struct subnet_graph *graph, const struct graph_link *link);

#endif
