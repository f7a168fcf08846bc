/* Who disturbs whom: jobs alone and together, pairs of jobs, and the channels with most routes. */
#ifndef JOBS_JOB_RESULT_H
#define JOBS_JOB_RESULT_H

#include "jobs/job_loads.h"

enum { PAIRS_SHOWN = 8 };

struct job_pair {
	uint32_t a, b, shared; /* jobs; channels that both use */
	double slowdown[2];    /* of a, of b: its time beside the other by its time alone; NAN without messages */
};

/* A job on a channel. */
struct channel_user {
	uint32_t job, routes;
	struct pair pair[PAIRS_SHOWN]; /* of ranks, the first ones */
	uint32_t pairs;
};

struct hot_channel {
	uint32_t channel, routes, step;
	uint32_t first, users; /* user[first] .. user[first + users - 1] */
};

struct job_result {
	uint32_t jobs;
	struct weights *alone, *together;         /* [jobs] */
	double *seconds_alone, *seconds_together; /* [jobs] by flows, see jobs/job_flows.h; NULL: not asked for */
	struct job_pair *pair;                    /* [pairs] that share channels, by jobs */
	uint32_t pairs;
	struct hot_channel *channel; /* [channels] most routes first */
	uint32_t channels;
	struct channel_user *user; /* [users] */
	size_t users, pair_capacity, user_capacity;
};

/* Computes all of it, with that many channels. Returns 0, or -1 if out of memory; job_result_clear() in either case. */
int job_result_find(struct job_result *result, struct machine_loads *loads, uint32_t top, struct error *error);
void job_result_clear(struct job_result *result);

/* Returns the time together by the time alone, in seconds if there are any; NAN without messages. */
double job_slowdown(const struct job_result *result, uint32_t job);

#endif
