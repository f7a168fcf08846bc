#include "jobs/job_result.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

static double ratio(uint64_t time, uint64_t alone)
{
	return alone ? (double)time / (double)alone : NAN;
}

double job_slowdown(const struct job_result *result, uint32_t job)
{
	if (!result->seconds_together)
		return ratio(result->together[job].time, result->alone[job].time);
	return result->alone[job].time ? result->seconds_together[job] / result->seconds_alone[job] : NAN;
}

static int find_pairs(struct job_result *result, struct machine_loads *loads, struct error *error)
{
	for (uint32_t a = 0; a < loads->jobs; a++)
		for (uint32_t b = a + 1; b < loads->jobs; b++) {
			const struct job_loads *x = &loads->job[a], *y = &loads->job[b];
			uint32_t shared = shared_channels(x, y);
			if (!shared)
				continue;
			if (array_grow(&result->pair, &result->pair_capacity, (size_t)result->pairs + 1, sizeof *result->pair, error))
				return -1;
			result->pair[result->pairs++] = (struct job_pair){a, b, shared,
				{ratio(time_beside(loads, x, y), result->alone[a].time),
					ratio(time_beside(loads, y, x), result->alone[b].time)}};
		}
	return 0;
}

static int compare_channels(const void *left, const void *right)
{
	const struct hot_channel *a = left, *b = right;
	if (a->routes != b->routes)
		return a->routes > b->routes ? -1 : 1;
	return (a->channel > b->channel) - (a->channel < b->channel);
}

static void keep_pair(void *data, struct pair pair)
{
	struct channel_user *user = data;
	user->routes++;
	if (user->pairs < PAIRS_SHOWN)
		user->pair[user->pairs++] = pair;
}

static int find_users(struct job_result *result, struct machine_loads *loads, struct hot_channel *hot, struct error *error)
{
	hot->first = (uint32_t)result->users;
	for (uint32_t j = 0; j < loads->jobs; j++) {
		const struct job_loads *job = &loads->job[j];
		struct channel_user user = {.job = j};
		if (!job->used || !(job->used[hot->channel / 64] >> hot->channel % 64 & 1) ||
			!pairs_over(loads, job, hot->step % job->levels, hot->channel, keep_pair, &user))
			continue;
		if (array_grow(&result->user, &result->user_capacity, result->users + 1, sizeof *result->user, error))
			return -1;
		result->user[result->users++] = user;
		hot->users++;
	}
	return 0;
}

static int find_channels(struct job_result *result, struct machine_loads *loads, const uint32_t *peak, const uint32_t *step, uint32_t top,
	struct error *error)
{
	result->channel = array_create(loads->fabric->channels, sizeof *result->channel, error);
	if (!result->channel)
		return -1;
	for (uint32_t c = 0; c < loads->fabric->channels; c++)
		if (peak[c])
			result->channel[result->channels++] = (struct hot_channel){.channel = c, .routes = peak[c], .step = step[c]};
	qsort(result->channel, result->channels, sizeof *result->channel, compare_channels);
	result->channels = result->channels < top ? result->channels : top;
	for (uint32_t i = 0; i < result->channels; i++)
		if (find_users(result, loads, &result->channel[i], error))
			return -1;
	return 0;
}

int job_result_find(struct job_result *result, struct machine_loads *loads, uint32_t top, struct error *error)
{
	uint32_t *peak = array_create(loads->fabric->channels, sizeof *peak, error);
	uint32_t *step = array_create(loads->fabric->channels, sizeof *step, error);
	*result = (struct job_result){
		.jobs = loads->jobs,
		.alone = array_create(loads->jobs, sizeof *result->alone, error),
		.together = array_create(loads->jobs, sizeof *result->together, error),
	};
	if (!error->status) {
		for (uint32_t j = 0; j < loads->jobs; j++)
			result->alone[j] = weights_alone(loads, &loads->job[j]);
		weights_together(loads, result->together, peak, step);
		if (!find_pairs(result, loads, error))
			find_channels(result, loads, peak, step, top, error);
	}
	free(peak);
	free(step);
	return error->status ? -1 : 0;
}

void job_result_clear(struct job_result *result)
{
	free(result->alone);
	free(result->together);
	free(result->seconds_alone);
	free(result->seconds_together);
	free(result->pair);
	free(result->channel);
	free(result->user);
	*result = (struct job_result){0};
}
