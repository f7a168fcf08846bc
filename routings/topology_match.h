/*
 * A fabric matched with a regular topology: the graph states the topology (attribute topology, see orcs-dot(5)), and may lack some of its
 * cables and nodes. Nodes are matched by their order if all exist, otherwise by the names that orcs-topology gives them.
 */
#ifndef ROUTINGS_TOPOLOGY_MATCH_H
#define ROUTINGS_TOPOLOGY_MATCH_H

#include "topologies/topology.h"
#include "routings/routing.h"

struct topology_match {
	const struct routing_graph *graph;
	struct topology *topology;
	const struct topology *plain; /* the topology without parallel cables, whose routing it has */
	uint32_t *number;             /* [nodes] number in the topology: hosts are 0..hosts-1, switches follow */
	uint32_t *node;               /* [hosts + switches of the topology] NONE: missing */
	uint32_t *first_port;         /* [nodes + 1] */
	uint32_t *channel;            /* [ports of all nodes] NONE: missing */
	uint32_t *used;   /* [channels] number of destinations on each of the parallel channels so far; NULL: no parallel cables */
	uint64_t missing; /* edges of the topology that the graph lacks */
	uint32_t gap_node, gap_port; /* the first missing edge */
};

/*
 * Matches the fabric. Returns 0, or -1: STATUS_FABRIC if the graph states no topology, the topology's routing function is not `routing`
 * (also the engine's name; NULL: any), or the graph has an edge that the topology lacks. Call topology_match_clear() in either case. Time
 * O(sum of ports squared).
 */
int topology_match_init(struct topology_match *match, const struct routing_task *task, const char *routing, struct error *error);
void topology_match_clear(struct topology_match *match);

/*
 * Matches the fabric with the topology of any specification, with or without a routing function: for missing edges only, not for routes.
 * Returns 0, or -1: STATUS_FABRIC if there is no such topology, or the fabric has an additional edge. Call topology_match_clear() in either
 * case.
 */
int topology_match_compare(struct topology_match *match, const struct routing_graph *graph, const char *spec, struct error *error);

/* Writes "N (the first: A -> B)" for the missing edges, at least one of which must exist. */
enum { MISSING_SIZE = 700 };
void topology_match_missing(const struct topology_match *match, char *text, size_t size);

/*
 * Returns the name of the routing function of a specification's topology, NULL if it has none or is not valid. Time: that of creating the
 * topology.
 */
const char *topology_match_routing(const char *spec);

/*
 * Returns the channel by which a node forwards to a destination host in the topology's own routing; NONE if it is missing. Parallel cables
 * are used in turn.
 */
uint32_t topology_match_next(const struct topology_match *match, uint32_t node, uint32_t host);

/* Returns a channel from a node to another, parallel cables in turn; NONE if there is none. Time O(ports). */
uint32_t topology_match_channel(const struct topology_match *match, uint32_t node, uint32_t head);

/* Sets the note "missing edges of the topology: N (the first: A -> B); WHAT" if edges are missing. */
void topology_match_note(const struct topology_match *match, struct routed *routed, const char *what);

/* Returns the channel by which a node forwards to a destination host; NONE: none. A rule that is NULL stands for topology_match_next(). */
typedef uint32_t topology_match_rule(const struct topology_match *match, const void *data, uint32_t node, uint32_t host);

/*
 * Routes by the rule. Destinations that the rule does not reach from everywhere, because edges are missing, are reached by shortest paths
 * instead, each node by the channel that the fewest destinations use; *detours is their number. Returns 0, or -1.
 */
int topology_match_route(const struct topology_match *match, struct routed *routed, topology_match_rule *rule, const void *data,
	uint32_t *detours, struct error *error);

#endif
