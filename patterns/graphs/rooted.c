/* All to one and one to all, at once. */
#include "patterns/workload.h"

#include <inttypes.h>

static const struct arg root_args[] = {
	{"ROOT", ARG_INTEGER, "0", 0, UINT32_MAX - 1, "the one task"},
	{.type = ARG_END},
};

static int build_rooted(const struct workload_task *task, struct task_builder *builder, bool to_root, struct error *error)
{
	int64_t root = task->args[0].integer;
	if (root >= task->tasks)
		return error_set(error, STATUS_USAGE, "workload '%s': the root is task %" PRId64 ", but the number of tasks is %" PRIu32,
			to_root ? "alltoone" : "onetoall", root, task->tasks);
	for (uint32_t i = 0; i < task->tasks; i++)
		if (i != root)
			task_message(builder, to_root ? i : (uint32_t)root, to_root ? (uint32_t)root : i, task->bytes);
	return 0;
}

static int build_alltoone(const struct workload_task *task, struct task_builder *builder, struct error *error)
{
	return build_rooted(task, builder, true, error);
}

static int build_onetoall(const struct workload_task *task, struct task_builder *builder, struct error *error)
{
	return build_rooted(task, builder, false, error);
}

const struct pattern pattern_alltoone = {
	.name = "alltoone",
	.summary = "every task to the root, all at once",
	.source = "INRFlow paper 3.3.1",
	.args = root_args,
	.build = build_alltoone,
};

const struct pattern pattern_onetoall = {
	.name = "onetoall",
	.summary = "the root to every task, all at once",
	.source = "INRFlow paper 3.3.1",
	.args = root_args,
	.build = build_onetoall,
};
