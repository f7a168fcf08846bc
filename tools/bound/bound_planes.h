/* The results of planes, which are computed one by one: a line for each and their total, JSON, CSV; see doc/orcs-bound.md. */
#ifndef TOOLS_BOUND_BOUND_PLANES_H
#define TOOLS_BOUND_BOUND_PLANES_H

#include "tools/bound/bound_report.h"

/*
 * Writes the results of planes [planes] with these numbers to file. The planes work side by side: the total of loads and congestion is the
 * largest, that of throughput the smallest, which all hosts reach, that of the ideal tree the mean over the hosts. Errors of writing stay
 * in the FILE. Returns 0, or -1 if out of memory.
 */
int bound_planes_report(const struct bounds *const *bounds, const uint32_t *number, uint32_t planes, const struct bound_options *options,
	FILE *file, struct error *error);

#endif
