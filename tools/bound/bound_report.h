/* Results of orcs-bound -> text, JSON (schema orcs-bound/1, see doc/orcs-bound.md), CSV, the witness and the annotated graph. */
#ifndef TOOLS_BOUND_BOUND_REPORT_H
#define TOOLS_BOUND_BOUND_REPORT_H

#include "base/document.h"
#include "fabric/fair_share.h"
#include "formats/dot.h"
#include "fabric/loads.h"
#include "tools/bound/bound_options.h"
#include "shapes/ideal.h"
#include "tools/bound/throughput.h"
#include "tools/bound/worst.h"

/* All parts; the options specify which of them are set. */
struct bounds {
	const struct bound_options *options;
	const struct fabric *fabric;         /* with labels */
	const struct attributes *attributes; /* for the graph */
	struct loads loads;
	struct fair_share fair; /* of the loads */
	uint32_t hottest;       /* the channel with the largest load, of several the first */
	uint32_t equal;         /* other channels with this load */
	double next;            /* the largest smaller load, 0 if there is none */
	struct worst worst;
	struct throughput all, permutation, pattern; /* of all-to-all, the worst permutation and the given pattern */
	size_t pattern_pairs;
	uint64_t pattern_unroutable;
	struct ideal ideal;
};

/* Returns the load of a channel, or a mean, in the unit of the options: divided by the channel's speed if speeds count. */
double bound_load(const struct bounds *bounds, uint32_t channel, double routes);

/* Finds the hottest channel, once the loads are counted. */
void bound_find_hottest(struct bounds *bounds);

/* Adds the result to the root of a document, as text where that is its format. Returns 0, or -1 if out of memory. */
int bound_report_add(struct document *document, const struct bounds *bounds, struct error *error);

/* The channels as rows of CSV and JSON; valid as long as the bounds. */
struct table bound_channels(const struct bounds *bounds);

/* Each writes to file; write errors stay in the FILE. Returns 0, or -1 if out of memory. */
int bound_report(const struct bounds *bounds, FILE *file, struct error *error);
void bound_witness(const struct bounds *bounds, FILE *file);
void bound_graph(const struct bounds *bounds, FILE *file);

#endif
