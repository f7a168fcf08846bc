/* A queue of jobs that get hosts only when they start: what a scheduler knows of each, beside the task graph of all. */
#ifndef PATTERNS_JOB_QUEUE_H
#define PATTERNS_JOB_QUEUE_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct queued_job {
	size_t id;             /* its text begins at names[id] of the queue */
	double submit;         /* seconds */
	double estimate;       /* seconds, by the user; 0: unknown */
	uint32_t first, tasks; /* its tasks in the graph */
	bool computes;         /* it only computes: the first task, for all */
	uint32_t hold;         /* the operation that begins when the job is submitted, and ends when a scheduler starts the job */
	uint32_t release;      /* the operation that begins and ends when all others of the job have ended */
};

/* Jobs in the order of the queue: by submission, then as listed. */
struct job_queue {
	struct queued_job *job; /* [jobs] */
	uint32_t jobs;
	char *names;       /* the ids, each terminated */
	uint64_t left_out; /* lines of a log without a run time or processors */
};

/* Returns the id of a job. */
static inline const char *queued_id(const struct job_queue *queue, uint32_t job)
{
	return queue->names + queue->job[job].id;
}

void job_queue_free(struct job_queue *queue);

#endif
