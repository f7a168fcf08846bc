/* Traces of DUMPI, the recorder of SST: a file of binary records for each rank, see orcs-traces(5). */
#include "base/files.h"
#include "base/memory.h"
#include "patterns/graphs/replay/replay.h"
#include "patterns/graphs/traces/dumpi_stream.h"
#include "patterns/graphs/traces/rank_files.h"
#include "patterns/phases.h"
#include "patterns/workload.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ARG_PREFIX, ARG_COLLECTIVES, ARG_EAGER, ARG_COMPUTE };

static const struct arg dumpi_args[] = {
	{"PREFIX", ARG_WORD, NULL, 0, 0, "PREFIX.meta and PREFIX-0000.bin, PREFIX-0001.bin and so on"},
	REPLAY_ARG_COLLECTIVES,
	REPLAY_ARG_EAGER("65536", ""),
	REPLAY_ARG_COMPUTE(", cpu (of the processor)"),
	PHASES_ARG_UNIT,
	{.type = ARG_END},
};

/* ---- files */

/* The beginning of the paths of a trace: PREFIX, PREFIX- and PREFIX.meta are the same. To be freed; NULL if out of memory. */
static char *prefix_of(const char *text, struct error *error)
{
	size_t length = strlen(text);
	char *prefix = strdup(text);
	if (!prefix) {
		error_set(error, STATUS_IO, "out of memory");
		return NULL;
	}
	if (length > 5 && !strcmp(prefix + length - 5, ".meta"))
		prefix[length - 5] = '\0';
	else if (length > 1 && prefix[length - 1] == '-' && !rank_file_is("%s.meta", prefix) && !rank_file_is("%s-0000.bin", prefix))
		prefix[length - 1] = '\0';
	return prefix;
}

/* Returns the path of a rank. To be freed; NULL if out of memory. */
static char *path_of(const char *prefix, uint32_t rank, struct error *error)
{
	char *path;
	if (asprintf(&path, "%s-%04" PRIu32 ".bin", prefix, rank) >= 0)
		return path;
	error_set(error, STATUS_IO, "out of memory");
	return NULL;
}

/* Reads numprocs of the file PREFIX.meta; without that file, counts the files. */
static int count_ranks(const char *prefix, uint32_t *ranks, struct error *error)
{
	char path[4200], line[300];
	int64_t number = 0;
	snprintf(path, sizeof path, "%s.meta", prefix);
	FILE *file = fopen(path, "re");
	*ranks = 0;
	if (!file) {
		while (*ranks < RANK_FILES_MAX && rank_file_is("%s-%04" PRIu32 ".bin", prefix, *ranks))
			++*ranks;
		return *ranks ? 0 : error_at(error, STATUS_IO, path, 0, "the file is missing, and so is %s-0000.bin", prefix);
	}
	while (fgets(line, sizeof line, file))
		if (!strncmp(line, "numprocs=", 9)) {
			line[strcspn(line, "\r\n")] = '\0';
			read_integer(line + 9, 1, RANK_FILES_MAX, &number);
		}
	fclose(file);
	*ranks = (uint32_t)number;
	return number ? 0 : error_at(error, STATUS_FABRIC, path, 0, "it has no line numprocs=N with a number of ranks");
}

static int dumpi_count(const struct arg_value *args, uint32_t *tasks, struct error *error)
{
	char *prefix = prefix_of(args[ARG_PREFIX].text, error);
	int result = prefix ? count_ranks(prefix, tasks, error) : -1;
	free(prefix);
	return result;
}

static int dumpi_files(const struct arg_value *args, struct files *files, struct error *error)
{
	struct error own = {0}; /* told when the files are read */
	uint32_t ranks = 0;
	char *prefix = prefix_of(args[ARG_PREFIX].text, error), *path;
	if (prefix && !count_ranks(prefix, &ranks, &own) && asprintf(&path, "%s.meta", prefix) >= 0) {
		files_read(files, path, error);
		free(path);
	}
	for (uint32_t r = 0; r < ranks && !error->status && (path = path_of(prefix, r, error)); r++) {
		files_read(files, path, error);
		free(path);
	}
	free(prefix);
	return error->status ? -1 : 0;
}

/* ---- reading */

enum { HANDLE_WORLD = 2, HANDLE_SELF = 3, TYPES = 28 };

