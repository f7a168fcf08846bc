/* Reads the log of a rank, record by record. */
#ifndef TOOLS_RECORD_RECORD_READER_H
#define TOOLS_RECORD_RECORD_READER_H

#include "base/error.h"
#include "tools/record/record_log.h"

#include <stdbool.h>
#include <stddef.h>

/* A request as a record names it. */
struct record_request {
	uint64_t handle, place;
	int64_t source, tag; /* of its status */
	bool cancelled;
};

struct record_list {
	int64_t *number; /* [count] */
	size_t count, capacity;
};

/* A record; members that its kind does not have are of an earlier one. */
struct record {
	enum record_kind kind;
	uint64_t wall, cpu; /* nanoseconds of computation before it */
	uint32_t thread;
	uint64_t flags; /* enum message_flags, record_collective, making or window_epoch */
	uint64_t class; /* enum call_class; of others whether it has a request */
	int64_t peer, tag;
	uint64_t bytes, element;
	uint64_t communicator, window, message, made;
	int64_t first[2]; /* tasks */
	struct record_list list, other;
	struct record_request *request; /* [requests] */
	size_t requests, request_capacity;
};

struct record_reader {
	const char *path;
	const uint8_t *data;
	size_t bytes, at;
	uint64_t last[5];
	bool cut; /* the log ends within a record */
	struct record_header header;
	struct record record;
};

/* Maps the log. Returns 0, or -1; call record_close() in either case. path is borrowed. */
int record_open(struct record_reader *reader, const char *path, struct error *error);
void record_close(struct record_reader *reader);
void record_rewind(struct record_reader *reader);

/* Advances to the next record. Returns false at the end, and on errors. */
bool record_next(struct record_reader *reader, struct error *error);

#endif
