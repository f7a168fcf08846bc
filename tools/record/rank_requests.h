/*
 * The requests of a rank. MPI gives one handle to several requests at a time (all that have ended at once), so that a handle stands for the
 * request that the program keeps at the same place, and otherwise for the oldest.
 */
#ifndef TOOLS_RECORD_RANK_REQUESTS_H
#define TOOLS_RECORD_RANK_REQUESTS_H

#include "tools/record/record_reader.h"

enum request_kind { REQUEST_NOTHING, REQUEST_MESSAGE, REQUEST_OTHER };

struct rank_request {
	uint64_t handle, place;
	uint64_t number; /* of the request in the trace; of a receive also that of its post */
	uint32_t next, thread;
	enum request_kind kind;
	bool receive, any; /* a receive; from any source or with any tag */
	bool persistent, active;
	struct record copy; /* of a persistent one: what each start repeats; its lists are owned */
};

struct rank_requests {
	struct rank_request *list;
	uint32_t *free; /* [frees] places of the list that are not used */
	size_t count, capacity, frees, free_capacity;
	uint32_t head[1024], tail[1024];
};

void rank_requests_init(struct rank_requests *requests);
void rank_requests_clear(struct rank_requests *requests);
/* Adds a request. Returns it, valid until the next is added; NULL if out of memory. */
struct rank_request *rank_requests_add(struct rank_requests *requests, struct rank_request request, struct error *error);
/* Finds the request that a record names; active: only one that is; NULL: none. */
struct rank_request *rank_requests_find(struct rank_requests *requests, const struct record_request *named, bool active);
void rank_requests_remove(struct rank_requests *requests, struct rank_request *request);

#endif
