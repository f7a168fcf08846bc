/* Tasks that read or write their storage once, all at the same time. Source: INRFlow paper (Navaridas et al. 2019), section 3.5. */
#include "patterns/workload.h"

static int build_read(const struct workload_task *task, struct task_builder *builder, struct error *error)
{
	(void)error;
	for (uint32_t i = 0; i < task->tasks; i++)
		task_read(builder, i, task->bytes);
	return 0;
}

static int build_write(const struct workload_task *task, struct task_builder *builder, struct error *error)
{
	(void)error;
	for (uint32_t i = 0; i < task->tasks; i++)
		task_write(builder, i, task->bytes);
	return 0;
}

const struct pattern pattern_reads = {
	.name = "reads",
	.summary = "every task reads from its storage, with the engine flow",
	.source = "INRFlow paper 3.5",
	.ordered = true, /* they are neither pairs nor traffic */
	.build = build_read,
};

const struct pattern pattern_writes = {
	.name = "writes",
	.summary = "every task writes to its storage, with the engine flow",
	.source = "INRFlow paper 3.5",
	.ordered = true,
	.build = build_write,
};
