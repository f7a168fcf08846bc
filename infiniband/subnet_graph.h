/*
 * Turns a subnet into a graph: which channel adapters are hosts, the names of all nodes, and what each channel forwards. Hosts come first,
 * in the order of their names with numbers compared by value, then the switches by their distance from the hosts and their names.
 */
#ifndef INFINIBAND_SUBNET_GRAPH_H
#define INFINIBAND_SUBNET_GRAPH_H

#include "fabric/whole_fabric.h"
#include "infiniband/subnet.h"

enum { RAILS_SEPARATE = 0, RAILS_MERGE = -1, RAILS_NAMED = -2, RAILS_LEAF = -3 };

struct subnet_graph_options {
	bool names_guid;       /* names H and S with the GUID instead of readable names made from the node descriptions */
	bool all_lids;         /* with LMC > 0, use all LIDs of a host, not only the base LID */
	bool keep_aggregation; /* SHARP aggregation nodes are hosts, too */
	int rails; /* RAILS_SEPARATE: every cabled port of a channel adapter is a host; RAILS_MERGE: every machine is a host; N > 0: the
		      N-th port of every machine is a host; RAILS_NAMED: the ports of the rail of that name (see rails.h); RAILS_LEAF: the
		      ports on its leaves */
	const char *rail; /* its name, borrowed */
};

struct graph_node {
	const char *name;
	uint32_t node;         /* node of the subnet; for a host, the node of its first port */
	uint32_t first, ports; /* cabled ports in the order of their numbers: port[first] .. port[first + ports - 1] */
	uint32_t rank;         /* of a switch: distance from the hosts */
	bool routed;           /* has a table */
	bool alone;            /* the only host of its machine */
};

/* A node beside the hosts and switches of the graph: a port of a channel adapter or a router, or a switch. */
struct graph_other {
	const char *name;
	enum whole_other type;
	uint32_t node, port; /* of the subnet; of a switch port 0, NONE without one */
	uint32_t added;      /* place in the order of the subnet */
};

/* A channel from or to such a node. */
struct graph_link {
	uint32_t tail, port; /* tail: a node of the graph, or nodes + an other; port of the subnet */
};

struct subnet_graph {
	struct subnet *subnet;
	struct subnet_graph_options options;
	struct graph_node *node; /* [nodes] hosts, then switches */
	uint32_t nodes, hosts;
	uint32_t *port;         /* [ports] ports of the subnet */
	uint32_t *node_of_port; /* [subnet->ports] node of the graph, NONE: left out */
	struct graph_other *other;
	struct graph_link *link; /* [links] by their tails */
	uint32_t others, links;
	uint32_t *other_of_port; /* [subnet->ports] nodes + other of the graph, or as node_of_port; NONE: without a cable */
	uint32_t *component;     /* [subnet->ports] component number; ports with the same number can reach one another */
	uint32_t components, cables, tables;
	bool levels_unknown;    /* packets may have service levels that nothing states, see subnet_levels_unknown() */
	uint64_t entries;       /* number of table entries for hosts */
	uint64_t other_entries; /* of those for all other LIDs, with a port that has a cable */
	char *names;            /* characters of the names */
	char *other_names;
};

/*
 * Makes the graph; original, or NULL, is the subnet as it was before it was rewritten for a simulator (see subnet_restore). Anomalies found
 * are counted in the subnet. Returns NULL if out of memory, or with STATUS_FABRIC when no host is left. Time O(nodes log nodes + switches *
 * hosts).
 */
struct subnet_graph *subnet_graph_create(
	struct subnet *subnet, const struct subnet_graph_options *options, const struct subnet *original, struct error *error);
void subnet_graph_free(struct subnet_graph *graph);

/* Writes the table of rails, see rails_write(). Returns 0, or -1 if out of memory. */
int subnet_graph_rails_write(const struct subnet_graph *graph, FILE *file, struct error *error);

/*
 * The hosts that the ports of a node forward: host[first[i]] .. host[first[i + 1] - 1] are those for which it uses the i-th of its ports.
 */
struct forwarding_sets {
	uint32_t *host;
	uint32_t *first;
	size_t host_capacity, first_capacity;
	uint16_t *lid;           /* LIDs that are not base LIDs of hosts (with all_lids, also those): by the numbers of ports, ascending */
	uint32_t first_lid[258]; /* those of port p, from 0 (the switch itself), are lid[first_lid[p]] .. lid[first_lid[p + 1] - 1] */
	uint16_t *other_lid;     /* [other_lids] all LIDs of a component that are none of base LIDs of hosts, ascending */
	uint32_t other_lids, component;
	size_t lid_capacity;
};

/* Fills sets for a node with a table, hosts in ascending order. Returns 0, or -1 if out of memory. Time O(hosts). */
int subnet_graph_sets(const struct subnet_graph *graph, uint32_t node, struct forwarding_sets *sets, struct error *error);

/* Fills the LIDs alone, of a node of the graph, or nodes + an other, that is a switch. Returns 0, or -1. Time O(hosts + LIDs). */
int subnet_graph_lids(const struct subnet_graph *graph, uint32_t node, struct forwarding_sets *sets, struct error *error);
void forwarding_sets_clear(struct forwarding_sets *sets);

#endif
