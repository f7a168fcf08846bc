/*
 * A mixture of experts: every rank sends parts of its tokens to the experts, one on each rank, and gets them back when the expert has them
 * all (expert parallelism: Lepikhin et al.: GShard, ICLR 2021). Some experts are more popular than others, by Zipf's law. Ranks of one
 * machine exchange over another network.
 */
#include "patterns/workload.h"

#include "base/args.h"
#include "base/memory.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

static const struct arg moe_args[] = {
	{"G", ARG_INTEGER, "1", 1, 1 << 16, "accelerators of a machine: ranks 0 to G-1 are on the first"},
	{"skew", ARG_WORD, "0", 0, 0, "exponent of the popularity of the experts, 0 (all alike) to 10, in an order that is drawn"},
	{.type = ARG_END},
};

/* Returns the share of the tokens that each expert gets, [tasks]; NULL if out of memory. */
static double *share_tokens(const struct workload_task *task, double skew, struct error *error)
{
	double *share = array_create(task->tasks, sizeof *share, error), sum = 0;
	uint32_t *expert = array_create(task->tasks, sizeof *expert, error);
	struct random random;
	random_start(&random, task->seed, RANDOM_PATTERN, task->run);
	for (uint32_t i = 0; share && expert && i < task->tasks; i++) {
		expert[i] = i;
		sum += pow(i + 1., -skew);
	}
	if (share && expert && skew > 0)
		random_shuffle(&random, expert, task->tasks);
	for (uint32_t i = 0; share && expert && i < task->tasks; i++)
		share[expert[i]] = pow(i + 1., -skew) / sum;
	free(expert);
	return share;
}

static double moe_messages(const struct workload_task *task)
{
	return 2. * task->tasks * (task->tasks - (double)task->args[0].integer);
}

static int build_moe(const struct workload_task *task, struct task_builder *builder, struct error *error)
{
	uint32_t group = (uint32_t)task->args[0].integer;
	double skew;
	if (!read_number(task->args[1].text, 0, 10, &skew))
		return error_set(error, STATUS_USAGE, "workload 'moe': skew is '%s', not a number from 0 to 10", task->args[1].text);
	if (task->tasks % group)
		return error_set(error, STATUS_USAGE, "machines of %" PRIu32 " ranks need a multiple of these, not %" PRIu32 " ranks",
			group, task->tasks);
	double *share = share_tokens(task, skew, error);
	for (uint32_t j = 0; share && j < task->tasks && task_builder_goes_on(builder); j++) {
		uint32_t first = task_builder_graph(builder)->operations, end;
		task_level(builder, 0);
		for (uint32_t i = 0; i < task->tasks; i++)
			if (i / group != j / group)
				task_message(builder, i, j, share[j] * task->bytes);
		end = task_builder_graph(builder)->operations;
		uint32_t all = task_join(builder, j);
		for (uint32_t o = first; o < end; o++)
			task_after(builder, all, o);
		task_level(builder, 1);
		for (uint32_t i = 0; i < task->tasks; i++)
			if (i / group != j / group)
				task_after(builder, task_message(builder, j, i, share[j] * task->bytes), all);
	}
	free(share);
	return error->status ? -1 : 0;
}

const struct pattern pattern_moe = {
	.name = "moe",
	.summary = "a mixture of experts: all-to-all to the experts and back, some more popular than others",
	.source = "GShard: Lepikhin et al. 2021",
	.args = moe_args,
	.drawn = true,
	.ordered = true,
	.messages = moe_messages,
	.build = build_moe,
};
