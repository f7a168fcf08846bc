/*
 * Time-independent traces of MPI programs in the format of SimGrid (Desprez, Markomanolis, Quinson, Suter: Assessing the Performance of MPI
 * Applications Through Time-Independent Trace Replay, PSTI 2011): the computations, sends and receives of every rank, one action per line,
 * see orcs-traces(5).
 */
#include "base/memory.h"
#include "base/spelling.h"
#include "patterns/phases.h"
#include "patterns/workload.h"

#include "base/files.h"
#include "patterns/graphs/action_files.h"
#include "patterns/graphs/replay/replay.h"
#include "patterns/graphs/trace_file.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { ARG_FILE, ARG_RATE, ARG_EAGER, ARG_COLLECTIVES, ARG_COMPUTE };

static const struct arg actions_args[] = {
	{"FILE", ARG_WORD, NULL, 0, 0, "lines 'RANK ACTION ...', a list of such files, or a directory of them"},
	{"rate", ARG_WORD, "1e9", 0, 0, "operations (of compute) per second"},
	REPLAY_ARG_EAGER("65536", ""),
	REPLAY_ARG_COLLECTIVES,
	REPLAY_ARG_COMPUTE(""),
	PHASES_ARG_UNIT,
	{.type = ARG_END},
};

/* ---- files */

static int actions_count(const struct arg_value *args, uint32_t *tasks, struct error *error)
{
	struct action_files paths = {0};
	int64_t rank, last = -1;
	action_files_list(&paths, args[ARG_FILE].text, error);
	for (size_t i = 0; i < paths.count && !error->status; i++) {
		struct trace_file file;
		if (!trace_open(&file, paths.list[i], error))
			while (trace_line(&file, error) &&
				!trace_integer(&file, trace_word(&file, ""), "rank", TRACE_TASKS_MAX - 1, &rank, error))
				last = rank > last ? rank : last;
		trace_close(&file);
	}
	if (last < 0)
		error_at(error, STATUS_USAGE, args[ARG_FILE].text, 0, "the file has no actions");
	action_files_clear(&paths);
	*tasks = (uint32_t)(last + 1);
	return error->status ? -1 : 0;
}

static int actions_files(const struct arg_value *args, struct files *files, struct error *error)
{
	struct action_files paths = {0};
	if (!trace_files(args, files, error))
		action_files_list(&paths, args[ARG_FILE].text, error);
	for (size_t i = 0; i < paths.count && !error->status; i++)
		files_read(files, paths.list[i], error);
	action_files_clear(&paths);
	return error->status ? -1 : 0;
}

/* ---- state of ranks */

/* A message or a receive that a rank has not waited for. */
struct request {
	uint32_t sender, receiver, tag;
	replay_handle handle;
};

struct rank {
	double datatype; /* default bytes per element */
	struct request *request;
	size_t requests, capacity;
};

struct actions {
	struct trace_file file;
	struct replay *replay;
	struct error *error;
	double rate;
	uint32_t ranks;
	struct rank *rank; /* [ranks] */
	double *number;    /* of the line */
	size_t numbers, number_capacity;
	replay_handle requests; /* number of all requests so far */
	uint32_t at;            /* the current rank */
};

/* The numbers of an action by their meaning. */
struct operands {
	double count, flops;
	uint32_t peer, tag, root;
	const double *counts; /* [ranks] */
	double datatype[2];
};

/*
 * layout has a letter for each number: n count, f flops, p peer, t tag, v a count for each rank, i ignored; r root, d datatype, and x
 * ignored are optional. act executes the action; NULL for a collective operation.
 */
struct action {
	const char *name, *layout;
	void (*act)(struct actions *trace, const struct operands *operands);
	enum collective collective;
};

static void compute(struct actions *trace, double flops)
{
	replay_compute(trace->replay, flops / trace->rate);
}

static void act_compute(struct actions *trace, const struct operands *operands)
{
	compute(trace, operands->flops);
}

static double bytes_of(const struct operands *operands)
{
	return operands->count * operands->datatype[0];
}

static struct replay_message message_of(const struct operands *operands)
{
	return (struct replay_message){.peer = operands->peer, .tag = operands->tag, .bytes = bytes_of(operands)};
}

