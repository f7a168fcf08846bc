#include "tools/record/trace_writer.h"

#include "base/memory.h"
#include "patterns/graphs/collectives.h"
#include "tools/record/rank_requests.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* What a receive has received. */
struct remark {
	uint64_t number; /* of its request */
	int64_t source, tag;
	bool cancelled;
};

struct window {
	uint64_t handle;
	size_t own; /* its communicator, among those of the rank */
};

/* A rank whose records are read. */
struct walk {
	struct joints *joints;
	struct trace_facts *facts;
	struct text_sink *sink;
	struct error *error;
	struct record_reader reader;
	struct own_communicators own;
	struct rank_requests requests, messages; /* messages: those that a probe has found */
	struct remark *remark;                   /* [remarks] by their numbers, after the first pass */
	size_t remarks, remark_capacity;
	struct window *window;
	size_t windows, window_capacity;
	uint64_t number;    /* of the last request */
	uint64_t wall, cpu; /* of computation before the next line */
	uint32_t task, thread;
	bool writes;   /* the second pass */
	bool accesses; /* one-sided communication that may not have ended */
	bool lines;    /* the rank has a line */
	char waits[4096];
	size_t waits_used;
};

/* Writes a part of a line in the second pass. */
#define PRINT(WALK, ...) \
	do { \
		if ((WALK)->writes) \
			text_sink_print((WALK)->sink, __VA_ARGS__); \
	} while (0)

/* ---- what stands before and in lines */

/* Writes the computation that precedes a line. */
static void begin_line(struct walk *w)
{
	w->lines = true;
	if (w->writes && w->wall)
		PRINT(w, "c %" PRIu32 " %.9f cpu=%.9f\n", w->task, (double)w->wall * 1e-9, (double)w->cpu * 1e-9);
	w->wall = w->cpu = 0;
}

/* Adds the computation before the record, and changes to its thread. */
static void add_time(struct walk *w)
{
	const struct record *r = &w->reader.record;
	if (r->thread != w->thread) {
		begin_line(w);
		PRINT(w, "t %" PRIu32 " %" PRIu32 "\n", w->task, r->thread);
		w->thread = r->thread;
	}
	w->wall += r->wall;
	w->cpu += r->cpu;
	if (!w->writes)
		return;
	w->facts->wall += (double)r->wall * 1e-9;
	w->facts->cpu += (double)r->cpu * 1e-9;
}

static void put_communicator(struct walk *w, const struct own_communicator *own)
{
	if (own->joint)
		PRINT(w, " comm=%" PRIu32, own->joint);
}

/* Finds the communicator, and the task of a peer in it. Returns NULL, with a count, if one of the two is not known. */
static const struct own_communicator *find_peer(struct walk *w, uint64_t handle, int64_t peer, int64_t *task)
{
	const struct own_communicator *own = own_find(&w->own, handle);
	*task = own ? task_at(w->joints, own, w->task, peer) : -1;
	if (*task >= 0)
		return own;
	w->facts->dropped += w->writes;
	return NULL;
}

/* ---- what receives have received */

static int compare_remarks(const void *left, const void *right)
{
	const struct remark *a = left, *b = right;
	return (a->number > b->number) - (a->number < b->number);
}

static const struct remark *find_remark(const struct walk *w, uint64_t number)
{
	const struct remark wanted = {.number = number};
	return w->remarks ? bsearch(&wanted, w->remark, w->remarks, sizeof wanted, compare_remarks) : NULL;
}

static void add_remark(struct walk *w, uint64_t number, const struct record_request *named)
{
	if (w->writes || array_grow(&w->remark, &w->remark_capacity, w->remarks + 1, sizeof *w->remark, w->error))
		return;
	w->remark[w->remarks++] = (struct remark){number, named->source, named->tag, named->cancelled};
}

/* ---- messages */

static const char *mode_of(uint64_t flags)
{
	return flags & MESSAGE_SYNCHRONOUS ? " mode=sync" : flags & MESSAGE_BUFFERED ? " mode=buffered" : "";
}

static void put_end(struct walk *w, const struct own_communicator *own, uint64_t number)
{
	put_communicator(w, own);
	if (number)
		PRINT(w, " request=%" PRIu64, number);
	PRINT(w, "\n");
}

