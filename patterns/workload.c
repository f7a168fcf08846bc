#include "patterns/workload.h"

#include "base/memory.h"
#include "fabric/service_levels.h"
#include "patterns/pairs.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct workload_call {
	struct pattern_call *own;       /* the pattern with its parameters */
	struct pattern_request request; /* for levels; its texts are owned */
	struct pattern_call *pattern;   /* for levels, as created for the graph before */
};

/* Returns a copy of a text, which may be NULL. */
static const char *copy_text(const char *text, struct error *error)
{
	char *copy = text ? array_create(strlen(text) + 1, 1, error) : NULL;
	return copy ? strcpy(copy, text) : NULL;
}

struct workload_task workload_inner(const struct workload_task *whole, uint64_t part, double bytes)
{
	return (struct workload_task){
		.tasks = whole->tasks,
		.bytes = bytes < 0 ? whole->bytes : bytes,
		.sync = whole->sync,
		.seed = whole->seed + part * UINT64_C(0x9e3779b97f4a7c15), /* the factor of Weyl's sequence of splitmix64 */
		.run = whole->run,
		.processes = whole->processes,
		.distance = whole->distance,
		.data = whole->data,
		.stop = whole->stop,
	};
}

struct workload_call *workload_create(const struct pattern_request *request, struct error *error)
{
	struct workload_call *call = array_create(1, sizeof *call, error);
	if (!call)
		return NULL;
	call->own = pattern_read(request, request->queued ? PATTERN_QUEUE : PATTERN_GRAPH, error);
	if (call->own && call->own->pattern->level) {
		call->request = *request;
		call->request.spec = copy_text(request->spec, error);
		call->request.argument = copy_text(request->argument, error);
		call->request.first = copy_text(request->first, error);
		call->request.second = copy_text(request->second, error);
	}
	if (!error->status)
		return call;
	workload_free(call);
	return NULL;
}

void workload_free(struct workload_call *call)
{
	if (!call)
		return;
	pattern_free(call->own);
	pattern_free(call->pattern);
	free((char *)call->request.spec);
	free((char *)call->request.argument);
	free((char *)call->request.first);
	free((char *)call->request.second);
	free(call);
}

int workload_count(const struct workload_call *call, uint32_t *tasks, struct error *error)
{
	const struct pattern_call *own = call->own;
	*tasks = 0;
	return own->pattern->count ? own->pattern->count(own->args.value, tasks, error) : 0;
}

static bool is_drawn(const struct pattern_call *call)
{
	if (call->pattern->two)
		return is_drawn(call->first) || is_drawn(call->second);
	if (call->pattern->drawn_with)
		return call->pattern->drawn_with(call->args.value);
	return call->pattern->level ? call->pattern->run != NULL : call->pattern->drawn;
}

bool workload_drawn(const struct workload_call *call)
{
	return is_drawn(call->own);
}

bool workload_ordered(const struct workload_call *call)
{
	const struct pattern *own = call->own->pattern;
	return own->ordered_with ? own->ordered_with(call->own->args.value) : own->ordered;
}

/* ---- levels */

/* A pattern, or one of two side by side, which proceed through their levels independently. */
struct workload_part {
	bool data;          /* SYNC_DATA */
	uint32_t join;      /* what the messages of the level wait for, if joined */
	bool joined, begun; /* an earlier level has ended this way; the level has messages */
	uint32_t from, to;  /* the messages of the last level that had any */
	struct pair *sent;  /* SYNC_DATA: those of the level */
	size_t count, capacity;
};

/* Takes the pairs of the levels of a pattern. */
struct task_sink {
	struct sink sink;
	struct task_builder *builder;
	double bytes;
	struct workload_part part[2];
	struct error *error;
};

/* Begins a level at its first message: those of the level before must end. */
static void begin_level(struct task_builder *builder, struct workload_part *part, uint32_t task)
{
	if (part->from < part->to) {
		uint32_t join = task_barrier(builder, task);
		for (uint32_t message = part->from; message < part->to; message++)
			task_after(builder, join, message);
		part->join = join;
		part->joined = true;
	}
	part->begun = true;
}

static void take_ordered(struct task_sink *tasks, struct workload_part *part)
{
	const struct sink *sink = &tasks->sink;
	bool first = !part->begun;
	if (first)
		begin_level(tasks->builder, part, sink->pairs[0].sender);
	for (size_t i = 0; i < sink->count; i++) {
		task_service_level(tasks->builder, sink->level[i]);
		uint32_t message = task_message(tasks->builder, sink->pairs[i].sender, sink->pairs[i].receiver, sink->bytes[i]);
		if (part->joined)
			task_after(tasks->builder, message, part->join);
		if (first && i == 0)
			part->from = message;
		part->to = message + 1;
	}
}

static void take_data(struct task_sink *tasks, struct workload_part *part)
{
	const struct sink *sink = &tasks->sink;
	if (array_grow(&part->sent, &part->capacity, part->count + sink->count, sizeof *part->sent, tasks->error))
		return;
	memcpy(part->sent + part->count, sink->pairs, sink->count * sizeof *part->sent);
	part->count += sink->count;
	for (size_t i = 0; i < sink->count; i++) {
		task_service_level(tasks->builder, sink->level[i]);
		task_send(tasks->builder, sink->pairs[i].sender, sink->pairs[i].receiver, 0, sink->bytes[i]);
	}
}

