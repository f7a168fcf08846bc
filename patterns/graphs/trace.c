/*
 * Events of tasks in plain text, one per line, see orcs-traces(5). A file of nothing but 's SRC DST TAG BYTES', 'r SRC DST TAG BYTES' and
 * 'c TASK SECONDS' is a program of tasks (task_graph.h); one with requests, communicators or collective operations, or with a threshold of
 * rendezvous, is replayed as calls of MPI.
 */
#include "fabric/service_levels.h"
#include "patterns/phases.h"
#include "patterns/workload.h"

#include "base/memory.h"
#include "base/spelling.h"
#include "patterns/graphs/replay/replay.h"
#include "patterns/graphs/trace_file.h"

#include <stdio.h>
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

/* The kinds of events, by their words. */
enum event_kind {
	EVENT_SEND,
	EVENT_RECEIVE,
	EVENT_COMPUTE,
	EVENT_POST,
	EVENT_WAIT,
	EVENT_COLLECTIVE,
	EVENT_COMMUNICATOR,
	EVENT_ACCESS,
	EVENT_FENCE,
	EVENT_THREAD,
	EVENT_INCOMPLETE,
	EVENTS
};
static const char *const event_words[EVENTS] = {"s", "r", "c", "p", "w", "x", "comm", "o", "f", "t", "incomplete"};

enum { TASK_LAST = TRACE_TASKS_MAX - 1 };

struct trace_event {
	enum event_kind kind;
	int64_t source, destination, tag, bytes, priority; /* source and tag may be REPLAY_ANY; priority < 0: not given */
	int64_t service_level;                             /* SERVICE_LEVEL_OF_PAIR: not given */
	double seconds, cpu, weight;                       /* cpu: of the processor, < 0: not given; weight 0: not given */
	bool calls;                                        /* it is one of MPI's calls, which programs of tasks do not have */
	int64_t communicator, request, root;               /* < 0: not given; the root is a task, or ROOT_OWN */
	int64_t element;
	enum replay_mode mode;
	int collective;
	bool get; /* of an access */
};

enum { ROOT_OWN = -2 };

/* The numbers of a line: members, requests, or the bytes of blocks. */
struct numbers {
	int64_t *list;
	size_t count, capacity;
	size_t remote; /* members of the first group of an intercommunicator; 0: it has one group */
};

/* The numbers of a line and of its options. */
struct line_numbers {
	struct numbers all, to, from; /* the last two: neighbours */
};

