/* Programs of tasks: a list of steps of all tasks, which the end matches and turns into waits. */
#include "patterns/task_builder.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdlib.h>

static void add_step(struct task_builder *builder, enum step_kind kind, uint32_t task, uint32_t other, uint32_t tag)
{
	if (builder->error.status || !builder_has_task(builder, task))
		return;
	if (builder->step_count == UINT32_MAX)
		error_set(&builder->error, STATUS_FABRIC, "the programs have more than %" PRIu32 " steps", UINT32_MAX);
	else if (!array_grow(&builder->steps, &builder->step_capacity, builder->step_count + 1, sizeof *builder->steps, &builder->error))
		builder->steps[builder->step_count++] = (struct program_step){task, other, tag, (uint8_t)kind, builder->at};
}

void task_send(struct task_builder *builder, uint32_t task, uint32_t receiver, uint32_t tag, double bytes)
{
	add_step(builder, STEP_SEND, task, task_message(builder, task, receiver, bytes), tag);
}

void task_signal(struct task_builder *builder, uint32_t task, uint32_t receiver, uint32_t tag)
{
	uint32_t join = task_join(builder, task);
	if (!builder_has_task(builder, receiver) || !builder_goes_on(builder))
		return;
	builder->graph->receiver[join] = receiver;
	add_step(builder, STEP_SEND, task, join, tag);
}

void task_receive(struct task_builder *builder, uint32_t task, uint32_t sender, uint32_t tag)
{
	if (builder_has_task(builder, sender))
		add_step(builder, STEP_RECEIVE, task, sender, tag);
}

void task_work(struct task_builder *builder, uint32_t task, double seconds)
{
	add_step(builder, STEP_WORK, task, task_compute(builder, task, seconds), 0);
}

void task_wait(struct task_builder *builder, uint32_t task)
{
	add_step(builder, STEP_WAIT, task, 0, 0);
}

/* ---- programs: sends and receives */

/* Return sender and receiver of the message of a step. */
static uint32_t sender_of(const struct task_builder *builder, const struct program_step *step)
{
	(void)builder;
	return step->kind == STEP_SEND ? step->task : step->other;
}

static uint32_t receiver_of(const struct task_builder *builder, const struct program_step *step)
{
	return step->kind == STEP_SEND ? builder->graph->receiver[step->other] : step->task;
}

static uint32_t task_of(const struct task_builder *builder, const struct program_step *step)
{
	(void)builder;
	return step->task;
}

/* Sorts numbers of steps by a task; steps of one task keep their order. Time O(steps + tasks). */
static void sort_steps(struct task_builder *builder, struct number_list *steps,
	uint32_t (*key)(const struct task_builder *builder, const struct program_step *step))
{
	uint32_t *place = array_create((size_t)builder->graph->tasks + 1, sizeof *place, &builder->error);
	uint32_t *sorted = array_create(steps->count, sizeof *sorted, &builder->error);
	if (place && sorted) {
		for (size_t i = 0; i < steps->count; i++)
			place[key(builder, &builder->steps[steps->list[i]]) + 1]++;
		for (uint32_t task = 0; task < builder->graph->tasks; task++)
			place[task + 1] += place[task];
		for (size_t i = 0; i < steps->count; i++)
			sorted[place[key(builder, &builder->steps[steps->list[i]])]++] = steps->list[i];
		free(steps->list);
		steps->list = sorted;
		sorted = NULL;
	}
	free(place);
	free(sorted);
}

static int compare_tags(const void *left, const void *right, void *data)
{
	const uint32_t *a = left, *b = right;
	const struct program_step *steps = data;
	if (steps[*a].tag != steps[*b].tag)
		return steps[*a].tag < steps[*b].tag ? -1 : 1;
	return (*a > *b) - (*a < *b);
}

/* Lists all steps of a kind by receiver, sender and tag; equal ones in their order. */
static struct number_list steps_of_kind(struct task_builder *builder, enum step_kind kind)
{
	struct number_list steps = {0};
	for (size_t i = 0; i < builder->step_count; i++)
		steps.count += builder->steps[i].kind == kind;
	steps.list = array_create(steps.count, sizeof *steps.list, &builder->error);
	for (size_t i = 0, count = 0; steps.list && i < builder->step_count; i++)
		if (builder->steps[i].kind == kind)
			steps.list[count++] = (uint32_t)i;
	if (builder_goes_on(builder))
		sort_steps(builder, &steps, sender_of);
	if (builder_goes_on(builder))
		sort_steps(builder, &steps, receiver_of);
	for (size_t from = 0, to; builder_goes_on(builder) && from < steps.count; from = to) {
		const struct program_step *first = &builder->steps[steps.list[from]], *step;
		uint32_t sender = sender_of(builder, first), receiver = receiver_of(builder, first);
		bool tags = false;
		for (to = from + 1; to < steps.count; to++) {
			step = &builder->steps[steps.list[to]];
			if (sender_of(builder, step) != sender || receiver_of(builder, step) != receiver)
				break;
			tags |= step->tag != first->tag;
		}
		if (tags)
			qsort_r(&steps.list[from], to - from, sizeof *steps.list, compare_tags, builder->steps);
	}
	return steps;
}