static bool put_send(struct walk *w, const struct record *r, uint64_t number)
{
	int64_t task;
	const struct own_communicator *own = find_peer(w, r->communicator, r->peer, &task);
	const struct remark *remark = find_remark(w, number);
	if (!own || (remark && remark->cancelled))
		return false;
	begin_line(w);
	PRINT(w, "s %" PRIu32 " %" PRId64 " %" PRId64 " %" PRIu64 "%s", w->task, task, r->tag, r->bytes, mode_of(r->flags));
	put_end(w, own, number);
	return true;
}

/* A receive; those from any source have that of the remark, or none. */
static bool put_receive(struct walk *w, const struct record *r, uint64_t number)
{
	const struct remark *remark = find_remark(w, number);
	int64_t task = -1, source = r->peer, tag = r->tag;
	if (remark && remark->cancelled)
		return false;
	if (remark && source == PEER_ANY)
		source = remark->source;
	if (remark && tag == PEER_ANY)
		tag = remark->tag;
	const struct own_communicator *own =
		source == PEER_ANY ? own_find(&w->own, r->communicator) : find_peer(w, r->communicator, source, &task);
	if (!own)
		return false;
	begin_line(w);
	PRINT(w, number ? "p" : "r");
	if (task < 0)
		PRINT(w, " * %" PRIu32, w->task);
	else
		PRINT(w, " %" PRId64 " %" PRIu32, task, w->task);
	if (tag < 0)
		PRINT(w, " * %" PRIu64, r->bytes);
	else
		PRINT(w, " %" PRId64 " %" PRIu64, tag, r->bytes);
	put_end(w, own, number);
	return true;
}

static bool put_message(struct walk *w, const struct record *r, uint64_t number)
{
	if (r->peer == PEER_NONE)
		return false;
	return r->flags & MESSAGE_RECEIVE ? put_receive(w, r, number) : put_send(w, r, number);
}

/* ---- collective operations */

static bool has_root(uint64_t operation)
{
	return operation == CALL_BCAST || operation == CALL_REDUCE || (operation >= CALL_GATHER && operation <= CALL_SCATTERV);
}

static void put_root(struct walk *w, const struct record *r, const struct own_communicator *own)
{
	int64_t task = r->peer == ROOT_HERE ? w->task : task_at(w->joints, own, w->task, r->peer);
	if (task < 0)
		PRINT(w, " root=*");
	else
		PRINT(w, " root=%" PRId64, task);
}

/* Writes the counts; of neighbours, those of the tasks that are there. */
static void put_counts(struct walk *w, const struct record *r, const struct own_communicator *neighbours)
{
	const char *separator = " counts=";
	for (size_t i = 0; i < r->list.count; i++) {
		if (neighbours && (i >= neighbours->tos || neighbours->to[i] < 0))
			continue;
		PRINT(w, "%s%" PRId64, separator, r->list.number[i]);
		separator = ",";
	}
}

static void put_neighbours(struct walk *w, const struct own_communicator *own, const char *separator, const int64_t *list, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		int64_t task = list[i] < 0 ? -1 : task_at(w->joints, own, w->task, list[i]);
		if (task < 0)
			continue;
		PRINT(w, "%s%" PRId64, separator, task);
		separator = ",";
	}
}

static bool put_collective(struct walk *w, const struct record *r, uint64_t number)
{
	const struct own_communicator *own = own_find(&w->own, r->communicator);
	const struct joint *joint = own ? &w->joints->list[own->joint] : NULL;
	bool inter = own && own->joint > 1 && joint->of.first[1] >= 0, neighbours = r->flags >= CALL_NEIGHBOR_ALLGATHER;
	if (!own || r->flags >= COLLECTIVES || (own->joint > 1 && (!joint->group[0] || (inter && !joint->group[1])))) {
		w->facts->dropped += w->writes;
		return false;
	}
	begin_line(w);
	PRINT(w, "x %" PRIu32 " %s %" PRIu64, w->task, collective_names[r->flags], r->bytes);
	put_communicator(w, own);
	if (has_root(r->flags))
		put_root(w, r, own);
	if (r->element > 1)
		PRINT(w, " element=%" PRIu64, r->element);
	if (!inter || r->flags == CALL_ALLTOALLV || r->flags == CALL_ALLTOALLW || r->flags == CALL_REDUCESCATTER)
		put_counts(w, r, neighbours ? own : NULL);
	if (neighbours) {
		put_neighbours(w, own, " to=", own->to, own->tos);
		put_neighbours(w, own, " from=", own->from, own->froms);
	}
	if (number)
		PRINT(w, " request=%" PRIu64, number);
	PRINT(w, "\n");
	return true;
}

