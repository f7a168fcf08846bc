/*
 * The longest path through the communication graph of the first pattern; the length of a message is its weight under the traffic of both
 * patterns. A rank sends in a level when everything that it received in earlier levels has arrived; with --serialise-sends, also after its
 * own earlier sends.
 */
#include "base/memory.h"
#include "metrics/metric.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct clocks {
	double *time, *next; /* [ranks] before and after the level */
	uint32_t *changed;   /* [ranks] the ranks whose next differs from time */
	uint32_t changes;
};

static int dep_max_delay_setup(struct metric_call *call, struct error *error)
{
	struct clocks *clocks = call->data = array_create(1, sizeof *clocks, error);
	if (!clocks)
		return -1;
	clocks->time = array_create(call->ranks, sizeof *clocks->time, error);
	clocks->next = array_create(call->ranks, sizeof *clocks->next, error);
	clocks->changed = array_create(call->ranks, sizeof *clocks->changed, error);
	return error->status ? -1 : 0;
}

static void dep_max_delay_cleanup(struct metric_call *call)
{
	struct clocks *clocks = call->data;
	if (clocks) {
		free(clocks->time);
		free(clocks->next);
		free(clocks->changed);
	}
	free(clocks);
}

static void dep_max_delay_begin_run(struct metric_call *call)
{
	struct clocks *clocks = call->data;
	memset(clocks->time, 0, call->ranks * sizeof *clocks->time);
	memset(clocks->next, 0, call->ranks * sizeof *clocks->next);
	clocks->changes = 0;
}

static void not_before(struct clocks *clocks, uint32_t rank, double time)
{
	if (time <= clocks->next[rank])
		return;
	if (clocks->next[rank] == clocks->time[rank])
		clocks->changed[clocks->changes++] = rank;
	clocks->next[rank] = time;
}

static void dep_max_delay_pairs(struct metric_call *call, const struct weighed *pairs, size_t count, int part)
{
	struct clocks *clocks = call->data;
	if (part)
		return;
	for (size_t i = 0; i < count; i++) {
		double done = clocks->time[pairs[i].pair.sender] + pairs[i].weight;
		not_before(clocks, pairs[i].pair.receiver, done);
		if (call->serialise_sends)
			not_before(clocks, pairs[i].pair.sender, done);
	}
}

static int dep_max_delay_level(struct metric_call *call, const struct level *level, struct error *error)
{
	(void)level, (void)error;
	struct clocks *clocks = call->data;
	call->levels++;
	for (uint32_t i = 0; i < clocks->changes; i++)
		clocks->time[clocks->changed[i]] = clocks->next[clocks->changed[i]];
	clocks->changes = 0;
	return 0;
}

static double dep_max_delay_end_run(struct metric_call *call)
{
	const struct clocks *clocks = call->data;
	double latest = 0;
	for (uint32_t rank = 0; rank < call->ranks; rank++)
		if (clocks->time[rank] > latest)
			latest = clocks->time[rank];
	return call->levels ? latest : NAN;
}

static int dep_max_delay_finish(const struct metric_call *call, const struct samples *samples, struct result *result, struct error *error)
{
	(void)call;
	return finish_values(samples, "delay", result, error);
}

const struct metric metric_dep_max_delay = {
	.name = "dep_max_delay",
	.summary = "longest chain of dependent messages of the first pattern, per run: histogram",
	.source = "ORCS paper 2.5, Figure 4",
	.unit = "delay: the longest chain of dependent messages, in times that a message takes without congestion",
	.gathers = METRIC_VALUES,
	.setup = dep_max_delay_setup,
	.cleanup = dep_max_delay_cleanup,
	.begin_run = dep_max_delay_begin_run,
	.pairs = dep_max_delay_pairs,
	.level = dep_max_delay_level,
	.end_run = dep_max_delay_end_run,
	.finish = dep_max_delay_finish,
};
