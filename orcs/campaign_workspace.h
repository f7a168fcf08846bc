/* The state of a campaign; private to campaign*.c. */
#ifndef ORCS_CAMPAIGN_WORKSPACE_H
#define ORCS_CAMPAIGN_WORKSPACE_H

#include "cli/terminal.h"
#include "orcs/campaign.h"
#include "orcs/runs.h"

struct campaign {
	const struct campaign_setup *setup;
	struct channel_sums sums;             /* the engine's */
	uint32_t bad_source, bad_destination; /* of the run that has an unroutable pair */
	uint64_t run;                         /* the last run, */
	enum run_status status;               /* and its status */
	struct level_taker taker;             /* pairs is NULL when no metric wants them */
	uint32_t *host;                       /* [ranks] */
	double *records;                      /* (run, value of each metric) of this process since the last merge */
	size_t used, capacity;                /* of records, in doubles */
	uint64_t bad_run;                     /* the first with an unroutable pair, UINT64_MAX: none */
	struct made made;                     /* in process 0 of all processes at the last merge, otherwise of this process since then */
	uint64_t taken;                       /* runs of the batch that processes have taken; the runs from here on are free */
	uint64_t *left; /* [lefts] runs that this process took but did not make, because of a signal or a checkpoint */
	size_t lefts, left_capacity;
	double deadline;       /* time now() of the next checkpoint; INFINITY: none */
	double idle;           /* time since which this process waits for it */
	double started, spent; /* when the runs began; seconds that checkpoints have cost each process, in the first */
	struct progress progress;
};

/* Returns the numbers per record: the run, the values of the metrics, and the sums for control variates. */
size_t record_width(const struct campaign *c);

/* Returns whether all intervals are narrow enough; in process 0. */
bool precise_enough(struct campaign *c, struct error *error);

/* Fills the outcome once everything is merged. Collective. Returns 0, or -1. */
int take_outcome(struct campaign *c, struct outcome *outcome, struct error *error);

#endif
