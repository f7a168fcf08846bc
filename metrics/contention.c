/*
 * What sharing costs: the makespan over that of the same messages and dependencies in a network where each message has its route for itself
 * (Jones, Engelmann 2011, section III: the latencies of the channels, plus bits divided by the smallest capacity).
 */
#include "metrics/metric.h"

#include <math.h>

enum { RATIO, ALONE, NUMBERS };

static int contention_flow(struct metric_call *call, const struct observation *seen, double *numbers, struct error *error)
{
	(void)error;
	numbers[RATIO] = seen->idle ? (double)seen->times->end / (double)seen->idle : NAN;
	numbers[ALONE] = (double)seen->idle / people_time(call);
	return 0;
}

static int contention_finish(const struct metric_call *call, const struct samples *samples, struct result *result, struct error *error)
{
	(void)error;
	finish_number(samples, RATIO, "ratio", "makespan over that without sharing (mean)", result);
	finish_number(samples, ALONE, "alone", PEOPLE_LABEL(call, "makespan without sharing, ", ""), result);
	return 0;
}

const struct metric metric_contention = {
	.name = "contention",
	.summary = "makespan over that of messages that share nothing",
	.source = "Jones, Engelmann 2011, III",
	.gathers = METRIC_VALUES,
	.wants = SEEN_TIMES | SEEN_IDLE,
	.numbers = NUMBERS,
	.flow = contention_flow,
	.finish = contention_finish,
};
