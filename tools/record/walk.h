/* A rank whose records become lines of the trace; for the files of trace_writer.c. */
#ifndef TOOLS_RECORD_WALK_H
#define TOOLS_RECORD_WALK_H

#include "tools/record/message_counts.h"
#include "tools/record/rank_requests.h"
#include "tools/record/trace_writer.h"

#include <inttypes.h>

/* What a receive has received. */
struct remark {
	uint64_t number; /* of its request */
	int64_t source, tag;
	bool cancelled;
};

/* Tasks of an epoch that has not ended. */
struct epoch {
	int64_t *task;
	size_t count, capacity;
};

struct window {
	uint64_t handle;
	size_t own;            /* its communicator, among those of the rank */
	struct epoch epoch[2]; /* of those for which the rank has posted the window, of those that it accesses */
};

/* A rank whose records are read. */
struct walk {
	struct joints *joints;
	struct trace_facts *facts;
	struct text_sink *sink;
	struct error *error;
	struct message_counts *counts;
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

/* Writes which communicator a line has. */
static inline void put_communicator(struct walk *w, const struct own_communicator *own)
{
	if (own->joint)
		PRINT(w, " comm=%" PRIu32, own->joint);
}

/* Writes the computation that precedes a line. */
void walk_begin_line(struct walk *walk);

/* Finds the communicator, and the task of a peer in it. Returns NULL, with a count, if one of the two is not known. */
const struct own_communicator *walk_find_peer(struct walk *walk, uint64_t handle, int64_t peer, int64_t *task);

/* Adds the request that the record names; there: it is in the trace. */
void walk_add_request(struct walk *walk, enum request_kind kind, const struct record *record, bool there, bool any);

/* Writes what a record says. Return whether it is one of theirs. */
bool walk_message(struct walk *walk, const struct record *record);
bool walk_window(struct walk *walk, const struct record *record);

/* Writes a collective operation with that number of its request, 0: it has none. Returns whether it is in the trace. */
bool walk_collective(struct walk *walk, const struct record *record, uint64_t number);

/* Returns whether the members of a communicator are known. */
bool walk_members_known(const struct walk *walk, const struct own_communicator *own);

/* Makes the windows of a rank be forgotten. */
void walk_clear_windows(struct walk *walk);

/* Orders what receives have received, after the first pass. */
void walk_sort_remarks(struct walk *walk);

#endif
