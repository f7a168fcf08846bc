/* Runs of the packet engine by their load: what its metrics say of each. */
#ifndef METRICS_BY_LOAD_H
#define METRICS_BY_LOAD_H

#include "metrics/metric.h"

/* How a number of several runs of one load becomes one. */
enum load_value {
	LOAD_MEAN,
	LOAD_LARGEST,
	LOAD_HALF, /* half the width of the 95% interval of the number's mean: over the runs; of one run its own, the number after it */
};

/* When a figure has a line of text. */
enum load_line { LINE_ALWAYS, LINE_IF_KNOWN, LINE_IF_POSITIVE };

/* A figure: a column of the table of loads, and an item. */
struct load_figure {
	const char *key, *label; /* of a line of text; NULL: none */
	enum load_value value;
	unsigned number; /* of a run's; half widths: that of the mean */
	enum load_line line;
	bool best; /* the item is the largest of all loads, not that of the highest load */
};

/* How a table of loads is laid out. */
struct load_layout {
	const char *label;                 /* of the table */
	const struct load_figure *figure;  /* [figures] the first is the load */
	const struct table_column *column; /* [figures] */
	size_t figures;
};

/*
 * Adds the table "loads", a row for each load, ascending, and the figures of the highest load as items; text has the table of several
 * loads, the items of one. Half widths become the interval "ci95" as an item. Returns 0, or -1 without memory.
 */
int finish_loads(const struct gathered *gathered, const struct load_layout *layout, struct result *result, struct error *error);

/* Whether the runs are of several loads; load: its index among a run's numbers. */
bool several_loads(const struct gathered *gathered, unsigned load);

/*
 * The figures of each load, ascending, as a new array: *rows of them. Runs without a load count as those of one. NULL without memory.
 */
double *load_table(const struct gathered *gathered, const struct load_figure *figure, size_t figures, size_t *rows, struct error *error);

/*
 * Half the width of the 95% interval of the quotient of two sums over the batches of a run, as Cochran, Sampling Techniques (1977), 6.4,
 * has it for a ratio of means. Batches that follow each other may be alike: they are joined until their correlation does not tell (Fishman:
 * Grouping observations in digital simulation, 1978), or six are left; what correlation there still is widens the interval as that of a
 * process of first order (Bayley, Hammersley: The effective number of independent observations, 1946). NAN where batches are too few, or
 * empty. Time O(batches).
 */
double batch_half_width(const double *above, const double *below, size_t batches);

#endif
