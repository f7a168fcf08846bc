/*
 * Metrics: how the congestion of many levels and runs becomes a result. Source unless another is named: ORCS paper (Schneider, Hoefler,
 * Lumsdaine 2009), section 2.5. A metric observes; it never prints and knows nothing of processes. What it gathers has one of three
 * forms that the campaign can add up exactly in any order: a few values for every run, a pooled histogram, sums of the channels.
 *
 * To add one: write metrics/NAME.c with one const struct metric at its bottom, and name that in table.c.
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
	METRIC_LEVELS = 8,   /* a value for each level */
};

/* A metric applied. */
struct metric_call {
	const struct metric *metric;
	struct arg_values args;
	uint32_t ranks;
	unsigned numbers; /* values of a run */
	bool serialise_sends;
	struct histogram pooled; /* of all runs kept */
	struct histogram run;    /* of this run */
	double sum;              /* of this run */
	uint64_t levels;         /* of this run; 0: it could not send anything */
	bool cycles;             /* people are told times in cycles, not seconds; as the runs seen say */
	void *data;              /* the metric's own, by setup */
};

/* All that was gathered, in the first process. */
struct gathered {
	const double *values; /* [count] one a run that had a value, in the order of the runs */
	const double *sorted; /* [count] the same, ascending */
	size_t count;
	const double *numbers; /* [runs][width] all values of the runs; NAN: none */
	unsigned width;
	size_t runs;
	bool bisection; /* the pattern is bisect: its mean bandwidth has a name */
};

struct metric {
	const char *name, *summary, *source;
	const char *unit;       /* of its numbers in text, and what they are a share of, for those at a terminal; NULL: their labels tell */
	const struct arg *args; /* NULL: none */
	unsigned gathers;
	unsigned wants;   /* enum seen; 0: SEEN_WEIGHTS. Engines that give all of it have the metric */
	unsigned numbers; /* values of a run; 0: one */
	/* Each may be NULL, but for finish. */
	int (*setup)(struct metric_call *call, struct error *error);
	void (*cleanup)(struct metric_call *call);
	void (*begin_run)(struct metric_call *call);
	void (*pairs)(struct metric_call *call, const struct weighed *pairs, size_t count, int part);
	int (*level)(struct metric_call *call, const struct level *level, struct error *error);
	double (*end_run)(struct metric_call *call); /* NAN: the run has no value */
	/* Of whole runs, instead of pairs, level and end_run: fills call->numbers values. Returns 0, or -1. */
	int (*flow)(struct metric_call *call, const struct observation *seen, double *numbers, struct error *error);
	int (*finish)(const struct metric_call *call, const struct gathered *gathered, struct result *result, struct error *error);
};

/* All metrics, ends with NULL. */
extern const struct metric *const metrics[];

enum { METRICS_MAX = 16 };

/*
 * Reads "hist_acc_band,get_cable_cong:out.dot". Fills calls[0..METRICS_MAX-1] (args read, not set up) and returns their number, or -1
 * with STATUS_USAGE; then nothing is left to free.
 */
int metrics_parse(const char *list, struct metric_call *calls, struct error *error);

/* Prepares a call for so many ranks and levels. Returns 0 or -1. metric_clear() in every case, also without metric_setup(). */
int metric_setup(struct metric_call *call, uint32_t ranks, uint32_t levels, bool serialise_sends, struct error *error);
void metric_clear(struct metric_call *call);

/* What the metric wants to see, enum seen; and what so many want together, as called, with the sums of channels. */
unsigned metric_wants(const struct metric *metric);
unsigned metrics_want(const struct metric_call *calls, int count);

/* Where a metric of channels writes its graph; NULL: into the result (also "-" of a metric that is a graph). */
const char *metric_file(const struct metric_call *call);

/* Whether its text is a graph and nothing else. */
static inline bool metric_is_graph(const struct metric *metric)
{
	return (metric->gathers & (METRIC_CHANNELS | METRIC_VALUES)) == METRIC_CHANNELS;
}

/* Picoseconds of what people are told times in. */
static inline double people_time(const struct metric_call *call)
{
	return call->cycles ? CYCLE_NS * 1e3 : PICOSECONDS;
}

/* A label with that unit in it: PEOPLE_LABEL(call, "after ", ", level"). */
#define PEOPLE_LABEL(call, before, after) ((call)->cycles ? before "cycles" after : before "seconds" after)

/* Begins a run: empties what is of one run. */
void metric_begin_run(struct metric_call *call);

/* Ends a run: adds what it pooled, and fills its call->numbers values from what was seen. Returns 0, or
 * -1. */
int metric_end_run(struct metric_call *call, const struct observation *seen, double *numbers, struct error *error);

/* The mean over the runs of the value of that index; NAN where none has one. finish_number() adds it. */
double mean_number(const struct gathered *gathered, unsigned index);
void finish_number(const struct gathered *gathered, unsigned index, const char *key, const char *label, struct result *result);

/* The p-quantile of sorted values: the smallest that so many are not above. NAN without values. */
double quantile_of(const double *sorted, size_t count, double p);

/* The statistics that several metrics share: histogram of the values, minimum, maximum, mean, variance. */
int finish_values(const struct gathered *gathered, const char *label, struct result *result, struct error *error);

#endif
