#include "tools/record/rank_requests.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { NONE = UINT32_MAX, HEADS = 1024 };

static size_t head_of(uint64_t handle)
{
	return (size_t)(handle * UINT64_C(0x9e3779b97f4a7c15) >> 54);
}

void rank_requests_init(struct rank_requests *requests)
{
	memset(requests, 0, sizeof *requests);
	memset(requests->head, 0xff, sizeof requests->head);
	memset(requests->tail, 0xff, sizeof requests->tail);
}

static void free_copy(struct rank_request *request)
{
	free(request->copy.list.number);
	request->copy.list = (struct record_list){0};
}

void rank_requests_clear(struct rank_requests *requests)
{
	for (size_t i = 0; i < requests->count; i++)
		free_copy(&requests->list[i]);
	free(requests->list);
	free(requests->free);
	rank_requests_init(requests);
}

struct rank_request *rank_requests_add(struct rank_requests *requests, struct rank_request request, struct error *error)
{
	size_t head = head_of(request.handle);
	uint32_t at;
	if (requests->frees) {
		at = requests->free[--requests->frees];
	} else {
		if (array_grow(&requests->list, &requests->capacity, requests->count + 1, sizeof *requests->list, error))
			return NULL;
		at = (uint32_t)requests->count++;
	}
	request.next = NONE;
	requests->list[at] = request;
	if (requests->head[head] == NONE)
		requests->head[head] = at;
	else
		requests->list[requests->tail[head]].next = at;
	requests->tail[head] = at;
	return &requests->list[at];
}

struct rank_request *rank_requests_find(struct rank_requests *requests, const struct record_request *named, bool active)
{
	struct rank_request *oldest = NULL;
	for (uint32_t at = requests->head[head_of(named->handle)]; at != NONE; at = requests->list[at].next) {
		struct rank_request *request = &requests->list[at];
		if (request->handle != named->handle || (active && !request->active))
			continue;
		if (request->place == named->place)
			return request;
		oldest = oldest ? oldest : request;
	}
	return oldest;
}

void rank_requests_remove(struct rank_requests *requests, struct rank_request *request)
{
	size_t head = head_of(request->handle);
	uint32_t gone = (uint32_t)(request - requests->list), before = NONE;
	for (uint32_t at = requests->head[head]; at != gone; at = requests->list[at].next)
		before = at;
	*(before == NONE ? &requests->head[head] : &requests->list[before].next) = request->next;
	if (requests->tail[head] == gone)
		requests->tail[head] = before;
	free_copy(request);
	struct error error = {0}; /* a place that cannot be kept is lost */
	if (!array_grow(&requests->free, &requests->free_capacity, requests->frees + 1, sizeof *requests->free, &error))
		requests->free[requests->frees++] = gone;
}
