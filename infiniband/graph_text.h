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
enum { GRAPH_NODE_KEYS = 6, GRAPH_CHANNEL_KEYS = 6, GRAPH_COMMENT = GRAPH_CHANNEL_KEYS - 1 };

/* Puts the value of a node's attribute into text, "" for none. Returns 0, or -1 if out of memory. */
int graph_node_text(const struct subnet_graph *graph, uint32_t node, int key, struct text *text, struct error *error);

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

#endif
