/* From results to text, JSON (schema orcs-result/1, see doc/orcs-result.md), CSV and coloured graphs. */
#ifndef ORCS_REPORT_H
#define ORCS_REPORT_H

#include "base/document.h"
#include "base/output.h"
#include "formats/dot.h"
#include "metrics/result.h"
#include "orcs/campaign.h"
#include "orcs/hottest.h"
#include "orcs/options.h"

#include <stdio.h>

struct report {
	const struct options *options;
	const struct campaign_setup *setup;
	const struct outcome *outcome;
	const struct attributes *attributes; /* for coloured graphs; NULL when none is wanted */
	const struct rank_table *ranks;      /* of the first placement; NULL: not wanted */
	struct run_loads loads;              /* levels 0: loads of channels are not reported, or are no numbers of routes */
	struct hottest_channel hottest;      /* of these */
	struct result result[METRICS_MAX];   /* of each metric */
	double *sorted[METRICS_MAX];
};

/* Lets every metric make its result from the outcome (all zero: results without values). Returns 0 or -1. report_clear() in every case. */
int report_make(struct report *report, struct error *error);
void report_clear(struct report *report);

/* Finds the value of a threshold. Returns 0, or -1 if the report has no such value. */
int report_value(const struct report *report, const struct threshold *threshold, double *value);

/* Adds the report, made before, to the root of a document in JSON, whose end it must outlive. A pattern that is printed is that of run 0.
 */
void report_add(struct document *document, const struct report *report);

/* Writes the report in the format of the options. Errors of the file stay in the FILE. */
int report_write(const struct report *report, FILE *file, struct error *error);

/* Writes the coloured graph of get_cable_cong. */
void report_graph(const struct report *report, FILE *file);

/* Draws the first histogram with gnuplot to the output, and commits it. Returns 0, or -1 with the reason. */
int report_plot(const struct report *report, struct output *output, struct error *error);

#endif
