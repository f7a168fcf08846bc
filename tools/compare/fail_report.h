/* The result of a sweep of failures as text, JSON and CSV, the worst first in text and CSV. */
#ifndef TOOLS_COMPARE_FAIL_REPORT_H
#define TOOLS_COMPARE_FAIL_REPORT_H

#include "tools/compare/fail_sweep.h"

#include <stdio.h>

/*
 * Writes the result. Failures are ranked by the pairs that are lost, then by the largest load, by the pairs of routes that can meet, by
 * the bandwidth, and by the entries that change. Errors of writing stay in the FILE. Returns 0, or -1 if out of memory.
 */
int fail_report(const struct fail_sweep *sweep, FILE *file, struct error *error);

/* Writes the fabric with the attributes cost, congestion and color of the cables that failed alone. Errors of writing stay in the FILE. */
int fail_graph(const struct fail_sweep *sweep, FILE *file, struct error *error);

/* Draws the distributions and the worst failures into the open output, named path. Returns 0, or -1. */
int fail_plot(const struct fail_sweep *sweep, struct output *output, struct error *error);

#endif