static void clear_numbers(struct line_numbers *numbers)
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
	if (may_have(event, "srpxf") && word_has_key(&value, "comm=") && event->communicator < 0)
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
	static const char *const options[EVENTS] = {
		[EVENT_SEND] = "'weight=W', 'priority=P', 'sl=L', 'comm=ID', 'request=N' or 'mode=M', each once",
		[EVENT_RECEIVE] = "'comm=ID', once",
		[EVENT_POST] = "'comm=ID' or 'request=N', each once",
		[EVENT_ACCESS] = "'request=N', once",
		[EVENT_FENCE] = "'comm=ID', once",
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

static int read_event(struct trace_file *file, struct trace_event *event, struct line_numbers *numbers, struct error *error)
{
	struct word word = trace_word(file, "");
	*event =
		(struct trace_event){.priority = -1, .service_level = SERVICE_LEVEL_OF_PAIR, .communicator = -1, .request = -1, .root = -1};
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

/* Returns the largest task of an event. */
static int64_t last_task(const struct trace_event *event, const struct line_numbers *numbers)
{
	int64_t last = event->source > event->destination ? event->source : event->destination;
	last = event->root > last ? event->root : last;
	if (event->kind == EVENT_COMMUNICATOR)
		last = last_of(&numbers->all, last);
	return last_of(&numbers->to, last_of(&numbers->from, last));
}

static int trace_count(const struct arg_value *args, uint32_t *tasks, struct error *error)
{
	struct trace_file file;
	struct trace_event event;
	struct line_numbers numbers = {0};
	int64_t last = -1;
	if (!trace_open(&file, args[ARG_FILE].text, error))
		while (trace_line(&file, error) && !read_event(&file, &event, &numbers, error)) {
			int64_t task = last_task(&event, &numbers);
			last = task > last ? task : last;
		}
	trace_close(&file);
	clear_numbers(&numbers);
	if (last < 0 && !error->status)
		error_at(error, STATUS_USAGE, args[ARG_FILE].text, 0, "the file has no events");
	*tasks = (uint32_t)(last + 1);
	return error->status ? -1 : 0;
}

/* ---- programs of tasks */

static void set_class(const struct trace_event *event, struct task_builder *builder)
{
	task_weight(builder, event->weight > 0 ? event->weight : 1);
	task_priority(builder, event->priority > 0 ? (uint8_t)event->priority : 0);
	task_service_level(builder, (uint8_t)event->service_level);
}

/* seconds: of a computation. */
static void add_event(const struct trace_event *event, double seconds, struct task_builder *builder)
{
	uint32_t source = (uint32_t)event->source, destination = (uint32_t)event->destination, tag = (uint32_t)event->tag;
	if (event->kind == EVENT_RECEIVE) {
		task_receive(builder, destination, source, tag);
	} else if (event->kind == EVENT_COMPUTE) {
		task_work(builder, source, seconds);
	} else {
		set_class(event, builder);
		task_send(builder, source, destination, tag, (double)event->bytes);
	}
}

/* ---- calls of MPI */

/* A trace that is being read as calls. */
struct calls {
	struct trace_file *file;
	struct task_builder *builder;
	struct replay *replay;
	double *count;    /* [count_capacity] of a collective operation */
	uint32_t *peers;  /* [peer_capacity] its neighbours */
	uint32_t *thread; /* [tasks] whose lines follow */
	size_t count_capacity, peer_capacity;
	uint32_t tasks;
	struct replay_compute compute;
	struct error *error;
};

static void define(struct calls *calls, const struct trace_event *event, const struct numbers *numbers)
{
	uint32_t *member = array_create(numbers->count, sizeof *member, calls->error);
	bool *named = array_create(calls->tasks, sizeof *named, calls->error);
	uint32_t first = (uint32_t)(numbers->remote ? numbers->remote : numbers->count);
	for (size_t i = 0; member && named && i < numbers->count; i++) {
		member[i] = (uint32_t)numbers->list[i];
		if (named[member[i]])
			trace_error(calls->file, calls->error, "task %u is a member of the communicator twice", member[i]);
		named[member[i]] = true;
	}
	if (member && named)
		replay_define(calls->replay, (replay_handle)event->communicator, member, first, numbers->remote ? member + first : NULL,
			(uint32_t)numbers->count - first);
	free(member);
	free(named);
}

/* Finds the place of a task in a communicator; an error if it has none. what is the task in messages. */
static bool find_place(const struct calls *calls, int64_t communicator, int64_t task, const char *what, struct replay_place *place)
{
	if (replay_find(calls->replay, (uint32_t)task, (replay_handle)communicator, place))
		return true;
	trace_error(
		calls->file, calls->error, "%s %lld is not a member of communicator %lld", what, (long long)task, (long long)communicator);
	return false;
}

/* Sets the root of an operation: its rank in the other group of an intercommunicator. */
static void set_root(
	const struct calls *calls, const struct trace_event *event, const struct replay_place *own, struct replay_collective *call)
{
	struct replay_place root;
	call->root = REPLAY_ROOT_OWN;
	if (event->root >= 0 && find_place(calls, (int64_t)call->communicator, event->root, "root", &root) &&
		(!own->remote || root.side != own->side))
		call->root = root.rank;
	else if (event->root == -1 && !own->remote)
		call->root = 0;
	else if (event->root == ROOT_OWN && !own->remote)
		trace_error(calls->file, calls->error, "root=* is for intercommunicators");
}

/* Returns the number of blocks for which an operation has counts; 0: it has none. */
static size_t blocks_of(const struct trace_event *event, const struct line_numbers *numbers, const struct replay_place *own)
{
	size_t other = own->remote ? own->remote : own->members;
	switch (event->collective) {
	case COLLECTIVE_ALLTOALLV:
	case COLLECTIVE_ALLTOALLW: return other;
	case COLLECTIVE_ALLGATHERV: return own->remote ? 0 : own->members;
	case COLLECTIVE_SCATTERV: return event->root == event->source && !own->remote ? own->members : 0;
	case COLLECTIVE_REDUCESCATTER: return own->members;
	case COLLECTIVE_NEIGHBOR_ALLTOALLV:
	case COLLECTIVE_NEIGHBOR_ALLTOALLW: return numbers->to.count;
	default: return 0;
	}
}

/* Sets the blocks of an operation. */
static int set_counts(struct calls *calls, const struct line_numbers *numbers, size_t blocks, struct replay_collective *call)
{
	if (numbers->all.count != blocks)
		return trace_error(
			calls->file, calls->error, "'%s' needs counts=, a number of bytes for each of %zu members", call->name, blocks);
	if (array_grow(&calls->count, &calls->count_capacity, blocks + 1, sizeof *calls->count, calls->error))
		return -1;
	for (size_t i = 0; i < blocks; i++)
		calls->count[i] = (double)numbers->all.list[i] / call->datatype;
	call->count = calls->count;
	call->counts = (uint32_t)blocks;
	return 0;
}

/* Sets the neighbours of an operation, which are ranks of its communicator. */
static void set_neighbours(struct calls *calls, const struct line_numbers *numbers, struct replay_collective *call)
{
	size_t tos = numbers->to.count, count = tos + numbers->from.count;
	struct replay_place place;
	if (array_grow(&calls->peers, &calls->peer_capacity, count + 1, sizeof *calls->peers, calls->error))
		return;
	for (size_t i = 0; i < count; i++) {
		int64_t task = i < tos ? numbers->to.list[i] : numbers->from.list[i - tos];
		if (!find_place(calls, (int64_t)call->communicator, task, "neighbour", &place))
			return;
		calls->peers[i] = place.rank;
	}
	call->to = calls->peers;
	call->from = calls->peers + tos;
	call->tos = (uint32_t)tos;
	call->froms = (uint32_t)(count - tos);
}

static int add_collective(struct calls *calls, const struct trace_event *event, const struct line_numbers *numbers)
{
	struct replay_place own;
	struct replay_collective call = {.name = collective_names[event->collective],
		.collective = (enum collective)event->collective,
		.communicator = event->communicator < 0 ? 0 : (replay_handle)event->communicator,
		.bytes = (double)event->bytes,
		.datatype = event->element ? (double)event->element : 1,
		.begins = event->request >= 0,
		.request = (replay_handle)event->request};
	if (!find_place(calls, (int64_t)call.communicator, event->source, "task", &own))
		return -1;
	set_root(calls, event, &own, &call);
	if (collective_is_local(call.collective))
		set_neighbours(calls, numbers, &call);
	else if (numbers->to.count || numbers->from.count)
		return trace_error(calls->file, calls->error, "'%s' has no neighbours: 'to=' and 'from=' are for others", call.name);
	size_t blocks = blocks_of(event, numbers, &own);
	if (calls->error->status || (blocks && set_counts(calls, numbers, blocks, &call)))
		return -1;
	replay_collective(calls->replay, &call);
	return 0;
}

static void add_access(struct calls *calls, const struct trace_event *event)
{
	if (event->request < 0)
		replay_access(calls->replay, 0, event->destination, (double)event->bytes, event->get);
	else
		replay_begin_access(calls->replay, 0, event->destination, (double)event->bytes, event->get, (replay_handle)event->request);
}

static int add_call(struct calls *calls, const struct trace_event *event, const struct line_numbers *numbers)
{
	struct replay *replay = calls->replay;
	bool receive = event->kind == EVENT_RECEIVE || event->kind == EVENT_POST;
	const struct replay_message message = {.communicator = event->communicator < 0 ? 0 : (replay_handle)event->communicator,
		.peer = receive ? event->source : event->destination,
		.tag = event->tag,
		.bytes = (double)event->bytes,
		.mode = event->mode};
	uint32_t task = (uint32_t)(receive ? event->destination : event->source);
	replay_at(replay, task, calls->thread[task]);
	replay_place(replay, input_name(calls->file->lines.input), calls->file->lines.number);
	switch (event->kind) {
	case EVENT_SEND:
		set_class(event, calls->builder);
		if (event->request < 0)
			replay_send(replay, &message);
		else
			replay_begin_send(replay, &message, (replay_handle)event->request);
		task_weight(calls->builder, 1);
		task_priority(calls->builder, 0);
		task_service_level(calls->builder, SERVICE_LEVEL_OF_PAIR);
		break;
	case EVENT_RECEIVE: replay_receive(replay, &message, NULL); break;
	case EVENT_POST: replay_begin_receive(replay, &message, (replay_handle)event->request); break;
	case EVENT_COMPUTE: replay_compute(replay, calls->compute.cpu ? event->cpu : event->seconds); break;
	case EVENT_COMMUNICATOR: define(calls, event, &numbers->all); break;
	case EVENT_COLLECTIVE: return add_collective(calls, event, numbers);
	case EVENT_ACCESS: add_access(calls, event); break;
	case EVENT_FENCE:
		if (event->communicator < 0)
			replay_complete(replay);
		else
			replay_fence(replay, message.communicator);
		break;
	case EVENT_THREAD: replay_at_thread(replay, task, calls->thread[task] = (uint32_t)event->request); break;
	case EVENT_INCOMPLETE: replay_incomplete(replay, true); break;
	default:
		for (size_t i = 0; i < numbers->all.count; i++)
			if (!replay_wait_for(replay, (replay_handle)numbers->all.list[i], NULL))
				return trace_error(calls->file, calls->error, "task %lld has no request %lld, or has waited for it",
					(long long)event->source, (long long)numbers->all.list[i]);
		replay_wait(replay);
	}
	return 0;
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
				read_event(&file, &event, &numbers, error))
				break;
		}
	trace_close(&file);
	clear_numbers(&numbers);
	return event.calls;
}

