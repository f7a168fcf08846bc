/*
 * Traces of liballprof, the recorder of LogGOPSim: a text file for each rank, with lines NAME:begin:arguments:end. The arguments are those
 * of MPI's C bindings in their order; times are microseconds. See orcs-traces(5).
 */
#include "base/files.h"
#include "base/memory.h"
#include "patterns/graphs/replay/replay.h"
#include "patterns/graphs/trace_file.h"
#include "patterns/graphs/traces/rank_files.h"
#include "patterns/phases.h"
#include "patterns/workload.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ARG_PREFIX, ARG_COLLECTIVES, ARG_EAGER, ARG_COMPUTE };

static const struct arg liballprof_args[] = {
	{"PREFIX", ARG_WORD, NULL, 0, 0,
		"the beginning of the names of files, which the rank and .txt or .dat follow, such as pmpi-trace-rank-"},
	REPLAY_ARG_COLLECTIVES,
	REPLAY_ARG_EAGER("65536", ""),
	REPLAY_ARG_COMPUTE(""),
	PHASES_ARG_UNIT,
	{.type = ARG_END},
};

/* ---- files */

/* Returns the path of a rank, to be freed; NULL, with no error unless out of memory, if there is no such file. */
static char *path_of(const char *prefix, uint32_t rank, struct error *error)
{
	static const char *const ends[] = {".txt", ".dat", ""}, *const packed[] = {"", ".gz", ".xz", ".zst"};
	char *path;
	for (size_t i = 0; i < 3; i++)
		for (size_t k = 0; k < 4; k++) {
			if (!rank_file_is("%s%" PRIu32 "%s%s", prefix, rank, ends[i], packed[k]))
				continue;
			if (asprintf(&path, "%s%" PRIu32 "%s%s", prefix, rank, ends[i], packed[k]) >= 0)
				return path;
			error_set(error, STATUS_IO, "out of memory");
			return NULL;
		}
	return NULL;
}

static bool has_rank(const char *prefix, uint32_t rank)
{
	struct error error = {0};
	char *path = path_of(prefix, rank, &error);
	free(path);
	return path;
}

static int liballprof_files(const struct arg_value *args, struct files *files, struct error *error)
{
	char *path;
	for (uint32_t r = 0; r < RANK_FILES_MAX && !error->status && (path = path_of(args[ARG_PREFIX].text, r, error)); r++) {
		files_read(files, path, error);
		free(path);
	}
	return error->status ? -1 : 0;
}

/* ---- lines */

enum { FIELDS = 16 };

struct liballprof {
	struct trace_file file;
	struct replay *replay;
	struct error *error;
	uint32_t rank, ranks;
	struct word field[FIELDS]; /* name, begin, arguments, end */
	size_t fields;
	double exit; /* of the last call, microseconds; < 0: none */
	double *count;
	uint64_t backward;
};

/* Splits the line at colons. Returns 0, or -1. */
static int split_line(struct liballprof *l)
{
	const char *from = l->file.next, *end = l->file.end;
	while (end > from && (end[-1] == '\r' || end[-1] == ' '))
		end--;
	l->fields = 0;
	for (const char *colon; from <= end; from = colon + 1) {
		colon = memchr(from, ':', (size_t)(end - from));
		colon = colon ? colon : end;
		if (l->fields == FIELDS)
			return trace_error(&l->file, l->error, "the line has more than %d arguments", FIELDS - 3);
		l->field[l->fields++] = (struct word){from, (size_t)(colon - from)};
	}
	return 0;
}

/* Returns an argument, from 0; an error if it is missing. */
static struct word argument(struct liballprof *l, size_t number)
{
	if (number + 3 < l->fields)
		return l->field[number + 2];
	trace_error(&l->file, l->error, "%.*s has too few arguments", (int)(l->field[0].length < 60 ? l->field[0].length : 60),
		l->field[0].text);
	return (struct word){"0", 1};
}

/* Reads the number at the beginning of a word, and what follows it; a '-' alone is unknown. */
static int64_t number_in(struct liballprof *l, struct word *word, const char *what)
{
	char text[32];
	snprintf(text, sizeof text, "%.*s", (int)(word->length < sizeof text ? word->length : sizeof text - 1), word->text);
	size_t length = strspn(text, "-0123456789");
	char *end;
	long long value = strtoll(text, &end, 10);
	if (end == text || (size_t)(end - text) != length) {
		trace_wrong(&l->file, *word, what, l->error);
		return 0;
	}
	word->text += length;
	word->length -= length;
	if (word->length && (*word->text == ',' || *word->text == ';')) {
		word->text++;
		word->length--;
	}
	return value;
}

static int64_t integer(struct liballprof *l, size_t number, const char *what)
{
	struct word word = argument(l, number);
	return number_in(l, &word, what);
}

