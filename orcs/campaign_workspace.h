/* What a campaign works on; for campaign*.c alone. */
#ifndef ORCS_CAMPAIGN_WORKSPACE_H
#define ORCS_CAMPAIGN_WORKSPACE_H

#include "cli/terminal.h"
#include "orcs/campaign.h"
#include "orcs/runs.h"

struct campaign {
	const struct campaign_setup *setup;
	struct channel_sums sums;             /* the engine's */
	uint32_t bad_source, bad_destination; /* of the run that has an unroutable pair */
	uint64_t run;                         /* the last, */
	enum run_status status;               /* and how it ended */
	struct level_taker taker;             /* pairs is NULL when no metric wants them */
	uint32_t *host;                       /* [ranks] */
	double *records;                      /* (run, value of each metric) of this process since the last merge */
	size_t used, capacity;                /* of records, in doubles */
	uint64_t bad_run;                     /* the first with an unroutable pair, UINT64_MAX: none */
	struct made made;                     /* in process 0 of all at the last merge, else of this process since then */
	uint64_t taken;                       /* of the runs of a batch: those before were taken by processes, those from here on by none */
	uint64_t *left;                       /* [lefts] runs of this process's share that a signal or a checkpoint has kept it from */
	size_t lefts, left_capacity;
	double deadline;       /* for the next checkpoint, of now(); INFINITY: none */
	double idle;           /* since when this process waits for it */
	double started, spent; /* when the runs began; seconds that checkpoints have cost each process, in the first */
	struct progress progress;
};

/* How many numbers a record has: the run, the values of the metrics, and the sums that control variates need. */
size_t record_width(const struct campaign *c);

/* Whether all intervals are narrow enough; in process 0. */
bool precise_enough(struct campaign *c, struct error *error);

/* What there is at the end, once everything is merged. Collective. Returns 0, or -1. */
int take_outcome(struct campaign *c, struct outcome *outcome, struct error *error);

#endif
