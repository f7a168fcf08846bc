/*
 * Events of tasks in plain text, one per line, see orcs-traces(5). A file of nothing but 's SRC DST TAG BYTES', 'r SRC DST TAG BYTES' and
 * 'c TASK SECONDS' is a program of tasks (task_graph.h); one with requests, communicators or collective operations, or with a threshold of
 * rendezvous, is replayed as calls of MPI.
 */
#include "patterns/phases.h"
#include "patterns/workload.h"

#include "base/memory.h"
#include "patterns/graphs/trace_calls.h"

#include <stdlib.h>
#include <string.h>

enum { ARG_FILE, ARG_COLLECTIVES, ARG_EAGER, ARG_COMPUTE };
#define NO_EAGER 9007199254740992

static const struct arg trace_args[] = {
	{"FILE", ARG_WORD, NULL, 0, 0, "events, one per line: 's SRC DST TAG BYTES', 'r SRC DST TAG BYTES', 'c TASK SECONDS' and others"},
	REPLAY_ARG_COLLECTIVES,
	REPLAY_ARG_EAGER("9007199254740992", " (default: none)"),
	REPLAY_ARG_COMPUTE(", cpu (of the processor)"),
	PHASES_ARG_UNIT,
	{.type = ARG_END},
};

static int trace_count(const struct arg_value *args, uint32_t *tasks, struct error *error)
{
	struct trace_file file;
	struct trace_event event;
	struct line_numbers numbers = {0};
	int64_t last = -1;
	if (!trace_open(&file, args[ARG_FILE].text, error))
		while (trace_line(&file, error) && !trace_event_read(&file, &event, &numbers, error)) {
			int64_t task = trace_event_last_task(&event, &numbers);
			last = task > last ? task : last;
		}
	trace_close(&file);
	trace_numbers_clear(&numbers);
	if (last < 0 && !error->status)
		error_at(error, STATUS_USAGE, args[ARG_FILE].text, 0, "the file has no events");
	*tasks = (uint32_t)(last + 1);
	return error->status ? -1 : 0;
}

/* ---- programs of tasks */

/* seconds: of a computation. */
static void add_event(const struct trace_event *event, double seconds, struct task_builder *builder)
{
	uint32_t source = (uint32_t)event->source, destination = (uint32_t)event->destination, tag = (uint32_t)event->tag;
	if (event->kind == EVENT_RECEIVE) {
		task_receive(builder, destination, source, tag);
	} else if (event->kind == EVENT_COMPUTE) {
		task_work(builder, source, seconds);
	} else {
		trace_set_class(event, builder);
		task_send(builder, source, destination, tag, (double)event->bytes);
	}
}

/* ---- the file */

/* Returns whether a line of the file is more than programs of tasks have. */
static bool has_calls(const char *path, struct error *error)
{
	struct trace_file file;
	struct trace_event event = {.calls = false};
	struct line_numbers numbers = {0};
	if (!trace_open(&file, path, error))
		while (!event.calls && trace_line(&file, error)) {
			bool plain = file.end - file.next > 1 && strchr("src", *file.next) && (file.next[1] == ' ' || file.next[1] == '\t');
			size_t length = (size_t)(file.end - file.next);
			if ((!plain || memchr(file.next, '=', length) || memchr(file.next, '*', length)) &&
				trace_event_read(&file, &event, &numbers, error))
				break;
		}
	trace_close(&file);
	trace_numbers_clear(&numbers);
	return event.calls;
}

/* Reads all events, as calls if calls->replay is set. */
static int read_events(const char *path, struct trace_calls *calls)
{
	struct trace_file file;
	struct trace_event event;
	struct line_numbers numbers = {0};
	struct error *error = calls->error;
	calls->file = &file;
	if (!trace_open(&file, path, error))
		while (!task_builder_check(calls->builder, error) && trace_line(&file, error) &&
			!trace_event_read(&file, &event, &numbers, error)) {
			task_line(calls->builder, path, file.lines.number);
			if (trace_event_last_task(&event, &numbers) >= calls->tasks)
				trace_error(&file, error, "there are %u tasks only", calls->tasks);
			else if (calls->compute.cpu && event.kind == EVENT_COMPUTE && event.cpu < 0)
				trace_error(&file, error, "compute=cpu: the line has no 'cpu=SECONDS'");
			else if (calls->replay)
				trace_calls_add(calls, &event, &numbers);
			else
				add_event(&event, (calls->compute.cpu ? event.cpu : event.seconds) * calls->compute.factor, calls->builder);
		}
	trace_close(&file);
	trace_numbers_clear(&numbers);
	return error->status ? -1 : 0;
}

static int trace_build(const struct workload_task *task, struct task_builder *builder, struct error *error)
{
	struct trace_calls calls = {.builder = builder, .tasks = task->tasks, .error = error};
	struct replay_options options;
	const char *path = task->args[ARG_FILE].text;
	if (replay_options_read(&options, &task->args[ARG_COLLECTIVES], &task->args[ARG_EAGER], "trace", error) ||
		replay_compute_read(&options.compute, &task->args[ARG_COMPUTE], true, "trace", error))
		return -1;
	options.tasks = true;
	calls.compute = options.compute;
	if (options.eager < NO_EAGER || has_calls(path, error)) {
		calls.replay = replay_create(builder, task->tasks, &options, error);
		calls.thread = array_create(task->tasks, sizeof *calls.thread, error);
	}
	if (!error->status && !read_events(path, &calls) && calls.replay)
		replay_end(calls.replay);
	replay_free(calls.replay);
	free(calls.count);
	free(calls.thread);
	free(calls.peers);
	return error->status ? -1 : 0;
}

const struct pattern pattern_trace = {
	.name = "trace",
	.summary = "the events of a file: messages, receives, computations and other calls, one per line",
	.source = "orcs-traces(5)",
	.args = trace_args,
	.ordered = true,
	.phases = true,
	.count = trace_count,
	.files = trace_files,
	.build = trace_build,
};