/* ---- requests */

/* Adds the request that the record names; there: it is in the trace. */
static void add_request(struct walk *w, enum request_kind kind, const struct record *r, bool there, bool any)
{
	rank_requests_add(&w->requests,
		(struct rank_request){.handle = r->request[0].handle,
			.place = r->request[0].place,
			.number = w->number,
			.kind = there ? kind : REQUEST_NOTHING,
			.receive = kind == REQUEST_MESSAGE && r->flags & MESSAGE_RECEIVE,
			.any = any,
			.active = true},
		w->error);
}

static void prepare(struct walk *w, const struct record *r, enum request_kind kind)
{
	struct rank_request *request = rank_requests_add(&w->requests,
		(struct rank_request){.handle = r->request[0].handle, .place = r->request[0].place, .kind = kind, .persistent = true},
		w->error);
	if (!request)
		return;
	request->copy = *r;
	request->copy.request = NULL;
	request->copy.other = request->copy.list = (struct record_list){0};
	if (kind == REQUEST_OTHER && r->list.count &&
		(request->copy.list.number = array_copy(r->list.number, r->list.count, sizeof *r->list.number, w->error)))
		request->copy.list.count = r->list.count;
}

static void message(struct walk *w, const struct record *r)
{
	if (r->flags & MESSAGE_PERSISTENT) {
		prepare(w, r, REQUEST_MESSAGE);
		return;
	}
	if (!(r->flags & MESSAGE_REQUEST)) {
		put_message(w, r, 0);
		return;
	}
	w->number++;
	bool there = put_message(w, r, w->number);
	add_request(w, REQUEST_MESSAGE, r, there, r->peer == PEER_ANY || r->tag == PEER_ANY);
}

static void collective(struct walk *w, const struct record *r)
{
	if (r->class == CALL_PREPARES) {
		prepare(w, r, REQUEST_OTHER);
	} else if (r->class == CALL_BLOCKS) {
		put_collective(w, r, 0);
	} else {
		w->number++;
		add_request(w, REQUEST_OTHER, r, put_collective(w, r, w->number), false);
	}
}

static void start(struct walk *w, const struct record *r)
{
	struct rank_request *request = rank_requests_find(&w->requests, &r->request[0], false);
	if (!request || !request->persistent)
		return;
	request->number = ++w->number;
	request->active = true;
	bool message = request->copy.kind == RECORD_MESSAGE;
	bool there = message ? put_message(w, &request->copy, w->number) : put_collective(w, &request->copy, w->number);
	request->kind = !there ? REQUEST_NOTHING : message ? REQUEST_MESSAGE : REQUEST_OTHER;
	request->any = message && (request->copy.peer == PEER_ANY || request->copy.tag == PEER_ANY);
}

static void flush_waits(struct walk *w)
{
	if (w->waits_used) {
		begin_line(w);
		PRINT(w, "w %" PRIu32 "%s\n", w->task, w->waits);
	}
	w->waits_used = 0;
}

static void wait_for(struct walk *w, uint64_t number)
{
	if (w->waits_used + 32 > sizeof w->waits - 64)
		flush_waits(w);
	w->waits_used += (size_t)snprintf(w->waits + w->waits_used, sizeof w->waits - w->waits_used, " %" PRIu64, number);
}

static void complete(struct walk *w, const struct record *r)
{
	for (size_t i = 0; i < r->requests; i++) {
		struct rank_request *request = rank_requests_find(&w->requests, &r->request[i], true);
		if (!request)
			continue;
		if (r->kind == RECORD_STATUSES && request->kind == REQUEST_MESSAGE && (request->any || r->request[i].cancelled))
			add_remark(w, request->number, &r->request[i]);
		if (request->kind != REQUEST_NOTHING)
			wait_for(w, request->number);
		request->active = false;
		if (!request->persistent)
			rank_requests_remove(&w->requests, request);
	}
	flush_waits(w);
}

static void free_request(struct walk *w, const struct record *r)
{
	struct rank_request *request = rank_requests_find(&w->requests, &r->request[0], false);
	if (request)
		rank_requests_remove(&w->requests, request);
}

