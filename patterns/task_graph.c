/*
 * Task graphs. Operations are added directly to the arrays of the graph; waits are a list of pairs until the end, when counting sorts turn
 * them into the operations that each operation releases.
 */
#include "patterns/task_builder.h"

#include "base/memory.h"
#include "fabric/service_levels.h"
#include "patterns/job_queue.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
	free(graph->service_level);
	free(graph->waits);
	free(graph->job);
	free(graph->first);
	free(graph->next);
	free(graph->first_begun);
	free(graph->next_begun);
	free(graph->note);
	job_queue_free(graph->queue);
	free(graph);
}

uint32_t task_graph_service_levels(const struct task_graph *graph)
{
	uint32_t levels = graph->service_level ? 0 : 1u << SERVICE_LEVEL_OF_PAIR;
	for (uint32_t o = 0; graph->service_level && o < graph->operations; o++)
		levels |= graph->kind[o] == OPERATION_MESSAGE ? 1u << graph->service_level[o] : 0;
	return levels;
}

void job_queue_free(struct job_queue *queue)
{
	if (!queue)
		return;
	free(queue->job);
	free(queue->names);
	free(queue);
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
	builder->weight = builder->scale = 1;
	builder->service_level = SERVICE_LEVEL_OF_PAIR;
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

void task_builder_scale(struct task_builder *builder, double scale)
{
	builder->scale = scale;
}

bool task_builder_goes_on(struct task_builder *builder)
{
	return builder_goes_on(builder);
}

bool builder_goes_on(struct task_builder *builder)
{
	if (builder->stop && *builder->stop)
		error_set(&builder->error, STATUS_IO, "interrupted");
	return !builder->error.status;
}

void builder_refuse(struct task_builder *builder, uint32_t line, const char *format, ...)
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

int task_builder_check(const struct task_builder *builder, struct error *error)
{
	if (builder->error.status && !error->status)
		*error = builder->error;
	return builder->error.status ? -1 : 0;
}

/* The minimum memory of an operation, in bytes: in the graph with its dependencies, and in an engine. */
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
		(graph->service_level && grow_one(builder, &graph->service_level, sizeof *graph->service_level)) ||
		(builder->line && grow_one(builder, &builder->line, sizeof *builder->line)))
		return -1;
	builder->capacity = capacity;
	return 0;
}

bool builder_has_task(struct task_builder *builder, uint32_t task)
{
	if (task < builder->graph->tasks)
		return true;
	error_nameless(&builder->error, STATUS_FABRIC, "task %" PRIu32 " does not exist: the number of tasks is %" PRIu32, task,
		builder->graph->tasks);
	return false;
}

