/*
 * Map and reduce: task 0 distributes, the others exchange, every ordered pair of them with a probability, and send back to task 0; each
 * proceeds when it has received everything. Source: INRFlow paper (Navaridas et al., J. Parallel Distrib. Comput. 130, 2019), section
 * 3.3.3.
 */
#include "patterns/workload.h"

static const struct arg mapreduce_args[] = {
	{"P", ARG_INTEGER, "100", 0, 100, "percent of the pairs that exchange"},
	{.type = ARG_END},
};

/* Adds the drawn pairs, as sends or as receives: the same random numbers twice, so that each task first sends all, then receives all. */
static void exchange(const struct workload_task *task, struct task_builder *builder, bool send)
{
	struct random random;
	random_start(&random, task->seed, RANDOM_PATTERN, task->run);
	for (uint32_t sender = 1; sender < task->tasks; sender++)
		for (uint32_t receiver = 1; receiver < task->tasks; receiver++) {
			if (sender == receiver || random_below(&random, 100) >= task->args[0].integer)
				continue;
			if (send)
				task_send(builder, sender, receiver, 0, task->bytes);
			else
				task_receive(builder, receiver, sender, 0);
		}
}

static int build_mapreduce(const struct workload_task *task, struct task_builder *builder, struct error *error)
{
	(void)error;
	for (uint32_t i = 1; i < task->tasks; i++) {
		task_send(builder, 0, i, 0, task->bytes);
		task_receive(builder, i, 0, 0);
	}
	task_level(builder, 1);
	exchange(task, builder, true);
	exchange(task, builder, false);
	task_level(builder, 2);
	for (uint32_t i = 1; i < task->tasks; i++) {
		task_send(builder, i, 0, 0, task->bytes);
		task_receive(builder, 0, i, 0);
	}
	return 0;
}

static double mapreduce_messages(const struct workload_task *task)
{
	double others = task->tasks - 1.0;
	return 2 * others + others * (others - 1) * (double)task->args[0].integer / 100;
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