static void act_send(struct actions *trace, const struct operands *operands)
{
	const struct replay_message message = message_of(operands);
	replay_send(trace->replay, &message);
}

static void act_receive(struct actions *trace, const struct operands *operands)
{
	const struct replay_message message = message_of(operands);
	replay_receive(trace->replay, &message, NULL);
}

/* Adds a request, and returns its handle. */
static replay_handle add_request(struct actions *trace, uint32_t sender, uint32_t receiver, uint32_t tag)
{
	struct rank *rank = &trace->rank[trace->at];
	replay_handle handle = ++trace->requests;
	if (!array_grow(&rank->request, &rank->capacity, rank->requests + 1, sizeof *rank->request, trace->error))
		rank->request[rank->requests++] = (struct request){sender, receiver, tag, handle};
	return handle;
}

static void act_isend(struct actions *trace, const struct operands *operands)
{
	const struct replay_message message = message_of(operands);
	replay_begin_send(trace->replay, &message, add_request(trace, trace->at, operands->peer, operands->tag));
}

static void act_ireceive(struct actions *trace, const struct operands *operands)
{
	const struct replay_message message = message_of(operands);
	replay_begin_receive(trace->replay, &message, add_request(trace, operands->peer, trace->at, operands->tag));
}

/*
 * "wait SENDER RECEIVER TAG" waits for the first request of that kind, "wait" for the last; requests that are missing have been tested
 * before.
 */
static void act_wait(struct actions *trace, const struct operands *operands)
{
	struct rank *rank = &trace->rank[trace->at];
	const double *number = trace->number;
	size_t i = rank->requests ? rank->requests - 1 : 0;
	(void)operands;
	if (trace->numbers)
		for (i = 0; i < rank->requests; i++) {
			const struct request *request = &rank->request[i];
			if (request->sender == number[0] && request->receiver == number[1] && request->tag == number[2])
				break;
		}
	if (i >= rank->requests)
		return;
	replay_wait_for(trace->replay, rank->request[i].handle, NULL);
	replay_wait(trace->replay);
	memmove(&rank->request[i], &rank->request[i + 1], (--rank->requests - i) * sizeof *rank->request);
}

static void act_waitall(struct actions *trace, const struct operands *operands)
{
	struct rank *rank = &trace->rank[trace->at];
	(void)operands;
	for (size_t i = 0; i < rank->requests; i++)
		replay_wait_for(trace->replay, rank->request[i].handle, NULL);
	replay_wait(trace->replay);
	rank->requests = 0;
}

/* "init" counts in bytes, "init 1" in doubles. */
static void act_init(struct actions *trace, const struct operands *operands)
{
	(void)operands;
	trace->rank[trace->at].datatype = trace->numbers ? sizeof(double) : 1;
}

static void act_nothing(struct actions *trace, const struct operands *operands)
{
	(void)trace;
	(void)operands;
}

/* Ordered by their frequency in traces. '*': the rest of the line is not read. */
static const struct action actions[] = {
	{"compute", "f", act_compute, 0},
	{"send", "ptnd", act_send, 0},
	{"recv", "ptxd", act_receive, 0},
	{"isend", "ptnd", act_isend, 0},
	{"irecv", "ptxd", act_ireceive, 0},
	{"wait", "xxx", act_wait, 0},
	{"waitall", "*", act_waitall, 0},
	{"allreduce", "nfd", NULL, COLLECTIVE_ALLREDUCE},
	{"barrier", "", NULL, COLLECTIVE_BARRIER},
	{"bcast", "nrd", NULL, COLLECTIVE_BCAST},
	{"reduce", "nfrd", NULL, COLLECTIVE_REDUCE},
	{"alltoall", "nidd", NULL, COLLECTIVE_ALLTOALL},
	{"alltoallv", "ivivdd", NULL, COLLECTIVE_ALLTOALLV},
	{"gather", "nirdd", NULL, COLLECTIVE_GATHER},
	{"gatherv", "nvrdd", NULL, COLLECTIVE_GATHERV},
	{"scatter", "nirdd", NULL, COLLECTIVE_SCATTER},
	{"scatterv", "virdd", NULL, COLLECTIVE_SCATTERV},
	{"allgather", "nidd", NULL, COLLECTIVE_ALLGATHER},
	{"allgatherv", "nvdd", NULL, COLLECTIVE_ALLGATHERV},
	{"reducescatter", "vfd", NULL, COLLECTIVE_REDUCESCATTER},
	{"scan", "nfd", NULL, COLLECTIVE_SCAN},
	{"exscan", "nfd", NULL, COLLECTIVE_EXSCAN},
	{"init", "x", act_init, 0},
	{"finalize", "", act_nothing, 0},
	{"test", "*", act_nothing, 0},
	{"comm_size", "*", act_nothing, 0},
	{"comm_split", "*", act_nothing, 0},
	{"comm_dup", "*", act_nothing, 0},
	{"location", "*", act_nothing, 0},
};

