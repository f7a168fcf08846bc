/*
 * Events of tasks in plain text, one per line: 's SRC DST TAG BYTES [weight=W] [priority=P] [sl=L]', 'r SRC DST TAG BYTES', 'c TASK
 * SECONDS', see orcs-traces(5).
 */
#include "fabric/service_levels.h"
#include "patterns/workload.h"

#include "patterns/graphs/trace_file.h"

static const struct arg trace_args[] = {
	{"FILE", ARG_TEXT, NULL, 0, 0, "events, one per line: 's SRC DST TAG BYTES', 'r SRC DST TAG BYTES', 'c TASK SECONDS'"},
	{.type = ARG_END},
};

struct trace_event {
	char kind;                                         /* 's', 'r' or 'c' */
	int64_t source, destination, tag, bytes, priority; /* priority < 0: not given */
	int64_t service_level;                             /* SERVICE_LEVEL_OF_PAIR: not given */
	double seconds, weight;                            /* weight 0: not given */
};

/* Reads an option that follows the bytes of a message, each at most once. */
static int read_option(struct trace_file *file, struct word word, struct trace_event *event, struct error *error)
{
	struct word value = word;
	if (word_has_key(&value, "weight=") && event->weight == 0)
		return trace_weight(file, value, &event->weight, error);
	if (word_has_key(&value, "priority=") && event->priority < 0)
		return trace_integer(file, value, "priority", UINT8_MAX, &event->priority, error);
	if (word_has_key(&value, "sl=") && event->service_level == SERVICE_LEVEL_OF_PAIR)
		return trace_integer(file, value, "service level", SERVICE_LEVELS_MOST - 1, &event->service_level, error);
	return trace_wrong(file, word, "'weight=W', 'priority=P' or 'sl=L', each once", error);
}

static int read_event(struct trace_file *file, struct trace_event *event, struct error *error)
{
	enum { TASK_LAST = TRACE_TASKS_MAX - 1 };
	struct word word = trace_word(file, "");
	if (word.length != 1 || (*word.text != 's' && *word.text != 'r' && *word.text != 'c'))
		return trace_wrong(file, word, "'s SRC DST TAG BYTES', 'r SRC DST TAG BYTES' or 'c TASK SECONDS'", error);
	*event = (struct trace_event){.kind = *word.text, .priority = -1, .service_level = SERVICE_LEVEL_OF_PAIR};
	if (trace_integer(file, trace_word(file, ""), "task", TASK_LAST, &event->source, error))
		return -1;
	event->destination = event->source;
	if (event->kind == 'c')
		return trace_decimal(file, trace_word(file, ""), "time in seconds", &event->seconds, error) || trace_line_end(file, error)
			       ? -1
			       : 0;
	if (trace_integer(file, trace_word(file, ""), "task", TASK_LAST, &event->destination, error) ||
		trace_integer(file, trace_word(file, ""), "tag", TRACE_TAG_MAX, &event->tag, error) ||
		trace_integer(file, trace_word(file, ""), "whole number of bytes", INT64_C(1) << 53, &event->bytes, error))
		return -1;
	while (event->kind == 's' && (word = trace_word(file, "")).text)
		if (read_option(file, word, event, error))
			return -1;
	return trace_line_end(file, error);
}

static int trace_count(const struct arg_value *args, uint32_t *tasks, struct error *error)
{
	struct trace_file file;
	struct trace_event event;
	int64_t last = -1;
	if (!trace_open(&file, args[0].text, error))
		while (trace_line(&file, error) && !read_event(&file, &event, error)) {
			int64_t larger = event.source > event.destination ? event.source : event.destination;
			last = larger > last ? larger : last;
		}
	trace_close(&file);
	if (last < 0 && !error->status)
		error_at(error, STATUS_USAGE, args[0].text, 0, "the file has no events");
	*tasks = (uint32_t)(last + 1);
	return error->status ? -1 : 0;
}

static void add_event(const struct trace_event *event, struct task_builder *builder)
{
	uint32_t source = (uint32_t)event->source, destination = (uint32_t)event->destination, tag = (uint32_t)event->tag;
	if (event->kind == 'r') {
		task_receive(builder, destination, source, tag);
	} else if (event->kind == 'c') {
		task_work(builder, source, event->seconds);
	} else {
		task_weight(builder, event->weight > 0 ? event->weight : 1);
		task_priority(builder, event->priority > 0 ? (uint8_t)event->priority : 0);
		task_service_level(builder, (uint8_t)event->service_level);
		task_send(builder, source, destination, tag, (double)event->bytes);
	}
}

static int trace_build(const struct workload_task *task, struct task_builder *builder, struct error *error)
{
	struct trace_file file;
	struct trace_event event;
	if (!trace_open(&file, task->args[0].text, error))
		while (!task_builder_check(builder, error) && trace_line(&file, error) && !read_event(&file, &event, error)) {
			if (event.source >= task->tasks || event.destination >= task->tasks)
				trace_error(&file, error, "there are %u tasks only", task->tasks);
			else {
				task_line(builder, task->args[0].text, file.lines.number);
				add_event(&event, builder);
			}
		}
	trace_close(&file);
	return error->status ? -1 : 0;
}

const struct pattern pattern_trace = {
	.name = "trace",
	.summary = "the events of a file: messages, receives and computations, one per line",
	.source = "orcs-traces(5)",
	.args = trace_args,
	.ordered = true,
	.count = trace_count,
	.files = trace_files,
	.build = trace_build,
};
