#include "patterns/graphs/trace_events.h"

#include "base/memory.h"
#include "base/spelling.h"
#include "fabric/service_levels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const event_words[EVENTS] = {"s", "r", "c", "p", "w", "x", "comm", "o", "f", "t", "incomplete"};

enum { TASK_LAST = TRACE_TASKS_MAX - 1 };

void trace_numbers_clear(struct line_numbers *numbers)
{
	free(numbers->all.list);
	free(numbers->to.list);
	free(numbers->from.list);
}

static int add_number(struct numbers *numbers, int64_t number, struct error *error)
{
	if (array_grow(&numbers->list, &numbers->capacity, numbers->count + 1, sizeof *numbers->list, error))
		return -1;
	numbers->list[numbers->count++] = number;
	return 0;
}

/* Reads "5" or "5-9". */
static int read_range(struct trace_file *file, struct word word, struct numbers *numbers, struct error *error)
{
	const char *dash = memchr(word.text, '-', word.length);
	struct word first = {word.text, dash ? (size_t)(dash - word.text) : word.length};
	struct word second = {dash ? dash + 1 : NULL, dash ? word.length - first.length - 1 : 0};
	int64_t from, to;
	if (trace_integer(file, first, "task", TASK_LAST, &from, error))
		return -1;
	to = from;
	if (dash && trace_integer(file, second, "task", TASK_LAST, &to, error))
		return -1;
	if (to < from)
		return trace_wrong(file, word, "range of tasks, such as 0-7", error);
	for (int64_t task = from; task <= to; task++)
		if (add_number(numbers, task, error))
			return -1;
	return 0;
}

/* Reads "1,2,3". */
static int read_counts(
	struct trace_file *file, struct word word, const char *what, int64_t most, struct numbers *numbers, struct error *error)
{
	int64_t number;
	for (size_t from = 0; from <= word.length;) {
		const char *comma = memchr(word.text + from, ',', word.length - from);
		size_t length = comma ? (size_t)(comma - word.text) - from : word.length - from;
		if (trace_integer(file, (struct word){word.text + from, length}, what, most, &number, error) ||
			add_number(numbers, number, error))
			return -1;
		from += length + 1;
	}
	return 0;
}

static int read_mode(struct trace_file *file, struct word word, struct trace_event *event, struct error *error)
{
	if (word_is(word, "sync"))
		event->mode = REPLAY_SYNCHRONOUS;
	else if (word_is(word, "buffered"))
		event->mode = REPLAY_BUFFERED;
	else
		return trace_wrong(file, word, "'sync' or 'buffered'", error);
	return 0;
}

/* Reads a task, or '*' for one of the own group of an intercommunicator. */
static int read_root(struct trace_file *file, struct word word, struct trace_event *event, struct error *error)
{
	event->root = ROOT_OWN;
	return word_is(word, "*") ? 0 : trace_integer(file, word, "task", TASK_LAST, &event->root, error);
}

/* Returns which epoch of some tasks a fence is, and sets value to them; -1: another option. */
static int epoch_of(struct word *value)
{
	static const char *const keys[] = {
		[REPLAY_POST] = "post=", [REPLAY_START] = "start=", [REPLAY_END] = "complete=", [REPLAY_WAIT] = "wait="};
	for (int epoch = REPLAY_POST; epoch <= REPLAY_WAIT; epoch++)
		if (word_has_key(value, keys[epoch]))
			return epoch;
	return -1;
}

/* Returns whether the event may have an option: a letter for each kind of event. */
static bool may_have(const struct trace_event *event, const char *kinds)
{
	return strchr(kinds, *event_words[event->kind]);
}

