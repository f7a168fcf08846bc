/* Names of the hosts and switches of a graph, by their descriptions or GUIDs. For subnet_graph.c. */
#ifndef INFINIBAND_SUBNET_NAMES_H
#define INFINIBAND_SUBNET_NAMES_H

#include "infiniband/subnet_graph.h"

/* Names all nodes, each differently; nodes that share a description are counted as an anomaly. Returns 0, or -1 if out of memory. */
int subnet_graph_names(struct subnet_graph *graph, struct error *error);

#endif
