/*
 * Flows between tasks drawn at random: the source uniformly, the destination among the others. Source: INRFlow paper (Navaridas et al.,
 * J. Parallel Distrib. Comput. 130, 2019), sections 3.3.1 and 3.3.3.
 */
#include "patterns/graphs/phase.h"
#include "patterns/traffic.h"
#include "patterns/workload.h"

/* Draws a destination that is not the source; args: parameters of the workload. */
typedef uint32_t draw_function(struct random *random, const struct arg_value *args, uint32_t tasks, uint32_t source);

static uint32_t draw_uniform(struct random *random, const struct arg_value *args, uint32_t tasks, uint32_t source)
{
	(void)args;
	uint32_t destination = random_below(random, tasks - 1);
	return destination + (destination >= source);
}

/* Draws task 0 `times` times as often as any other. */
static uint32_t draw_hotspot(struct random *random, const struct arg_value *args, uint32_t tasks, uint32_t source)
{
	uint32_t times = (uint32_t)args[1].integer, destination;
	do {
		uint32_t ticket = random_below(random, tasks + times - 1);
		destination = ticket < times ? 0 : ticket - times + 1;
	} while (destination == source);
	return destination;
}

/* Draws, in so many percent of the cases, one of the first tasks: a part of all. A quarter is drawn as one of four cases. */
static uint32_t draw_region(struct random *random, const struct arg_value *args, uint32_t tasks, uint32_t source)
{
	uint32_t percent = (uint32_t)args[1].integer, part = (uint32_t)args[2].integer;
	uint32_t region = tasks / part ? tasks / part : 1, destination;
	do {
		bool hot = percent == 25 ? !random_below(random, 4) : random_below(random, 100) < percent;
		destination = random_below(random, hot ? region : tasks);
	} while (destination == source);
	return destination;
}

/* Adds F flows: the first parameter. */
static int build_flows(const struct workload_task *task, struct task_builder *builder, draw_function *draw)
{
	struct random random;
	random_start(&random, task->seed, RANDOM_PATTERN, task->run);
	for (int64_t i = 0; i < task->args[0].integer && task_builder_goes_on(builder); i++) {
		uint32_t source = random_below(&random, task->tasks);
		task_message(builder, source, draw(&random, task->args, task->tasks, source), task->bytes);
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

/* Flows in groups of G, if that is given. In units of 8 kbit = 1000 bytes, four fifths are 1 to 16, the others 16 to 1501. */
static int build_dcntraffic(const struct workload_task *task, struct task_builder *builder, struct error *error)
{
	int64_t group = task->args[1].integer;
	struct phase phase = {.builder = builder, .size = group ? (uint32_t)group : UINT32_MAX};
	struct random random;
	(void)error;
	random_start(&random, task->seed, RANDOM_PATTERN, task->run);
	for (int64_t i = 0; i < task->args[0].integer && task_builder_goes_on(builder); i++) {
		uint32_t source = random_below(&random, task->tasks), destination = draw_uniform(&random, NULL, task->tasks, source);
		uint32_t units = random_below(&random, 5) ? 1 + random_below(&random, 16) : 16 + random_below(&random, 1486);
		phase_message(&phase, source, destination, 1000.0 * units);
	}
	return 0;
}

static int build_unstructured(const struct workload_task *task, struct task_builder *builder, struct error *error)
{
	struct phase phase = {.builder = builder, .size = (uint32_t)task->args[1].integer};
	struct random random;
	(void)error;
	random_start(&random, task->seed, RANDOM_PATTERN, task->run);
	for (int64_t i = 0; i < task->args[0].integer && task_builder_goes_on(builder); i++) {
		uint32_t source = random_below(&random, task->tasks);
		phase_message(&phase, source, draw_uniform(&random, NULL, task->tasks, source), task->bytes);
	}
	return 0;
}

static double flows(const struct workload_task *task)
{
	return (double)task->args[0].integer;
}

#define FLOW_COUNT \
	{ \
		"F", ARG_INTEGER, NULL, 1, UINT32_MAX / 2, "number of flows" \
	}

static const struct arg flows_args[] = {
	FLOW_COUNT,
	{.type = ARG_END},
};

static const struct arg hotspot_args[] = {
	FLOW_COUNT,
	{"times", ARG_INTEGER, "100", 1, 1000000000, "how many times as often task 0 is drawn as any other"},
	{.type = ARG_END},
};

static const struct arg region_args[] = {
	FLOW_COUNT,
	{"percent", ARG_INTEGER, "25", 0, 99, "percent of the flows that go to the region"},
	{"part", ARG_INTEGER, "8", 1, UINT32_MAX / 2, "the region is the first part: one of so many"},
	{.type = ARG_END},
};

static const struct arg groups_args[] = {
	FLOW_COUNT,
	{"G", ARG_INTEGER, NULL, 1, UINT32_MAX / 2, "flows per group"},
	{.type = ARG_END},
};

static const struct arg dcn_args[] = {
	FLOW_COUNT,
	{"G", ARG_INTEGER, "0", 0, UINT32_MAX / 2, "flows per group, one after the other; by default all at once"},
	{.type = ARG_END},
};

static bool dcn_ordered(const struct arg_value *args)
{
	return args[1].integer;
}

#define FLOWS(its_name, its_args, its_order, its_ordered_with, its_load, its_summary, its_source) \
	const struct pattern pattern_##its_name = { \
		.name = #its_name, \
		.summary = its_summary, \
		.source = its_source, \
		.args = its_args, \
		.with_load = its_load, \
		.several = true, \
		.drawn = true, \
		.ordered = its_order, \
		.ordered_with = its_ordered_with, \
		.messages = flows, \
		.build = build_##its_name, \
	}

FLOWS(random, flows_args, false, NULL, NULL, "F flows between random tasks", "INRFlow paper 3.3.1");
FLOWS(hotspot_random, hotspot_args, false, NULL, NULL, "F random flows, to task 0 100 times (or `times`) as often as to any other",
	"INRFlow paper 3.3.1");
FLOWS(hotregion, region_args, false, NULL, &hotregion_with_load,
	"F random flows, a quarter (or `percent`) of which go to the first eighth (or `part`) of the tasks", "INRFlow paper 3.3.1");
FLOWS(dcntraffic, dcn_args, false, dcn_ordered, NULL,
	"F random flows, 80% of 1 to 16 kB, 20% of 16 to 1501 kB, all at once or in groups of G", "INRFlow paper 3.3.3");
FLOWS(unstructured, groups_args, true, NULL, NULL, "F random flows in groups of G, one group after the other", "INRFlow paper 3.3.3");
