/* Requests of ranks, and the waits that end them; see MPI 4.0, section 3.7. */
#include "patterns/graphs/replay/replay_state.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdlib.h>

static size_t slot_of(const struct replay *replay, uint32_t rank, replay_handle handle)
{
	uint64_t hash = (handle ^ ((uint64_t)rank << 40)) * UINT64_C(0x9e3779b97f4a7c15);
	return (size_t)(hash >> 20) & replay->request_mask;
}

/* Returns the request of the current rank, or the place where it would be. */
static struct request *find_request(struct replay *replay, replay_handle handle)
{
	size_t slot = slot_of(replay, replay->at, handle);
	while (replay->request[slot].used && (replay->request[slot].handle != handle || replay->request[slot].rank != replay->at))
		slot = (slot + 1) & replay->request_mask;
	return &replay->request[slot];
}

/* Removes a request; those that follow it move to where a search finds them. */
static void remove_request(struct replay *replay, struct request *request)
{
	size_t free_slot = (size_t)(request - replay->request), mask = replay->request_mask;
	replay->requests--;
	for (size_t i = free_slot;;) {
		replay->request[free_slot].used = false;
		size_t home;
		do {
			i = (i + 1) & mask;
			if (!replay->request[i].used)
				return;
			home = slot_of(replay, replay->request[i].rank, replay->request[i].handle);
		} while (((i - home) & mask) < ((i - free_slot) & mask));
		replay->request[free_slot] = replay->request[i];
		free_slot = i;
	}
}

static int grow_requests(struct replay *replay)
{
	struct request *old = replay->request;
	size_t count = replay->request_mask + 1;
	struct request *table = array_create(2 * count, sizeof *table, replay->error);
	if (!table)
		return -1;
	replay->request = table;
	replay->request_mask = 2 * count - 1;
	for (size_t i = 0; i < count; i++) {
		if (!old[i].used)
			continue;
		size_t slot = slot_of(replay, old[i].rank, old[i].handle);
		while (table[slot].used)
			slot = (slot + 1) & replay->request_mask;
		table[slot] = old[i];
	}
	free(old);
	return 0;
}

/* Adds a request, or replaces one of the same handle, which the program has given up. */
static struct request *add_request(struct replay *replay, struct request request)
{
	if (replay->error->status || (2 * replay->requests > replay->request_mask && grow_requests(replay)))
		return NULL;
	struct request *place = find_request(replay, request.handle);
	replay->requests += !place->used;
	request.rank = replay->at;
	request.used = true;
	*place = request;
	return place;
}

void replay_own_request(struct replay *replay, replay_handle handle, uint32_t operation)
{
	add_request(
		replay, (struct request){.handle = handle, .operation = operation, .half = UNKNOWN, .prepared = UNKNOWN, .active = true});
}

void replay_begin_send(struct replay *replay, const struct replay_message *message, replay_handle handle)
{
	struct request request = {.handle = handle, .half = UNKNOWN, .prepared = UNKNOWN, .active = true};
	replay_open_send(replay, message, &request.operation);
	add_request(replay, request);
}

void replay_begin_receive(struct replay *replay, const struct replay_message *message, replay_handle handle)
{
	struct request request = {.handle = handle, .prepared = UNKNOWN, .active = true};
	replay_open_receive(replay, message, &request.operation, &request.half);
	add_request(replay, request);
}

void replay_post(struct replay *replay, replay_handle handle)
{
	struct request request = {.handle = handle, .half = (uint32_t)replay->pairing.count, .prepared = UNKNOWN, .active = true};
	request.operation = replay_open_half(replay, replay->at, (struct half){.dropped = true});
	add_request(replay, request);
}

void replay_received(struct replay *replay, const struct replay_message *message, replay_handle handle)
{
	const struct request *request = find_request(replay, handle);
	struct half known = {.tag = 0};
	uint32_t sender;
	if (replay->error->status || replay_address(replay, message, &known, &sender))
		return;
	if (!request->used || request->half == UNKNOWN) { /* it was posted before the trace begins */
		replay_begin_receive(replay, message, handle);
		return;
	}
	struct half *half = &replay->pairing.list[request->half];
	half->tag = known.tag;
	half->sender = sender;
	half->unresolved = known.unresolved;
	half->dropped = false;
}

void replay_prepare(struct replay *replay, const struct replay_message *message, bool receive, replay_handle handle)
{
	struct request request = {
		.handle = handle, .operation = OPERATION_NONE, .half = UNKNOWN, .prepared = (uint32_t)replay->prepared_count};
	if (array_grow(&replay->prepared, &replay->prepared_capacity, replay->prepared_count + 1, sizeof *replay->prepared, replay->error))
		return;
	replay->prepared[replay->prepared_count++] = (struct prepared){*message, receive};
	add_request(replay, request);
}

void replay_start(struct replay *replay, replay_handle handle)
{
	struct request *request = find_request(replay, handle);
	if (!request->used || request->prepared == UNKNOWN) {
		replay_error(replay, "rank %" PRIu32 " starts a request that it has not prepared", replay->at);
		return;
	}
	const struct prepared *prepared = &replay->prepared[request->prepared];
	request->active = true;
	request->cancels = false;
	request->half = UNKNOWN;
	if (prepared->receive)
		replay_open_receive(replay, &prepared->message, &request->operation, &request->half);
	else
		replay_open_send(replay, &prepared->message, &request->operation);
}

void replay_free_request(struct replay *replay, replay_handle handle)
{
	struct request *request = find_request(replay, handle);
	if (request->used)
		remove_request(replay, request);
}

void replay_cancel(struct replay *replay, replay_handle handle)
{
	find_request(replay, handle)->cancels = true;
}

bool replay_wait_for(struct replay *replay, replay_handle handle, const struct replay_status *status)
{
	struct request *request = find_request(replay, handle);
	if (!request->used || !request->active || replay->error->status)
		return false;
	replay_set_status(replay, request->half, status);
	bool cancelled = request->cancels && !(status && status->kept) && request->half != UNKNOWN;
	if (cancelled)
		replay->pairing.list[request->half].dropped = true;
	if (request->operation != OPERATION_NONE && !cancelled) {
		if (replay->join == OPERATION_NONE)
			replay->join = task_join(replay->builder, replay->at);
		task_after(replay->builder, replay->join, request->operation);
	}
	request->active = false;
	if (request->prepared == UNKNOWN)
		remove_request(replay, request);
	return true;
}

void replay_wait(struct replay *replay)
{
	if (replay->join != OPERATION_NONE)
		replay_advance(replay, replay->join);
	replay->join = OPERATION_NONE;
}
