/*
 * A fabric with what routing engines need: the channels into each node beside those out of it, the nodes that need tables, the nodes where
 * routes begin, and the destinations in groups. All hosts whose only cable comes from one switch are a group: routes to the switch lead to
 * them. Hosts do not forward for others, however many cables they have, except in fabrics without switches and in topologies whose hosts
 * forward (routing_graph_hosts_forward()).
 */
#ifndef ROUTINGS_ROUTING_GRAPH_H
#define ROUTINGS_ROUTING_GRAPH_H

#include "fabric/fabric.h"

#include <stdbool.h>
#include <stdint.h>

struct routing_graph {
	const struct fabric *fabric;
	bool *forwards; /* [nodes] forwards for others: switches, and possibly hosts with several channels */
	uint32_t columns;
	uint32_t *column;   /* [nodes] of switches and of hosts with several channels; NONE: a host without a choice */
	uint32_t *node;     /* [columns] */
	uint32_t *tail;     /* [channels] */
	uint32_t *first_in; /* [nodes + 1] */
	uint32_t *in;       /* [channels] channels into a node v: in[first_in[v]] .. in[first_in[v + 1] - 1] */
	uint32_t *senders; /* [nodes] number of hosts whose routes begin there: the node behind the only channel of a host without a column,
			      otherwise the host itself */
	uint32_t groups;   /* of destinations */
	uint32_t *root;    /* [groups] the switch of the group, or its only host */
	uint32_t *member;  /* [hosts] host indices, group by group */
	uint32_t *first_member; /* [groups + 1] */
};

/* Creates the graph. Returns 0, or -1 if out of memory. Call routing_graph_clear() in either case. Time O(nodes + channels). */
int routing_graph_init(struct routing_graph *graph, const struct fabric *fabric, struct error *error);
void routing_graph_clear(struct routing_graph *graph);

/* Returns the column where routes of a host begin to have a choice; NONE if there is none. */
uint32_t routing_start_column(const struct routing_graph *graph, uint32_t host);

/* Makes hosts with several channels forward for others. */
void routing_graph_hosts_forward(const struct routing_graph *graph);

/* Returns whether a host forwards for others. Time O(hosts). */
bool routing_some_host_forwards(const struct routing_graph *graph);

/* Returns whether the node forwards for others. */
static inline bool routing_is_switch(const struct routing_graph *graph, uint32_t node)
{
	return graph->forwards[node];
}

/* Returns the channel from the switch of a group to one of its hosts; NONE if the group is only that host. */
static inline uint32_t routing_last(const struct routing_graph *graph, uint32_t group, uint32_t host)
{
	uint32_t node = graph->fabric->host_node[host];
	return graph->root[group] == node ? NONE : graph->in[graph->first_in[node]];
}

/*
 * The channels by which nodes may forward to a root: all that are on a shortest path (choices_shortest()), or on a legal one (see
 * updown.h). Any selection of one choice per node results in routes without loops.
 */
struct choices {
	const struct routing_graph *graph;
	uint32_t root;
	uint32_t *distance; /* [nodes] channels to the root, NONE: no path */
	uint32_t *order;    /* [count] the nodes with a column and a path, except the root: each after those that its choices lead to */
	uint32_t count;
	uint32_t *first;   /* [count + 1] the choices of order[i]: channel[first[i]] .. channel[first[i + 1] - 1] */
	uint32_t *channel; /* [channels] */
};

/* Allocates. Returns 0, or -1 if out of memory. Call choices_clear() in either case. */
int choices_init(struct choices *choices, const struct routing_graph *graph, struct error *error);
void choices_clear(struct choices *choices);

/* Finds the shortest paths to a node, by breadth-first search against the direction of the channels. Time O(channels). */
void choices_shortest(struct choices *choices, uint32_t root);

/*
 * For searches: choices_start() empties the choices, choices_reach() sets a node's distance and adds it as the next one, choices_passes()
 * returns whether a path may continue through a node.
 */
void choices_start(struct choices *choices, uint32_t root);
void choices_reach(struct choices *choices, uint32_t node, uint32_t distance);
static inline bool choices_passes(const struct choices *choices, uint32_t node)
{
	return node == choices->root || routing_is_switch(choices->graph, node);
}

#endif