/* The bytes of count elements: arguments count and datatype "id,size,extent". */
static double bytes_of(struct liballprof *l, size_t number)
{
	struct word type = argument(l, number + 1);
	int64_t count = integer(l, number, "count");
	number_in(l, &type, "datatype");
	int64_t size = type.length ? number_in(l, &type, "size of a datatype") : 0;
	if (count < 0 || size < 0)
		trace_error(&l->file, l->error, "the number of bytes is negative");
	return (double)count * (double)size;
}

static double size_of(struct liballprof *l, size_t number)
{
	struct word type = argument(l, number);
	number_in(l, &type, "datatype");
	return type.length ? (double)number_in(l, &type, "size of a datatype") : 1;
}

/* The communicator "id,rank,size"; its size to *size. */
static replay_handle communicator(struct liballprof *l, size_t number, int64_t *size)
{
	struct word word = argument(l, number);
	int64_t id = number_in(l, &word, "communicator");
	if (size && word.length) {
		number_in(l, &word, "rank");
		*size = word.length ? number_in(l, &word, "size of a communicator") : 0;
	}
	return (replay_handle)id;
}

static int64_t peer_of(struct liballprof *l, size_t number)
{
	int64_t rank = integer(l, number, "rank");
	return rank >= 0 ? rank : rank == -1 ? REPLAY_ANY : REPLAY_NOBODY;
}

/* ---- calls */

enum act {
	ACT_NOTHING,
	ACT_SEND,
	ACT_RECEIVE,
	ACT_BEGIN_SEND,
	ACT_BEGIN_RECEIVE,
	ACT_WAIT,
	ACT_WAITALL,
	ACT_SENDRECV,
	ACT_DUP,
	ACT_SPLIT,
	ACT_COLLECTIVE
};

/* How the bytes of a collective operation are given: count and datatype of the caller's block, or counts. */
struct call {
	const char *name;
	enum act act;
	enum replay_mode mode;
	enum collective collective;
	int8_t count, root, communicator; /* arguments; -1: none */
};

/* Arguments count from 0 behind the time of the beginning. */
static const struct call calls[] = {
	{"MPI_Send", ACT_SEND, REPLAY_STANDARD, 0, 0, 0, 0},
	{"MPI_Recv", ACT_RECEIVE, REPLAY_STANDARD, 0, 0, 0, 0},
	{"MPI_Isend", ACT_BEGIN_SEND, REPLAY_STANDARD, 0, 0, 0, 0},
	{"MPI_Irecv", ACT_BEGIN_RECEIVE, REPLAY_STANDARD, 0, 0, 0, 0},
	{"MPI_Ssend", ACT_SEND, REPLAY_SYNCHRONOUS, 0, 0, 0, 0},
	{"MPI_Bsend", ACT_SEND, REPLAY_BUFFERED, 0, 0, 0, 0},
	{"MPI_Rsend", ACT_SEND, REPLAY_STANDARD, 0, 0, 0, 0},
	{"MPI_Issend", ACT_BEGIN_SEND, REPLAY_SYNCHRONOUS, 0, 0, 0, 0},
	{"MPI_Ibsend", ACT_BEGIN_SEND, REPLAY_BUFFERED, 0, 0, 0, 0},
	{"MPI_Irsend", ACT_BEGIN_SEND, REPLAY_STANDARD, 0, 0, 0, 0},
	{"MPI_Wait", ACT_WAIT, 0, 0, 0, 0, 0},
	{"MPI_Waitall", ACT_WAITALL, 0, 0, 0, 0, 0},
	{"MPI_Sendrecv", ACT_SENDRECV, 0, 0, 0, 0, 0},
	{"MPI_Comm_dup", ACT_DUP, 0, 0, 0, 0, 0},
	{"MPI_Comm_split", ACT_SPLIT, 0, 0, 0, 0, 0},
	{"MPI_Barrier", ACT_COLLECTIVE, 0, COLLECTIVE_BARRIER, -1, -1, 0},
	{"MPI_Bcast", ACT_COLLECTIVE, 0, COLLECTIVE_BCAST, 1, 3, 4},
	{"MPI_Reduce", ACT_COLLECTIVE, 0, COLLECTIVE_REDUCE, 2, 5, 6},
	{"MPI_Allreduce", ACT_COLLECTIVE, 0, COLLECTIVE_ALLREDUCE, 2, -1, 5},
	{"MPI_Scan", ACT_COLLECTIVE, 0, COLLECTIVE_SCAN, 2, -1, 5},
	{"MPI_Exscan", ACT_COLLECTIVE, 0, COLLECTIVE_EXSCAN, 2, -1, 5},
	{"MPI_Allgather", ACT_COLLECTIVE, 0, COLLECTIVE_ALLGATHER, 1, -1, 6},
	{"MPI_Alltoall", ACT_COLLECTIVE, 0, COLLECTIVE_ALLTOALL, 1, -1, 6},
	{"MPI_Gather", ACT_COLLECTIVE, 0, COLLECTIVE_GATHER, 1, 6, 7},
	{"MPI_Gatherv", ACT_COLLECTIVE, 0, COLLECTIVE_GATHERV, 1, 7, 8},
	{"MPI_Scatter", ACT_COLLECTIVE, 0, COLLECTIVE_SCATTER, 4, 6, 7},
};

