/* Reads the files of queues: lines of jobs, or a log in the Standard Workload Format. */
#ifndef PATTERNS_GRAPHS_QUEUE_FILE_H
#define PATTERNS_GRAPHS_QUEUE_FILE_H

#include "patterns/graphs/part.h"
#include "patterns/job_queue.h"

/* How a job computes and communicates. */
struct queue_work {
	double compute;   /* seconds in which every task computes first */
	struct part part; /* spec NULL: nothing else */
};

struct queue_file {
	struct job_queue *queue;
	struct queue_work *work;                       /* [queue->jobs] */
	uint32_t tasks;                                /* of all jobs */
	uint64_t left_out;                             /* lines of a log without a run time or processors */
	size_t names, job_room, work_room, names_room; /* while reading */
};

/* Reads the jobs. Returns 0, or -1: STATUS_USAGE with FILE:LINE, STATUS_IO. Call queue_file_clear() in either case. */
int queue_file_read(struct queue_file *jobs, const char *path, struct error *error);
void queue_file_clear(struct queue_file *jobs);

#endif