/* Sets the default size and level for the messages of the next block, unless the pattern sets others. */
static void all_alike(struct task_sink *tasks)
{
	for (size_t i = 0; i < tasks->sink.capacity; i++)
		tasks->sink.bytes[i] = tasks->bytes;
	memset(tasks->sink.level, SERVICE_LEVEL_OF_PAIR, tasks->sink.capacity);
}

static void take(struct sink *sink)
{
	struct task_sink *tasks = (struct task_sink *)sink;
	struct workload_part *part = &tasks->part[sink->part];
	if (part->data)
		take_data(tasks, part);
	else
		take_ordered(tasks, part);
	all_alike(tasks);
}

/* Makes the next level of a part wait for what it was sent in this one. */
static void end_level(struct task_builder *builder, struct workload_part *part)
{
	for (size_t i = 0; i < part->count; i++)
		task_receive(builder, part->sent[i].receiver, part->sent[i].sender, 0);
	part->count = 0;
	part->begun = false;
}

static int build_pattern(struct pattern_call *call, const struct workload_task *task, struct task_builder *builder, struct error *error)
{
	enum { BLOCK = 256 };
	struct pair pairs[BLOCK];
	double bytes[BLOCK];
	uint8_t levels_of[BLOCK];
	struct task_sink tasks = {
		{.pairs = pairs, .bytes = bytes, .level = levels_of, .capacity = BLOCK, .take = take}, builder, task->bytes, {{0}}, error};
	const struct pattern *two[2] = {call->first ? call->first->pattern : call->pattern, call->second ? call->second->pattern : NULL};
	uint64_t levels = pattern_levels(call);
	for (int i = 0; i < 2 && two[i]; i++)
		tasks.part[i].data = task->sync == SYNC_DEFAULT ? two[i]->passes_on : task->sync == SYNC_DATA;
	all_alike(&tasks);
	pattern_run(call, task->run, error);
	if (levels >= UINT32_MAX)
		error_set(error, STATUS_USAGE, "pattern '%s' has too many levels: %" PRIu64, call->pattern->name, levels);
	for (uint64_t level = 0; level < levels && !error->status; level++) {
		task_level(builder, (uint32_t)level);
		pattern_level(call, level, &tasks.sink);
		end_level(builder, &tasks.part[0]);
		end_level(builder, &tasks.part[1]);
	}
	free(tasks.part[0].sent);
	free(tasks.part[1].sent);
	return error->status ? -1 : 0;
}

/* Returns the pattern for a number of tasks: that of the graph before, if the number was the same. NULL on errors. */
static struct pattern_call *pattern_for(struct workload_call *call, const struct workload_task *task, struct error *error)
{
	if (!call->pattern || call->pattern->ranks != task->tasks || call->request.seed != task->seed) {
		pattern_free(call->pattern);
		call->request.seed = task->seed;
		call->pattern = pattern_create(&call->request, task->tasks, error);
		if (call->pattern && task_graph_fits((double)pattern_pairs(call->pattern, -1), task->processes, error))
			return NULL;
	}
	return call->pattern;
}

/* ---- graphs */

int workload_at_once(struct workload_call *call, const struct workload_task *task, double *messages, struct error *error)
{
	const struct pattern *own = call->own->pattern;
	struct workload_task with_args = *task;
	*messages = 0;
	if (own->level) {
		struct pattern_call *pattern = pattern_for(call, task, error);
		*messages = pattern && pattern_levels(pattern) == 1 ? (double)pattern_pairs(pattern, -1) : 0;
		return pattern ? 0 : -1;
	}
	with_args.args = call->own->args.value;
	if (own->messages && !workload_ordered(call))
		*messages = own->messages(&with_args);
	return task_graph_fits(*messages, task->processes, error);
}

static int build_own(const struct pattern *pattern, const struct workload_task *task, struct task_builder *builder, struct error *error)
{
	if (pattern_fits(pattern, task->tasks, error) ||
		(pattern->messages && task_graph_fits(pattern->messages(task), task->processes, error)))
		return -1;
	return pattern->build(task, builder, error);
}

/* Creates the graph of a pattern that has its own, or of levels. */
static struct task_graph *make_graph(
	const struct pattern *own, struct pattern_call *levels, const struct workload_task *task, struct error *error)
{
	struct task_builder *builder = task_builder_create(task->tasks, error);
	if (!builder)
		return NULL;
	task_builder_stop(builder, task->stop);
	task_builder_scale(builder, task->compute_scale > 0 ? task->compute_scale : task->compute_none ? 0 : 1);
	if (!(levels ? build_pattern(levels, task, builder, error) : build_own(own, task, builder, error)))
		return task_builder_end(builder, error);
	task_builder_free(builder);
	return NULL;
}

struct task_graph *pattern_graph(const struct pattern *pattern, const struct workload_task *task, struct error *error)
{
	return make_graph(pattern, NULL, task, error);
}

struct task_graph *workload_graph(struct workload_call *call, const struct workload_task *task, struct error *error)
{
	const struct pattern *own = call->own->pattern;
	struct workload_task with_args = *task;
	with_args.args = call->own->args.value;
	if (!own->level)
		return pattern_graph(own, &with_args, error);
	struct pattern_call *levels = pattern_for(call, task, error);
	return levels ? make_graph(NULL, levels, task, error) : NULL;
}