/* Reads an option that follows the bytes, each at most once. */
static int read_option(
	struct trace_file *file, struct word word, struct trace_event *event, struct line_numbers *numbers, struct error *error)
{
	struct word value = word;
	if (may_have(event, "s") && word_has_key(&value, "weight=") && event->weight == 0)
		return trace_weight(file, value, &event->weight, error);
	if (may_have(event, "s") && word_has_key(&value, "priority=") && event->priority < 0)
		return trace_integer(file, value, "priority", UINT8_MAX, &event->priority, error);
	if (may_have(event, "s") && word_has_key(&value, "sl=") && event->service_level == SERVICE_LEVEL_OF_PAIR)
		return trace_integer(file, value, "service level", SERVICE_LEVELS_MOST - 1, &event->service_level, error);
	event->calls = true;
	if (may_have(event, "srpxf") && word_has_key(&value, "comm=") && event->communicator < 0 && event->epoch < 0)
		return trace_integer(file, value, "communicator", UINT32_MAX, &event->communicator, error);
	if (may_have(event, "spxo") && word_has_key(&value, "request=") && event->request < 0)
		return trace_integer(file, value, "request", INT64_C(1) << 53, &event->request, error);
	if (may_have(event, "s") && word_has_key(&value, "mode=") && event->mode == REPLAY_STANDARD)
		return read_mode(file, value, event, error);
	if (may_have(event, "x") && word_has_key(&value, "root=") && event->root == -1)
		return read_root(file, value, event, error);
	if (may_have(event, "x") && word_has_key(&value, "element=") && !event->element)
		return trace_integer(file, value, "size of an element", INT64_C(1) << 32, &event->element, error);
	if (may_have(event, "x") && word_has_key(&value, "counts=") && !numbers->all.count)
		return read_counts(file, value, "whole number of bytes", INT64_C(1) << 53, &numbers->all, error);
	if (may_have(event, "x") && word_has_key(&value, "to=") && !numbers->to.count)
		return read_counts(file, value, "task", TASK_LAST, &numbers->to, error);
	if (may_have(event, "x") && word_has_key(&value, "from=") && !numbers->from.count)
		return read_counts(file, value, "task", TASK_LAST, &numbers->from, error);
	if (may_have(event, "f") && event->communicator < 0 && event->epoch < 0 && (event->epoch = epoch_of(&value)) >= 0)
		return read_counts(file, value, "task", TASK_LAST, &numbers->to, error);
	static const char *const options[EVENTS] = {
		[EVENT_SEND] = "'weight=W', 'priority=P', 'sl=L', 'comm=ID', 'request=N' or 'mode=M', each once",
		[EVENT_RECEIVE] = "'comm=ID', once",
		[EVENT_POST] = "'comm=ID' or 'request=N', each once",
		[EVENT_ACCESS] = "'request=N', once",
		[EVENT_FENCE] = "'comm=ID', or 'post=', 'start=', 'complete=' or 'wait=' with tasks A,B,..., once",
		[EVENT_COLLECTIVE] =
			"'comm=ID', 'root=TASK', 'element=BYTES', 'counts=A,B,...', 'to=A,B,...', 'from=A,B,...' or 'request=N', each once"};
	return trace_wrong(file, word, options[event->kind], error);
}

/* Reads a number, or '*' where any is accepted. */
static int read_any(
	struct trace_file *file, const char *what, bool any, int64_t max, struct trace_event *event, int64_t *value, struct error *error)
{
	struct word word = trace_word(file, "");
	if (!any || !word_is(word, "*"))
		return trace_integer(file, word, what, max, value, error);
	*value = REPLAY_ANY;
	event->calls = true;
	return 0;
}