/* The sizes of the basic datatypes where the file has none: MPI_CHAR is the third. */
static const uint8_t basic_sizes[TYPES] = {0, 0, 1, 1, 1, 1, 4, 2, 2, 4, 4, 8, 8, 4, 8, 16, 8, 8, 8, 1, 1, 1, 8, 12, 12, 6, 8, 20};

struct window {
	int32_t handle, communicator;
};

struct dumpi {
	struct dumpi_stream stream;
	struct replay *replay;
	struct error *error;
	uint8_t alternative[DUMPI_CALLS];
	double *size; /* [types] bytes of datatypes of the current rank; < 0: unknown */
	size_t types, type_capacity;
	struct window *window;
	size_t windows, window_capacity;
	struct {
		uint32_t thread;
		int64_t exit;
	} * last; /* the exit of the last call of each thread */
	size_t threads, thread_capacity;
	double *count; /* of a collective operation */
	size_t count_capacity;
	uint64_t backward;                                 /* number of computations that would end before they begin */
	uint64_t made[DUMPI_CALLS], left_out[DUMPI_CALLS]; /* calls of all ranks, and those that were not recorded */
};

static int refuse(struct dumpi *d, const char *text, const struct dumpi_call *call)
{
	return error_set(d->error, STATUS_FABRIC, "%s: byte %zu: %s: %s", d->stream.path, (size_t)(d->stream.at - d->stream.data),
		dumpi_name(call->number), text);
}

/* Returns the bytes of an element of a datatype. */
static double size_of(struct dumpi *d, const struct dumpi_call *call, int32_t type)
{
	if (type >= 0 && (size_t)type < d->types && d->size[type] >= 0)
		return d->size[type];
	refuse(d, "the size of its datatype is not known", call);
	return 0;
}

static double bytes_of(struct dumpi *d, const struct dumpi_call *call, int32_t count, int32_t type)
{
	return count > 0 ? count * size_of(d, call, type) : 0;
}

static void set_size(struct dumpi *d, int32_t type, double size)
{
	if (type < 0 || array_grow(&d->size, &d->type_capacity, (size_t)type + 1, sizeof *d->size, d->error))
		return;
	while (d->types <= (size_t)type)
		d->size[d->types++] = -1;
	d->size[type] = size;
}

static void begin_types(struct dumpi *d)
{
	d->types = 0;
	for (int32_t t = 0; t < TYPES; t++)
		set_size(d, t, basic_sizes[t]);
	const struct dumpi_array sizes = {d->stream.sizes, d->stream.size_count};
	for (uint32_t t = 0; t < sizes.length && t < TYPES; t++)
		if (dumpi_element(sizes, t) > 0)
			d->size[t] = dumpi_element(sizes, t);
}

static void define_type(struct dumpi *d, const struct dumpi_call *call)
{
	const int32_t *v = call->value;
	const struct dumpi_array *a = call->array;
	double size = 0;
	int32_t elements = 0;
	switch (call->number) {
	case DUMPI_TYPE_CONTIGUOUS: set_size(d, v[2], v[0] * size_of(d, call, v[1])); break;
	case DUMPI_TYPE_VECTOR:
	case DUMPI_TYPE_HVECTOR:
	case DUMPI_TYPE_CREATE_HVECTOR: set_size(d, v[4], (double)v[0] * v[1] * size_of(d, call, v[3])); break;
	case DUMPI_TYPE_INDEXED:
	case DUMPI_TYPE_HINDEXED:
	case DUMPI_TYPE_CREATE_HINDEXED:
		for (uint32_t i = 0; i < a[0].length; i++)
			elements += dumpi_element(a[0], i);
		set_size(d, v[2], elements * size_of(d, call, v[1]));
		break;
	case DUMPI_TYPE_CREATE_INDEXED_BLOCK: set_size(d, v[3], (double)v[0] * v[1] * size_of(d, call, v[2])); break;
	case DUMPI_TYPE_STRUCT:
	case DUMPI_TYPE_CREATE_STRUCT:
		for (uint32_t i = 0; i < a[0].length; i++)
			size += dumpi_element(a[0], i) * size_of(d, call, dumpi_short(a[2], i));
		set_size(d, v[1], size);
		break;
	case DUMPI_TYPE_DUP: set_size(d, v[1], size_of(d, call, v[0])); break;
	case DUMPI_TYPE_CREATE_RESIZED: set_size(d, v[3], size_of(d, call, v[0])); break;
	case DUMPI_TYPE_CREATE_SUBARRAY:
		size = size_of(d, call, v[2]);
		for (uint32_t i = 0; i < a[1].length; i++)
			size *= dumpi_element(a[1], i);
		set_size(d, v[3], size);
		break;
	}
}

