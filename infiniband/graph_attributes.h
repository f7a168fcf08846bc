/* Makes the graph of a subnet in memory, identical to what reading the output of graph_dot_write() gives. */
#ifndef INFINIBAND_GRAPH_ATTRIBUTES_H
#define INFINIBAND_GRAPH_ATTRIBUTES_H

#include "base/error.h"
#include "formats/dot_graph.h"
#include "infiniband/subnet_graph.h"

/*
 * Makes the graph; the subnet is not needed afterwards. Returns 0, or -1 if out of memory. Call dot_graph_clear() in every case. Time
 * O(switches * hosts + channels log ports).
 */
int graph_attributes(const struct subnet_graph *from, struct dot_graph *graph, struct error *error);

#endif
