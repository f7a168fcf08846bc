/* The nodes of a subnet that are neither hosts nor switches of its graph. */
#ifndef INFINIBAND_GRAPH_OTHERS_H
#define INFINIBAND_GRAPH_OTHERS_H

#include "infiniband/subnet_graph.h"

/*
 * Returns whether the node is a SHARP aggregation node: these are part of switches and look like channel adapters, except for their
 * description and device number.
 */
bool subnet_is_aggregation(const struct subnet_node *node);

/* Adds them to a graph whose nodes have their names and their order, with their channels. Returns 0, or -1 if out of memory. */
int subnet_graph_add_others(struct subnet_graph *graph, struct error *error);

#endif
