/*
 * The result of one metric: a short list of items, each of which can be written as text, JSON and CSV. label is for text, key for the
 * others, "a.b" for a member of an object; text omits an item without a label.
 */
#ifndef METRICS_RESULT_H
#define METRICS_RESULT_H

#include "base/document.h"
#include "base/error.h"
#include "base/histogram.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum item_type {
	ITEM_HISTOGRAM, /* bins: value -> count */
	ITEM_INTERVALS, /* bins of equal width over [0,1], including empty ones */
	ITEM_COUNT,     /* count */
	ITEM_NUMBER,    /* number[0], NAN: none */
	ITEM_QUANTITY,  /* as ITEM_NUMBER, of any size: text shows nine digits */
	ITEM_RANGE,     /* number[0] .. number[1] */
	ITEM_LIST,      /* list, by index; NAN: none */
	ITEM_TABLE,     /* rows of numbers, list[row * column_count + column]; NAN: none */
	ITEM_ROWS,      /* rows */
	ITEM_CHANNELS,  /* the channels' sums, stored elsewhere */
};

/* A column of a table. */
struct table_column {
	const char *key, *label; /* text omits columns without a label or without any number */
};

struct item {
	enum item_type type;
	const char *key, *label;
	const char *of; /* what the histogram counts: "runs" */
	double number[2];
	uint64_t count; /* of the item, or the sum over the bins */
	struct bin *bins;
	size_t bin_count;
	double *list;
	size_t list_count;
	const struct table_column *columns; /* [column_count] */
	size_t column_count;
	struct table rows;
	bool any_size; /* the values of histograms and ranges are shown as quantities */
	double (*bin_end)(
		double value); /* returns the end of the bin that begins at a value; NULL: a bin ends where the next one may begin */
};

enum { ITEMS_MAX = 40 };

struct result {
	struct item item[ITEMS_MAX];
	unsigned items;
};

/* Add an item. bins becomes owned by the result; result_clear() frees it. */
void result_histogram(
	struct result *result, enum item_type type, const char *key, const char *label, const char *of, struct bin *bins, size_t count);
void result_count(struct result *result, const char *key, const char *label, uint64_t count);
void result_number(struct result *result, const char *key, const char *label, double number);
void result_quantity(struct result *result, const char *key, const char *label, double number);
void result_range(struct result *result, const char *key, const char *label, double low, double high);
void result_list(struct result *result, const char *key, const char *label, double *list, size_t count); /* list becomes owned, too */
void result_channels(struct result *result);

/* Adds a table of count numbers, row by row; columns are borrowed, list becomes owned. */
void result_table(struct result *result, const char *key, const char *label, const struct table_column *columns, size_t column_count,
	double *list, size_t count);

/* Adds a table of any values; what its rows are made of is borrowed. */
void result_rows(struct result *result, const char *key, const char *label, struct table rows);

/* Sets the total time in seconds for which the last item's channels were observed; their sums are picoseconds. */
void result_watched(struct result *result, double seconds);
void result_clear(struct result *result);

/* Marks the last item's values as of any size: text shows six digits of keys, nine of numbers. */
void result_any_size(struct result *result);

/* Sets the function that returns the end of each bin of the last item from its beginning, for drawing. */
void result_bin_end(struct result *result, double (*bin_end)(double value));

/* Returns the first item with that key, NULL if there is none. */
const struct item *result_find(const struct result *result, const char *key);

#endif
