/*
 * The partners of a butterfly: for each binary digit the task whose number differs in it, if there is one; as traffic all at once, and as
 * an allreduce, digit after digit. Source: INRFlow paper (Navaridas et al., J. Parallel Distrib. Comput. 130, 2019), section 3.3.
 */
#include "patterns/workload.h"

static int build_butterfly(const struct workload_task *task, struct task_builder *builder, struct error *error)
{
	(void)error;
	for (uint64_t digit = 1; digit < task->tasks; digit *= 2)
		for (uint32_t i = 0; i < task->tasks; i++)
			if ((i ^ digit) < task->tasks)
				task_message(builder, i, i ^ (uint32_t)digit, task->bytes);
	return 0;
}

/* Every task sends to its partner and waits for the partner's message. */
static int build_allreduce(const struct workload_task *task, struct task_builder *builder, struct error *error)
{
	uint32_t level = 0;
	(void)error;
	for (uint64_t digit = 1; digit < task->tasks; digit *= 2) {
		task_level(builder, level++);
		for (uint32_t i = 0; i < task->tasks; i++) {
			uint32_t partner = i ^ (uint32_t)digit;
			if (partner >= task->tasks)
				continue;
			task_send(builder, i, partner, 0, task->bytes);
			task_receive(builder, i, partner, 0);
		}
	}
	return 0;
}

const struct pattern pattern_butterfly = {
	.name = "butterfly",
	.summary = "every task to all tasks whose number differs in one binary digit, all at once",
	.source = "INRFlow paper 3.3.1",
	.build = build_butterfly,
};

const struct pattern pattern_allreduce_butterfly = {
	.name = "allreduce_butterfly",
	.summary = "every task exchanges with the task whose number differs in one binary digit, digit after digit",
	.source = "INRFlow paper 3.3.3",
	.ordered = true,
	.build = build_allreduce,
};