/* ---- time */

/* Adds the computation before a call: from the exit of the last call of its thread, whose seconds have 16 bits. */
static void compute_before(struct dumpi *d, const struct dumpi_call *call)
{
	const int64_t turn = INT64_C(65536000000000);
	size_t t = 0;
	while (t < d->threads && d->last[t].thread != call->thread)
		t++;
	if (t == d->threads) {
		if (array_grow(&d->last, &d->thread_capacity, t + 1, sizeof *d->last, d->error))
			return;
		d->last[d->threads++].thread = call->thread;
		d->last[t].exit = call->entry;
	}
	int64_t before = d->last[t].exit, time = call->entry - before;
	d->last[t].exit = call->exit;
	if (d->stream.cpu && call->entry < 0)
		refuse(d, "the trace has no times of the processor, which compute=cpu needs", call);
	if (call->entry < 0 || before < 0)
		return;
	if (time < -turn / 2)
		time += turn;
	if (time < 0)
		d->backward++;
	else if (time)
		replay_compute(d->replay, (double)time / 1e9);
}

/* ---- calls */

/* Returns the rank that an argument names. */
static int64_t peer_of(int32_t rank, bool source)
{
	return rank >= 0 ? rank : source && rank == -1 ? REPLAY_ANY : REPLAY_NOBODY;
}

static int64_t tag_of(int32_t tag)
{
	return tag < 0 ? REPLAY_ANY : tag;
}

static enum replay_mode mode_of(unsigned number)
{
	switch (number) {
	case DUMPI_SSEND:
	case DUMPI_ISSEND:
	case DUMPI_SSEND_INIT: return REPLAY_SYNCHRONOUS;
	case DUMPI_BSEND:
	case DUMPI_IBSEND:
	case DUMPI_BSEND_INIT: return REPLAY_BUFFERED;
	default: return REPLAY_STANDARD;
	}
}

/* The message of a call that begins with count, datatype, peer, tag, communicator. */
static struct replay_message message_of(struct dumpi *d, const struct dumpi_call *call, bool receive)
{
	const int32_t *v = call->value;
	return (struct replay_message){.communicator = (replay_handle)v[4],
		.peer = peer_of(v[2], receive),
		.tag = receive ? tag_of(v[3]) : v[3] & INT32_MAX,
		.bytes = receive ? 0 : bytes_of(d, call, v[0], v[1]),
		.mode = mode_of(call->number)};
}

/* Returns the status with that number; NULL if it was not recorded. */
static const struct replay_status *status_of(
	const struct dumpi *d, const struct dumpi_call *call, uint32_t number, struct replay_status *status)
{
	size_t width = d->stream.tags ? 14 : 10;
	const struct dumpi_array fields = {call->status.data + width * number, 4};
	const uint8_t *p = call->status.data + width * number;
	if (number >= call->status.length)
		return NULL;
	int32_t source = dumpi_element(fields, 1);
	const struct dumpi_array tag = {p + 10, 1};
	*status = (struct replay_status){.source = source < 0 ? REPLAY_ANY : source,
		.tag = d->stream.tags ? tag_of(dumpi_element(tag, 0)) : REPLAY_ANY,
		.kept = !p[8]};
	return status;
}

static void wait_for(struct dumpi *d, const struct dumpi_call *call, int32_t request, uint32_t number)
{
	struct replay_status status;
	replay_wait_for(d->replay, (replay_handle)(uint32_t)request, status_of(d, call, number, &status));
}

/* Waits for requests[indices], or for all without indices. */
static void wait_for_some(struct dumpi *d, const struct dumpi_call *call, const struct dumpi_array *indices)
{
	const struct dumpi_array *requests = &call->array[0];
	uint32_t count = indices ? indices->length : requests->length;
	for (uint32_t i = 0; i < count; i++) {
		int32_t place = indices ? dumpi_element(*indices, i) : (int32_t)i;
		if (place >= 0 && (uint32_t)place < requests->length)
			wait_for(d, call, dumpi_element(*requests, (uint32_t)place), i);
	}
	replay_wait(d->replay);
}

