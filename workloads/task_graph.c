/*
 * Task graphs. What is added goes straight into the arrays of the graph; waits are a list of pairs until the end, when counting sorts turn
 * them into what each operation sets free. Programs are a list of steps, of all tasks mixed, which the end matches and turns into waits.
 */
#include "workloads/task_graph.h"

#include "base/memory.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum step_kind { STEP_SEND, STEP_RECEIVE, STEP_WORK, STEP_WAIT };

/* One step of the program of a task. */
struct step {
	uint32_t task;
	uint32_t other; /* the operation; of a receive the sender, and its message after match() */
	uint32_t tag;
	uint8_t kind;
	uint32_t line;
};

/* The operation waits for the other. */
struct wait {
	uint32_t operation, other;
};

struct waits {
	struct wait *list;
	size_t count, capacity;
};

struct numbers {
	uint32_t *list;
	size_t count, capacity;
};

struct task_builder {
	struct task_graph *graph;
	size_t capacity; /* of the arrays of the graph */
	uint32_t level;
	uint8_t priority;
	double weight;
	const char *file; /* of the lines; NULL: none */
	uint32_t at;      /* the line */
	uint32_t *line;   /* [operations] 0: none; NULL: no operation has one */
	struct step *steps;
	size_t step_count, step_capacity;
	struct waits ended, begun;
	const volatile sig_atomic_t *stop; /* NULL: none */
	struct error error;                /* the first */
};

void task_graph_free(struct task_graph *graph)
{
	if (!graph)
		return;
	free(graph->kind);
	free(graph->task);
	free(graph->receiver);
	free(graph->size);
	free(graph->level);
	free(graph->priority);
	free(graph->weight);
	free(graph->waits);
	free(graph->first);
	free(graph->next);
	free(graph->first_begun);
	free(graph->next_begun);
	free(graph);
}

/* ---- building */

struct task_builder *task_builder_create(uint32_t tasks, struct error *error)
{
	struct task_builder *builder = array_create(1, sizeof *builder, error);
	if (!builder)
		return NULL;
	builder->graph = array_create(1, sizeof *builder->graph, error);
	if (!builder->graph) {
		free(builder);
		return NULL;
	}
	builder->graph->tasks = tasks;
	builder->graph->levels = 1;
	builder->weight = 1;
	return builder;
}

void task_builder_free(struct task_builder *builder)
{
	if (!builder)
		return;
	task_graph_free(builder->graph);
	free(builder->line);
	free(builder->steps);
	free(builder->ended.list);
	free(builder->begun.list);
	free(builder);
}

void task_builder_stop(struct task_builder *builder, const volatile sig_atomic_t *stop)
{
	builder->stop = stop;
}

/* Whether there is no error so far, such as the end that a signal asks for. */
static bool goes_on(struct task_builder *builder)
{
	if (builder->stop && *builder->stop)
		error_set(&builder->error, STATUS_IO, "interrupted");
	return !builder->error.status;
}

int task_builder_check(const struct task_builder *builder, struct error *error)
{
	if (builder->error.status && !error->status)
		*error = builder->error;
	return builder->error.status ? -1 : 0;
}

/* What an operation takes at least, in bytes: in the graph with what it waits for, and in an engine besides. */
enum { GRAPH_BYTES = 24, ENGINE_BYTES = 40 };

int task_graph_fits(double messages, unsigned processes, struct error *error)
{
	return memory_check(messages * (GRAPH_BYTES + ENGINE_BYTES), messages, "messages", processes, error);
}

/* Grows an array of the graph from the builder's capacity. */
static int grow_one(struct task_builder *builder, void *array, size_t size)
{
	size_t capacity = builder->capacity;
	return array_grow(array, &capacity, builder->capacity + 1, size, &builder->error);
}

