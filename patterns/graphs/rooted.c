/* All to one and one to all, at once. */
#include "patterns/workload.h"

#include <inttypes.h>
#include <string.h>

static const struct arg root_args[] = {
	{"ROOT", ARG_WORD, "0", 0, 0, "the one task, or random: drawn for every run"},
	{.type = ARG_END},
};

static bool is_random(const struct arg_value *args)
{
	return !strcmp(args[0].text, "random");
}

static int build_rooted(const struct workload_task *task, struct task_builder *builder, bool to_root, struct error *error)
{
	const char *name = to_root ? "alltoone" : "onetoall", *text = task->args[0].text;
	int64_t root;
	struct random random;
	random_start(&random, task->seed, RANDOM_PATTERN, task->run);
	if (is_random(task->args))
		root = random_below(&random, task->tasks);
	else if (!read_integer(text, 0, UINT32_MAX - 1, &root))
		return error_set(error, STATUS_USAGE, "workload '%s': ROOT is '%s', not a task from 0, or 'random'", name, text);
	if (root >= task->tasks)
		return error_set(error, STATUS_USAGE, "workload '%s': the root is task %" PRId64 ", but the number of tasks is %" PRIu32,
			name, root, task->tasks);
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
	.drawn_with = is_random,
	.build = build_alltoone,
};

const struct pattern pattern_onetoall = {
	.name = "onetoall",
	.summary = "the root to every task, all at once",
	.source = "INRFlow paper 3.3.1",
	.args = root_args,
	.drawn_with = is_random,
	.build = build_onetoall,
};
