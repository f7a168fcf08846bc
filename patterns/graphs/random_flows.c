/*
 * Flows between tasks drawn at random: the source uniformly, the destination among the others. Source: INRFlow paper (Navaridas et al.,
 * J. Parallel Distrib. Comput. 130, 2019), sections 3.3.1 and 3.3.3.
 */
#include "patterns/graphs/phase.h"
#include "patterns/traffic.h"
#include "patterns/workload.h"

/* Draws a destination that is not the source. */
typedef uint32_t draw_function(struct random *random, uint32_t tasks, uint32_t source);

static uint32_t draw_uniform(struct random *random, uint32_t tasks, uint32_t source)
{
	uint32_t destination = random_below(random, tasks - 1);
	return destination + (destination >= source);
}

/* Draws task 0 a hundred times as often as any other. */
static uint32_t draw_hotspot(struct random *random, uint32_t tasks, uint32_t source)
{
	enum { TIMES = 100 };
	uint32_t destination;
	do {
		uint32_t ticket = random_below(random, tasks + TIMES - 1);
		destination = ticket < TIMES ? 0 : ticket - TIMES + 1;
	} while (destination == source);
	return destination;
}

/* Draws, in one of four cases, one of the first eighth. */
static uint32_t draw_region(struct random *random, uint32_t tasks, uint32_t source)
{
	uint32_t region = tasks / 8 ? tasks / 8 : 1, destination;
	do
		destination = random_below(random, random_below(random, 4) ? tasks : region);
	while (destination == source);
	return destination;
}

/* Adds F flows: the first parameter. */
static int build_flows(const struct workload_task *task, struct task_builder *builder, draw_function *draw)
{
	struct random random;
	random_start(&random, task->seed, RANDOM_PATTERN, task->run);
	for (int64_t i = 0; i < task->args[0].integer; i++) {
		uint32_t source = random_below(&random, task->tasks);
		task_message(builder, source, draw(&random, task->tasks, source), task->bytes);
	}
	return 0;
}

static int build_random(const struct workload_task *task, struct task_builder *builder, struct error *error)
{
	(void)error;
	return build_flows(task, builder, draw_uniform);
}

static int build_hotspot_random(const struct workload_task *task, struct task_builder *builder, struct error *error)
{
	(void)error;
	return build_flows(task, builder, draw_hotspot);
}

static int build_hotregion(const struct workload_task *task, struct task_builder *builder, struct error *error)
{
	(void)error;
	return build_flows(task, builder, draw_region);
}

/* In units of 8 kbit = 1000 bytes, four fifths are 1 to 16, the others 16 to 1501. */
static int build_dcntraffic(const struct workload_task *task, struct task_builder *builder, struct error *error)
{
	struct random random;
	(void)error;
	random_start(&random, task->seed, RANDOM_PATTERN, task->run);
	for (int64_t i = 0; i < task->args[0].integer; i++) {
		uint32_t source = random_below(&random, task->tasks), destination = draw_uniform(&random, task->tasks, source);
		uint32_t units = random_below(&random, 5) ? 1 + random_below(&random, 16) : 16 + random_below(&random, 1486);
		task_message(builder, source, destination, 1000.0 * units);
	}
	return 0;
}

static int build_unstructured(const struct workload_task *task, struct task_builder *builder, struct error *error)
{
	struct phase phase = {.builder = builder, .size = (uint32_t)task->args[1].integer};
	struct random random;
	(void)error;
	random_start(&random, task->seed, RANDOM_PATTERN, task->run);
	for (int64_t i = 0; i < task->args[0].integer; i++) {
		uint32_t source = random_below(&random, task->tasks);
		phase_message(&phase, source, draw_uniform(&random, task->tasks, source), task->bytes);
	}
	return 0;
}

static double flows(const struct workload_task *task)
{
	return (double)task->args[0].integer;
}

static const struct arg flows_args[] = {
	{"F", ARG_INTEGER, NULL, 1, UINT32_MAX / 2, "number of flows"},
	{.type = ARG_END},
};

static const struct arg groups_args[] = {
	{"F", ARG_INTEGER, NULL, 1, UINT32_MAX / 2, "number of flows"},
	{"G", ARG_INTEGER, NULL, 1, UINT32_MAX / 2, "flows per group"},
	{.type = ARG_END},
};

#define FLOWS(its_name, its_args, its_order, its_load, its_summary, its_source) \
	const struct pattern pattern_##its_name = { \
		.name = #its_name, \
		.summary = its_summary, \
		.source = its_source, \
		.args = its_args, \
		.with_load = its_load, \
		.several = true, \
		.drawn = true, \
		.ordered = its_order, \
		.messages = flows, \
		.build = build_##its_name, \
	}

FLOWS(random, flows_args, false, NULL, "F flows between random tasks", "INRFlow paper 3.3.1");
FLOWS(hotspot_random, flows_args, false, NULL, "F random flows, to task 0 100 times as often as to any other", "INRFlow paper 3.3.1");
FLOWS(hotregion, flows_args, false, &hotregion_with_load, "F random flows, a quarter of which go to the first eighth of the tasks",
	"INRFlow paper 3.3.1");
FLOWS(dcntraffic, flows_args, false, NULL, "F random flows, 80% of 1 to 16 kB, 20% of 16 to 1501 kB", "INRFlow paper 3.3.3");
FLOWS(unstructured, groups_args, true, NULL, "F random flows in groups of G, one group after the other", "INRFlow paper 3.3.3");
