/*
 * The channels that jobs load, level by level of their patterns, and what that costs.
 *
 * A job runs a pattern on its hosts. In step s of the machine every job is in its level s modulo the number of its levels, as ptrnvsptrn of
 * orcs begins again; levels without messages are left out. The weight of a message is the largest number of routes on a channel of its
 * route, of all jobs that are counted. A job's time is the sum over its levels of the largest weight: levels follow one another.
 */
#ifndef JOBS_JOB_LOADS_H
#define JOBS_JOB_LOADS_H

#include "fabric/forwarding.h"
#include "patterns/pairs.h"
#include "jobs/job_hosts.h"

/* The routes of a level: channels with their numbers of routes. */
struct level_loads {
	uint32_t *channel, *routes; /* [count] */
	uint32_t count;
};

struct job_loads {
	uint32_t hosts;            /* ranks */
	const uint32_t *host;      /* [hosts] borrowed */
	struct pattern_call *call; /* NULL: nobody to send to */
	uint32_t levels;           /* that have messages */
	uint64_t *level;           /* [levels] their numbers in the pattern */
	struct level_loads *load;  /* [levels] */
	uint64_t messages;         /* of all levels */
	uint64_t *used;            /* a bit for each channel that some route uses; NULL: there is no route */
	uint32_t *word;            /* [words] the indices of the words of used that are not 0 */
	uint32_t words;
};

struct machine_loads {
	const struct fabric *fabric; /* with labels */
	const struct forwarding *forwarding;
	struct job_loads *job; /* [jobs] */
	uint32_t jobs;
	uint32_t steps; /* the largest number of levels */
	size_t words;   /* of used */

	/* scratch */
	uint32_t *count;    /* [channels] all 0 between calls */
	uint32_t *channels; /* [nodes] of a route */
	uint32_t *touched;  /* [channels] */
};

/* What messages suffer. */
struct weights {
	double mean; /* over the messages of all levels; NAN: there are none */
	uint32_t most;
	uint64_t time; /* the sum over the levels of the largest weight */
};

/*
 * Counts the routes of all jobs. name: for the errors of job j, [jobs]. Returns 0, or -1: STATUS_USAGE for a pattern that a job's number of
 * hosts does not allow, STATUS_FABRIC for a pair without a route, or out of memory; machine_loads_clear() in either case. Time O(messages *
 * hops).
 */
int machine_loads_find(struct machine_loads *loads, const struct fabric *fabric, const struct forwarding *forwarding,
	const struct job_hosts *hosts, const struct pattern_request *request, const char *const *name, struct error *error);
void machine_loads_clear(struct machine_loads *loads);

/* Makes the loads of one job on these hosts, borrowed. Returns 0, or -1 as above; job_loads_clear() in either case. */
int job_loads_find(struct job_loads *job, struct machine_loads *loads, const uint32_t *host, uint32_t hosts,
	const struct pattern_request *request, struct error *error);
void job_loads_clear(struct job_loads *job);

/* The weights of a job's messages if it is alone. Time O(messages * hops). */
struct weights weights_alone(struct machine_loads *loads, const struct job_loads *job);

/*
 * The weights of all jobs' messages together, [jobs]; and of each channel the largest number of routes in a step, and the first such step,
 * [channels]. Time O(steps * messages * hops).
 */
void weights_together(struct machine_loads *loads, struct weights *weights, uint32_t *peak, uint32_t *step);

/* The times of all jobs together, [jobs]. Time O(steps * loaded channels). */
void times_together(struct machine_loads *loads, uint64_t *time);

/* The time of a job beside one other. Time O(levels * loaded channels). */
uint64_t time_beside(struct machine_loads *loads, const struct job_loads *job, const struct job_loads *other);

/* Returns the number of channels that routes of both use. */
uint32_t shared_channels(const struct job_loads *a, const struct job_loads *b);

/* Calls take() with each pair of ranks of a job's level whose route uses the channel. Returns how many there are. */
uint32_t pairs_over(struct machine_loads *loads, const struct job_loads *job, uint32_t level, uint32_t channel,
	void (*take)(void *data, struct pair pair), void *data);

#endif