enum { ACTIONS = sizeof actions / sizeof *actions };

/* ---- lines */

static int read_numbers(struct actions *trace)
{
	struct word word;
	trace->numbers = 0;
	while ((word = trace_word(&trace->file, "")).text) {
		if (array_grow(&trace->number, &trace->number_capacity, trace->numbers + 1, sizeof *trace->number, trace->error) ||
			trace_decimal(&trace->file, word, "number", &trace->number[trace->numbers], trace->error))
			return -1;
		trace->numbers++;
	}
	return 0;
}

/* Returns a number that must be whole and below the limit. */
static uint32_t whole(struct actions *trace, double number, const char *what, double limit)
{
	if (number < limit && number == floor(number))
		return (uint32_t)number;
	trace_error(&trace->file, trace->error, "%g is not a %s from 0 to %.0f", number, what, limit - 1);
	return 0;
}

/* Bytes of MPI_DOUBLE, INT, CHAR, SHORT, LONG, FLOAT, BYTE, LONG_LONG, SIGNED_CHAR, UNSIGNED_CHAR, UNSIGNED_SHORT, UNSIGNED, UNSIGNED_LONG,
 * UNSIGNED_LONG_LONG, LONG_DOUBLE, WCHAR, C_BOOL, INT8_T to INT64_T, UINT8_T to UINT64_T. */
static const double datatypes[] = {8, 4, 1, 2, 8, 4, 1, 8, 1, 1, 2, 4, 8, 8, 16, 4, 1, 1, 2, 4, 8, 1, 2, 4, 8};

/* Assigns the numbers of the line to the operands. */
static int read_operands(struct actions *trace, const struct action *action, struct operands *operands)
{
	size_t i = 0, types = 0;
	double usual = trace->rank[trace->at].datatype;
	*operands = (struct operands){.datatype = {usual, usual}};
	for (const char *letter = action->layout; *letter; letter++) {
		size_t need = *letter == 'v' ? trace->ranks : 1;
		if (trace->numbers - i < need && strchr("rdx", *letter))
			break;
		if (trace->numbers - i < need)
			return trace_error(&trace->file, trace->error, "'%s' has too few numbers: %zu", action->name, trace->numbers);
		double number = trace->number[i];
		switch (*letter) {
		case 'n': operands->count = number; break;
		case 'f': operands->flops = number; break;
		case 'p': operands->peer = whole(trace, number, "rank", trace->ranks); break;
		case 'r': operands->root = whole(trace, number, "rank", trace->ranks); break;
		case 't': operands->tag = whole(trace, number, "tag", 0x1p32); break;
		case 'd':
			operands->datatype[types++] =
				datatypes[whole(trace, number, "known datatype", sizeof datatypes / sizeof *datatypes)];
			break;
		case 'v': operands->counts = operands->counts ? operands->counts : &trace->number[i]; break;
		}
		i += need;
	}
	if (i < trace->numbers)
		return trace_error(&trace->file, trace->error, "'%s' has too many numbers: %zu", action->name, trace->numbers);
	return trace->error->status ? -1 : 0;
}

static void act_together(struct actions *trace, const struct action *action, const struct operands *operands)
{
	const struct replay_collective call = {
		.name = action->name,
		.collective = action->collective,
		.root = operands->root,
		.bytes = bytes_of(operands),
		.count = operands->counts,
		.counts = trace->ranks,
		.datatype = operands->datatype[action->collective == COLLECTIVE_ALLGATHERV],
	};
	replay_collective(trace->replay, &call);
	compute(trace, operands->flops);
}

