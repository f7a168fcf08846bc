/*
 * Time-independent traces of MPI programs in the format of SimGrid (Desprez, Markomanolis, Quinson, Suter: Assessing the Performance of MPI
 * Applications Through Time-Independent Trace Replay, PSTI 2011): the computations, sends and receives of every rank, one action per line,
 * see orcs-traces(5).
 */
#include "base/memory.h"
#include "base/spelling.h"
#include "patterns/workload.h"

#include "base/files.h"
#include "patterns/graphs/action_files.h"
#include "patterns/graphs/collectives.h"
#include "patterns/graphs/pairing.h"
#include "patterns/graphs/trace_file.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { ARG_FILE, ARG_RATE, ARG_EAGER };

static const struct arg actions_args[] = {
	{"FILE", ARG_WORD, NULL, 0, 0, "lines 'RANK ACTION ...', a list of such files, or a directory of them"},
	{"rate", ARG_WORD, "1e9", 0, 0, "operations (of compute) per second"},
	{"eager", ARG_INTEGER, "65536", 0, INT64_C(1) << 53,
		"smallest message in bytes that uses rendezvous: it waits for its receive, and its send for it"},
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
	uint32_t operation; /* the operation of a wait; OPERATION_NONE: a message without a wait */
};

struct rank {
	uint32_t point;  /* the operation on which the next action depends; OPERATION_NONE: none */
	uint32_t steps;  /* of collective operations */
	double datatype; /* default bytes per element */
	struct request *request;
	size_t requests, capacity;
};

/* A collective step of all ranks. */
struct step {
	const struct action *action;
	uint32_t root, arrived, line, rank; /* of the first rank that reached it */
	const char *file;
};

struct replay {
	struct trace_file file;
	struct task_builder *builder;
	struct error *error;
	double rate, eager;
	uint32_t ranks;
	struct rank *rank; /* [ranks] */
	struct step *step;
	size_t steps, step_capacity;
	double *number; /* of the line */
	size_t numbers, number_capacity;
	struct pairing pairing;
	uint64_t tag; /* of the messages of a collective operation, distinct from the tags of ranks */
	uint32_t at;  /* the current rank */
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
	void (*act)(struct replay *replay, const struct operands *operands);
	enum collective collective;
};

/* Adds a join after the previous actions, which the next ones wait for. */
static void join_after(struct replay *replay, uint32_t join)
{
	struct rank *rank = &replay->rank[replay->at];
	if (rank->point != OPERATION_NONE)
		task_after(replay->builder, join, rank->point);
	rank->point = join;
}

static uint32_t add_message(struct replay *replay, uint32_t receiver, uint64_t tag, double bytes, bool rendezvous)
{
	uint32_t point = replay->rank[replay->at].point;
	uint32_t message = task_message(replay->builder, replay->at, receiver, bytes);
	if (point != OPERATION_NONE)
		task_after(replay->builder, message, point);
	pairing_add(&replay->pairing,
		(struct half){.tag = tag,
			.sender = replay->at,
			.receiver = receiver,
			.rendezvous = rendezvous,
			.operation = message,
			.line = (uint32_t)replay->file.lines.number,
			.file = input_name(replay->file.lines.input)},
		replay->error);
	return message;
}

/* Adds a receive as an operation of its own, which is posted when the rank reaches it and ends when it has the message. */
static uint32_t post_receive(struct replay *replay, uint32_t sender, uint64_t tag)
{
	uint32_t point = replay->rank[replay->at].point, receive = task_join(replay->builder, replay->at);
	if (point != OPERATION_NONE)
		task_after(replay->builder, receive, point);
	pairing_add(&replay->pairing,
		(struct half){.tag = tag,
			.sender = sender,
			.receiver = replay->at,
			.receive = true,
			.operation = receive,
			.posted = point,
			.line = (uint32_t)replay->file.lines.number,
			.file = input_name(replay->file.lines.input)},
		replay->error);
	return receive;
}

static void receive_now(struct replay *replay, uint32_t sender, uint64_t tag)
{
	replay->rank[replay->at].point = post_receive(replay, sender, tag);
}

static void compute(struct replay *replay, double flops)
{
	if (flops > 0)
		join_after(replay, task_compute(replay->builder, replay->at, flops / replay->rate));
}

static void act_compute(struct replay *replay, const struct operands *operands)
{
	compute(replay, operands->flops);
}

static double bytes_of(const struct operands *operands)
{
	return operands->count * operands->datatype[0];
}

