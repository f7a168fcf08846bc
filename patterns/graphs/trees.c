/*
 * Reduction and broadcast on the binary tree in which the children of task i are 2i + 1 and 2i + 2, and a barrier, which is one after
 * another. Source: INRFlow paper (Navaridas et al., J. Parallel Distrib. Comput. 130, 2019), section 3.3.3; tree of a binary heap.
 */
#include "patterns/workload.h"

/* Each task receives from its children before it sends to its parent. */
static void reduce(const struct workload_task *task, struct task_builder *builder)
{
	for (uint64_t i = 0; i < task->tasks; i++) {
		for (uint64_t child = 2 * i + 1; child <= 2 * i + 2 && child < task->tasks; child++)
			task_receive(builder, (uint32_t)i, (uint32_t)child, 0);
		if (i)
			task_send(builder, (uint32_t)i, (uint32_t)(i - 1) / 2, 0, task->bytes);
	}
}

static void broadcast(const struct workload_task *task, struct task_builder *builder)
{
	for (uint64_t i = 0; i < task->tasks; i++) {
		if (i)
			task_receive(builder, (uint32_t)i, (uint32_t)(i - 1) / 2, 0);
		for (uint64_t child = 2 * i + 1; child <= 2 * i + 2 && child < task->tasks; child++)
			task_send(builder, (uint32_t)i, (uint32_t)child, 0, task->bytes);
	}
}

static int build_reduce_tree(const struct workload_task *task, struct task_builder *builder, struct error *error)
{
	(void)error;
	reduce(task, builder);
	return 0;
}

static int build_bcast_tree(const struct workload_task *task, struct task_builder *builder, struct error *error)
{
	(void)error;
	broadcast(task, builder);
	return 0;
}

static int build_barrier(const struct workload_task *task, struct task_builder *builder, struct error *error)
{
	(void)error;
	reduce(task, builder);
	task_level(builder, 1);
	broadcast(task, builder);
	return 0;
}

#define TREE(its_name, its_summary) \
	const struct pattern pattern_##its_name = { \
		.name = #its_name, \
		.summary = its_summary, \
		.source = "INRFlow paper 3.3.3", \
		.ordered = true, \
		.build = build_##its_name, \
	}

TREE(reduce_tree, "reduction to task 0 up a binary tree");
TREE(bcast_tree, "broadcast from task 0 down a binary tree");
TREE(barrier, "reduce_tree, then bcast_tree");
