/*
 * Map and reduce: task 0 distributes, the others exchange, every ordered pair of them with a probability, and send back to task 0; each
 * proceeds when it has received everything. Source: INRFlow paper (Navaridas et al., J. Parallel Distrib. Comput. 130, 2019), section
 * 3.3.3.
 */
#include "patterns/workload.h"

#include <math.h>

static const struct arg mapreduce_args[] = {
	{"P", ARG_WORD, "100", 0, 0, "percent of the pairs that exchange, a number from 0 to 100 such as 50 or 0.05"},
	{.type = ARG_END},
};

static bool read_percent(const char *text, double *percent)
{
	return read_number(text, 0, 100, percent);
}

/* Returns the number of pairs before the next that exchanges: geometric, by inversion. */
static uint64_t draw_gap(struct random *random, double chance)
{
	double uniform = (random_bits(random) + 0.5) * 0x1p-32;
	double gap = floor(log(uniform) / log1p(-chance));
	return gap < 0x1p62 ? (uint64_t)gap : UINT64_C(1) << 62;
}

static void exchange_pair(const struct workload_task *task, struct task_builder *builder, uint32_t sender, uint32_t receiver, bool send)
{
	if (send)
		task_send(builder, sender, receiver, 0, task->bytes);
	else
		task_receive(builder, receiver, sender, 0);
}

/*
 * Adds the drawn pairs, as sends or as receives: the same random numbers twice, so that each task first sends all, then receives all. With
 * whole percents each pair has a draw; fractions are for few pairs, and draw the distances between them.
 */
static void exchange(const struct workload_task *task, struct task_builder *builder, double percent, bool send)
{
	uint64_t others = task->tasks - 1, pairs = others * (others - 1);
	struct random random;
	random_start(&random, task->seed, RANDOM_PATTERN, task->run);
	if (percent != floor(percent)) {
		for (uint64_t i = draw_gap(&random, percent / 100); i < pairs && task_builder_goes_on(builder);
			i += 1 + draw_gap(&random, percent / 100)) {
			uint32_t sender = (uint32_t)(i / (others - 1)), receiver = (uint32_t)(i % (others - 1));
			exchange_pair(task, builder, 1 + sender, 1 + receiver + (receiver >= sender), send);
		}
		return;
	}
	for (uint32_t sender = 1; sender < task->tasks && task_builder_goes_on(builder); sender++)
		for (uint32_t receiver = 1; receiver < task->tasks; receiver++)
			if (sender != receiver && random_below(&random, 100) < percent)
				exchange_pair(task, builder, sender, receiver, send);
}

static int build_mapreduce(const struct workload_task *task, struct task_builder *builder, struct error *error)
{
	double percent;
	if (!read_percent(task->args[0].text, &percent))
		return error_set(error, STATUS_USAGE, "workload 'mapreduce': P is '%s', not a number from 0 to 100", task->args[0].text);
	for (uint32_t i = 1; i < task->tasks; i++) {
		task_send(builder, 0, i, 0, task->bytes);
		task_receive(builder, i, 0, 0);
	}
	task_level(builder, 1);
	exchange(task, builder, percent, true);
	exchange(task, builder, percent, false);
	task_level(builder, 2);
	for (uint32_t i = 1; i < task->tasks; i++) {
		task_send(builder, i, 0, 0, task->bytes);
		task_receive(builder, 0, i, 0);
	}
	return 0;
}

static double mapreduce_messages(const struct workload_task *task)
{
	double others = task->tasks - 1.0, percent = 0;
	read_percent(task->args[0].text, &percent);
	return 2 * others + others * (others - 1) * percent / 100;
}

const struct pattern pattern_mapreduce = {
	.name = "mapreduce",
	.summary = "task 0 to all, P percent of the pairs of the others, all to task 0",
	.source = "INRFlow paper 3.3.3",
	.args = mapreduce_args,
	.drawn = true,
	.ordered = true,
	.messages = mapreduce_messages,
	.build = build_mapreduce,
};