static void act_send(struct replay *replay, const struct operands *operands)
{
	bool rendezvous = bytes_of(operands) >= replay->eager;
	uint32_t message = add_message(replay, operands->peer, operands->tag, bytes_of(operands), rendezvous);
	if (rendezvous)
		replay->rank[replay->at].point = message;
}

static void act_receive(struct replay *replay, const struct operands *operands)
{
	receive_now(replay, operands->peer, operands->tag);
}

static void add_request(struct replay *replay, struct request request)
{
	struct rank *rank = &replay->rank[replay->at];
	if (!array_grow(&rank->request, &rank->capacity, rank->requests + 1, sizeof *rank->request, replay->error))
		rank->request[rank->requests++] = request;
}

static void act_isend(struct replay *replay, const struct operands *operands)
{
	bool rendezvous = bytes_of(operands) >= replay->eager;
	uint32_t message = add_message(replay, operands->peer, operands->tag, bytes_of(operands), rendezvous);
	add_request(replay, (struct request){.sender = replay->at,
				    .receiver = operands->peer,
				    .tag = operands->tag,
				    .operation = rendezvous ? message : OPERATION_NONE});
}

static void act_ireceive(struct replay *replay, const struct operands *operands)
{
	add_request(replay, (struct request){.sender = operands->peer,
				    .receiver = replay->at,
				    .tag = operands->tag,
				    .operation = post_receive(replay, operands->peer, operands->tag)});
}

/* Makes a join wait for the request, unless it is a message without a wait. */
static void wait_for(struct replay *replay, const struct request *request, uint32_t *join)
{
	if (request->operation == OPERATION_NONE || replay->error->status)
		return;
	if (*join == OPERATION_NONE)
		*join = task_join(replay->builder, replay->at);
	task_after(replay->builder, *join, request->operation);
}

/*
 * "wait SENDER RECEIVER TAG" waits for the first request of that kind, "wait" for the last; requests that are missing have been tested
 * before.
 */
static void act_wait(struct replay *replay, const struct operands *operands)
{
	struct rank *rank = &replay->rank[replay->at];
	const double *number = replay->number;
	size_t i = rank->requests ? rank->requests - 1 : 0;
	uint32_t join = OPERATION_NONE;
	(void)operands;
	if (replay->numbers)
		for (i = 0; i < rank->requests; i++) {
			const struct request *request = &rank->request[i];
			if (request->sender == number[0] && request->receiver == number[1] && request->tag == number[2])
				break;
		}
	if (i >= rank->requests)
		return;
	wait_for(replay, &rank->request[i], &join);
	memmove(&rank->request[i], &rank->request[i + 1], (--rank->requests - i) * sizeof *rank->request);
	if (join != OPERATION_NONE)
		join_after(replay, join);
}

static void act_waitall(struct replay *replay, const struct operands *operands)
{
	struct rank *rank = &replay->rank[replay->at];
	uint32_t join = OPERATION_NONE;
	(void)operands;
	for (size_t i = 0; i < rank->requests; i++)
		wait_for(replay, &rank->request[i], &join);
	rank->requests = 0;
	if (join != OPERATION_NONE)
		join_after(replay, join);
}

/* "init" counts in bytes, "init 1" in doubles. */
static void act_init(struct replay *replay, const struct operands *operands)
{
	(void)operands;
	replay->rank[replay->at].datatype = replay->numbers ? sizeof(double) : 1;
}