/* Calls that send or receive, or end or make what does, and are not read here. */
static const char *const unsupported[] = {"MPI_Test", "MPI_Testall", "MPI_Testany", "MPI_Testsome", "MPI_Waitany", "MPI_Waitsome",
	"MPI_Sendrecv_replace", "MPI_Start", "MPI_Startall", "MPI_Allgatherv", "MPI_Alltoallv", "MPI_Alltoallw", "MPI_Scatterv",
	"MPI_Reduce_scatter", "MPI_Comm_create", "MPI_Cart_create", "MPI_Cart_sub", "MPI_Graph_create", "MPI_Intercomm_create",
	"MPI_Intercomm_merge", "MPI_Put", "MPI_Get", "MPI_Accumulate"};

static struct replay_message message_of(struct liballprof *l, size_t number, enum replay_mode mode)
{
	return (struct replay_message){.communicator = communicator(l, number + 5, NULL),
		.peer = peer_of(l, number + 3),
		.tag = integer(l, number + 4, "tag") < 0 ? REPLAY_ANY : integer(l, number + 4, "tag"),
		.bytes = bytes_of(l, number + 1),
		.mode = mode};
}

/* Waits for all requests of a list, as "[1,2]" or "1;2". */
static void wait_for_all(struct liballprof *l, struct word list)
{
	while (list.length && !l->error->status) {
		if (strchr("[] ,;", *list.text)) {
			list.text++;
			list.length--;
			continue;
		}
		struct word end = list;
		end.length = strcspn(list.text, "[]:,; \r\n");
		end.length = end.length < list.length ? end.length : list.length;
		size_t used = end.length;
		replay_wait_for(l->replay, (replay_handle)number_in(l, &end, "request"), NULL);
		list.text += used;
		list.length -= used;
	}
	replay_wait(l->replay);
}

static void sendrecv(struct liballprof *l)
{
	const replay_handle sent = UINT64_MAX, received = UINT64_MAX - 1;
	replay_handle in = communicator(l, 10, NULL);
	struct replay_message send = {in, peer_of(l, 3), integer(l, 4, "tag"), bytes_of(l, 1), REPLAY_STANDARD};
	struct replay_message receive = {in, peer_of(l, 8), integer(l, 9, "tag"), 0, REPLAY_STANDARD};
	receive.tag = receive.tag < 0 ? REPLAY_ANY : receive.tag;
	replay_begin_receive(l->replay, &receive, received);
	replay_begin_send(l->replay, &send, sent);
	replay_wait_for(l->replay, received, NULL);
	replay_wait_for(l->replay, sent, NULL);
	replay_wait(l->replay);
}

static void add_collective(struct liballprof *l, const struct call *call)
{
	struct replay_collective c = {.name = call->name, .collective = call->collective, .datatype = 1};
	c.communicator = communicator(l, (size_t)call->communicator, NULL);
	if (call->root >= 0)
		c.root = (uint32_t)integer(l, (size_t)call->root, "root");
	if (call->count >= 0) {
		c.bytes = bytes_of(l, (size_t)call->count);
		c.datatype = size_of(l, (size_t)call->count + 1);
	}
	if (!l->error->status)
		replay_collective(l->replay, &c);
}

static void act(struct liballprof *l, const struct call *call)
{
	struct replay_message message;
	switch (call->act) {
	case ACT_SEND:
		message = message_of(l, 0, call->mode);
		replay_send(l->replay, &message);
		break;
	case ACT_RECEIVE:
		message = message_of(l, 0, call->mode);
		replay_receive(l->replay, &message, NULL);
		break;
	case ACT_BEGIN_SEND:
		message = message_of(l, 0, call->mode);
		replay_begin_send(l->replay, &message, (replay_handle)integer(l, 6, "request"));
		break;
	case ACT_BEGIN_RECEIVE:
		message = message_of(l, 0, call->mode);
		replay_begin_receive(l->replay, &message, (replay_handle)integer(l, 6, "request"));
		break;
	case ACT_WAIT:
		replay_wait_for(l->replay, (replay_handle)integer(l, 0, "request"), NULL);
		replay_wait(l->replay);
		break;
	case ACT_WAITALL: wait_for_all(l, argument(l, 1)); break;
	case ACT_SENDRECV: sendrecv(l); break;
	case ACT_DUP: replay_duplicate(l->replay, communicator(l, 0, NULL), communicator(l, 1, NULL)); break;
	case ACT_SPLIT: {
		int64_t colour = integer(l, 1, "colour");
		replay_split(l->replay, communicator(l, 0, NULL), colour < 0 ? REPLAY_UNDEFINED : colour, integer(l, 2, "key"),
			communicator(l, 3, NULL));
		break;
	}
	case ACT_COLLECTIVE: add_collective(l, call); break;
	default: break;
	}
}