static int grow(struct task_builder *builder)
{
	struct task_graph *graph = builder->graph;
	size_t old = builder->capacity, capacity = old ? 2 * old : 16; /* as array_grow() does */
	if (memory_check((double)(capacity - old) * GRAPH_BYTES, (double)(capacity - old), "more operations", 1, &builder->error) ||
		grow_one(builder, &graph->kind, sizeof *graph->kind) || grow_one(builder, &graph->task, sizeof *graph->task) ||
		grow_one(builder, &graph->receiver, sizeof *graph->receiver) || grow_one(builder, &graph->size, sizeof *graph->size) ||
		(graph->level && grow_one(builder, &graph->level, sizeof *graph->level)) ||
		(graph->priority && grow_one(builder, &graph->priority, sizeof *graph->priority)) ||
		(graph->weight && grow_one(builder, &graph->weight, sizeof *graph->weight)) ||
		(builder->line && grow_one(builder, &builder->line, sizeof *builder->line)))
		return -1;
	builder->capacity = capacity;
	return 0;
}

static bool task_exists(struct task_builder *builder, uint32_t task)
{
	if (task < builder->graph->tasks)
		return true;
	error_nameless(&builder->error, STATUS_FABRIC, "task %" PRIu32 " does not exist: there are %" PRIu32, task, builder->graph->tasks);
	return false;
}

static uint32_t add(struct task_builder *builder, enum operation kind, uint32_t task, uint32_t receiver, double size)
{
	struct task_graph *graph = builder->graph;
	uint32_t operation = graph->operations;
	if (task >= graph->tasks || receiver >= graph->tasks || !goes_on(builder)) {
		if (task_exists(builder, task))
			task_exists(builder, receiver);
		return operation;
	}
	if (!(isfinite(size) && size >= 0)) {
		error_nameless(&builder->error, STATUS_FABRIC, "task %" PRIu32 ": %g is no %s", task, size,
			kind == OPERATION_MESSAGE ? "number of bytes" : "time");
		return operation;
	}
	if (operation == UINT32_MAX - 1) {
		error_set(&builder->error, STATUS_FABRIC, "there may be %" PRIu32 " operations", operation);
		return operation;
	}
	if (operation == builder->capacity && grow(builder))
		return operation;
	graph->kind[operation] = (uint8_t)kind;
	graph->task[operation] = task;
	graph->receiver[operation] = receiver;
	graph->size[operation] = size;
	if (graph->level)
		graph->level[operation] = builder->level;
	if (graph->priority)
		graph->priority[operation] = builder->priority;
	if (graph->weight)
		graph->weight[operation] = builder->weight;
	if (builder->line)
		builder->line[operation] = builder->at;
	return graph->operations++;
}

uint32_t task_message(struct task_builder *builder, uint32_t sender, uint32_t receiver, double bytes)
{
	return add(builder, OPERATION_MESSAGE, sender, receiver, bytes);
}

uint32_t task_compute(struct task_builder *builder, uint32_t task, double seconds)
{
	return add(builder, OPERATION_COMPUTE, task, task, seconds);
}

uint32_t task_pause(struct task_builder *builder, uint32_t task, double seconds)
{
	return add(builder, OPERATION_PAUSE, task, task, seconds);
}

uint32_t task_join(struct task_builder *builder, uint32_t task)
{
	return add(builder, OPERATION_JOIN, task, task, 0);
}

uint32_t task_barrier(struct task_builder *builder, uint32_t task)
{
	return add(builder, OPERATION_BARRIER, task, task, 0);
}

void task_level(struct task_builder *builder, uint32_t level)
{
	struct task_graph *graph = builder->graph;
	if (level == UINT32_MAX) {
		error_set(&builder->error, STATUS_FABRIC, "level %" PRIu32 " is too large", level);
		return;
	}
	if (level && !graph->level)
		graph->level = array_create(builder->capacity, sizeof *graph->level, &builder->error);
	builder->level = level;
	if (level >= graph->levels)
		graph->levels = level + 1;
}

void task_priority(struct task_builder *builder, uint8_t priority)
{
	struct task_graph *graph = builder->graph;
	if (priority && !graph->priority)
		graph->priority = array_create(builder->capacity, sizeof *graph->priority, &builder->error);
	builder->priority = priority;
}

void task_weight(struct task_builder *builder, double weight)
{
	struct task_graph *graph = builder->graph;
	if (weight != 1 && !graph->weight) {
		graph->weight = array_create(builder->capacity, sizeof *graph->weight, &builder->error);
		for (uint32_t o = 0; graph->weight && o < graph->operations; o++)
			graph->weight[o] = 1;
	}
	builder->weight = weight;
}

