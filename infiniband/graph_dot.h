/* Writes the graph of a subnet as dot, the input of orcs; see orcs-dot(5). */
#ifndef INFINIBAND_GRAPH_DOT_H
#define INFINIBAND_GRAPH_DOT_H

#include "base/error.h"
#include "infiniband/subnet_graph.h"

#include <stdio.h>

/*
 * Writes the graph; the lines of comment, which may be NULL, become comments at its head. A graph without any table gets no forwarding
 * sets. Returns 0, or -1 if out of memory; errors of writing stay in the FILE. Time O(switches * hosts).
 */
int graph_dot_write(const struct subnet_graph *graph, FILE *file, const char *comment, struct error *error);

#endif