/* The calls that end requests, as far as the trace has recorded that they did. */
static void end_requests(struct dumpi *d, const struct dumpi_call *call)
{
	const int32_t *v = call->value;
	struct dumpi_array some = call->array[1];
	switch (call->number) {
	case DUMPI_TEST:
		if (!v[1])
			break; /* fall through */
	case DUMPI_WAIT:
		wait_for(d, call, v[0], 0);
		replay_wait(d->replay);
		break;
	case DUMPI_TESTANY:
		if (!v[2])
			break; /* fall through */
	case DUMPI_WAITANY:
		if (v[1] >= 0 && (uint32_t)v[1] < call->array[0].length) {
			wait_for(d, call, dumpi_element(call->array[0], (uint32_t)v[1]), 0);
			replay_wait(d->replay);
		}
		break;
	case DUMPI_TESTALL:
		if (!v[1])
			break; /* fall through */
	case DUMPI_WAITALL: wait_for_some(d, call, NULL); break;
	default: /* Waitsome, Testsome: the first of the indices count */
		some.length = v[1] > 0 && (uint32_t)v[1] < some.length ? (uint32_t)v[1] : v[1] > 0 ? some.length : 0;
		wait_for_some(d, call, &some);
	}
}

/* Begins the send of a call, and its receive, and waits for both. */
static void send_and_receive(
	struct dumpi *d, const struct dumpi_call *call, const struct replay_message *send, const struct replay_message *receive)
{
	const replay_handle sent = UINT64_C(1) << 40, received = sent + 1;
	struct replay_status status;
	replay_begin_receive(d->replay, receive, received);
	replay_begin_send(d->replay, send, sent);
	replay_wait_for(d->replay, received, status_of(d, call, 0, &status));
	replay_wait_for(d->replay, sent, NULL);
	replay_wait(d->replay);
}

static void sendrecv(struct dumpi *d, const struct dumpi_call *call)
{
	const int32_t *v = call->value;
	bool replace = call->number == DUMPI_SENDRECV_REPLACE;
	replay_handle in = (replay_handle)v[replace ? 6 : 8];
	const struct replay_message send = {in, peer_of(v[2], false), v[3] & INT32_MAX, bytes_of(d, call, v[0], v[1]), REPLAY_STANDARD};
	const struct replay_message receive = {in, peer_of(v[replace ? 4 : 6], true), tag_of(v[replace ? 5 : 7]), 0, REPLAY_STANDARD};
	send_and_receive(d, call, &send, &receive);
}

/* Messages, receives and requests. Returns whether the call is one of these. */
static bool add_message(struct dumpi *d, const struct dumpi_call *call)
{
	const int32_t *v = call->value;
	struct replay_message message;
	struct replay_status status;
	switch (call->number) {
	case DUMPI_SEND:
	case DUMPI_BSEND:
	case DUMPI_SSEND:
	case DUMPI_RSEND:
		message = message_of(d, call, false);
		replay_send(d->replay, &message);
		break;
	case DUMPI_RECV:
		message = message_of(d, call, true);
		replay_receive(d->replay, &message, status_of(d, call, 0, &status));
		break;
	case DUMPI_ISEND:
	case DUMPI_IBSEND:
	case DUMPI_ISSEND:
	case DUMPI_IRSEND:
		message = message_of(d, call, false);
		replay_begin_send(d->replay, &message, (replay_handle)(uint32_t)v[5]);
		break;
	case DUMPI_IRECV:
		message = message_of(d, call, true);
		replay_begin_receive(d->replay, &message, (replay_handle)(uint32_t)v[5]);
		break;
	case DUMPI_SEND_INIT:
	case DUMPI_BSEND_INIT:
	case DUMPI_SSEND_INIT:
	case DUMPI_RSEND_INIT:
	case DUMPI_RECV_INIT:
		message = message_of(d, call, call->number == DUMPI_RECV_INIT);
		replay_prepare(d->replay, &message, call->number == DUMPI_RECV_INIT, (replay_handle)(uint32_t)v[5]);
		break;
	case DUMPI_START: replay_start(d->replay, (replay_handle)(uint32_t)v[0]); break;
	case DUMPI_STARTALL:
		for (uint32_t i = 0; i < call->array[0].length; i++)
			replay_start(d->replay, (replay_handle)(uint32_t)dumpi_element(call->array[0], i));
		break;
	case DUMPI_SENDRECV:
	case DUMPI_SENDRECV_REPLACE: sendrecv(d, call); break;
	case DUMPI_CANCEL: replay_cancel(d->replay, (replay_handle)(uint32_t)v[0]); break;
	case DUMPI_REQUEST_FREE: replay_free_request(d->replay, (replay_handle)(uint32_t)v[0]); break;
	case DUMPI_WAIT:
	case DUMPI_TEST:
	case DUMPI_WAITANY:
	case DUMPI_TESTANY:
	case DUMPI_WAITALL:
	case DUMPI_TESTALL:
	case DUMPI_WAITSOME:
	case DUMPI_TESTSOME: end_requests(d, call); break;
	default: return false;
	}
	return true;
}

