/* Workloads by name: those of the table, and the patterns, which become task graphs here. */
#include "workloads/workload.h"

#include "base/memory.h"
#include "base/spelling.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct workload_call {
	const struct workload *workload; /* NULL: a pattern */
	struct arg_values args;
	struct pattern_request request; /* of a pattern, with texts of its own */
	struct pattern_call *pattern;   /* as it was made for the graph before */
};

static bool named(const char *spec, const char *name)
{
	size_t length = spec_name_length(spec);
	return strlen(name) == length && !strncmp(spec, name, length);
}

static const struct pattern *find_pattern(const char *spec)
{
	const struct pattern *const *pattern = patterns;
	while (*pattern && !named(spec, (*pattern)->name))
		pattern++;
	return *pattern;
}

static const struct workload *find_workload(const char *spec)
{
	const struct workload *const *workload = workloads;
	while (*workload && !named(spec, (*workload)->name))
		workload++;
	return *workload;
}

static int unknown(const char *spec, struct error *error)
{
	const char *names[256];
	size_t count = 0;
	char name[64];
	for (size_t i = 0; workloads[i] && count < 256; i++)
		names[count++] = workloads[i]->name;
	for (size_t i = 0; patterns[i] && count < 256; i++)
		names[count++] = patterns[i]->name;
	snprintf(name, sizeof name, "%.*s", (int)spec_name_length(spec), spec);
	return error_unknown(error, "workload", name, names, count);
}

/* The parameters of a workload of the table. Returns 0, or -1. */
static int read_args(struct workload_call *call, const struct pattern_request *request, struct error *error)
{
	const char *name = call->workload->name, *colon = strchr(request->spec, ':'), *text = colon ? colon + 1 : request->argument;
	if (colon && request->argument)
		return error_set(error, STATUS_USAGE, "workload '%s' has its parameter already: '%s' is one too many", request->spec,
			request->argument);
	if (request->first || request->second || request->first_ranks >= 0)
		return error_set(error, STATUS_USAGE,
			"--frstptrn, --secptrn and --part_commsize are for the pattern 'ptrnvsptrn', not for '%s'", name);
	return args_parse(&call->args, call->workload->args, text, "workload", name, error);
}

/* A copy of a text that may be missing. */
static const char *copy_text(const char *text, struct error *error)
{
	char *copy = text ? array_create(strlen(text) + 1, 1, error) : NULL;
	return copy ? strcpy(copy, text) : NULL;
}

