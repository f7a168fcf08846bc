/*
 * Flows that prefer near tasks: the source is uniform, a destination h hops away has a probability proportional to decay^h. All sources are
 * drawn first, as the probabilities of the destinations of one source require a pass over all tasks. Time O(n s + F log n) for s different
 * sources. Source: INRFlow paper (Navaridas et al., J. Parallel Distrib. Comput. 130, 2019), section 3.3.1.
 */
#include "base/memory.h"
#include "patterns/traffic.h"
#include "patterns/workload.h"

#include <math.h>
#include <stdlib.h>

static const struct arg local_args[] = {
	{"F", ARG_INTEGER, NULL, 1, UINT32_MAX / 2, "number of flows"},
	{"decay", ARG_WORD, "0.5", 0, 0, "factor of a destination's probability per hop, above 0 and at most 1"},
	{.type = ARG_END},
};

/* Returns a uniform number below 1, of 53 bits. */
static double draw_share(struct random *random)
{
	uint64_t high = random_bits(random);
	return (double)(high << 21 | random_bits(random) >> 11) * 0x1p-53;
}

/* Sets reach[d] to the sum of the probabilities of tasks 0..d, in units of that of the nearest, so that they do not all underflow to 0. */
static void sum_chances(const struct workload_task *task, uint32_t source, double decay, double *reach)
{
	uint32_t nearest = UINT32_MAX, known = 0;
	double chance = 1, sum = 0;
	for (uint32_t other = 0; other < task->tasks; other++) {
		uint32_t hops = other == source ? UINT32_MAX : task->distance(task->data, source, other);
		nearest = hops < nearest ? hops : nearest;
	}
	for (uint32_t other = 0; other < task->tasks; other++) {
		if (other != source) {
			uint32_t hops = task->distance(task->data, source, other) - nearest;
			if (hops != known)
				chance = pow(decay, hops);
			known = hops;
			sum += chance;
		}
		reach[other] = sum;
	}
}

/* Returns the first task whose sum exceeds the drawn part of the whole; never the source, which adds nothing. */
static uint32_t draw_destination(struct random *random, const double *reach, uint32_t tasks)
{
	double drawn = draw_share(random) * reach[tasks - 1];
	uint32_t low = 0, high = tasks - 1;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (reach[middle] > drawn)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

static int build_local(const struct workload_task *task, struct task_builder *builder, struct error *error)
{
	double decay;
	if (!read_number(task->args[1].text, ABOVE_ZERO, 1, &decay))
		return error_set(
			error, STATUS_USAGE, "workload 'local': decay is '%s', not a number above 0 and at most 1", task->args[1].text);
	if (!task->distance)
		return error_set(error, STATUS_USAGE, "workload 'local' needs known distances between hosts");
	uint32_t *flows = array_create(task->tasks, sizeof *flows, error);
	double *reach = array_create(task->tasks, sizeof *reach, error);
	struct random random;
	random_start(&random, task->seed, RANDOM_PATTERN, task->run);
	for (int64_t i = 0; !error->status && i < task->args[0].integer; i++)
		flows[random_below(&random, task->tasks)]++;
	for (uint32_t source = 0; !error->status && source < task->tasks && !task_builder_check(builder, error); source++) {
		if (flows[source])
			sum_chances(task, source, decay, reach);
		for (uint32_t i = 0; i < flows[source]; i++)
			task_message(builder, source, draw_destination(&random, reach, task->tasks), task->bytes);
	}
	free(flows);
	free(reach);
	return error->status ? -1 : 0;
}

static double local_messages(const struct workload_task *task)
{
	return (double)task->args[0].integer;
}

const struct pattern pattern_local = {
	.name = "local",
	.summary = "F random flows, to near destinations more often than to far ones",
	.source = "INRFlow paper 3.3.1",
	.with_load = &local_with_load,
	.args = local_args,
	.several = true,
	.drawn = true,
	.near = true,
	.messages = local_messages,
	.build = build_local,
};
