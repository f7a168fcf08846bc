/*
 * Waves over a grid of tasks, the first dimension varying fastest, from the corner of task 0. Source: INRFlow paper (Navaridas et al.,
 * J. Parallel Distrib. Comput. 130, 2019), section 3.3.3.
 */
#include "patterns/workload.h"

#include <inttypes.h>

static const struct arg grid_args[] = {
	{"grid", ARG_DIMENSIONS, NULL, 1, UINT32_MAX - 1, "lengths of the grid; their product is the number of tasks"},
	{.type = ARG_END},
};

static int count_cells(const struct arg_value *args, uint32_t *tasks, struct error *error)
{
	uint64_t cells = 1;
	for (unsigned i = 0; i < args->dimensions && cells < UINT32_MAX; i++)
		cells *= (uint64_t)args->dimension[i];
	if (cells >= UINT32_MAX)
		return error_set(error, STATUS_USAGE, "the grid has too many cells");
	*tasks = (uint32_t)cells;
	return 0;
}

static int check_cells(const struct workload_task *task, struct error *error)
{
	uint32_t cells = 0;
	if (count_cells(task->args, &cells, error))
		return -1;
	return cells == task->tasks ? 0
				    : error_set(error, STATUS_USAGE, "the grid has %" PRIu32 " cells, but there are %" PRIu32 " tasks",
					      cells, task->tasks);
}

/* The side on which a neighbour of a task is, in the direction of the wave. */
enum side { BEFORE, BESIDE, AFTER };

typedef void visit_function(struct task_builder *builder, uint32_t task, uint32_t neighbour, double bytes);

static void receive(struct task_builder *builder, uint32_t task, uint32_t neighbour, double bytes)
{
	(void)bytes;
	task_receive(builder, task, neighbour, 0);
}

static void send(struct task_builder *builder, uint32_t task, uint32_t neighbour, double bytes)
{
	task_send(builder, task, neighbour, 0, bytes);
}

/* Returns the steps from the corner along a dimension, on a torus in the shorter direction. */
static uint32_t depth(uint32_t place, uint32_t length, bool torus)
{
	return torus && place > length / 2 ? length - place : place;
}

/* Visits all neighbours of a task on one side: dimension after dimension, the lower neighbour first. */
static void visit(
	const struct workload_task *task, struct task_builder *builder, bool torus, uint32_t i, enum side side, visit_function *call)
{
	uint32_t stride = 1;
	for (unsigned d = 0; d < task->args->dimensions; d++) {
		uint32_t length = (uint32_t)task->args->dimension[d], place = i / stride % length, base = i - place * stride;
		for (int up = 0; up < 2; up++) {
			if (length == 1 || (!torus && place == (up ? length - 1 : 0)) || (torus && length == 2 && up))
				continue;
			uint32_t other = (place + (up ? 1 : length - 1)) % length;
			uint32_t here = depth(place, length, torus), there = depth(other, length, torus);
			if (side == (there < here ? BEFORE : there == here ? BESIDE : AFTER))
				call(builder, i, base + other * stride, task->bytes);
		}
		stride *= length;
	}
}

/* The last task ends the wave with a message to the first. */
static int build_sweep(const struct workload_task *task, struct task_builder *builder, struct error *error)
{
	uint32_t last = task->tasks - 1;
	if (check_cells(task, error))
		return -1;
	for (uint32_t i = 0; i < task->tasks; i++) {
		visit(task, builder, false, i, BEFORE, receive);
		visit(task, builder, false, i, AFTER, send);
	}
	if (last) {
		task_send(builder, last, 0, 0, task->bytes);
		task_receive(builder, 0, last, 0);
	}
	return 0;
}

/*
 * On odd rings the two tasks farthest from the corner send to each other: the wave continues to all neighbours except those that it came
 * from.
 */
static int build_flood(const struct workload_task *task, struct task_builder *builder, struct error *error)
{
	if (check_cells(task, error))
		return -1;
	for (uint32_t i = 0; i < task->tasks; i++) {
		visit(task, builder, true, i, BEFORE, receive);
		visit(task, builder, true, i, BESIDE, send);
		visit(task, builder, true, i, AFTER, send);
		visit(task, builder, true, i, BESIDE, receive);
	}
	return 0;
}

#define WAVE(its_name, its_summary) \
	const struct pattern pattern_##its_name = { \
		.name = #its_name, \
		.summary = its_summary, \
		.source = "INRFlow paper 3.3.3", \
		.args = grid_args, \
		.ordered = true, \
		.count = count_cells, \
		.build = build_##its_name, \
	}

WAVE(sweep, "a wave over a grid: each task waits for its lower neighbours, then sends to the upper ones; the last to the first");
WAVE(flood, "a wave over a torus: each task waits for the neighbours nearer to task 0, then sends to all others");