struct workload_call *workload_create(const struct pattern_request *request, struct error *error)
{
	struct workload_call *call = array_create(1, sizeof *call, error);
	if (!call)
		return NULL;
	call->workload = find_workload(request->spec);
	if (call->workload) {
		read_args(call, request, error);
	} else if (!find_pattern(request->spec)) {
		unknown(request->spec, error);
	} else if (!pattern_check(request, error)) {
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
	pattern_free(call->pattern);
	args_clear(&call->args);
	free((char *)call->request.spec);
	free((char *)call->request.argument);
	free((char *)call->request.first);
	free((char *)call->request.second);
	free(call);
}

int workload_count(const struct workload_call *call, uint32_t *tasks, struct error *error)
{
	*tasks = 0;
	return call->workload && call->workload->count ? call->workload->count(call->args.value, tasks, error) : 0;
}

int workload_files(const struct workload_call *call, struct files *files, struct error *error)
{
	if (!call->workload)
		return pattern_files(&call->request, files, error);
	return call->workload->files ? call->workload->files(call->args.value, files, error) : 0;
}

static bool pattern_drawn(const char *spec)
{
	return spec && find_pattern(spec)->run && !named(spec, "ptrnvsptrn");
}

bool workload_drawn(const struct workload_call *call)
{
	const struct pattern_request *request = &call->request;
	return call->workload ? call->workload->drawn
			      : pattern_drawn(request->spec) || pattern_drawn(request->first) || pattern_drawn(request->second);
}

bool workload_ordered(const struct workload_call *call)
{
	return call->workload && call->workload->ordered;
}

/* ---- patterns */

/* The patterns in which ranks pass on what they have got: a message waits for what its sender was sent, not for the level. */
static bool passes_on(const struct pattern *pattern)
{
	static const char *const names[] = {
		"tree", "bruck", "ring", "recdbl", "allreduce_ring", "allreduce_rabenseifner", "bcast_binomial"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (!strcmp(pattern->name, names[i]))
			return true;
	return false;
}

/* A pattern, or one of the two side by side, whose levels go their own way. */
struct part {
	bool data;          /* SYNC_DATA */
	uint32_t join;      /* what the messages of the level wait for, where joined */
	bool joined, begun; /* a level before has ended so; the level has messages */
	uint32_t from, to;  /* the messages of the last level that had any */
	struct pair *sent;  /* SYNC_DATA: those of the level */
	size_t count, capacity;
};

/* Takes the pairs of the levels of a pattern. */
struct task_sink {
	struct sink sink;
	struct task_builder *builder;
	double bytes;
	struct part part[2];
	struct error *error;
};

/* The first messages of a level: those of the level before must end. */
static void begin_level(struct task_builder *builder, struct part *part, uint32_t task)
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

static void take_ordered(struct task_sink *tasks, struct part *part)
{
	const struct sink *sink = &tasks->sink;
	bool first = !part->begun;
	if (first)
		begin_level(tasks->builder, part, sink->pairs[0].sender);
	for (size_t i = 0; i < sink->count; i++) {
		uint32_t message = task_message(tasks->builder, sink->pairs[i].sender, sink->pairs[i].receiver, sink->bytes[i]);
		if (part->joined)
			task_after(tasks->builder, message, part->join);
		if (first && i == 0)
			part->from = message;
		part->to = message + 1;
	}
}

static void take_data(struct task_sink *tasks, struct part *part)
{
	const struct sink *sink = &tasks->sink;
	if (array_grow(&part->sent, &part->capacity, part->count + sink->count, sizeof *part->sent, tasks->error))
		return;
	memcpy(part->sent + part->count, sink->pairs, sink->count * sizeof *part->sent);
	part->count += sink->count;
	for (size_t i = 0; i < sink->count; i++)
		task_send(tasks->builder, sink->pairs[i].sender, sink->pairs[i].receiver, 0, sink->bytes[i]);
}

/* The messages of the next block are as large as all, unless the pattern says otherwise. */
static void all_alike(struct task_sink *tasks)
{
	for (size_t i = 0; i < tasks->sink.capacity; i++)
		tasks->sink.bytes[i] = tasks->bytes;
}

static void take(struct sink *sink)
{
	struct task_sink *tasks = (struct task_sink *)sink;
	struct part *part = &tasks->part[sink->part];
	if (part->data)
		take_data(tasks, part);
	else
		take_ordered(tasks, part);
	all_alike(tasks);
}

/* What a part was sent in the level it must have before its next. */
static void end_level(struct task_builder *builder, struct part *part)
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
	struct task_sink tasks = {{.pairs = pairs, .bytes = bytes, .capacity = BLOCK, .take = take}, builder, task->bytes, {{0}}, error};
	const struct pattern *two[2] = {call->first ? call->first->pattern : call->pattern, call->second ? call->second->pattern : NULL};
	uint64_t levels = pattern_levels(call);
	for (int i = 0; i < 2 && two[i]; i++)
		tasks.part[i].data = task->sync == SYNC_DEFAULT ? passes_on(two[i]) : task->sync == SYNC_DATA;
	all_alike(&tasks);
	pattern_run(call, task->run);
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

/* The pattern for so many tasks: that of the graph before, if it was for as many. NULL on errors. */
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
	const struct workload *workload = call->workload;
	struct workload_task with_args = *task;
	*messages = 0;
	if (!workload) {
		struct pattern_call *pattern = pattern_for(call, task, error);
		*messages = pattern && pattern_levels(pattern) == 1 ? (double)pattern_pairs(pattern, -1) : 0;
		return pattern ? 0 : -1;
	}
	with_args.args = call->args.value;
	if (workload->messages && !workload->ordered)
		*messages = workload->messages(&with_args);
	return task_graph_fits(*messages, task->processes, error);
}

static int build(struct workload_call *call, const struct workload_task *task, struct task_builder *builder, struct error *error)
{
	const struct workload *workload = call->workload;
	struct workload_task with_args = *task;
	if (!workload) {
		struct pattern_call *pattern = pattern_for(call, task, error);
		return pattern ? build_pattern(pattern, task, builder, error) : -1;
	}
	if (workload->power_of_two && (task->tasks & (task->tasks - 1)))
		return error_set(error, STATUS_USAGE, "workload '%s' needs a power of two as the number of tasks, not %" PRIu32,
			workload->name, task->tasks);
	if (workload->several && task->tasks < 2)
		return error_set(error, STATUS_USAGE, "workload '%s' needs at least 2 tasks, not %" PRIu32, workload->name, task->tasks);
	with_args.args = call->args.value;
	if (workload->messages && task_graph_fits(workload->messages(&with_args), task->processes, error))
		return -1;
	return workload->build(&with_args, builder, error);
}

struct task_graph *workload_graph(struct workload_call *call, const struct workload_task *task, struct error *error)
{
	struct task_builder *builder = task_builder_create(task->tasks, error);
	if (!builder)
		return NULL;
	task_builder_stop(builder, task->stop);
	if (!build(call, task, builder, error))
		return task_builder_end(builder, error);
	task_builder_free(builder);
	return NULL;
}
