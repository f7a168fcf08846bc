/* Messages, requests, one-sided communication and datatypes of DUMPI traces. */
#include "patterns/graphs/traces/dumpi_calls.h"

#include "base/memory.h"

/* ---- datatypes */

enum { TYPES = 28 };

/* The sizes of the basic datatypes where the file has none: MPI_CHAR is the third. */
static const uint8_t basic_sizes[TYPES] = {0, 0, 1, 1, 1, 1, 4, 2, 2, 4, 4, 8, 8, 4, 8, 16, 8, 8, 8, 1, 1, 1, 8, 12, 12, 6, 8, 20};

int dumpi_refuse(struct dumpi *d, const char *text, const struct dumpi_call *call)
{
	return error_set(d->error, STATUS_FABRIC, "%s: byte %zu: %s: %s", d->stream.path, (size_t)(d->stream.at - d->stream.data),
		dumpi_name(call->number), text);
}

double dumpi_size_of(struct dumpi *d, const struct dumpi_call *call, int32_t type)
{
	if (type >= 0 && (size_t)type < d->types && d->size[type] >= 0)
		return d->size[type];
	dumpi_refuse(d, "the size of its datatype is not known", call);
	return 0;
}

double dumpi_bytes_of(struct dumpi *d, const struct dumpi_call *call, int32_t count, int32_t type)
{
	return count > 0 ? count * dumpi_size_of(d, call, type) : 0;
}

static void set_size(struct dumpi *d, int32_t type, double size)
{
	if (type < 0 || array_grow(&d->size, &d->type_capacity, (size_t)type + 1, sizeof *d->size, d->error))
		return;
	while (d->types <= (size_t)type)
		d->size[d->types++] = -1;
	d->size[type] = size;
}

void dumpi_begin_types(struct dumpi *d)
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
	case DUMPI_TYPE_CONTIGUOUS: set_size(d, v[2], v[0] * dumpi_size_of(d, call, v[1])); break;
	case DUMPI_TYPE_VECTOR:
	case DUMPI_TYPE_HVECTOR:
	case DUMPI_TYPE_CREATE_HVECTOR: set_size(d, v[4], (double)v[0] * v[1] * dumpi_size_of(d, call, v[3])); break;
	case DUMPI_TYPE_INDEXED:
	case DUMPI_TYPE_HINDEXED:
	case DUMPI_TYPE_CREATE_HINDEXED:
		for (uint32_t i = 0; i < a[0].length; i++)
			elements += dumpi_element(a[0], i);
		set_size(d, v[2], elements * dumpi_size_of(d, call, v[1]));
		break;
	case DUMPI_TYPE_CREATE_INDEXED_BLOCK: set_size(d, v[3], (double)v[0] * v[1] * dumpi_size_of(d, call, v[2])); break;
	case DUMPI_TYPE_STRUCT:
	case DUMPI_TYPE_CREATE_STRUCT:
		for (uint32_t i = 0; i < a[0].length; i++)
			size += dumpi_element(a[0], i) * dumpi_size_of(d, call, dumpi_short(a[2], i));
		set_size(d, v[1], size);
		break;
	case DUMPI_TYPE_DUP: set_size(d, v[1], dumpi_size_of(d, call, v[0])); break;
	case DUMPI_TYPE_CREATE_RESIZED: set_size(d, v[3], dumpi_size_of(d, call, v[0])); break;
	case DUMPI_TYPE_CREATE_SUBARRAY:
		size = dumpi_size_of(d, call, v[2]);
		for (uint32_t i = 0; i < a[1].length; i++)
			size *= dumpi_element(a[1], i);
		set_size(d, v[3], size);
		break;
	}
}

/* ---- messages and requests */

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
		.bytes = receive ? 0 : dumpi_bytes_of(d, call, v[0], v[1]),
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
	const struct replay_message send = {
		in, peer_of(v[2], false), v[3] & INT32_MAX, dumpi_bytes_of(d, call, v[0], v[1]), REPLAY_STANDARD};
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

