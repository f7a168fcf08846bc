/*
 * Jobs in time: the messages of every job are flows that share the channels, see engines/flow/flow.h. Jobs that run side by side begin
 * together, and each begins its pattern again when it has ended it, until all have ended it once: nobody is spared because others were
 * quicker. A job's time is that of its first pass.
 */
#ifndef JOBS_JOB_FLOWS_H
#define JOBS_JOB_FLOWS_H

#include "jobs/job_result.h"

struct job_flows;

/*
 * Returns the jobs of the loads, which are borrowed, with messages of that many bytes; cables of unknown speed carry 10 Gb/s. NULL on
 * errors: as machine_loads_find(), or jobs whose messages do not fit into memory.
 */
struct job_flows *job_flows_create(
	const struct machine_loads *loads, const struct pattern_request *request, double bytes, struct error *error);
void job_flows_free(struct job_flows *flows);

/*
 * Runs some jobs side by side, on the hosts of the loads: number: [count] ascending. time: [count] seconds, 0 for a job without messages.
 * Returns 0, or -1.
 */
int job_flows_run(struct job_flows *flows, const uint32_t *number, uint32_t count, double *time, struct error *error);

/* The same for all jobs of the loads. */
int job_flows_run_all(struct job_flows *flows, double *time, struct error *error);

/* Sets the times of a result, and the slowdowns by them. Time: that of a run for each job, each pair that shares channels, and all. */
int job_flows_compare(struct job_flows *flows, struct job_result *result, struct error *error);

#endif
