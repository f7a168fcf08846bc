/*
 * All-to-all within groups of tasks, and between two halves. Source: INRFlow paper (Navaridas et al., J. Parallel Distrib. Comput. 130,
 * 2019), section 3.3.1.
 */
#include "base/memory.h"
#include "patterns/workload.h"

#include <stdlib.h>

static const struct arg group_args[] = {
	{"G", ARG_INTEGER, NULL, 1, UINT32_MAX - 1, "tasks of a group; the last may have fewer"},
	{.type = ARG_END},
};

/* Returns all tasks in order, or in random order; NULL if out of memory. */
static uint32_t *line_up(const struct workload_task *task, bool shuffle, struct error *error)
{
	uint32_t *order = array_create(task->tasks, sizeof *order, error);
	struct random random;
	for (uint32_t i = 0; order && i < task->tasks; i++)
		order[i] = i;
	random_start(&random, task->seed, RANDOM_PATTERN, task->run);
	if (order && shuffle)
		random_shuffle(&random, order, task->tasks);
	return order;
}

static int build_groups(const struct workload_task *task, struct task_builder *builder, bool shuffle, struct error *error)
{
	uint32_t tasks = task->tasks, size = (uint32_t)task->args[0].integer;
	uint32_t *order = line_up(task, shuffle, error);
	for (uint32_t i = 0; order && i < tasks && task_builder_goes_on(builder); i++) {
		uint32_t first = i / size * size, end = tasks - first < size ? tasks : first + size;
		for (uint32_t j = first; j < end; j++)
			if (j != i)
				task_message(builder, order[j], order[i], task->bytes);
	}
	free(order);
	return error->status ? -1 : 0;
}

static int build_manyalltoall(const struct workload_task *task, struct task_builder *builder, struct error *error)
{
	return build_groups(task, builder, false, error);
}

static int build_manyalltoall_random(const struct workload_task *task, struct task_builder *builder, struct error *error)
{
	return build_groups(task, builder, true, error);
}

/* In both directions; of an odd number the second half has one more. */
static int build_bisection_all(const struct workload_task *task, struct task_builder *builder, struct error *error)
{
	uint32_t *order = line_up(task, true, error), half = task->tasks / 2;
	for (uint32_t i = 0; order && i < half && task_builder_goes_on(builder); i++)
		for (uint32_t j = half; j < task->tasks; j++) {
			task_message(builder, order[i], order[j], task->bytes);
			task_message(builder, order[j], order[i], task->bytes);
		}
	free(order);
	return error->status ? -1 : 0;
}

static double groups_messages(const struct workload_task *task)
{
	double tasks = task->tasks, size = (double)task->args[0].integer;
	return tasks * ((size < tasks ? size : tasks) - 1);
}

static double bisection_messages(const struct workload_task *task)
{
	return (double)task->tasks * task->tasks / 2;
}

const struct pattern pattern_manyalltoall = {
	.name = "manyalltoall",
	.summary = "every task to all others of its group, groups of G consecutive tasks, all at once",
	.source = "INRFlow paper 3.3.1",
	.args = group_args,
	.messages = groups_messages,
	.build = build_manyalltoall,
};

const struct pattern pattern_manyalltoall_random = {
	.name = "manyalltoall_random",
	.summary = "every task to all others of its group, groups of G random tasks, all at once",
	.source = "INRFlow paper 3.3.1",
	.args = group_args,
	.drawn = true,
	.messages = groups_messages,
	.build = build_manyalltoall_random,
};

const struct pattern pattern_bisection_all = {
	.name = "bisection_all",
	.summary = "every task of each random half to every task of the other half, all at once",
	.source = "INRFlow paper 3.3.1",
	.drawn = true,
	.messages = bisection_messages,
	.build = build_bisection_all,
};