/* Sets the counts of a collective operation: of an array, or of elements of several datatypes, in bytes. */
static void set_counts(struct dumpi *d, const struct dumpi_call *call, struct dumpi_array array, const struct dumpi_array *types,
	struct replay_collective *c)
{
	if (array_grow(&d->count, &d->count_capacity, (size_t)array.length + 1, sizeof *d->count, d->error))
		return;
	for (uint32_t i = 0; i < array.length; i++)
		d->count[i] = types ? bytes_of(d, call, dumpi_element(array, i), dumpi_short(*types, i)) : dumpi_element(array, i);
	c->count = d->count;
	c->counts = array.length;
}

/* Operations with a root, except broadcast and reduction. */
static bool add_rooted(struct dumpi *d, const struct dumpi_call *call, struct replay_collective *c)
{
	static const enum collective kinds[] = {COLLECTIVE_GATHER, COLLECTIVE_GATHERV, COLLECTIVE_SCATTER, COLLECTIVE_SCATTERV};
	const struct dumpi_rooted *r = &call->rooted;
	if (call->number < DUMPI_GATHER || call->number > DUMPI_SCATTERV)
		return false;
	c->collective = kinds[call->number - DUMPI_GATHER];
	c->communicator = (replay_handle)r->communicator;
	c->root = (uint32_t)r->root;
	c->bytes = bytes_of(d, call, r->count, r->type);
	c->datatype = size_of(d, call, r->type);
	if (c->collective == COLLECTIVE_SCATTERV && r->rank == r->root) {
		set_counts(d, call, call->array[0], NULL, c);
		c->datatype = size_of(d, call, r->type_at_root);
	}
	return true;
}

/* Collective operations. Returns whether the call is one. */
static bool add_collective(struct dumpi *d, const struct dumpi_call *call)
{
	const int32_t *v = call->value;
	struct replay_collective c = {.datatype = 1};
	unsigned plus = call->array[0].data && d->alternative[call->number] ? 0 : 1; /* the size of the communicator comes first */
	int32_t type = -1, communicator = 0;
	switch (call->number) {
	case DUMPI_BARRIER:
		c.collective = COLLECTIVE_BARRIER;
		communicator = v[0];
		break;
	case DUMPI_BCAST:
		c.collective = COLLECTIVE_BCAST;
		type = v[1];
		c.root = (uint32_t)v[2];
		communicator = v[3];
		break;
	case DUMPI_REDUCE:
		c.collective = COLLECTIVE_REDUCE;
		type = v[1];
		c.root = (uint32_t)v[3];
		communicator = v[4];
		break;
	case DUMPI_ALLREDUCE:
	case DUMPI_SCAN:
	case DUMPI_EXSCAN:
		c.collective = call->number == DUMPI_ALLREDUCE ? COLLECTIVE_ALLREDUCE
			       : call->number == DUMPI_SCAN    ? COLLECTIVE_SCAN
							       : COLLECTIVE_EXSCAN;
		type = v[1];
		communicator = v[3];
		break;
	case DUMPI_ALLGATHER:
	case DUMPI_ALLTOALL:
		c.collective = call->number == DUMPI_ALLTOALL ? COLLECTIVE_ALLTOALL : COLLECTIVE_ALLGATHER;
		type = v[1];
		communicator = v[4];
		break;
	case DUMPI_ALLGATHERV:
		c.collective = COLLECTIVE_ALLGATHERV;
		c.bytes = bytes_of(d, call, v[0], v[1]);
		set_counts(d, call, call->array[0], NULL, &c);
		c.datatype = size_of(d, call, v[plus + 2]);
		communicator = v[plus + 3];
		break;
	case DUMPI_ALLTOALLV:
		c.collective = COLLECTIVE_ALLTOALLV;
		set_counts(d, call, call->array[0], NULL, &c);
		c.datatype = size_of(d, call, v[plus]);
		communicator = v[plus + 2];
		break;
	case DUMPI_ALLTOALLW:
		c.collective = COLLECTIVE_ALLTOALLW;
		set_counts(d, call, call->array[0], &call->array[2], &c);
		communicator = v[plus];
		break;
	case DUMPI_REDUCE_SCATTER:
		c.collective = COLLECTIVE_REDUCESCATTER;
		set_counts(d, call, call->array[0], NULL, &c);
		c.datatype = size_of(d, call, v[plus]);
		communicator = v[plus + 2];
		break;
	default:
		if (!add_rooted(d, call, &c))
			return false;
		communicator = call->rooted.communicator;
	}
	c.name = dumpi_name(call->number);
	c.communicator = (replay_handle)communicator;
	if (c.root > INT32_MAX)
		c.root = REPLAY_ROOT_OWN; /* MPI_ROOT, MPI_PROC_NULL */
	if (type >= 0) {
		c.datatype = size_of(d, call, type);
		c.bytes = v[0] > 0 ? v[0] * c.datatype : 0;
	}
	replay_collective(d->replay, &c);
	return true;
}

