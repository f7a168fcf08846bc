/* The metric 'queue': the numbers of a run, the jobs of the first run, and the comparison of policies. */
#ifndef METRICS_QUEUE_H
#define METRICS_QUEUE_H

#include "metrics/metric.h"
#include "scheduling/schedule.h"

enum { TIME_PARTS = 20 };

/* What becomes of the jobs, each with its mean and its maximum. */
enum { QUEUE_WAIT, QUEUE_RUN, QUEUE_TURNAROUND, QUEUE_SLOWDOWN, QUEUE_BOUNDED, QUEUE_FATES };

/* The numbers of a run. */
enum {
	QUEUE_MEANS,
	QUEUE_MAXIMA = QUEUE_MEANS + QUEUE_FATES,
	QUEUE_MAKESPAN = QUEUE_MAXIMA + QUEUE_FATES,
	QUEUE_THROUGHPUT,
	QUEUE_UTILISATION,
	QUEUE_IDLE,
	QUEUE_PIECES,
	QUEUE_LEAVES,
	QUEUE_SPREAD,
	QUEUE_USED,                              /* share of the hosts in each part of the time */
	QUEUE_LENGTH = QUEUE_USED + TIME_PARTS,  /* waiting jobs in each part */
	QUEUE_POINT = QUEUE_LENGTH + TIME_PARTS, /* the policy, */
	QUEUE_SEED,                              /* and the run without it */
	QUEUE_SCHEDULER,                         /* numbers of kinds in their tables */
	QUEUE_ALLOCATION,
	QUEUE_MAPPING,
	QUEUE_NUMBERS
};

/* Fills fate[QUEUE_FATES] for a job, seconds and ratios; the slowdown of a job that takes no time is NAN. */
void queue_fate(const struct placed_job *job, double shortest, double *fate);

/* A change of the hosts in use and of the waiting jobs. */
struct queue_change {
	uint64_t time;
	int64_t used, waiting, held; /* hosts with a task, jobs, hosts that jobs hold: also those for devices */
};

/*
 * Returns a new array of all changes in the order of time, three of each job; needs: [jobs] the hosts that each holds. NULL if out of
 * memory. Time O(jobs log jobs).
 */
struct queue_change *queue_changes(
	const struct queued_job *job, const struct placed_job *placed, const uint32_t *needs, uint32_t jobs, struct error *error);

/* Fills the numbers of a run but for the policy. Returns 0, or -1. Time O(jobs log jobs). */
int queue_numbers(const struct schedule *schedule, double *numbers, struct error *error);

/* A schedule that has ended, with what it needs of its queue. */
struct queue_record {
	uint32_t jobs, hosts;
	double shortest;
	struct scheduling policy;
	struct queued_job *job; /* [jobs] */
	char *names;
	struct placed_job *placed; /* [jobs] */
	uint32_t *needs;           /* [jobs] */
	uint32_t *position;        /* [tasks] hosts of the machine */
	uint32_t *host;            /* [hosts] nodes of the fabric */
	uint32_t *leaf;            /* [hosts] */
	uint32_t leaves;
	const struct fabric *fabric;
	char *cell; /* the hosts of the row that was made last */
	size_t cell_room;
};

/* Returns a copy of a schedule, NULL if out of memory. */
struct queue_record *queue_record_create(const struct schedule *schedule, const struct fabric *fabric, struct error *error);
void queue_record_free(struct queue_record *record);

/* Returns the jobs as a table; the record is borrowed. */
struct table queue_record_rows(struct queue_record *record);

/* Adds the table that compares the policies, and for each the differences to the first over the same seeds. Returns 0, or -1. */
int queue_compare(const struct samples *samples, uint64_t points, struct result *result, struct error *error);

#endif
