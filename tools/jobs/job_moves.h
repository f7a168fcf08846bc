/* Where jobs would disturb one another least: one job at a time moved to free machines. */
#ifndef TOOLS_JOBS_JOB_MOVES_H
#define TOOLS_JOBS_JOB_MOVES_H

#include "jobs/job_flows.h"

/* Ways to choose free machines. */
enum move_way {
	MOVE_TOGETHER, /* the leaf with room and fewest free machines, or else the leaves with most, one after another */
	MOVE_APART,    /* one machine after another, from the leaf with most free ones */
	MOVE_QUIET,    /* the leaves whose channels to other switches carry least */
	MOVE_WAYS,
};

struct job_move {
	uint32_t job;
	enum move_way way;
	uint32_t *host; /* [hosts] new hosts, in the order of its ranks; owned */
	uint32_t hosts;
	double mean[2];     /* mean over the jobs with messages of the time by the time alone today: now, then */
	double slowdown[2]; /* of the job: now, then (by its time alone today) */
};

struct job_moves {
	struct job_move *move; /* [moves] that help, the best first; at most one for a job */
	uint32_t moves;
	uint32_t tried; /* jobs that were tried */
	uint32_t free;  /* machines that no job has */
};

enum { MOVES_TRIED = 12 };

/*
 * Tries the jobs that suffer or disturb most, at most MOVES_TRIED of them, each on free machines with as many hosts as its own. Returns 0,
 * or -1 if out of memory; job_moves_clear() in either case. Time O(jobs tried * ways * steps * loaded channels).
 */
int job_moves_find(struct job_moves *moves, struct machine_loads *loads, const struct job_hosts *hosts, const struct job_result *result,
	const struct pattern_request *request, struct error *error);

/*
 * Replaces what the moves are worth by counts by what they are worth in time, by a run of all jobs for each; those that help in time
 * remain. Returns 0, or -1.
 */
int job_moves_time(struct job_moves *moves, struct machine_loads *loads, struct job_flows *flows, const struct job_result *result,
	struct error *error);
void job_moves_clear(struct job_moves *moves);

#endif