/* Groups of ranks or of triples {first, last, stride}. */
static void group_of_ranks(struct dumpi *d, const struct dumpi_call *call)
{
	bool include = call->number == DUMPI_GROUP_INCL || call->number == DUMPI_GROUP_RANGE_INCL;
	bool triples = call->number == DUMPI_GROUP_RANGE_INCL || call->number == DUMPI_GROUP_RANGE_EXCL;
	struct dumpi_array array = call->array[0];
	size_t count = triples && d->alternative[call->number] ? array.length / 3 : array.length;
	array.length = (uint32_t)(triples ? 3 * count : count);
	int32_t(*range)[3] = array_create(count, sizeof *range, d->error);
	for (uint32_t i = 0; range && i < count; i++)
		for (uint32_t k = 0; k < 3; k++)
			range[i][k] = triples ? dumpi_element(array, 3 * i + k) : k < 2 ? dumpi_element(array, i) : 1;
	if (range)
		replay_group_of_ranks(d->replay, include ? REPLAY_GROUP_INCLUDE : REPLAY_GROUP_EXCLUDE, (replay_handle)call->value[0],
			(const int32_t(*)[3])range, count, (replay_handle)call->value[2]);
	free(range);
}

static void make_grid(struct dumpi *d, const struct dumpi_call *call)
{
	const int32_t *v = call->value;
	const struct dumpi_array *a = call->array;
	int32_t nodes = v[1];
	if (v[2])
		refuse(d, "with reorder the new ranks are not known", call);
	int32_t *dimension = array_create(a[0].length, sizeof *dimension, d->error);
	for (uint32_t i = 0; dimension && i < a[0].length; i++)
		dimension[i] = dumpi_element(a[0], i);
	if (dimension && call->number == DUMPI_CART_CREATE)
		replay_grid(d->replay, (replay_handle)v[0], dimension, a[0].length, (replay_handle)v[3]);
	else if (dimension)
		replay_grid(d->replay, (replay_handle)v[0], &nodes, 1, (replay_handle)v[3]);
	free(dimension);
}

static void make_subgrid(struct dumpi *d, const struct dumpi_call *call)
{
	const struct dumpi_array *a = call->array;
	bool *kept = array_create(a[0].length, sizeof *kept, d->error);
	for (uint32_t i = 0; kept && i < a[0].length; i++)
		kept[i] = dumpi_element(a[0], i);
	if (kept)
		replay_subgrid(d->replay, (replay_handle)call->value[0], kept, a[0].length,
			(replay_handle)call->value[d->alternative[call->number] ? 2 : 1]);
	free(kept);
}