/* A probe has taken a message for a receive that follows: as if it had been posted. */
static void probed(struct walk *w, const struct record *r)
{
	struct record post = *r;
	post.bytes = 0;
	bool there = put_receive(w, &post, ++w->number);
	rank_requests_add(&w->messages,
		(struct rank_request){
			.handle = r->message, .number = w->number, .kind = there ? REQUEST_OTHER : REQUEST_NOTHING, .active = true},
		w->error);
}

static void taken(struct walk *w, const struct record *r)
{
	const struct record_request named = {.handle = r->message};
	struct rank_request *request = rank_requests_find(&w->messages, &named, true);
	uint64_t number = request ? request->number : 0;
	enum request_kind kind = request ? request->kind : REQUEST_NOTHING;
	if (request)
		rank_requests_remove(&w->messages, request);
	if (r->requests) {
		rank_requests_add(&w->requests,
			(struct rank_request){.handle = r->request[0].handle,
				.place = r->request[0].place,
				.number = number,
				.kind = kind,
				.active = true},
			w->error);
	} else if (kind != REQUEST_NOTHING) {
		wait_for(w, number);
		flush_waits(w);
	}
}

/* ---- one-sided communication */

static void add_window(struct walk *w, const struct record *r)
{
	const struct own_communicator *own = own_find(&w->own, r->communicator);
	if (own && !array_grow(&w->window, &w->window_capacity, w->windows + 1, sizeof *w->window, w->error))
		w->window[w->windows++] = (struct window){r->window, (size_t)(own - w->own.list)};
}

static const struct own_communicator *window_communicator(const struct walk *w, uint64_t handle)
{
	for (size_t i = w->windows; i-- > 0;)
		if (w->window[i].handle == handle)
			return &w->own.list[w->window[i].own];
	return NULL;
}

static void access_window(struct walk *w, const struct record *r)
{
	const struct own_communicator *own = window_communicator(w, r->window);
	int64_t task = own ? task_at(w->joints, own, w->task, r->peer) : -1;
	uint64_t number = r->requests ? ++w->number : 0;
	bool there = task >= 0;
	w->facts->dropped += w->writes && !there && r->peer != PEER_NONE;
	if (there)
		begin_line(w);
	/* the answer is what a request waits for, if there is one */
	if (there && (r->bytes || !r->element)) {
		PRINT(w, "o %" PRIu32 " %" PRId64 " %" PRIu64 " put", w->task, task, r->bytes);
		PRINT(w, number && !r->element ? " request=%" PRIu64 "\n" : "\n", number);
	}
	if (there && r->element) {
		PRINT(w, "o %" PRIu32 " %" PRId64 " %" PRIu64 " get", w->task, task, r->element);
		PRINT(w, number ? " request=%" PRIu64 "\n" : "\n", number);
	}
	w->accesses |= there;
	if (number)
		add_request(w, REQUEST_OTHER, r, there, false);
}

static void synchronise(struct walk *w, const struct record *r)
{
	const struct own_communicator *own = window_communicator(w, r->window);
	if ((own && r->kind == RECORD_FENCE) || w->accesses)
		begin_line(w);
	if (own && r->kind == RECORD_FENCE)
		PRINT(w, "f %" PRIu32 " comm=%" PRIu32 "\n", w->task, own->joint);
	else if (w->accesses)
		PRINT(w, "f %" PRIu32 "\n", w->task);
	w->accesses = false;
}

/* ---- a rank */

static void follow(struct walk *w, const struct record *r)
{
	add_time(w);
	switch (r->kind) {
	case RECORD_MESSAGE: message(w, r); break;
	case RECORD_START: start(w, r); break;
	case RECORD_COMPLETE:
	case RECORD_STATUSES: complete(w, r); break;
	case RECORD_FREE: free_request(w, r); break;
	case RECORD_PROBED: probed(w, r); break;
	case RECORD_TAKEN: taken(w, r); break;
	case RECORD_COLLECTIVE: collective(w, r); break;
	case RECORD_WINDOW: add_window(w, r); break;
	case RECORD_ACCESS: access_window(w, r); break;
	case RECORD_FLUSH:
	case RECORD_FENCE: synchronise(w, r); break;
	default: break;
	}
}

