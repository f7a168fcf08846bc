/* Messages and requests as lines of a trace. */
#include "tools/record/walk.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"

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

/* Counts a message that was sent (1), or received (-1), in the second pass. */
static void count(struct walk *w, int64_t from, int64_t to, const struct own_communicator *own, int64_t tag, int more)
{
	if (w->writes)
		message_counts_add(
			w->counts, (struct message_kind){(uint32_t)from, (uint32_t)to, own->joint, (uint32_t)tag}, more, w->error);
}

static bool put_send(struct walk *w, const struct record *r, uint64_t number)
{
	int64_t task;
	const struct own_communicator *own = walk_find_peer(w, r->communicator, r->peer, &task);
	const struct remark *remark = find_remark(w, number);
	if (!own || (remark && remark->cancelled))
		return false;
	walk_begin_line(w);
	count(w, w->task, task, own, r->tag, 1);
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
		source == PEER_ANY ? own_find(&w->own, r->communicator) : walk_find_peer(w, r->communicator, source, &task);
	if (!own)
		return false;
	walk_begin_line(w);
	if (task >= 0 && tag >= 0)
		count(w, task, w->task, own, tag, -1);
	else
		w->counts->open += w->writes;
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

/* ---- requests */

void walk_add_request(struct walk *w, enum request_kind kind, const struct record *r, bool there, bool any)
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
	walk_add_request(w, REQUEST_MESSAGE, r, there, r->peer == PEER_ANY || r->tag == PEER_ANY);
}

static void collective(struct walk *w, const struct record *r)
{
	if (r->class == CALL_PREPARES) {
		prepare(w, r, REQUEST_OTHER);
	} else if (r->class == CALL_BLOCKS) {
		walk_collective(w, r, 0);
	} else {
		w->number++;
		walk_add_request(w, REQUEST_OTHER, r, walk_collective(w, r, w->number), false);
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
	bool there = message ? put_message(w, &request->copy, w->number) : walk_collective(w, &request->copy, w->number);
	request->kind = !there ? REQUEST_NOTHING : message ? REQUEST_MESSAGE : REQUEST_OTHER;
	request->any = message && (request->copy.peer == PEER_ANY || request->copy.tag == PEER_ANY);
}

static void flush_waits(struct walk *w)
{
	if (w->waits_used) {
		walk_begin_line(w);
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

void walk_sort_remarks(struct walk *w)
{
	if (w->remarks)
		qsort(w->remark, w->remarks, sizeof *w->remark, compare_remarks);
}

bool walk_message(struct walk *w, const struct record *r)
{
	switch (r->kind) {
	case RECORD_MESSAGE: message(w, r); break;
	case RECORD_START: start(w, r); break;
	case RECORD_COMPLETE:
	case RECORD_STATUSES: complete(w, r); break;
	case RECORD_FREE: free_request(w, r); break;
	case RECORD_PROBED: probed(w, r); break;
	case RECORD_TAKEN: taken(w, r); break;
	case RECORD_COLLECTIVE: collective(w, r); break;
	default: return false;
	}
	return true;
}