/* Communicators and groups. Returns whether the call makes or frees one. */
static bool add_communicator(struct dumpi *d, const struct dumpi_call *call)
{
	const int32_t *v = call->value;
	replay_handle h[3] = {(replay_handle)v[0], (replay_handle)v[1], (replay_handle)v[2]};
	switch (call->number) {
	case DUMPI_COMM_DUP: replay_duplicate(d->replay, h[0], h[1]); break;
	case DUMPI_COMM_SPLIT: replay_split(d->replay, h[0], v[1] < 0 ? REPLAY_UNDEFINED : v[1], v[2], (replay_handle)v[3]); break;
	case DUMPI_COMM_CREATE: replay_from_group(d->replay, h[0], h[1], h[2]); break;
	case DUMPI_COMM_FREE: replay_free_communicator(d->replay, h[0]); break;
	case DUMPI_CART_CREATE:
	case DUMPI_GRAPH_CREATE: make_grid(d, call); break;
	case DUMPI_CART_SUB: make_subgrid(d, call); break;
	case DUMPI_INTERCOMM_CREATE: replay_bridge(d->replay, h[0], v[1], h[2], v[3], v[4], (replay_handle)v[5]); break;
	case DUMPI_INTERCOMM_MERGE: replay_merge(d->replay, h[0], v[1], h[2]); break;
	case DUMPI_COMM_GROUP: replay_group_of(d->replay, REPLAY_GROUP_OF, h[0], h[1]); break;
	case DUMPI_COMM_REMOTE_GROUP: replay_group_of(d->replay, REPLAY_GROUP_REMOTE, h[0], h[1]); break;
	case DUMPI_GROUP_UNION: replay_group_of_two(d->replay, REPLAY_GROUP_UNION, h[0], h[1], h[2]); break;
	case DUMPI_GROUP_INTERSECTION: replay_group_of_two(d->replay, REPLAY_GROUP_INTERSECTION, h[0], h[1], h[2]); break;
	case DUMPI_GROUP_DIFFERENCE: replay_group_of_two(d->replay, REPLAY_GROUP_DIFFERENCE, h[0], h[1], h[2]); break;
	case DUMPI_GROUP_INCL:
	case DUMPI_GROUP_EXCL:
	case DUMPI_GROUP_RANGE_INCL:
	case DUMPI_GROUP_RANGE_EXCL: group_of_ranks(d, call); break;
	case DUMPI_COMM_ACCEPT:
	case DUMPI_COMM_CONNECT:
	case DUMPI_COMM_JOIN:
	case DUMPI_COMM_SPAWN:
	case DUMPI_COMM_SPAWN_MULTIPLE: refuse(d, "processes that join while the program runs are not supported", call); break;
	default: return false;
	}
	return true;
}

static int32_t communicator_of(struct dumpi *d, const struct dumpi_call *call, int32_t window)
{
	for (size_t w = d->windows; w-- > 0;)
		if (d->window[w].handle == window)
			return d->window[w].communicator;
	refuse(d, "its window is not known", call);
	return HANDLE_WORLD;
}

/* One-sided communication. */
static void add_access(struct dumpi *d, const struct dumpi_call *call)
{
	const int32_t *v = call->value;
	switch (call->number) {
	case DUMPI_WIN_CREATE:
		if (!array_grow(&d->window, &d->window_capacity, d->windows + 1, sizeof *d->window, d->error))
			d->window[d->windows++] = (struct window){v[4], v[3]};
		break;
	case DUMPI_PUT:
	case DUMPI_GET:
		replay_access(d->replay, (replay_handle)communicator_of(d, call, v[6]), peer_of(v[2], false), bytes_of(d, call, v[0], v[1]),
			call->number == DUMPI_GET);
		break;
	case DUMPI_ACCUMULATE:
		replay_access(d->replay, (replay_handle)communicator_of(d, call, v[7]), peer_of(v[2], false), bytes_of(d, call, v[0], v[1]),
			false);
		break;
	case DUMPI_WIN_FENCE:
	case DUMPI_WIN_UNLOCK:
	case DUMPI_WIN_COMPLETE: replay_complete(d->replay); break;
	default: define_type(d, call);
	}
}

/* ---- the ranks */

static void count_calls(struct dumpi *d)
{
	const struct dumpi_array calls = {d->stream.footer, d->stream.footer ? 2 * DUMPI_CALLS : 0};
	for (uint32_t c = 0; c < DUMPI_CALLS - 1; c++) {
		d->made[c] += (uint32_t)dumpi_element(calls, c) + (uint32_t)dumpi_element(calls, DUMPI_CALLS + c);
		d->left_out[c] += (uint32_t)dumpi_element(calls, DUMPI_CALLS + c);
	}
}

