/* The running jobs on a fabric, from their list to who disturbs whom. */
#ifndef JOBS_JOB_STUDY_H
#define JOBS_JOB_STUDY_H

#include "jobs/job_result.h"

#include <stdio.h>

struct job_study {
	struct machine_rules rules;
	struct job_list list;
	struct job_hosts hosts;
	struct machine_loads loads;
	struct job_result result;
};

/* Reads the list, see job_list_read(), and the rules, see machine_rules_init(). Returns 0, or -1; job_study_clear() in either case. */
int job_study_read(struct job_study *study, const char *path, const char *machine_name, const char *ports, struct error *error);

/*
 * Places the jobs on a fabric with labels, and compares them under the pattern, with that many channels. Returns 0, or -1 as
 * job_hosts_find() and machine_loads_find().
 */
int job_study_find(struct job_study *study, const struct fabric *fabric, const struct forwarding *forwarding,
	const struct pattern_request *pattern, uint32_t top, struct error *error);

/* Writes a warning of machines that the fabric does not have, and a note of hosts in several jobs, if there are any. */
void job_study_warn(const struct job_study *study, const struct fabric *fabric, const char *program, FILE *file);
void job_study_clear(struct job_study *study);

#endif