/* Adds the computation before a call. */
static void compute_before(struct liballprof *l)
{
	char text[2][40];
	double time[2];
	for (int i = 0; i < 2; i++) {
		struct word word = l->field[i ? l->fields - 1 : 1];
		snprintf(text[i], sizeof text[i], "%.*s", (int)(word.length < sizeof text[i] ? word.length : 0), word.text);
		if (!strcmp(text[i], "-")) {
			time[i] = -1;
		} else if (!read_number(text[i], 0, HUGE_VAL, &time[i])) {
			trace_wrong(&l->file, word, "time in microseconds", l->error);
			return;
		}
	}
	if (time[0] >= 0 && l->exit >= 0) {
		l->backward += time[0] < l->exit;
		if (time[0] > l->exit)
			replay_compute(l->replay, (time[0] - l->exit) / 1e6);
	}
	l->exit = time[1];
}

static int read_call(struct liballprof *l)
{
	if (split_line(l))
		return -1;
	if (l->fields < 3)
		return trace_error(&l->file, l->error, "a line is NAME:begin:arguments:end");
	compute_before(l);
	replay_place(l->replay, input_name(l->file.lines.input), l->file.lines.number);
	for (size_t c = 0; c < sizeof calls / sizeof *calls; c++)
		if (word_is(l->field[0], calls[c].name)) {
			act(l, &calls[c]);
			break;
		}
	for (size_t c = 0; c < sizeof unsupported / sizeof *unsupported; c++)
		if (word_is(l->field[0], unsupported[c]))
			return trace_error(&l->file, l->error, "%s is not supported", unsupported[c]);
	return l->error->status ? -1 : 0;
}

/* ---- the ranks */

static int liballprof_count(const struct arg_value *args, uint32_t *tasks, struct error *error)
{
	*tasks = 0;
	while (*tasks < RANK_FILES_MAX && has_rank(args[ARG_PREFIX].text, *tasks))
		++*tasks;
	if (*tasks)
		return 0;
	return error_at(
		error, STATUS_IO, args[ARG_PREFIX].text, 0, "there is no file of rank 0 with this prefix: 0.txt, 0.dat or 0 after it");
}

static int read_rank(struct liballprof *l, const char *path, uint32_t rank, struct task_builder *builder)
{
	l->rank = rank;
	l->exit = -1;
	replay_at(l->replay, rank, 0);
	if (!trace_open(&l->file, path, l->error))
		while (!task_builder_check(builder, l->error) && trace_line(&l->file, l->error) && !read_call(l))
			;
	trace_close(&l->file);
	return l->error->status ? -1 : 0;
}

static int liballprof_build(const struct workload_task *task, struct task_builder *builder, struct error *error)
{
	struct liballprof l = {.error = error, .ranks = task->tasks};
	struct replay_options options;
	if (replay_options_read(&options, &task->args[ARG_COLLECTIVES], &task->args[ARG_EAGER], "liballprof", error) ||
		replay_compute_read(&options.compute, &task->args[ARG_COMPUTE], false, "liballprof", error) ||
		!(l.replay = replay_create(builder, task->tasks, &options, error)))
		return -1;
	/* the world is communicator 0, and that of a rank alone 1, as liballprof numbers them */
	char **path = array_create(task->tasks, sizeof *path, error);
	for (uint32_t r = 0; path && r < task->tasks && !error->status; r++)
		if ((path[r] = path_of(task->args[ARG_PREFIX].text, r, error)))
			read_rank(&l, path[r], r, builder);
	if (!error->status && l.backward)
		task_note(builder, "%" PRIu64 " calls begin before the one before them has ended: clocks go back", l.backward);
	if (!error->status)
		replay_end(l.replay);
	for (uint32_t r = 0; path && r < task->tasks; r++)
		free(path[r]);
	free(path);
	replay_free(l.replay);
	return error->status ? -1 : 0;
}

const struct pattern pattern_liballprof = {
	.name = "liballprof",
	.summary = "a trace of an MPI program by liballprof, the recorder of LogGOPSim",
	.source = "orcs-traces(5)",
	.args = liballprof_args,
	.ordered = true,
	.phases = true,
	.count = liballprof_count,
	.files = liballprof_files,
	.build = liballprof_build,
};
