/* Partitions of a fabric for processes that share one run. */
#ifndef FABRIC_PARTITION_H
#define FABRIC_PARTITION_H

#include "fabric/fabric.h"

/*
 * Fills part [nodes] with 0..parts-1 such that all parts have about equally many channels, and few channels lead from one part to another,
 * preferably those with a long latency (seconds, [channels]; NULL: all equal). Hosts with one cable are in the part of their switch, and
 * all nodes of a group ([nodes]; NULL: none) in one part. Without METIS, parts are one after
 * another in the order of a breadth-first search. By METIS (Karypis, Kumar: A fast and high quality multilevel scheme for
 * partitioning irregular graphs, SIAM J. Sci. Comput. 20, 1998), whose result is the same for the same fabric. Returns 0, or -1 with
 * STATUS_IO.
 */
int partition_make(
	const struct fabric *fabric, const double *latency, const uint32_t *group, uint32_t parts, uint32_t *part, struct error *error);

/*
 * The same for fabrics whose switches are in layers, such as trees: channels lead from the layer at the hosts to the next, and so on, none
 * from one switch of a layer to another. No channel leads from one part to another one of the same layers, so that parts can take turns.
 * Returns the number of parts, which can be larger or smaller; 0, also if the fabric has no such layers, in which case there is no error.
 */
uint32_t partition_layers(const struct fabric *fabric, uint32_t parts, uint32_t *part, struct error *error);

#endif