static int read_rank(struct dumpi *d, const char *path, uint32_t rank, struct task_builder *builder)
{
	struct dumpi_call call = {.number = 0};
	int more = -1;
	d->windows = d->threads = 0;
	if (!dumpi_open(&d->stream, path, d->stream.ranks, d->alternative, d->error)) {
		begin_types(d);
		count_calls(d);
		replay_place(d->replay, path, 0);
		while (!d->error->status && !task_builder_check(builder, d->error) &&
			(more = dumpi_next(&d->stream, &call, d->error)) > 0) {
			replay_at(d->replay, rank, call.thread);
			compute_before(d, &call);
			if (!add_message(d, &call) && !add_collective(d, &call) && !add_communicator(d, &call))
				add_access(d, &call);
		}
	}
	dumpi_close(&d->stream);
	return d->error->status ? -1 : 0;
}

/* Whether calls of a number matter here. */
static bool matters(uint32_t number)
{
	return number <= DUMPI_SENDRECV_REPLACE || (number >= DUMPI_BARRIER && number <= DUMPI_SCAN && number != 63 && number != 64) ||
	       (number >= DUMPI_ACCUMULATE && number <= DUMPI_PUT) || number == DUMPI_ALLTOALLW || number == DUMPI_EXSCAN;
}

/* Tells which calls the trace does not hold. Returns whether there are any. */
static bool note_left_out(const struct dumpi *d, struct task_builder *builder)
{
	char text[700] = "";
	size_t used = 0, kinds = 0;
	for (uint32_t c = 0; c < DUMPI_CALLS; c++)
		if (d->left_out[c] && matters(c) && kinds++ < 6)
			used += (size_t)snprintf(text + used, sizeof text - used, "%s%" PRIu64 " of %" PRIu64 " %s", kinds > 1 ? ", " : "",
				d->left_out[c], d->made[c], dumpi_name(c));
	if (kinds)
		task_note(builder, "the trace has not recorded %s%s", text, kinds > 6 ? " and other calls" : "");
	return kinds;
}

static int read_ranks(struct dumpi *d, const char *prefix, const struct workload_task *task, struct task_builder *builder)
{
	char **path = array_create(task->tasks, sizeof *path, d->error);
	for (uint32_t r = 0; path && !d->error->status && r < task->tasks; r++)
		if ((path[r] = path_of(prefix, r, d->error)))
			read_rank(d, path[r], r, builder);
	if (!d->error->status) {
		replay_incomplete(d->replay, note_left_out(d, builder));
		if (d->backward)
			task_note(builder, "%" PRIu64 " computations end before they begin and take no time: clocks go back", d->backward);
		replay_end(d->replay);
	}
	for (uint32_t r = 0; path && r < task->tasks; r++)
		free(path[r]);
	free(path);
	return d->error->status ? -1 : 0;
}

static int dumpi_build(const struct workload_task *task, struct task_builder *builder, struct error *error)
{
	struct replay_options options;
	char *prefix = NULL;
	if (replay_options_read(&options, &task->args[ARG_COLLECTIVES], &task->args[ARG_EAGER], "dumpi", error) ||
		replay_compute_read(&options.compute, &task->args[ARG_COMPUTE], true, "dumpi", error) ||
		!(prefix = prefix_of(task->args[ARG_PREFIX].text, error)))
		return -1;
	struct dumpi *d = array_create(1, sizeof *d, error);
	if (d) {
		d->error = error;
		d->stream.ranks = task->tasks;
		d->stream.cpu = options.compute.cpu;
		d->replay = replay_create(builder, task->tasks, &options, error);
	}
	if (d && d->replay) {
		replay_world(d->replay, HANDLE_WORLD);
		replay_self(d->replay, HANDLE_SELF);
		read_ranks(d, prefix, task, builder);
	}
	if (d) {
		replay_free(d->replay);
		free(d->size);
		free(d->window);
		free(d->last);
		free(d->count);
	}
	free(d);
	free(prefix);
	return error->status ? -1 : 0;
}

const struct pattern pattern_dumpi = {
	.name = "dumpi",
	.summary = "a trace of an MPI program by DUMPI, the recorder of SST",
	.source = "orcs-traces(5)",
	.args = dumpi_args,
	.ordered = true,
	.phases = true,
	.count = dumpi_count,
	.files = dumpi_files,
	.build = dumpi_build,
};