/* Reads all events, as calls if calls->replay is set. */
static int read_events(const char *path, struct calls *calls)
{
	struct trace_file file;
	struct trace_event event;
	struct line_numbers numbers = {0};
	struct error *error = calls->error;
	calls->file = &file;
	if (!trace_open(&file, path, error))
		while (!task_builder_check(calls->builder, error) && trace_line(&file, error) &&
			!read_event(&file, &event, &numbers, error)) {
			task_line(calls->builder, path, file.lines.number);
			if (last_task(&event, &numbers) >= calls->tasks)
				trace_error(&file, error, "there are %u tasks only", calls->tasks);
			else if (calls->compute.cpu && event.kind == EVENT_COMPUTE && event.cpu < 0)
				trace_error(&file, error, "compute=cpu: the line has no 'cpu=SECONDS'");
			else if (calls->replay)
				add_call(calls, &event, &numbers);
			else
				add_event(&event, (calls->compute.cpu ? event.cpu : event.seconds) * calls->compute.factor, calls->builder);
		}
	trace_close(&file);
	clear_numbers(&numbers);
	return error->status ? -1 : 0;
}

static int trace_build(const struct workload_task *task, struct task_builder *builder, struct error *error)
{
	struct calls calls = {.builder = builder, .tasks = task->tasks, .error = error};
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
