/*
 * Exchange of bodies on a ring of n tasks: at stride i = 1, 2, 4, .. below n each task sends min(i, n - i) times the bytes i tasks further
 * on, and waits for the message sent to it. Source: INRFlow paper (Navaridas et al., J. Parallel Distrib. Comput. 130, 2019), section
 * 3.3.3.
 */
#include "patterns/workload.h"

static int build_nbody(const struct workload_task *task, struct task_builder *builder, struct error *error)
{
	uint64_t tasks = task->tasks;
	uint32_t level = 0;
	(void)error;
	for (uint64_t stride = 1; stride < tasks; stride *= 2) {
		double units = (double)(stride < tasks - stride ? stride : tasks - stride);
		task_level(builder, level++);
		for (uint64_t i = 0; i < tasks; i++) {
			task_send(builder, (uint32_t)i, (uint32_t)((i + stride) % tasks), 0, units * task->bytes);
			task_receive(builder, (uint32_t)i, (uint32_t)((i + tasks - stride) % tasks), 0);
		}
	}
	return 0;
}

const struct pattern pattern_nbody = {
	.name = "nbody",
	.summary = "on a ring, every task to the tasks 1, 2, 4, .. further on, stride after stride, with stride times the bytes",
	.source = "INRFlow paper 3.3.3",
	.ordered = true,
	.build = build_nbody,
};
