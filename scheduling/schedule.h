/*
 * The state of a queue of jobs during a run: an engine reports when jobs are submitted and have ended, and learns which jobs start, on
 * which hosts. Times are ticks of the engine. After INRFlow (Navaridas et al. 2019), section 3.4.
 */
#ifndef SCHEDULING_SCHEDULE_H
#define SCHEDULING_SCHEDULE_H

#include "base/random.h"
#include "patterns/job_queue.h"
#include "scheduling/machine.h"

struct allocation;
struct expected;
struct job_mapping;
struct scheduler;

/* How a queue is run. */
struct scheduling {
	const struct scheduler *scheduler;
	const struct allocation *allocation;
	const struct job_mapping *mapping;
	double shortest; /* seconds: in bounded slowdowns, shorter jobs count as long as that */
};

/* What became of a job. */
struct placed_job {
	uint64_t submit, start, end; /* ticks */
	uint32_t pieces;             /* runs of consecutive host numbers */
	uint32_t leaves;             /* on which it runs */
	uint32_t fewest;             /* leaves that could hold it on an empty machine */
};

struct schedule {
	struct scheduling policy;
	const struct job_queue *queue;
	struct machine machine;
	struct random random;
	uint64_t *estimate;        /* [jobs] ticks, at least 1; 0: unknown */
	struct placed_job *placed; /* [jobs] */
	uint32_t *needs;           /* [jobs] hosts that each holds: one for each task, and those outside for devices */
	uint32_t devices;          /* the most of those outside of any job */
	uint32_t *device;          /* [jobs * devices] hosts of the machine, of jobs that have started */
	uint32_t *position;        /* [tasks] hosts of the machine */
	uint32_t *host;            /* [tasks] host indices of the fabric, of jobs that have started */
	uint32_t *waiting;         /* [waits] jobs, by submission and number */
	uint32_t *running;         /* [runs] jobs */
	uint32_t *place;           /* [jobs] of a running job in running */
	bool *started;             /* [jobs] */
	uint32_t *begun;           /* [begins] jobs that the pass has started, in this order */
	uint32_t waits, runs, begins;
	uint64_t now;
	bool changed;        /* a job was submitted or has ended since the last pass */
	uint32_t *leaf_mark; /* [leaves] 1 + the last job that was counted there */
	uint32_t *smallest;  /* [jobs] workspace of schedulers, as those below */
	struct expected *expected;
	void *profile;
	size_t expected_room, profile_room;
};

/*
 * Sets up a queue before its first job on hosts of a fabric; second: ticks of a second; the seed and the run determine all draws. What it
 * is given is borrowed. Returns 0, or -1. Call schedule_clear() in either case.
 */
int schedule_init(struct schedule *schedule, const struct scheduling *policy, const struct job_queue *queue, const struct fabric *fabric,
	const uint32_t *host, uint32_t hosts, double second, uint64_t seed, uint64_t run, struct error *error);
void schedule_clear(struct schedule *schedule);

/*
 * Makes some jobs hold more hosts than tasks, for devices: the lowest free ones when it starts. devices: [jobs] at most so many.
 * Returns 0, or -1: STATUS_USAGE for a job that does not fit on the machine.
 */
int schedule_hold_devices(struct schedule *schedule, const uint32_t *devices, uint32_t most, struct error *error);

/* Report that a job was submitted, or has ended, now. */
void schedule_submit(struct schedule *schedule, uint32_t job, uint64_t now);
void schedule_end(struct schedule *schedule, uint32_t job, uint64_t now);

/*
 * Lets the scheduler start jobs, if anything has changed: begun[0..begins-1], whose tasks have their hosts now. Returns 0, or -1 if out of
 * memory.
 */
int schedule_pass(struct schedule *schedule, uint64_t now, struct error *error);

/* For schedulers: starts a waiting job that fits; it stays in the list of waiting jobs until forget_started(). */
void schedule_start(struct schedule *schedule, uint32_t job);

#endif
