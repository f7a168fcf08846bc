/*
 * A fabric as routing engines see it: the channels into each node beside those out of it, the nodes that need tables, the nodes where
 * routes begin, and the destinations in groups. All hosts whose only cable comes from one switch are a group: what leads to the switch
 * leads to them. Hosts forward nothing for others, however many cables they have: but where there are no switches, and where the topology
 * is one whose hosts forward (routing_graph_hosts_forward).
 */
#ifndef ROUTINGS_ROUTING_GRAPH_H
#define ROUTINGS_ROUTING_GRAPH_H

#include "fabric/fabric.h"

#include <stdbool.h>
#include <stdint.h>

struct routing_graph {
	const struct fabric *fabric;
	bool *forwards; /* [nodes] what is for others: switches, and perhaps hosts with several channels */
	uint32_t columns;
	uint32_t *column;       /* [nodes] of switches and of hosts with several channels; NONE: a host that has no choice */
	uint32_t *node;         /* [columns] */
	uint32_t *tail;         /* [channels] */
	uint32_t *first_in;     /* [nodes + 1] */
	uint32_t *in;           /* [channels] those into a node: in[first_in[v]] .. in[first_in[v + 1] - 1] */
	uint32_t *senders;      /* [nodes] hosts whose way begins there: without a column behind their only channel, else at themselves */
	uint32_t groups;        /* of destinations */
	uint32_t *root;         /* [groups] the switch of the group, or its only host */
	uint32_t *member;       /* [hosts] host indices, group by group */
	uint32_t *first_member; /* [groups + 1] */
};

/* Returns 0, or -1 when the memory is not there. routing_graph_clear() in every case. Time O(nodes + channels). */
int routing_graph_init(struct routing_graph *graph, const struct fabric *fabric, struct error *error);
void routing_graph_clear(struct routing_graph *graph);

/* The column where routes of a host begin that have a choice; NONE: there is none. */
uint32_t routing_start_column(const struct routing_graph *graph, uint32_t host);

/* From now on hosts with several channels forward for others. */
void routing_graph_hosts_forward(const struct routing_graph *graph);

/* Whether the node forwards for others. */
static inline bool routing_is_switch(const struct routing_graph *graph, uint32_t node)
{
	return graph->forwards[node];
}

/* The channel from the switch of a group to one of its hosts; NONE where the group is only that host. */
static inline uint32_t routing_last(const struct routing_graph *graph, uint32_t group, uint32_t host)
{
	uint32_t node = graph->fabric->host_node[host];
	return graph->root[group] == node ? NONE : graph->in[graph->first_in[node]];
}

/*
 * By which channels nodes may forward to a root: all that lie on some shortest way (choices_shortest), or on some legal one (see
 * updown.h). Whoever chooses one of them for every node has routes without loops.
 */
struct choices {
	const struct routing_graph *graph;
	uint32_t root;
	uint32_t *distance; /* [nodes] channels to the root, NONE: there is no way */
	uint32_t *order;    /* [count] the nodes with a column that have a way, but the root: each after those its choices lead to */
	uint32_t count;
	uint32_t *first;   /* [count + 1] the choices of order[i]: channel[first[i]] .. channel[first[i + 1] - 1] */
	uint32_t *channel; /* [channels] */
};

/* Returns 0, or -1 when the memory is not there. choices_clear() in every case. */
int choices_init(struct choices *choices, const struct routing_graph *graph, struct error *error);
void choices_clear(struct choices *choices);

/* The shortest ways to a node, by breadth-first search against the direction of the channels. Time O(channels). */
void choices_shortest(struct choices *choices, uint32_t root);

/* For those who search: empties them; the node has its distance now and comes next; whether a way may go on by that node. */
void choices_start(struct choices *choices, uint32_t root);
void choices_reach(struct choices *choices, uint32_t node, uint32_t distance);
static inline bool choices_passes(const struct choices *choices, uint32_t node)
{
	return node == choices->root || routing_is_switch(choices->graph, node);
}

#endif