/* Returns the window of a handle; an error and one of the world, if there is none. */
static struct dumpi_window *window_of(struct dumpi *d, const struct dumpi_call *call, int32_t handle)
{
	for (size_t w = d->windows; w-- > 0;)
		if (d->window[w].handle == handle)
			return &d->window[w];
	dumpi_refuse(d, "its window is not known", call);
	d->no_window = (struct dumpi_window){.communicator = DUMPI_HANDLE_WORLD, .started = UINT32_MAX, .posted = UINT32_MAX};
	return &d->no_window;
}

static replay_handle communicator_of(struct dumpi *d, const struct dumpi_call *call, int32_t window)
{
	return (replay_handle)window_of(d, call, window)->communicator;
}

/* Epochs between some ranks: their ends are those of the last group for which they began. */
static void add_epoch(struct dumpi *d, const struct dumpi_call *call)
{
	const int32_t *v = call->value;
	bool begins = call->number == DUMPI_WIN_POST || call->number == DUMPI_WIN_START;
	bool target = call->number == DUMPI_WIN_POST || call->number == DUMPI_WIN_WAIT || call->number == DUMPI_WIN_TEST;
	struct dumpi_window *window = window_of(d, call, v[begins ? 2 : 0]);
	uint32_t *group = target ? &window->posted : &window->started;
	if (begins)
		*group = replay_group_number(d->replay, (replay_handle)v[0]);
	if (*group == UINT32_MAX)
		replay_complete(d->replay);
	else
		replay_epoch_of_group(d->replay,
			begins   ? (target ? REPLAY_POST : REPLAY_START)
			: target ? REPLAY_WAIT
				 : REPLAY_END,
			*group);
	if (!begins)
		*group = UINT32_MAX;
}

/* One-sided communication. */
static void add_access(struct dumpi *d, const struct dumpi_call *call)
{
	const int32_t *v = call->value;
	switch (call->number) {
	case DUMPI_WIN_CREATE:
		if (!array_grow(&d->window, &d->window_capacity, d->windows + 1, sizeof *d->window, d->error))
			d->window[d->windows++] = (struct dumpi_window){v[4], v[3], UINT32_MAX, UINT32_MAX};
		break;
	case DUMPI_PUT:
	case DUMPI_GET:
		replay_access(d->replay, communicator_of(d, call, v[6]), peer_of(v[2], false), dumpi_bytes_of(d, call, v[0], v[1]),
			call->number == DUMPI_GET);
		break;
	case DUMPI_ACCUMULATE:
		replay_access(d->replay, communicator_of(d, call, v[7]), peer_of(v[2], false), dumpi_bytes_of(d, call, v[0], v[1]), false);
		break;
	case DUMPI_WIN_FENCE: replay_fence(d->replay, communicator_of(d, call, v[1])); break;
	case DUMPI_WIN_FREE: replay_fence(d->replay, communicator_of(d, call, v[0])); break;
	case DUMPI_WIN_UNLOCK: replay_complete(d->replay); break;
	case DUMPI_WIN_GET_GROUP: replay_group_of(d->replay, REPLAY_GROUP_OF, communicator_of(d, call, v[0]), (replay_handle)v[1]); break;
	case DUMPI_WIN_TEST:
		if (!v[1])
			break; /* fall through */
	case DUMPI_WIN_POST:
	case DUMPI_WIN_START:
	case DUMPI_WIN_COMPLETE:
	case DUMPI_WIN_WAIT: add_epoch(d, call); break;
	default: define_type(d, call);
	}
}

void dumpi_add_call(struct dumpi *d, const struct dumpi_call *call)
{
	if (!add_message(d, call) && !dumpi_add_collective(d, call) && !dumpi_add_communicator(d, call))
		add_access(d, call);
}