/* Reads "SRC DST TAG BYTES" and options. */
static int read_message(struct trace_file *file, struct trace_event *event, struct line_numbers *numbers, struct error *error)
{
	bool any = event->kind != EVENT_SEND;
	struct word word;
	if (read_any(file, "task", any, TASK_LAST, event, &event->source, error) ||
		trace_integer(file, trace_word(file, ""), "task", TASK_LAST, &event->destination, error) ||
		read_any(file, "tag", any, TRACE_TAG_MAX, event, &event->tag, error) ||
		trace_integer(file, trace_word(file, ""), "whole number of bytes", INT64_C(1) << 53, &event->bytes, error))
		return -1;
	while ((word = trace_word(file, "")).text) {
		if (event->kind == EVENT_RECEIVE && !word_has_key(&(struct word){word.text, word.length}, "comm="))
			return trace_error(file, error, "the line has a word too many: '%.*s'",
				(int)(word.length < 100 ? word.length : 100), word.text);
		if (read_option(file, word, event, numbers, error))
			return -1;
	}
	if (event->kind == EVENT_POST && event->request < 0)
		return trace_error(file, error, "'request=N' is missing");
	return 0;
}

/* Reads "TASK OPERATION BYTES" and options. */
static int read_collective(struct trace_file *file, struct trace_event *event, struct line_numbers *numbers, struct error *error)
{
	char name[64];
	if (trace_integer(file, trace_word(file, ""), "task", TASK_LAST, &event->source, error))
		return -1;
	struct word word = trace_word(file, "");
	for (event->collective = 0; event->collective < COLLECTIVES; event->collective++)
		if (word_is(word, collective_names[event->collective]))
			break;
	if (event->collective == COLLECTIVES) {
		snprintf(name, sizeof name, "%.*s", (int)word.length, word.text ? word.text : "");
		const char *near = nearest_name(name, collective_names, COLLECTIVES);
		return near ? trace_error(file, error, "unknown operation '%s'; did you mean '%s'?", name, near)
			    : trace_wrong(file, word, "collective operation", error);
	}
	if (trace_integer(file, trace_word(file, ""), "whole number of bytes", INT64_C(1) << 53, &event->bytes, error))
		return -1;
	while ((word = trace_word(file, "")).text)
		if (read_option(file, word, event, numbers, error))
			return -1;
	return 0;
}

/* Reads "ID TASKS..." with '/' between the groups of an intercommunicator. */
static int read_communicator(struct trace_file *file, struct trace_event *event, struct numbers *numbers, struct error *error)
{
	struct word word;
	if (trace_integer(file, trace_word(file, ""), "communicator", UINT32_MAX, &event->communicator, error))
		return -1;
	if (event->communicator < 2)
		return trace_error(file, error, "communicators 0 (all tasks) and 1 (each task alone) are there from the beginning");
	while ((word = trace_word(file, "")).text) {
		if (word_is(word, "/") && !numbers->remote && numbers->count)
			numbers->remote = numbers->count;
		else if (read_range(file, word, numbers, error))
			return -1;
	}
	return numbers->count > numbers->remote ? 0 : trace_error(file, error, "a communicator without members");
}

/* Reads "TASK SECONDS [cpu=SECONDS]". */
static int read_compute(struct trace_file *file, struct trace_event *event, struct error *error)
{
	event->cpu = -1;
	if (trace_integer(file, trace_word(file, ""), "task", TASK_LAST, &event->source, error) ||
		trace_decimal(file, trace_word(file, ""), "time in seconds", &event->seconds, error))
		return -1;
	struct word word = trace_word(file, "");
	if (!word.text)
		return 0;
	if (!word_has_key(&word, "cpu="))
		return trace_error(
			file, error, "the line has a word too many: '%.*s'", (int)(word.length < 100 ? word.length : 100), word.text);
	return trace_decimal(file, word, "time in seconds", &event->cpu, error) || trace_line_end(file, error) ? -1 : 0;
}

/* Reads "TASK PEER BYTES put|get" and an option. */
static int read_access(struct trace_file *file, struct trace_event *event, struct line_numbers *numbers, struct error *error)
{
	if (trace_integer(file, trace_word(file, ""), "task", TASK_LAST, &event->source, error) ||
		trace_integer(file, trace_word(file, ""), "task", TASK_LAST, &event->destination, error) ||
		trace_integer(file, trace_word(file, ""), "whole number of bytes", INT64_C(1) << 53, &event->bytes, error))
		return -1;
	struct word word = trace_word(file, "");
	event->get = word_is(word, "get");
	if (!event->get && !word_is(word, "put"))
		return trace_wrong(file, word, "'put' or 'get'", error);
	while ((word = trace_word(file, "")).text)
		if (read_option(file, word, event, numbers, error))
			return -1;
	return 0;
}

