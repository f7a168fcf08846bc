/*
 * Turns a subnet into a graph: which channel adapters are hosts, the names of all nodes, and what each channel forwards. Hosts come first,
 * in the order of their names with numbers compared by value, then the switches by their distance from the hosts and their names.
 */
#ifndef INFINIBAND_SUBNET_GRAPH_H
#define INFINIBAND_SUBNET_GRAPH_H

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

struct subnet_graph {
	struct subnet *subnet;
	struct subnet_graph_options options;
	struct graph_node *node; /* [nodes] hosts, then switches */
	uint32_t nodes, hosts;
	uint32_t *port;         /* [ports] ports of the subnet */
	uint32_t *node_of_port; /* [subnet->ports] node of the graph, NONE: left out */
	uint32_t *component;    /* [subnet->ports] component number; ports with the same number can reach one another */
	uint32_t components, cables, tables;
	uint64_t entries; /* number of table entries for hosts */
	char *names;      /* characters of the names */
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
};

/* Fills sets for a node with a table, hosts in ascending order. Returns 0, or -1 if out of memory. Time O(hosts). */
int subnet_graph_sets(const struct subnet_graph *graph, uint32_t node, struct forwarding_sets *sets, struct error *error);
void forwarding_sets_clear(struct forwarding_sets *sets);

#endif
