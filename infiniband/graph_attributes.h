/* The graph of a subnet in memory, as reading what graph_dot_write() writes gives it. */
#ifndef INFINIBAND_GRAPH_ATTRIBUTES_H
#define INFINIBAND_GRAPH_ATTRIBUTES_H

#include "base/error.h"
#include "formats/dot_graph.h"
#include "infiniband/subnet_graph.h"

/* Makes it; the subnet is not needed afterwards. Returns 0, or -1 if out of memory. dot_graph_clear() in every case. Time
 * O(switches * hosts + channels log ports). */
int graph_attributes(const struct subnet_graph *from, struct dot_graph *graph, struct error *error);

#endif