static void act_nothing(struct replay *replay, const struct operands *operands)
{
	(void)replay;
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
	{"gatherv", "nvrdd", NULL, COLLECTIVE_GATHER},
	{"scatter", "nirdd", NULL, COLLECTIVE_SCATTER},
	{"scatterv", "virdd", NULL, COLLECTIVE_SCATTERV},
	{"allgather", "nidd", NULL, COLLECTIVE_ALLGATHER},
	{"allgatherv", "nvdd", NULL, COLLECTIVE_ALLGATHERV},
	{"reducescatter", "vfd", NULL, COLLECTIVE_REDUCESCATTER},
	{"scan", "nfd", NULL, COLLECTIVE_SCAN},
	{"exscan", "nfd", NULL, COLLECTIVE_SCAN},
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

static int read_numbers(struct replay *replay)
{
	struct word word;
	replay->numbers = 0;
	while ((word = trace_word(&replay->file, "")).text) {
		if (array_grow(&replay->number, &replay->number_capacity, replay->numbers + 1, sizeof *replay->number, replay->error) ||
			trace_decimal(&replay->file, word, "number", &replay->number[replay->numbers], replay->error))
			return -1;
		replay->numbers++;
	}
	return 0;
}

/* Returns a number that must be whole and below the limit. */
static uint32_t whole(struct replay *replay, double number, const char *what, double limit)
{
	if (number < limit && number == floor(number))
		return (uint32_t)number;
	trace_error(&replay->file, replay->error, "%g is not a %s from 0 to %.0f", number, what, limit - 1);
	return 0;
}

/* Bytes of MPI_DOUBLE, INT, CHAR, SHORT, LONG, FLOAT, BYTE, LONG_LONG, SIGNED_CHAR, UNSIGNED_CHAR, UNSIGNED_SHORT, UNSIGNED, UNSIGNED_LONG,
 * UNSIGNED_LONG_LONG, LONG_DOUBLE, WCHAR, C_BOOL, INT8_T to INT64_T, UINT8_T to UINT64_T. */
static const double datatypes[] = {8, 4, 1, 2, 8, 4, 1, 8, 1, 1, 2, 4, 8, 8, 16, 4, 1, 1, 2, 4, 8, 1, 2, 4, 8};

/* Assigns the numbers of the line to the operands. */
static int read_operands(struct replay *replay, const struct action *action, struct operands *operands)
{
	size_t i = 0, types = 0;
	double usual = replay->rank[replay->at].datatype;
	*operands = (struct operands){.datatype = {usual, usual}};
	for (const char *letter = action->layout; *letter; letter++) {
		size_t need = *letter == 'v' ? replay->ranks : 1;
		if (replay->numbers - i < need && strchr("rdx", *letter))
			break;
		if (replay->numbers - i < need)
			return trace_error(&replay->file, replay->error, "'%s' has too few numbers: %zu", action->name, replay->numbers);
		double number = replay->number[i];
		switch (*letter) {
		case 'n': operands->count = number; break;
		case 'f': operands->flops = number; break;
		case 'p': operands->peer = whole(replay, number, "rank", replay->ranks); break;
		case 'r': operands->root = whole(replay, number, "rank", replay->ranks); break;
		case 't': operands->tag = whole(replay, number, "tag", 0x1p32); break;
		case 'd':
			operands->datatype[types++] =
				datatypes[whole(replay, number, "known datatype", sizeof datatypes / sizeof *datatypes)];
			break;
		case 'v': operands->counts = operands->counts ? operands->counts : &replay->number[i]; break;
		}
		i += need;
	}
	if (i < replay->numbers)
		return trace_error(&replay->file, replay->error, "'%s' has too many numbers: %zu", action->name, replay->numbers);
	return replay->error->status ? -1 : 0;
}

static void collective_give(void *data, uint32_t rank, double bytes)
{
	struct replay *replay = data;
	add_message(replay, rank, replay->tag, bytes, false);
}

static void collective_take(void *data, uint32_t rank)
{
	struct replay *replay = data;
	receive_now(replay, rank, replay->tag);
}

/* Enters the rank into its next collective operation, which must be that of the others. */
static int come_together(struct replay *replay, const struct action *action, uint32_t root)
{
	uint32_t number = replay->rank[replay->at].steps++;
	const char *name = input_name(replay->file.lines.input);
	if (number == replay->steps) {
		if (array_grow(&replay->step, &replay->step_capacity, replay->steps + 1, sizeof *replay->step, replay->error))
			return -1;
		replay->step[replay->steps++] = (struct step){action, root, 0, (uint32_t)replay->file.lines.number, replay->at, name};
	}
	struct step *step = &replay->step[number];
	step->arrived++;
	if (step->action != action || step->root != root)
		return trace_error(&replay->file, replay->error,
			"collective operation %" PRIu32 " of rank %" PRIu32 " is '%s' with root %" PRIu32 ", that of rank %" PRIu32
			" (%s:%" PRIu32 ") '%s' with root %" PRIu32,
			number + 1, replay->at, action->name, root, step->rank, step->file, step->line, step->action->name, step->root);
	/* the tags of ranks are below 2^32 */
	replay->tag = UINT64_C(1) << 32 | number;
	return 0;
}

static int act_together(struct replay *replay, const struct action *action, const struct operands *operands)
{
	if (come_together(replay, action, operands->root))
		return -1;
	bool barrier = action->collective == COLLECTIVE_BARRIER;
	struct collective_call call = {
		.collective = action->collective,
		.ranks = replay->ranks,
		.rank = replay->at,
		.root = operands->root,
		.bytes = barrier ? 1 : bytes_of(operands),
		.count = operands->counts,
		.datatype = operands->datatype[action->collective == COLLECTIVE_ALLGATHERV],
		.give = collective_give,
		.take = collective_take,
		.data = replay,
	};
	collective_run(&call);
	compute(replay, operands->flops);
	return replay->error->status ? -1 : 0;
}

static const struct action *find_action(struct replay *replay, struct word word)
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
		trace_error(&replay->file, replay->error, "unknown action '%s'; did you mean '%s'?", name, near);
	else
		trace_wrong(&replay->file, word, word.text ? "known action" : "action", replay->error);
	return NULL;
}