static int compare_numbers(uint32_t a, uint32_t b)
{
	return (a > b) - (a < b);
}

static int compare_messages(const struct task_builder *builder, const struct program_step *a, const struct program_step *b)
{
	int order = compare_numbers(receiver_of(builder, a), receiver_of(builder, b));
	if (!order)
		order = compare_numbers(sender_of(builder, a), sender_of(builder, b));
	return order ? order : compare_numbers(a->tag, b->tag);
}

/* Assigns every receive its message. */
static void match(struct task_builder *builder)
{
	struct number_list sends = steps_of_kind(builder, STEP_SEND), receives = steps_of_kind(builder, STEP_RECEIVE);
	size_t i = 0, j = 0;
	while (builder_goes_on(builder) && (i < sends.count || j < receives.count)) {
		const struct program_step *send = i < sends.count ? &builder->steps[sends.list[i]] : NULL;
		struct program_step *receive = j < receives.count ? &builder->steps[receives.list[j]] : NULL;
		int order = !send ? 1 : !receive ? -1 : compare_messages(builder, send, receive);
		if (order < 0)
			builder_refuse(builder, send->line,
				"task %" PRIu32 " sends a message to task %" PRIu32 " (tag %" PRIu32 ") that is never received", send->task,
				receiver_of(builder, send), send->tag);
		else if (order > 0)
			builder_refuse(builder, receive->line,
				"task %" PRIu32 " waits for a message from task %" PRIu32 " (tag %" PRIu32 ") that is never sent",
				receive->task, receive->other, receive->tag);
		else
			receive->other = send->other;
		i++, j++;
	}
	free(sends.list);
	free(receives.list);
}

/* ---- programs: dependencies */

static void push(struct task_builder *builder, struct number_list *numbers, uint32_t number)
{
	if (!array_grow(&numbers->list, &numbers->capacity, numbers->count + 1, sizeof *numbers->list, &builder->error))
		numbers->list[numbers->count++] = number;
}

/* The dependencies of the next step of a task. */
struct before {
	struct number_list ended;
	uint32_t begun; /* UINT32_MAX: none */
	struct number_list sent;
};

/*
 * Makes a step that is an operation wait for the steps before it. Consecutive sends begin together: if they wait for one operation, all
 * wait for that one, otherwise the others wait for the beginning of the first; so there are at most as many waits as steps.
 */
static void order_operation(struct task_builder *builder, struct before *before, const struct program_step *step)
{
	for (size_t i = 0; i < before->ended.count; i++)
		task_after(builder, step->other, before->ended.list[i]);
	if (before->begun != UINT32_MAX)
		task_after_begun(builder, step->other, before->begun);
	if (step->kind == STEP_WORK) {
		before->ended.count = 0;
		before->begun = UINT32_MAX;
		push(builder, &before->ended, step->other);
		return;
	}
	push(builder, &before->sent, step->other);
	if (before->ended.count + (before->begun != UINT32_MAX) > 1) {
		before->ended.count = 0;
		before->begun = step->other;
	}
}

/* Ends the program of a task: if it ends with a receive, an extra operation marks the time at which the task has finished. */
static void end_program(struct task_builder *builder, struct before *before, const struct program_step *last)
{
	if (last->kind == STEP_RECEIVE)
		order_operation(builder, before, &(struct program_step){.kind = STEP_WORK, .other = task_join(builder, last->task)});
	before->ended.count = before->sent.count = 0;
	before->begun = UINT32_MAX;
}

static void order(struct task_builder *builder)
{
	struct number_list steps = {.count = builder->step_count};
	struct before before = {.begun = UINT32_MAX};
	struct program_step step_before = {0};
	steps.list = array_create(steps.count, sizeof *steps.list, &builder->error);
	for (size_t i = 0; steps.list && i < steps.count; i++)
		steps.list[i] = (uint32_t)i;
	if (steps.list)
		sort_steps(builder, &steps, task_of);
	for (size_t i = 0; builder_goes_on(builder) && i < steps.count; i++) {
		const struct program_step *step = &builder->steps[steps.list[i]];
		if (i && step->task != step_before.task)
			end_program(builder, &before, &step_before);
		step_before = *step;
		if (step->kind == STEP_RECEIVE)
			push(builder, &before.ended, step->other);
		else if (step->kind != STEP_WAIT)
			order_operation(builder, &before, step);
		else {
			for (size_t k = 0; k < before.sent.count; k++)
				push(builder, &before.ended, before.sent.list[k]);
			before.sent.count = 0;
		}
	}
	if (steps.count && !builder->error.status)
		end_program(builder, &before, &step_before);
	free(steps.list);
	free(before.ended.list);
	free(before.sent.list);
}

void builder_end_programs(struct task_builder *builder)
{
	if (builder->step_count && !builder->error.status)
		match(builder);
	if (builder->step_count && !builder->error.status)
		order(builder);
}
