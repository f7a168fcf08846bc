/* The perfect shuffle under its INRFlow name: the pattern shuffle. */
#include "patterns/workload.h"

static int build_perfectshuffle(const struct workload_task *task, struct task_builder *builder, struct error *error)
{
	(void)error;
	for (uint32_t i = 0; i < task->tasks; i++) {
		uint32_t receiver = (2 * i | (i >= task->tasks / 2)) & (task->tasks - 1);
		if (receiver != i)
			task_message(builder, i, receiver, task->bytes);
	}
	return 0;
}

const struct pattern pattern_perfectshuffle = {
	.name = "perfectshuffle",
	.summary = "every task to the task with the binary digits rotated one place to the left",
	.source = "INRFlow paper 3.3.1",
	.power_of_two = true,
	.build = build_perfectshuffle,
};