/* Reads all records, in one of the passes. */
static void pass(struct walk *w, bool writes)
{
	w->writes = writes;
	w->number = 0;
	w->thread = 0;
	w->wall = w->cpu = 0;
	w->windows = 0;
	w->accesses = false;
	record_rewind(&w->reader);
	while (record_next(&w->reader, w->error)) {
		own_follow(&w->own, w->joints, &w->reader.record, false, w->error);
		follow(w, &w->reader.record);
		w->facts->calls += writes;
	}
	if (w->wall)
		begin_line(w);
	own_clear(&w->own);
	rank_requests_clear(&w->requests);
	rank_requests_clear(&w->messages);
}

static void write_rank(struct walk *w, const char *path)
{
	w->remarks = 0;
	w->lines = false;
	if (path && !record_open(&w->reader, path, w->error)) {
		pass(w, false);
		if (w->remarks)
			qsort(w->remark, w->remarks, sizeof *w->remark, compare_remarks);
		pass(w, true);
	}
	record_close(&w->reader);
	if (!w->lines)
		text_sink_print(w->sink, "c %" PRIu32 " 0 cpu=0\n", w->task);
}

/* ---- all ranks */

static void note_state(const struct record_reader *reader, struct trace_facts *facts)
{
	const struct record_header *h = &reader->header;
	facts->left_out |= h->left_out;
	if (h->full) {
		facts->full++;
		facts->full_error = (int)h->full;
	} else if (h->state != RECORD_FINALIZED) {
		facts->first_cut = facts->cut ? facts->first_cut : h->rank;
		facts->cut++;
	}
	if (h->state == RECORD_ABORTED) {
		facts->aborted = true;
		facts->abort_rank = h->rank;
		facts->abort_status = h->status;
	}
}

/* Finds the communicators and their members. */
static void find_communicators(const struct rank_logs *logs, struct joints *joints, struct trace_facts *facts, struct error *error)
{
	for (uint32_t rank = 0; rank < logs->ranks && !error->status; rank++) {
		struct record_reader reader = {.data = NULL};
		struct own_communicators own = {0};
		if (!logs->path[rank]) {
			facts->missing++;
			continue;
		}
		if (!record_open(&reader, logs->path[rank], error)) {
			while (record_next(&reader, error))
				own_follow(&own, joints, &reader.record, true, error);
			note_state(&reader, facts);
		}
		own_clear(&own);
		record_close(&reader);
	}
	facts->incomplete = facts->missing || facts->cut || facts->full || facts->left_out;
}

static void put_tasks(struct text_sink *sink, const uint32_t *task, size_t count)
{
	for (size_t i = 0, end; i < count; i = end) {
		for (end = i + 1; end < count && task[end] == task[end - 1] + 1;)
			end++;
		text_sink_print(sink, end - i > 1 ? " %" PRIu32 "-%" PRIu32 : " %" PRIu32, task[i], task[end - 1]);
	}
}

static void put_communicators(const struct joints *joints, struct text_sink *sink)
{
	for (size_t j = 2; j < joints->count; j++) {
		const struct joint *joint = &joints->list[j];
		bool inter = joint->of.first[1] >= 0;
		if (!joint->group[0] || (inter && !joint->group[1]))
			continue;
		text_sink_print(sink, "comm %zu", j);
		put_tasks(sink, joint->group[0], joint->size[0]);
		if (inter) {
			text_sink_print(sink, " /");
			put_tasks(sink, joint->group[1], joint->size[1]);
		}
		text_sink_print(sink, "\n");
	}
}

int trace_write(const struct rank_logs *logs, struct text_sink *sink, struct trace_facts *facts, struct error *error)
{
	struct joints joints;
	struct walk *walk = array_create(1, sizeof *walk, error);
	*facts = (struct trace_facts){.calls = 0};
	if (!joints_init(&joints, logs->ranks, error) && walk) {
		*walk = (struct walk){.joints = &joints, .facts = facts, .sink = sink, .error = error};
		rank_requests_init(&walk->requests);
		rank_requests_init(&walk->messages);
		find_communicators(logs, &joints, facts, error);
		text_sink_print(sink, "# recorded by orcs-record: %" PRIu32 " ranks, see orcs-traces(5)\n", logs->ranks);
		if (facts->incomplete)
			text_sink_print(sink, "incomplete\n");
		put_communicators(&joints, sink);
		for (uint32_t rank = 0; rank < logs->ranks && !error->status; rank++) {
			walk->task = rank;
			write_rank(walk, logs->path[rank]);
		}
		free(walk->remark);
		free(walk->window);
	}
	joints_clear(&joints);
	free(walk);
	return error->status ? -1 : 0;
}
