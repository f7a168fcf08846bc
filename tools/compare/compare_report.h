/* Output of a comparison: a table as text or CSV, JSON (schema orcs-compare/1, see doc/orcs-compare.md), and a figure. */
#ifndef TOOLS_COMPARE_COMPARE_REPORT_H
#define TOOLS_COMPARE_COMPARE_REPORT_H

#include "base/output.h"
#include "tools/compare/compare_options.h"
#include "compare/comparison.h"

#include <stdio.h>

/* The comparison on a plane, or of whole fabrics. */
struct compared_plane {
	uint32_t number; /* for --plane; 0: the whole */
	struct comparison comparison;
	struct engine_run engine[ENGINES_COMPARED_MAX];
};

/* Writes one table of all planes, with a total for each routing. Returns 0, or -1 as compare_report(). */
int compare_planes_report(
	const struct compare_options *options, const struct compared_plane *plane, uint32_t planes, FILE *file, struct error *error);

/* Writes the table in the format of the options. Returns 0, or -1 if out of memory; write errors stay in the FILE. */
int compare_report(const struct compare_options *options, const struct comparison *comparison, FILE *file, struct error *error);

/*
 * Draws the distribution of the bandwidths of the runs, a box per routing and pattern, and commits the output. Returns 0, or -1 with an
 * error.
 */
int compare_plot(const struct compare_options *options, const struct comparison *comparison, struct output *output, struct error *error);

#endif