/* Reads "TASK" and an option. */
static int read_fence(struct trace_file *file, struct trace_event *event, struct line_numbers *numbers, struct error *error)
{
	struct word word;
	if (trace_integer(file, trace_word(file, ""), "task", TASK_LAST, &event->source, error))
		return -1;
	while ((word = trace_word(file, "")).text)
		if (read_option(file, word, event, numbers, error))
			return -1;
	return 0;
}

/* Reads "TASK THREAD". */
static int read_thread(struct trace_file *file, struct trace_event *event, struct error *error)
{
	return trace_integer(file, trace_word(file, ""), "task", TASK_LAST, &event->source, error) ||
			       trace_integer(file, trace_word(file, ""), "thread", UINT32_MAX, &event->request, error) ||
			       trace_line_end(file, error)
		       ? -1
		       : 0;
}

/* Reads "TASK REQUEST...". */
static int read_wait(struct trace_file *file, struct trace_event *event, struct numbers *numbers, struct error *error)
{
	struct word word;
	int64_t request;
	if (trace_integer(file, trace_word(file, ""), "task", TASK_LAST, &event->source, error))
		return -1;
	while ((word = trace_word(file, "")).text)
		if (trace_integer(file, word, "request", INT64_C(1) << 53, &request, error) || add_number(numbers, request, error))
			return -1;
	return numbers->count ? 0 : trace_error(file, error, "request is missing");
}

int trace_event_read(struct trace_file *file, struct trace_event *event, struct line_numbers *numbers, struct error *error)
{
	struct word word = trace_word(file, "");
	*event = (struct trace_event){
		.priority = -1, .service_level = SERVICE_LEVEL_OF_PAIR, .communicator = -1, .request = -1, .root = -1, .epoch = -1};
	numbers->all.count = numbers->all.remote = numbers->to.count = numbers->from.count = 0;
	while (event->kind < EVENTS && !word_is(word, event_words[event->kind]))
		event->kind++;
	event->calls = event->kind > EVENT_COMPUTE;
	switch (event->kind) {
	case EVENT_SEND:
	case EVENT_RECEIVE:
	case EVENT_POST: return read_message(file, event, numbers, error);
	case EVENT_COLLECTIVE: return read_collective(file, event, numbers, error);
	case EVENT_COMMUNICATOR: return read_communicator(file, event, &numbers->all, error);
	case EVENT_WAIT: return read_wait(file, event, &numbers->all, error);
	case EVENT_COMPUTE: return read_compute(file, event, error);
	case EVENT_ACCESS: return read_access(file, event, numbers, error);
	case EVENT_FENCE: return read_fence(file, event, numbers, error);
	case EVENT_THREAD: return read_thread(file, event, error);
	case EVENT_INCOMPLETE: return trace_line_end(file, error);
	default:
		return trace_wrong(file, word,
			"'s SRC DST TAG BYTES', 'r SRC DST TAG BYTES', 'c TASK SECONDS' or another event, see orcs-traces(5)", error);
	}
}

static int64_t last_of(const struct numbers *numbers, int64_t last)
{
	for (size_t i = 0; i < numbers->count; i++)
		last = numbers->list[i] > last ? numbers->list[i] : last;
	return last;
}

int64_t trace_event_last_task(const struct trace_event *event, const struct line_numbers *numbers)
{
	int64_t last = event->source > event->destination ? event->source : event->destination;
	last = event->root > last ? event->root : last;
	if (event->kind == EVENT_COMMUNICATOR)
		last = last_of(&numbers->all, last);
	return last_of(&numbers->to, last_of(&numbers->from, last));
}
