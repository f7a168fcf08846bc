/* The loop over runs: their distribution to processes, the end of the loop, and the merged results in process 0. */
#ifndef ORCS_CAMPAIGN_H
#define ORCS_CAMPAIGN_H

#include "fabric/placement.h"
#include "patterns/pairs.h"
#include "metrics/metric.h"
#include "parallel/comm.h"
#include "orcs/checkpoint.h"
#include "orcs/control.h"
#include "orcs/rank_table.h"
#include "orcs/runs.h"

#include <stdbool.h>
#include <stdint.h>

struct campaign_setup {
	struct runs *work; /* initialised; process 0 has the fabric's labels */
	const struct placement *placement;
	struct metric_call *metrics; /* [metric_count], set up */
	int metric_count;
	uint64_t seed;
	uint64_t first, runs;          /* the runs first..runs-1; with precision, at most these */
	double precision;              /* > 0: stop when every confidence interval is within this fraction of its mean */
	const struct control *control; /* for narrower intervals of means; NULL: none */
	bool progress;
	FILE *notes;  /* receives warnings; NULL: none are written */
	FILE *levels; /* receives a line per level; NULL: none is written */
	struct comm *comm;
	struct checkpoint *checkpoint; /* NULL: none */
	/* Takes each run that was made, in this process; NULL: not wanted. */
	void (*made)(void *data, const struct observation *seen, const uint32_t *host);
	void *made_data;
	struct rank_table *ranks; /* gets the rows of the first placement, complete in process 0; NULL: not wanted */
};

/* The results of the runs; complete in process 0 only. */
struct outcome {
	uint64_t runs;                /* completed */
	uint64_t connections;         /* routed, over all levels and runs */
	uint64_t unroutable;          /* dropped messages */
	bool partial;                 /* a signal ended it early */
	int stopped;                  /* that signal; 0: none */
	bool precise;                 /* the precision was reached */
	uint64_t *run;                /* [runs] the numbers of the completed runs, ascending */
	double *raw[METRICS_MAX];     /* [metric][runs] the value of each run, NAN where it has none; NULL for metrics without values */
	double *values[METRICS_MAX];  /* [metric][value_count] the values without NAN */
	double *numbers[METRICS_MAX]; /* [metric][runs][numbers] all values of the runs, of every metric; raw has the first of each */
	size_t value_count[METRICS_MAX];
	double (*sums)[CONTROLS];  /* [runs] control sums of each run; NULL without control */
	uint64_t *channel_sum;     /* [channels] in parts of a route; NULL if no metric wants it */
	uint64_t *channel_limit;   /* [channels] see struct channel_sums; NULL: unknown, or no metric wants it */
	double channel_unit;       /* unit of both */
	uint64_t *channel_carried; /* [2 * channels] bytes and packets of each; NULL: unknown, or not wanted */
};

/*
 * Performs the runs. Collective. The metrics' pooled histograms are complete afterwards in process 0. Returns 0, or -1 in all
 * processes alike: STATUS_FABRIC for the first unroutable pair in the order of runs, STATUS_IO for memory. outcome_clear() in every case.
 */
int campaign_run(const struct campaign_setup *setup, struct outcome *outcome, struct error *error);
void outcome_clear(struct outcome *outcome);

/* The numbers of runs after which the precision is checked: 100, then 1.5 times as many each time. */
uint64_t campaign_next_stop(uint64_t runs);

#endif