static int read_action(struct replay *replay)
{
	int64_t rank;
	struct operands operands = {0};
	if (trace_integer(&replay->file, trace_word(&replay->file, ""), "rank", replay->ranks - 1, &rank, replay->error))
		return -1;
	replay->at = (uint32_t)rank;
	const struct action *action = find_action(replay, trace_word(&replay->file, ""));
	if (!action)
		return -1;
	replay->numbers = 0;
	if (*action->layout != '*' && (read_numbers(replay) || read_operands(replay, action, &operands)))
		return -1;
	if (action->act == act_wait && replay->numbers && replay->numbers < 3)
		return trace_error(&replay->file, replay->error, "expected 'RANK wait SENDER RECEIVER TAG' or 'RANK wait'");
	if (!action->act)
		return act_together(replay, action, &operands);
	action->act(replay, &operands);
	return replay->error->status ? -1 : 0;
}

/* Checks that each rank has reached all collective operations. */
static int check_together(struct replay *replay)
{
	for (uint32_t rank = 0; rank < replay->ranks; rank++)
		if (replay->rank[rank].steps < replay->steps) {
			const struct step *step = &replay->step[replay->rank[rank].steps];
			return error_at(replay->error, STATUS_FABRIC, step->file, step->line,
				"rank %" PRIu32 " waits in '%s' for rank %" PRIu32 ", which never calls this collective operation",
				step->rank, step->action->name, rank);
		}
	return 0;
}

static int read_files(struct replay *replay, const struct action_files *paths)
{
	for (size_t i = 0; i < paths->count && !replay->error->status; i++) {
		if (!trace_open(&replay->file, paths->list[i], replay->error))
			while (!task_builder_check(replay->builder, replay->error) && trace_line(&replay->file, replay->error) &&
				!read_action(replay))
				;
		trace_close(&replay->file);
	}
	if (replay->error->status || check_together(replay))
		return -1;
	return pairing_end(&replay->pairing, replay->builder, replay->error);
}

static int read_rate(const char *text, double *rate, struct error *error)
{
	if (!read_number(text, ABOVE_ZERO, DBL_MAX, rate))
		return error_set(error, STATUS_USAGE, "workload 'actions': rate is '%s', not a number > 0", text);
	return 0;
}

static int actions_build(const struct workload_task *task, struct task_builder *builder, struct error *error)
{
	struct replay replay = {.builder = builder, .error = error, .ranks = task->tasks, .eager = (double)task->args[ARG_EAGER].integer};
	struct action_files paths = {0};
	replay.rank = array_create(task->tasks, sizeof *replay.rank, error);
	for (uint32_t rank = 0; replay.rank && rank < task->tasks; rank++)
		replay.rank[rank] = (struct rank){.point = OPERATION_NONE, .datatype = 1};
	if (replay.rank && !read_rate(task->args[ARG_RATE].text, &replay.rate, error) &&
		!action_files_list(&paths, task->args[ARG_FILE].text, error))
		read_files(&replay, &paths);
	for (uint32_t rank = 0; replay.rank && rank < task->tasks; rank++)
		free(replay.rank[rank].request);
	pairing_clear(&replay.pairing);
	free(replay.rank);
	free(replay.step);
	free(replay.number);
	action_files_clear(&paths);
	return error->status ? -1 : 0;
}

const struct pattern pattern_actions = {
	.name = "actions",
	.summary = "a time-independent trace of an MPI program, in the format of SimGrid",
	.source = "orcs-traces(5); Desprez, Markomanolis, Quinson, Suter, PSTI 2011",
	.args = actions_args,
	.ordered = true,
	.count = actions_count,
	.files = actions_files,
	.build = actions_build,
};
