/* The attributes of the graph of a subnet as texts, see orcs-dot(5): what graph_dot.c writes, and graph_attributes.c keeps. */
#ifndef INFINIBAND_GRAPH_TEXT_H
#define INFINIBAND_GRAPH_TEXT_H

#include "base/error.h"
#include "infiniband/subnet_graph.h"

#include <stddef.h>

/* A text that grows. */
struct text {
	char *characters; /* [length], without a NUL */
	size_t length, capacity;
};

/* The names of the attributes, in the order in which they are written; end with NULL. Forwarding sets are the last of a channel. */
extern const char *const graph_node_keys[], *const graph_channel_keys[];
enum { GRAPH_NODE_KEYS = 5, GRAPH_CHANNEL_KEYS = 6, GRAPH_COMMENT = GRAPH_CHANNEL_KEYS - 1 };

/* Puts the value of a node's attribute into text, "" for none. Returns 0, or -1 if out of memory. */
int graph_node_text(const struct subnet_graph *graph, uint32_t node, int key, struct text *text, struct error *error);

/* Whether the i-th port of a node is a channel of the graph: the other end may be a rail that was left out, at an adapter without a switch.
 */
bool graph_is_channel(const struct subnet_graph *graph, uint32_t node, uint32_t i);

/* The node to which that channel leads. */
uint32_t graph_head(const struct subnet_graph *graph, uint32_t node, uint32_t i);

/* Puts the value of an attribute of that channel into text, "" for none; sets: subnet_graph_sets() of the node, if it has a table. Returns
 * as above. */
int graph_channel_text(const struct subnet_graph *graph, uint32_t node, uint32_t i, int key, const struct forwarding_sets *sets,
	struct text *text, struct error *error);

#endif