static uint32_t add(struct task_builder *builder, enum operation kind, uint32_t task, uint32_t receiver, double size)
{
	struct task_graph *graph = builder->graph;
	uint32_t operation = graph->operations;
	if (task >= graph->tasks || receiver >= graph->tasks || !builder_goes_on(builder)) {
		if (builder_has_task(builder, task))
			builder_has_task(builder, receiver);
		return operation;
	}
	if (!(isfinite(size) && size >= 0)) {
		error_nameless(&builder->error, STATUS_FABRIC, "task %" PRIu32 ": %g is not a %s", task, size,
			kind == OPERATION_COMPUTE || kind == OPERATION_PAUSE ? "time" : "number of bytes");
		return operation;
	}
	if (operation == UINT32_MAX - 1) {
		error_set(&builder->error, STATUS_FABRIC, "the graph has more than %" PRIu32 " operations", operation);
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
	if (graph->service_level)
		graph->service_level[operation] = builder->service_level;
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
	return add(builder, OPERATION_COMPUTE, task, task, seconds * builder->scale);
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

uint32_t task_read(struct task_builder *builder, uint32_t task, double bytes)
{
	builder->graph->transfers = true;
	return add(builder, OPERATION_READ, task, task, bytes);
}

uint32_t task_write(struct task_builder *builder, uint32_t task, double bytes)
{
	builder->graph->transfers = true;
	return add(builder, OPERATION_WRITE, task, task, bytes);
}

void task_address(struct task_builder *builder, uint32_t message, uint32_t sender, uint32_t receiver)
{
	if (builder->error.status || !builder_has_task(builder, sender) || !builder_has_task(builder, receiver))
		return;
	builder->graph->task[message] = sender;
	builder->graph->receiver[message] = receiver;
}

void task_note(struct task_builder *builder, const char *format, ...)
{
	char text[900], *note = NULL;
	va_list list;
	va_start(list, format);
	vsnprintf(text, sizeof text, format, list);
	va_end(list);
	const char *before = builder->graph->note;
	if (asprintf(&note, "%s%s%s", before ? before : "", before ? "; " : "", text) < 0) {
		error_set(&builder->error, STATUS_IO, "out of memory");
		return;
	}
	free(builder->graph->note);
	builder->graph->note = note;
}

void task_jobs(struct task_builder *builder, const uint32_t *first, uint32_t jobs)
{
	struct task_graph *graph = builder->graph;
	free(graph->job);
	graph->jobs = jobs;
	graph->job = array_create(jobs, sizeof *graph->job, &builder->error);
	if (graph->job)
		memcpy(graph->job, first, jobs * sizeof *first);
}

uint32_t task_hold(struct task_builder *builder, uint32_t task)
{
	return add(builder, OPERATION_HOLD, task, task, 0);
}

uint32_t task_release(struct task_builder *builder, uint32_t task)
{
	return add(builder, OPERATION_RELEASE, task, task, 0);
}

void task_queue(struct task_builder *builder, struct job_queue *queue, uint32_t tasks)
{
	builder->graph->queue = queue;
	builder->graph->tasks = tasks;
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

void task_service_level(struct task_builder *builder, uint8_t level)
{
	struct task_graph *graph = builder->graph;
	if (level != SERVICE_LEVEL_OF_PAIR && !graph->service_level) {
		graph->service_level = array_create(builder->capacity, sizeof *graph->service_level, &builder->error);
		for (uint32_t o = 0; graph->service_level && o < graph->operations; o++)
			graph->service_level[o] = SERVICE_LEVEL_OF_PAIR;
	}
	builder->service_level = level;
}

void task_line(struct task_builder *builder, const char *file, unsigned long line)
{
	if (!builder->line)
		builder->line = array_create(builder->capacity, sizeof *builder->line, &builder->error);
	builder->file = strcmp(file, "-") ? file : "<stdin>";
	builder->at = (uint32_t)line;
}

static void add_wait(struct task_builder *builder, struct wait_list *waits, uint32_t operation, uint32_t other)
{
	uint32_t operations = builder->graph->operations;
	if (builder->error.status)
		return;
	if (operation >= operations || other >= operations)
		error_set(&builder->error, STATUS_FABRIC, "operation %" PRIu32 " does not exist: there are %" PRIu32,
			operation < operations ? other : operation, operations);
	else if (waits->count < waits->capacity ||
		 !array_grow(&waits->list, &waits->capacity, waits->count + 1, sizeof *waits->list, &builder->error))
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

/* ---- the graph */

/* Lists the operations that each operation releases, from the list of waits, which is freed. */
static void free_ones(struct task_builder *builder, const struct wait_list *waits, uint64_t **first, uint32_t **next)
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
	for (size_t i = 0; i < waits->count && builder_goes_on(builder); i++) {
		graph->waits[waits->list[i].operation]++;
		(*first)[waits->list[i].other]++;
	}
	/* first[o] is the end of its part, and decreases to its beginning while the part is filled backwards */
	for (uint32_t o = 0; o < graph->operations; o++)
		(*first)[o + 1] += (*first)[o];
	for (size_t i = waits->count; i-- > 0 && builder_goes_on(builder);)
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

/* Removes one dependency from the operations that wait for this one. */
static void set_free(const uint64_t *first, const uint32_t *next, uint32_t operation, uint32_t *left, struct number_list *ready)
{
	for (uint64_t i = first ? first[operation] : 0; first && i < first[operation + 1]; i++)
		if (!--left[next[i]])
			ready->list[ready->count++] = next[i];
}

/* Runs all operations that can run. Returns the number of dependencies that each still has; NULL if out of memory, or if all can run. */
static uint32_t *run_all(struct task_builder *builder)
{
	const struct task_graph *graph = builder->graph;
	struct number_list ready = {.list = array_create(graph->operations, sizeof *ready.list, &builder->error)};
	uint32_t *left = array_create(graph->operations, sizeof *left, &builder->error);
	if (ready.list && left) {
		memcpy(left, graph->waits, graph->operations * sizeof *left);
		for (uint32_t o = 0; o < graph->operations; o++)
			if (!left[o])
				ready.list[ready.count++] = o;
		for (size_t i = 0; i < ready.count && builder_goes_on(builder); i++) {
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

/* ---- cycles */

static uint32_t line_of(const struct task_builder *builder, uint32_t operation)
{
	return builder->line ? builder->line[operation] : 0;
}

/* "a message of task 5 (tag 7)", "a computation of task 5 (line 12)" */
static void name_operation(const struct task_builder *builder, uint32_t operation, uint32_t waiting, char *text, size_t size)
{
	static const char *const kinds[] = {"a receive", "a computation", "a message", "a pause", "a barrier", "a hold", "a release"};
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

/* Sets the error that names the cycle in which start waits; follows dependencies within a task only if there is no other. */
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
		snprintf(text + used, sizeof text - used, ", and so on, %" PRIu32 " in the cycle", links);
	builder_refuse(builder, line_of(builder, lowest), "tasks wait for one another in a cycle: %s", text);
}

/* Finds the shortest of the cycles that exist if each operation waits only for its first unmet dependency. Time O(operations + waits). */
static void find_circle(struct task_builder *builder, const uint32_t *left)
{
	const struct wait_list *lists[] = {&builder->begun, &builder->ended};
	uint32_t operations = builder->graph->operations, start = 0, shortest = 0;
	uint32_t *blocker = array_create(operations, sizeof *blocker, &builder->error);
	uint32_t *walk = array_create(operations, sizeof *walk, &builder->error); /* the first walk to reach it, + 1 */
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
	builder_end_programs(builder);
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
