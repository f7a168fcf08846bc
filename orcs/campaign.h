/* The loop over runs: who makes which, when it ends, and what comes together in the first process. */
#ifndef ORCS_CAMPAIGN_H
#define ORCS_CAMPAIGN_H

#include "fabric/placement.h"
#include "patterns/pairs.h"
#include "engines/congestion/congestion.h"
#include "metrics/metric.h"
#include "parallel/comm.h"
#include "orcs/checkpoint.h"
#include "orcs/control.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

struct campaign_setup {
	const struct fabric *fabric; /* with labels in the first process */
	const struct forwarding *forwarding;
	const struct paths *paths;   /* NULL: walk the tables */
	struct multipath *multipath; /* NULL: each pair has one route */
	const struct placement *placement;
	struct pattern_call *pattern; /* NULL: what the flow engine runs is none */
	struct flow_job *flow;        /* the other engines'; NULL: congestion is counted */
	uint64_t points;              /* of the runs so many, one after the other, have one mapping; 0: each its own */
	bool together;                /* all processes make each run, which is cut between them */
	struct metric_call *metrics;  /* [metric_count], set up */
	int metric_count;
	uint64_t seed;
	uint64_t first, runs;          /* exactly the runs first..runs-1; with precision at most these */
	double precision;              /* > 0: stop when every confidence interval is within this share of its mean */
	const struct control *control; /* for narrower intervals of means; NULL: none */
	int64_t only_level;            /* -1: all levels */
	bool speed_aware, drop;
	bool progress;
	FILE *notes;  /* warnings go there; NULL: nowhere */
	FILE *levels; /* a line for each level does; NULL: nowhere */
	struct comm *comm;
	const volatile sig_atomic_t *stop; /* set by a signal: end early, with what there is */
	struct checkpoint *checkpoint;     /* NULL: none */
};

/* What the runs gave; complete in the first process only. */
struct outcome {
	uint64_t runs;                /* made */
	uint64_t connections;         /* routed, over all levels and runs */
	uint64_t unroutable;          /* left out */
	bool partial;                 /* a signal ended it early */
	int stopped;                  /* that signal; 0: none */
	bool precise;                 /* the precision was reached */
	uint64_t *run;                /* [runs] the numbers of the runs made, ascending */
	double *raw[METRICS_MAX];     /* [metric][runs] the value of each run, NAN where it has none; NULL for metrics without values */
	double *values[METRICS_MAX];  /* [metric][value_count] the same without those that have none */
	double *numbers[METRICS_MAX]; /* [metric][runs][numbers] all values of the runs; raw has the first of each */
	size_t value_count[METRICS_MAX];
	double (*sums)[CONTROLS]; /* [runs] what goes with the values of each run; NULL without control */
	uint64_t *channel_sum;    /* [channels] in parts of a route; NULL if no metric wants it */
	uint64_t *channel_limit;  /* [channels] picoseconds in which it was a bottleneck, of the flow engine; NULL: nobody asks */
	double channel_unit;      /* how much one is of these, see congestion_channel_unit(); of the flow engine bits */
};

/*
 * Makes the runs. Collective. The metrics' pooled histograms are complete afterwards in the first process. Returns 0, or -1 in all
 * processes alike: STATUS_FABRIC for the first unroutable pair in the order of runs, STATUS_IO for memory. outcome_clear() in every case.
 */
int campaign_run(const struct campaign_setup *setup, struct outcome *outcome, struct error *error);
void outcome_clear(struct outcome *outcome);

/* The runs after which precision is looked at: 100, then half as many again each time. */
uint64_t campaign_next_stop(uint64_t runs);

#endif
