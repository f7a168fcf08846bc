/*
 * Metrics: reduce the congestion of many levels and runs to a result. Source unless another is named: ORCS paper (Schneider, Hoefler,
 * Lumsdaine 2009), section 2.5. A metric observes; it never prints and does not know of processes. What it gathers has one of three forms
 * that the campaign can add up exactly in any order: a few values per run, a pooled histogram, sums per channel.
 *
 * To add a metric: write metrics/NAME.c with one const struct metric at its bottom, and name that in table.c.
 */
#ifndef METRICS_METRIC_H
#define METRICS_METRIC_H

#include "base/args.h"
#include "base/histogram.h"
#include "engines/observation.h"
#include "metrics/result.h"

#include <stdbool.h>
#include <stdint.h>

enum metric_gathers {
	METRIC_VALUES = 1,   /* end_run returns the value of the run */
	METRIC_POOLED = 2,   /* call->pooled */
	METRIC_CHANNELS = 4, /* the engine's sums */
	METRIC_LEVELS = 8,   /* a value per level */
};

/* A metric with its arguments and its state. */
struct metric_call {
	const struct metric *metric;
	struct arg_values args;
	uint32_t ranks;
	unsigned numbers; /* number of values per run */
	bool serialise_sends;
	struct histogram pooled; /* over all runs kept */
	struct histogram run;    /* of this run */
	double sum;              /* of this run */
	double rates;            /* of this run: sum over the connections, in Gb/s; NAN: speeds do not count */
	uint64_t levels;         /* of this run; 0: the run could not send anything */
	uint64_t points;         /* runs of each placement, one after another, see struct engine_terms; 1 or more */
	bool cycles;             /* times are printed in cycles, not seconds; as the observed runs state */
	bool has_first;          /* first was called */
	void *data;              /* owned by the metric, from setup */
};

/* All values gathered, in process 0. */
struct samples {
	const double *values; /* [count] one per run that had a value, in the order of the runs */
	const double *sorted; /* [count] the same, ascending */
	size_t count;
	const double *numbers; /* [runs][width] all values of the runs; NAN: none */
	unsigned width;
	size_t runs;
	bool bisection; /* the pattern is bisect: its mean bandwidth has a name of its own */
};

struct metric {
	const char *name, *summary, *source;
	const char *unit;       /* explanation of its numbers, printed on a terminal; NULL: the labels suffice */
	const struct arg *args; /* NULL: none */
	unsigned gathers;
	unsigned wants;   /* enum seen; 0: SEEN_WEIGHTS. Engines that give all of it have the metric */
	bool open;        /* of open loops it observes the messages, in place of SEEN_TIMES */
	bool sizes;       /* it tells runs with different message sizes apart */
	unsigned numbers; /* values per run; 0: one; of those with levels, the second is call->rates */
	/* Each may be NULL, except finish. */
	int (*setup)(struct metric_call *call, struct error *error);
	void (*cleanup)(struct metric_call *call);
	void (*begin_run)(struct metric_call *call);
	void (*pairs)(struct metric_call *call, const struct weighed *pairs, size_t count, int part);
	int (*level)(struct metric_call *call, const struct level *level, struct error *error);
	double (*end_run)(struct metric_call *call); /* NAN: the run has no value */
	/* For whole runs, instead of pairs, level and end_run: fills call->numbers values. Returns 0, or -1. */
	int (*flow)(struct metric_call *call, const struct observation *seen, double *numbers, struct error *error);
	/* Takes the first run for the result, in process 0, after flow. Returns 0, or -1. */
	int (*first)(struct metric_call *call, const struct observation *seen, struct error *error);
	int (*finish)(const struct metric_call *call, const struct samples *samples, struct result *result, struct error *error);
};

/* All metrics, ends with NULL. */
extern const struct metric *const metrics[];

enum { METRICS_MAX = 16 };

/*
 * Parses a list such as "hist_acc_band,get_cable_cong:out.dot". Fills calls[0..METRICS_MAX-1] (args parsed, not set up) and returns their
 * number, or -1 with STATUS_USAGE; then nothing is left to free.
 */
int metrics_parse(const char *list, struct metric_call *calls, struct error *error);

/* Prepares a call for that many ranks and levels. Returns 0 or -1. Call metric_clear() in either case, also without metric_setup(). */
int metric_setup(struct metric_call *call, uint32_t ranks, uint32_t levels, bool serialise_sends, struct error *error);
void metric_clear(struct metric_call *call);

/* Returns what the metric observes, enum seen; and what several observe together, as called, including the sums of channels. */
unsigned metric_wants(const struct metric *metric);
unsigned metrics_want(const struct metric_call *calls, int count);

/*
 * Returns the path of the graph that a metric of channels writes; NULL: it becomes part of the result (also for "-" if the metric is a
 * graph).
 */
const char *metric_file(const struct metric_call *call);

/* Returns whether the metric's text is a graph and nothing else. */
static inline bool metric_is_graph(const struct metric *metric)
{
	return (metric->gathers & (METRIC_CHANNELS | METRIC_VALUES)) == METRIC_CHANNELS;
}

/* Returns the picoseconds per displayed unit of time. */
static inline double people_time(const struct metric_call *call)
{
	return call->cycles ? CYCLE_NS * 1e3 : PICOSECONDS;
}

/* A label that contains that unit: PEOPLE_LABEL(call, "after ", ", level"). */
#define PEOPLE_LABEL(call, before, after) ((call)->cycles ? before "cycles" after : before "seconds" after)

/* Begins a run: clears the state of one run. */
void metric_begin_run(struct metric_call *call);

/* Ends a run: adds what it pooled, and fills its call->numbers values from what was observed. Returns 0, or -1. */
int metric_end_run(struct metric_call *call, const struct observation *seen, double *numbers, struct error *error);

/* Passes the first run to a metric that takes it, once. Returns 0, or -1. */
int metric_take_first(struct metric_call *call, const struct observation *seen, struct error *error);

/* Returns whether a metric still needs the first run. */
static inline bool metric_needs_first(const struct metric_call *call)
{
	return call->metric->first && !call->has_first;
}

/* Adds the weights and the rates of a level to the run, for metrics of bandwidth. Returns 0, or -1. */
int metric_add_level(struct metric_call *call, const struct level *level, struct error *error);

/* Returns the mean over the runs of the value with that index; NAN if no run has one. finish_number() adds it to the result. */
double mean_number(const struct samples *samples, unsigned index);
void finish_number(const struct samples *samples, unsigned index, const char *key, const char *label, struct result *result);

/*
 * Returns the p-quantile of sorted values: the smallest value such that at least a fraction p of them do not exceed it. NAN without values.
 */
double quantile_of(const double *sorted, size_t count, double p);

/* Adds the statistics that several metrics share: histogram of the values, minimum, maximum, mean, variance. Returns 0, or -1. */
int finish_values(const struct samples *samples, const char *label, struct result *result, struct error *error);

#endif