void task_line(struct task_builder *builder, const char *file, unsigned long line)
{
	if (!builder->line)
		builder->line = array_create(builder->capacity, sizeof *builder->line, &builder->error);
	builder->file = strcmp(file, "-") ? file : "<stdin>";
	builder->at = (uint32_t)line;
}

static void add_wait(struct task_builder *builder, struct waits *waits, uint32_t operation, uint32_t other)
{
	uint32_t operations = builder->graph->operations;
	if (builder->error.status)
		return;
	if (operation >= operations || other >= operations)
		error_set(&builder->error, STATUS_FABRIC, "operation %" PRIu32 " does not exist: there are %" PRIu32,
			operation < operations ? other : operation, operations);
	else if (!array_grow(&waits->list, &waits->capacity, waits->count + 1, sizeof *waits->list, &builder->error))
		waits->list[waits->count++] = (struct wait){operation, other};
}

void task_after(struct task_builder *builder, uint32_t operation, uint32_t other)
{
	add_wait(builder, &builder->ended, operation, other);
}

void task_after_begun(struct task_builder *builder, uint32_t operation, uint32_t other)
{
	add_wait(builder, &builder->begun, operation, other);
}

static void add_step(struct task_builder *builder, enum step_kind kind, uint32_t task, uint32_t other, uint32_t tag)
{
	if (builder->error.status || !task_exists(builder, task))
		return;
	if (builder->step_count == UINT32_MAX)
		error_set(&builder->error, STATUS_FABRIC, "programs may have %" PRIu32 " steps", UINT32_MAX);
	else if (!array_grow(&builder->steps, &builder->step_capacity, builder->step_count + 1, sizeof *builder->steps, &builder->error))
		builder->steps[builder->step_count++] = (struct step){task, other, tag, (uint8_t)kind, builder->at};
}

void task_send(struct task_builder *builder, uint32_t task, uint32_t receiver, uint32_t tag, double bytes)
{
	add_step(builder, STEP_SEND, task, task_message(builder, task, receiver, bytes), tag);
}

void task_receive(struct task_builder *builder, uint32_t task, uint32_t sender, uint32_t tag)
{
	if (task_exists(builder, sender))
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

/* ---- programs: what is sent and what is received */

/* Of the message that a step sends or receives. */
static uint32_t sender_of(const struct task_builder *builder, const struct step *step)
{
	(void)builder;
	return step->kind == STEP_SEND ? step->task : step->other;
}

static uint32_t receiver_of(const struct task_builder *builder, const struct step *step)
{
	return step->kind == STEP_SEND ? builder->graph->receiver[step->other] : step->task;
}

static uint32_t task_of(const struct task_builder *builder, const struct step *step)
{
	(void)builder;
	return step->task;
}

/* Sorts numbers of steps by a task, those of one in the order they had. Time O(steps + tasks). */
static void sort_steps(
	struct task_builder *builder, struct numbers *steps, uint32_t (*key)(const struct task_builder *builder, const struct step *step))
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
	const struct step *steps = data;
	if (steps[*a].tag != steps[*b].tag)
		return steps[*a].tag < steps[*b].tag ? -1 : 1;
	return (*a > *b) - (*a < *b);
}

