/*
 * A fabric as a regular topology, with gaps: the graph says which it is (the attribute topology, see orcs-dot(5)), and lacks perhaps some
 * cables and nodes of it. Nodes go by their order if all are there, else by the names that orcs-topology gives them.
 */
#ifndef ROUTINGS_PLACED_H
#define ROUTINGS_PLACED_H

#include "topologies/topology.h"
#include "routings/routing.h"

struct placed {
	const struct routing_graph *graph;
	struct topology *topology;
	const struct topology *plain; /* that without parallel cables, whose routing it has */
	uint32_t *number;             /* [nodes] of the topology: hosts are 0..hosts-1, switches follow */
	uint32_t *node;               /* [hosts + switches of the topology] NONE: it is missing */
	uint32_t *first_port;         /* [nodes + 1] */
	uint32_t *channel;            /* [ports of all nodes] NONE: it is missing */
	uint32_t *used;               /* [channels] destinations of parallel ones so far; NULL: there are none */
	uint64_t missing;             /* edges of the topology that the graph has not */
	uint32_t gap_node, gap_port;  /* the first of them */
};

/*
 * Returns 0, or -1: STATUS_FABRIC where the graph says no topology, one whose routing function is another than that (the engine's name
 * too; NULL: any will do), or has an edge that the topology has not. placed_clear() in every case. Time O(sum of ports squared).
 */
int placed_init(struct placed *placed, const struct routing_task *task, const char *routing, struct error *error);
void placed_clear(struct placed *placed);

/* Places the fabric in the topology of any specification, routed or not: enough for what is missing, and for no routes. Returns 0, or -1:
 * STATUS_FABRIC where there is no such topology, or the fabric has an edge more. placed_clear() in every case. */
int placed_compare(struct placed *placed, const struct routing_graph *graph, const char *spec, struct error *error);

/* Writes "N (the first: A -> B)", of the edges that are missing; there must be some. */
void placed_missing(const struct placed *placed, char *text, size_t size);

/* The name of the routing function of a specification's topology, NULL where it has none, or is none. Time: that of making it. */
const char *placed_routing(const char *spec);

/* The channel by which a node forwards to a destination host as the topology's own routing has it; NONE where that is missing. Parallel
 * cables take turns. */
uint32_t placed_next(const struct placed *placed, uint32_t node, uint32_t host);

/* A channel from a node to another, likewise; NONE where there is none. Time O(ports). */
uint32_t placed_channel(const struct placed *placed, uint32_t node, uint32_t head);

/* "missing edges of the topology: N (the first: A -> B); WHAT", as a note to the user, if any are. */
void placed_note(const struct placed *placed, struct routed *routed, const char *what);

/* By which channel a node forwards to a destination host; NONE: none. NULL in the place of a rule: as placed_next does. */
typedef uint32_t placed_rule(const struct placed *placed, const void *data, uint32_t node, uint32_t host);

/*
 * Routes by the rule. Destinations to which it has no way from everywhere, because of gaps, are reached by shortest ways instead, each
 * channel that which the fewest have; *detours is how many. Returns 0, or -1.
 */
int placed_route(
	const struct placed *placed, struct routed *routed, placed_rule *rule, const void *data, uint32_t *detours, struct error *error);

#endif
