/* The results of the packet engine's metrics by load. */
#ifndef METRICS_BY_LOAD_H
#define METRICS_BY_LOAD_H

#include "metrics/metric.h"

/* How the values of several runs of one load are combined. */
enum load_value {
	LOAD_MEAN,
	LOAD_LARGEST,
	LOAD_HALF, /* half the width of the 95% interval of the mean: over the runs; of a single run its own, which is the number after it
		    */
};

/* When a figure has a line of text. */
enum load_line { LINE_ALWAYS, LINE_IF_KNOWN, LINE_IF_POSITIVE };

/* A figure: a column of the table of loads, and an item. */
struct load_figure {
	const char *key, *label; /* label: of a line of text; NULL: none */
	enum load_value value;
	unsigned number; /* index of a run's number; for half widths that of the mean */
	enum load_line line;
	bool best; /* the item is the maximum over all loads, not the value of the highest load */
};

/* The layout of a table of loads. */
struct load_layout {
	const char *label;                 /* of the table */
	const struct load_figure *figure;  /* [figures] the first is the load, or the size */
	const struct table_column *column; /* [figures] */
	size_t figures;
	bool sizes; /* the first is the size of messages: if there are several, rows are by size; otherwise it is left out, the next is the
		       load */
};

/*
 * Adds the table "loads", one row per load, or per message size, ascending, and the figures of the highest as items; text shows the table
 * for several, the items for one. Half widths become the item "ci95". Returns 0, or -1 if out of memory.
 */
int finish_loads(const struct samples *samples, const struct load_layout *layout, struct result *result, struct error *error);

/* Returns whether the runs have several loads; load: index of the load among a run's numbers. */
bool several_loads(const struct samples *samples, unsigned load);

/*
 * Returns a new array of the figures of each load, ascending, with *rows rows. Runs without a load count as runs of one load. NULL if out
 * of memory.
 */
double *load_table(const struct samples *samples, const struct load_figure *figure, size_t figures, size_t *rows, struct error *error);

/*
 * Returns the smallest value that at least that share of count values does not exceed, from their bins (packet_bin()), in the unit: the
 * middle of a bin, but within the extremes, to one part in 128; whole: a whole number of units, if the bin has one. NAN without values.
 */
double bins_quantile(
	const uint64_t bins[LATENCY_BINS], uint64_t count, double share, uint64_t least, uint64_t most, double unit, bool whole);

/* Returns the value that represents a bin, likewise. */
double bin_value(unsigned bin, uint64_t least, uint64_t most, double unit, bool whole);

#endif