static const struct action *find_action(struct actions *trace, struct word word)
{
	const char *names[ACTIONS];
	char name[64];
	for (int i = 0; i < ACTIONS; i++) {
		names[i] = actions[i].name;
		if (word.text && strlen(names[i]) == word.length && !strncasecmp(names[i], word.text, word.length))
			return &actions[i];
	}
	snprintf(name, sizeof name, "%.*s", (int)word.length, word.text ? word.text : "");
	const char *near = nearest_name(name, names, ACTIONS);
	if (near)
		trace_error(&trace->file, trace->error, "unknown action '%s'; did you mean '%s'?", name, near);
	else
		trace_wrong(&trace->file, word, word.text ? "known action" : "action", trace->error);
	return NULL;
}

static int read_action(struct actions *trace)
{
	int64_t rank;
	struct operands operands = {0};
	if (trace_integer(&trace->file, trace_word(&trace->file, ""), "rank", trace->ranks - 1, &rank, trace->error))
		return -1;
	trace->at = (uint32_t)rank;
	replay_at(trace->replay, trace->at, 0);
	replay_place(trace->replay, input_name(trace->file.lines.input), trace->file.lines.number);
	const struct action *action = find_action(trace, trace_word(&trace->file, ""));
	if (!action)
		return -1;
	trace->numbers = 0;
	if (*action->layout != '*' && (read_numbers(trace) || read_operands(trace, action, &operands)))
		return -1;
	if (action->act == act_wait && trace->numbers && trace->numbers < 3)
		return trace_error(&trace->file, trace->error, "expected 'RANK wait SENDER RECEIVER TAG' or 'RANK wait'");
	if (action->act)
		action->act(trace, &operands);
	else
		act_together(trace, action, &operands);
	return trace->error->status ? -1 : 0;
}

static int read_files(struct actions *trace, const struct action_files *paths, struct task_builder *builder)
{
	for (size_t i = 0; i < paths->count && !trace->error->status; i++) {
		if (!trace_open(&trace->file, paths->list[i], trace->error))
			while (!task_builder_check(builder, trace->error) && trace_line(&trace->file, trace->error) && !read_action(trace))
				;
		trace_close(&trace->file);
	}
	return trace->error->status ? -1 : replay_end(trace->replay);
}

static int read_rate(const char *text, double *rate, struct error *error)
{
	if (!read_number(text, ABOVE_ZERO, DBL_MAX, rate))
		return error_set(error, STATUS_USAGE, "workload 'actions': rate is '%s', not a number > 0", text);
	return 0;
}

static int actions_build(const struct workload_task *task, struct task_builder *builder, struct error *error)
{
	struct actions trace = {.error = error, .ranks = task->tasks};
	struct replay_options options;
	struct action_files paths = {0};
	if (read_rate(task->args[ARG_RATE].text, &trace.rate, error) ||
		replay_options_read(&options, &task->args[ARG_COLLECTIVES], &task->args[ARG_EAGER], "actions", error) ||
		replay_compute_read(&options.compute, &task->args[ARG_COMPUTE], false, "actions", error))
		return -1;
	options.tasks = true;
	trace.replay = replay_create(builder, task->tasks, &options, error);
	trace.rank = array_create(task->tasks, sizeof *trace.rank, error);
	for (uint32_t rank = 0; trace.rank && rank < task->tasks; rank++)
		trace.rank[rank].datatype = 1;
	if (!error->status && !action_files_list(&paths, task->args[ARG_FILE].text, error))
		read_files(&trace, &paths, builder);
	for (uint32_t rank = 0; trace.rank && rank < task->tasks; rank++)
		free(trace.rank[rank].request);
	replay_free(trace.replay);
	free(trace.rank);
	free(trace.number);
	action_files_clear(&paths);
	return error->status ? -1 : 0;
}

const struct pattern pattern_actions = {
	.name = "actions",
	.summary = "a time-independent trace of an MPI program, in the format of SimGrid",
	.source = "orcs-traces(5); Desprez, Markomanolis, Quinson, Suter, PSTI 2011",
	.args = actions_args,
	.ordered = true,
	.phases = true,
	.count = actions_count,
	.files = actions_files,
	.build = actions_build,
};
