/*
 * The sum over the levels of the largest weight, for each run: levels follow one another, and each takes as long as its slowest connection.
 * 0 for a run that sends nothing. A pattern without levels has no value.
 */
#include "metrics/metric.h"

#include <math.h>

static int sum_max_cong_level(struct metric_call *call, const struct level *level, struct error *error)
{
	(void)error;
	call->sum += level->largest;
	call->levels++;
	return 0;
}

static double sum_max_cong_end_run(struct metric_call *call)
{
	return call->levels ? call->sum : NAN;
}

static int sum_max_cong_finish(const struct metric_call *call, const struct samples *samples, struct result *result, struct error *error)
{
	(void)call;
	return finish_values(samples, "sum", result, error);
}

const struct metric metric_sum_max_cong = {
	.name = "sum_max_cong",
	.summary = "sum over the levels of the largest weight, per run: histogram",
	.source = "ORCS paper 2.5",
	.unit = "sum: the largest weight of each level, added up, in times that a level takes without congestion",
	.gathers = METRIC_VALUES,
	.level = sum_max_cong_level,
	.end_run = sum_max_cong_end_run,
	.finish = sum_max_cong_finish,
};