/* All steps of a kind by receiver, sender and tag; of one such in their order. */
static struct numbers steps_of_kind(struct task_builder *builder, enum step_kind kind)
{
	struct numbers steps = {0};
	for (size_t i = 0; i < builder->step_count; i++)
		steps.count += builder->steps[i].kind == kind;
	steps.list = array_create(steps.count, sizeof *steps.list, &builder->error);
	for (size_t i = 0, count = 0; steps.list && i < builder->step_count; i++)
		if (builder->steps[i].kind == kind)
			steps.list[count++] = (uint32_t)i;
	if (goes_on(builder))
		sort_steps(builder, &steps, sender_of);
	if (goes_on(builder))
		sort_steps(builder, &steps, receiver_of);
	for (size_t from = 0, to; goes_on(builder) && from < steps.count; from = to) {
		const struct step *first = &builder->steps[steps.list[from]], *step;
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

static int compare_messages(const struct task_builder *builder, const struct step *a, const struct step *b)
{
	int order = compare_numbers(receiver_of(builder, a), receiver_of(builder, b));
	if (!order)
		order = compare_numbers(sender_of(builder, a), sender_of(builder, b));
	return order ? order : compare_numbers(a->tag, b->tag);
}

/* An error at that line, where there is one. */
__attribute__((format(printf, 3, 4))) static void refuse(struct task_builder *builder, uint32_t line, const char *format, ...)
{
	char text[900];
	va_list list;
	va_start(list, format);
	vsnprintf(text, sizeof text, format, list);
	va_end(list);
	if (line)
		error_at(&builder->error, STATUS_FABRIC, builder->file, line, "%s", text);
	else
		error_nameless(&builder->error, STATUS_FABRIC, "%s", text);
}

/* Every receive gets its message. */
static void match(struct task_builder *builder)
{
	struct numbers sends = steps_of_kind(builder, STEP_SEND), receives = steps_of_kind(builder, STEP_RECEIVE);
	size_t i = 0, j = 0;
	while (goes_on(builder) && (i < sends.count || j < receives.count)) {
		const struct step *send = i < sends.count ? &builder->steps[sends.list[i]] : NULL;
		struct step *receive = j < receives.count ? &builder->steps[receives.list[j]] : NULL;
		int order = !send ? 1 : !receive ? -1 : compare_messages(builder, send, receive);
		if (order < 0)
			refuse(builder, send->line,
				"task %" PRIu32 " sends a message to task %" PRIu32 " (tag %" PRIu32 ") that is never received", send->task,
				receiver_of(builder, send), send->tag);
		else if (order > 0)
			refuse(builder, receive->line,
				"task %" PRIu32 " waits for a message of task %" PRIu32 " (tag %" PRIu32 ") that is never sent",
				receive->task, receive->other, receive->tag);
		else
			receive->other = send->other;
		i++, j++;
	}
	free(sends.list);
	free(receives.list);
}

/* ---- programs: what waits for what */

static void push(struct task_builder *builder, struct numbers *numbers, uint32_t number)
{
	if (!array_grow(&numbers->list, &numbers->capacity, numbers->count + 1, sizeof *numbers->list, &builder->error))
		numbers->list[numbers->count++] = number;
}

/* What the next step of a task waits for. */
struct before {
	struct numbers ended;
	uint32_t begun; /* UINT32_MAX: nothing */
	struct numbers sent;
};

/*
 * A step that is an operation waits for what came before. Sends that follow each other begin together: where they wait for one operation
 * all wait for that one, else the others for the beginning of the first; so there are at most as many waits as steps.
 */
static void order_operation(struct task_builder *builder, struct before *before, const struct step *step)
{
	for (size_t i = 0; i < before->ended.count; i++)
		add_wait(builder, &builder->ended, step->other, before->ended.list[i]);
	if (before->begun != UINT32_MAX)
		add_wait(builder, &builder->begun, step->other, before->begun);
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

/* The program of a task has ended: where that is with a receive, an operation of its own says when the task has come to it. */
static void end_program(struct task_builder *builder, struct before *before, const struct step *last)
{
	if (last->kind == STEP_RECEIVE)
		order_operation(builder, before, &(struct step){.kind = STEP_WORK, .other = task_join(builder, last->task)});
	before->ended.count = before->sent.count = 0;
	before->begun = UINT32_MAX;
}

static void order_programs(struct task_builder *builder)
{
	struct numbers steps = {.count = builder->step_count};
	struct before before = {.begun = UINT32_MAX};
	struct step step_before = {0};
	steps.list = array_create(steps.count, sizeof *steps.list, &builder->error);
	for (size_t i = 0; steps.list && i < steps.count; i++)
		steps.list[i] = (uint32_t)i;
	if (steps.list)
		sort_steps(builder, &steps, task_of);
	for (size_t i = 0; goes_on(builder) && i < steps.count; i++) {
		const struct step *step = &builder->steps[steps.list[i]];
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

/* ---- the graph */

/* What each operation sets free, from the list of waits, which is freed. */
static void free_ones(struct task_builder *builder, const struct waits *waits, uint64_t **first, uint32_t **next)
{
	struct task_graph *graph = builder->graph;
	if (!waits->count || builder->error.status)
		return;
	*first = array_create((size_t)graph->operations + 1, sizeof **first, &builder->error);
	*next = array_create(waits->count, sizeof **next, &builder->error);
	if (!graph->waits)
		graph->waits = array_create(graph->operations, sizeof *graph->waits, &builder->error);
	if (builder->error.status)
		return;
	for (size_t i = 0; i < waits->count && goes_on(builder); i++) {
		graph->waits[waits->list[i].operation]++;
		(*first)[waits->list[i].other]++;
	}
	/* first[o] is the end of its part, and falls to its beginning while the part is filled from behind */
	for (uint32_t o = 0; o < graph->operations; o++)
		(*first)[o + 1] += (*first)[o];
	for (size_t i = waits->count; i-- > 0 && goes_on(builder);)
		(*next)[--(*first)[waits->list[i].other]] = waits->list[i].operation;
}

const struct task_graph *task_builder_graph(const struct task_builder *builder)
{
	return builder->graph;
}

int task_builder_waits(struct task_builder *builder, struct task_waits *waits, struct error *error)
{
	struct task_graph *graph = builder->graph;
	*waits = (struct task_waits){0};
	free_ones(builder, &builder->ended, &waits->first, &waits->next);
	free_ones(builder, &builder->begun, &waits->first_begun, &waits->next_begun);
	waits->left = graph->waits ? graph->waits : array_create(graph->operations, sizeof *waits->left, &builder->error);
	graph->waits = NULL;
	return task_builder_check(builder, error);
}

void task_waits_clear(struct task_waits *waits)
{
	free(waits->left);
	free(waits->first);
	free(waits->next);
	free(waits->first_begun);
	free(waits->next_begun);
}

/* One that waited for the operation less. */
static void set_free(const uint64_t *first, const uint32_t *next, uint32_t operation, uint32_t *left, struct numbers *ready)
{
	for (uint64_t i = first ? first[operation] : 0; first && i < first[operation + 1]; i++)
		if (!--left[next[i]])
			ready->list[ready->count++] = next[i];
}

/* How many each operation still waits for when all that can has run; NULL without memory, or when all can. */
static uint32_t *run_all(struct task_builder *builder)
{
	const struct task_graph *graph = builder->graph;
	struct numbers ready = {.list = array_create(graph->operations, sizeof *ready.list, &builder->error)};
	uint32_t *left = array_create(graph->operations, sizeof *left, &builder->error);
	if (ready.list && left) {
		memcpy(left, graph->waits, graph->operations * sizeof *left);
		for (uint32_t o = 0; o < graph->operations; o++)
			if (!left[o])
				ready.list[ready.count++] = o;
		for (size_t i = 0; i < ready.count && goes_on(builder); i++) {
			set_free(graph->first, graph->next, ready.list[i], left, &ready);
			set_free(graph->first_begun, graph->next_begun, ready.list[i], left, &ready);
		}
	}
	if (builder->error.status || ready.count == graph->operations) {
		free(left);
		left = NULL;
	}
	free(ready.list);
	return left;
}

/* ---- circles */

static uint32_t line_of(const struct task_builder *builder, uint32_t operation)
{
	return builder->line ? builder->line[operation] : 0;
}

/* "a message of task 5 (tag 7)", "a computation of task 5 (line 12)" */
static void name_operation(const struct task_builder *builder, uint32_t operation, uint32_t waiting, char *text, size_t size)
{
	static const char *const kinds[] = {"a receive", "a computation", "a message", "a pause", "a barrier"};
	const struct task_graph *graph = builder->graph;
	char more[40] = "";
	for (size_t i = 0; i < builder->step_count; i++)
		if (builder->steps[i].kind == STEP_SEND && builder->steps[i].other == operation)
			snprintf(more, sizeof more, " (tag %" PRIu32 ")", builder->steps[i].tag);
	if (graph->kind[operation] == OPERATION_MESSAGE && graph->receiver[operation] != graph->task[waiting])
		snprintf(more, sizeof more, " to task %" PRIu32, graph->receiver[operation]);
	size_t used = (size_t)snprintf(text, size, "%s of task %" PRIu32 "%s", kinds[graph->kind[operation]], graph->task[operation], more);
	if (line_of(builder, operation))
		snprintf(text + used, size - used, " (line %" PRIu32 ")", line_of(builder, operation));
}

/* The error that tells the circle in which start waits; within a task only where it has no other. */
static void tell_circle(struct task_builder *builder, const uint32_t *blocker, uint32_t start, uint32_t length)
{
	enum { TOLD = 6 };
	const uint32_t *task = builder->graph->task;
	char text[900] = "", name[100];
	size_t used = 0;
	uint32_t lowest = start, links = 0, told = 0, from = start;
	for (uint32_t i = 0; i < length; i++, from = blocker[from]) {
		bool cross = task[from] != task[blocker[from]];
		if (cross && (!links++ || task[from] < task[lowest]))
			lowest = from;
	}
	from = lowest;
	for (uint32_t i = 0; i < length && told < TOLD; i++, from = blocker[from]) {
		if (links && task[from] == task[blocker[from]])
			continue;
		name_operation(builder, blocker[from], from, name, sizeof name);
		used += (size_t)snprintf(
			text + used, sizeof text - used, "%stask %" PRIu32 " waits for %s", told++ ? ", " : "", task[from], name);
	}
	links = links ? links : length;
	if (links > told)
		snprintf(text + used, sizeof text - used, ", and so on, %" PRIu32 " in the circle", links);
	refuse(builder, line_of(builder, lowest), "tasks wait for each other in a circle: %s", text);
}

/* Of the circles that there are when each operation waits for the first it still must, the shortest. Time O(operations + waits). */
static void find_circle(struct task_builder *builder, const uint32_t *left)
{
	const struct waits *lists[] = {&builder->begun, &builder->ended};
	uint32_t operations = builder->graph->operations, start = 0, shortest = 0;
	uint32_t *blocker = array_create(operations, sizeof *blocker, &builder->error);
	uint32_t *walk = array_create(operations, sizeof *walk, &builder->error); /* the first to come there, + 1 */
	uint32_t *depth = array_create(operations, sizeof *depth, &builder->error);
	if (blocker && walk && depth) {
		memset(blocker, 0xff, operations * sizeof *blocker);
		for (int l = 0; l < 2; l++)
			for (size_t i = 0; i < lists[l]->count; i++) {
				const struct wait *wait = &lists[l]->list[i];
				if (left[wait->operation] && left[wait->other] && blocker[wait->operation] == UINT32_MAX)
					blocker[wait->operation] = wait->other;
			}
		for (uint32_t o = 0; o < operations; o++) {
			uint32_t steps = 0, at = o;
			if (!left[o])
				continue;
			for (; !walk[at]; at = blocker[at]) {
				walk[at] = o + 1;
				depth[at] = steps++;
			}
			if (walk[at] == o + 1 && (!shortest || steps - depth[at] < shortest)) {
				shortest = steps - depth[at];
				start = at;
			}
		}
		tell_circle(builder, blocker, start, shortest);
	}
	free(blocker);
	free(walk);
	free(depth);
}

struct task_graph *task_builder_end(struct task_builder *builder, struct error *error)
{
	struct task_graph *graph = builder->graph;
	if (builder->step_count && !builder->error.status)
		match(builder);
	if (builder->step_count && !builder->error.status)
		order_programs(builder);
	free_ones(builder, &builder->ended, &graph->first, &graph->next);
	free_ones(builder, &builder->begun, &graph->first_begun, &graph->next_begun);
	if (graph->waits && !builder->error.status) {
		uint32_t *left = run_all(builder);
		if (left)
			find_circle(builder, left);
		free(left);
	}
	if (builder->error.status) {
		if (!error->status)
			*error = builder->error;
		graph = NULL;
	} else {
		builder->graph = NULL;
	}
	task_builder_free(builder);
	return graph;
}
